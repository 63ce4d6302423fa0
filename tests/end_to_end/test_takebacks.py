"""Taking moves back by consent; draw and takeback offers, limited to one a turn."""

from __future__ import annotations

import random

import pytest

from bot.play.matches.offers import Offers
from bot.play.matches.positions import Position
from engine import registry
from engine.game import CHANCE
from playground.people import Person
from tests.end_to_end.harness import Environment
from tests.end_to_end.people import ask_takeback, make_first_move, move_without_throw
from tests.end_to_end.verification import verify_match
from tests.routes import EDIT

SILENT = ["tablut", "tablaaza"]
"""Games without throws."""


def unnamed(alt: str | None) -> str:
    """Return a board's description without the names of its players, which end it."""
    assert alt is not None
    return alt.rpartition(". ")[0]


@pytest.mark.parametrize("slug", SILENT)
async def test_an_agreed_takeback_removes_the_last_move_and_pings_its_player_again_after_a_restart(
    env: Environment, slug: str
) -> None:
    before = await env.begin(slug)
    legal = await env.legal()
    mover, other = await make_first_move(env)
    board = env.board()
    offer = await ask_takeback(slug, mover)
    assert offer.pinged == (other.user,)
    assert [button.label for button in offer.buttons] == ["Play on", "Agree to take it back"]
    await env.restart()
    reply = await other.press(offer, "Agree to take it back")
    assert f"{mover.mention} takes back the last move of match #1" in reply.text
    assert not offer.buttons
    await env.settled()
    assert await env.ply() == 0
    assert await env.legal() == legal
    now = env.board()
    assert now not in {before, board}
    assert now.pinged == (mover.user,)
    # Names come from memory, which the restart has emptied.
    assert unnamed(now.alt) == unnamed(before.alt)
    assert not board.buttons
    assert not board.menus
    assert "taken back" in board.text
    assert board.picture is not None
    assert await linked(slug, mover) == now.id
    assert "**your turn**" in (await mover.slash(f"/{slug} games")).text
    await env.restart()
    await make_first_move(env)
    assert await env.ply() == 1
    assert env.mover(env.board()) is other


async def linked(slug: str, person: Person) -> int:
    listed = (await person.slash(f"/{slug} games")).text
    return int(listed.rsplit("/", 1)[1].split(")")[0])


@pytest.mark.parametrize("who", ["the other", "who asks"])
async def test_a_takeback_can_be_declined_or_withdrawn(env: Environment, who: str) -> None:
    await env.begin("tablut")
    mover, other = await make_first_move(env)
    board, ply = env.board(), await env.ply()
    offer = await ask_takeback("tablut", mover)
    assert other.mention in (await mover.press(offer, "Agree to take it back")).private
    snapshot = offer.snapshot()
    reply = await (other if who == "the other" else mover).press(offer, "Play on")
    if who == "the other":
        assert f"{other.mention} declined the takeback" in reply.text
    else:
        assert f"{mover.mention} withdrew the takeback" in reply.text
    assert not offer.buttons
    assert reply.text in (await other.press(snapshot, "Agree to take it back", stale=True)).private
    await env.settled()
    assert await env.ply() == ply
    assert env.board() is board
    assert board.buttons or board.menus


async def test_no_one_else_can_ask_or_answer(env: Environment) -> None:
    first = env.mover(await env.begin("tablut"))
    assert "Nobody has moved yet" in (await first.slash("/tablut takeback")).text
    mover, other = await make_first_move(env)
    assert f"{mover.mention} has moved since" in (await other.slash("/tablut takeback")).text
    offer = await ask_takeback("tablut", mover)
    for label in ("Agree to take it back", "Play on"):
        assert mover.mention in (await env.carol.press(offer, label)).private
    assert offer.buttons
    assert mover.mention in (await env.carol.slash("/tablut takeback", match=1)).text
    assert await env.ply() == 1


async def test_a_move_followed_by_a_throw_cannot_be_taken_back(env: Environment) -> None:
    board = await env.begin("tablan")
    mover = env.mover(board)
    while await env.ply() == 0 or env.mover(env.board()) is mover:
        await env.turn(env.board(), random.Random(1))
    position = await env.position()
    assert position.game.actor(position.tail[-1].before) is CHANCE
    assert "never taken back" in (await mover.slash("/tablan takeback")).text
    assert (await env.position()).version == position.version


async def test_an_offer_lapses_with_a_takeback_to_the_same_turn(env: Environment) -> None:
    await env.begin("tablut")
    mover, other = await make_first_move(env)
    first = await ask_takeback("tablut", mover)
    draw = await mover.slash("/tablut draw")
    snapshot = draw.shown.snapshot()
    await env.done(other.press(first, "Agree to take it back"))
    await make_first_move(env)
    assert await env.ply() == 1
    late = await other.press(snapshot, "Agree to a draw", stale=True)
    assert "lapsed: a move was taken back in match #1" in late.text
    assert not draw.shown.buttons
    assert await env.ply() == 1


async def test_a_press_on_a_board_from_before_the_takeback_is_refused(env: Environment) -> None:
    await env.begin("tablut")
    mover, other = await make_first_move(env)
    old = env.board().snapshot()
    offer = await ask_takeback("tablut", mover)
    await env.done(other.press(offer, "Agree to take it back"))
    await make_first_move(env)
    assert await env.ply() == 1, "the turn number is reused"
    late = (await other.press(old, custom_id=old.buttons[0].custom_id, stale=True)).private
    assert "earlier turn" in late
    assert await env.ply() == 1


async def test_a_takeback_cut_off_by_a_crash_is_shown_later(env: Environment) -> None:
    await env.begin("tablut")
    mover, other = await make_first_move(env)
    old = env.board()
    made = await env.app.get(Offers).make(1, mover.id, "takeback")
    await env.app.get(Offers).answer(made.offer.id, other.id, yes=True)
    await env.restart()
    await env.settled()
    now = env.board()
    assert now is not old
    assert now.pinged == (mover.user,)
    assert "taken back" in old.text
    assert not old.menus


async def test_with_more_players_all_others_must_agree(env: Environment) -> None:
    await env.begin("thaayam", players=4)
    asker = await move_without_throw(env, random.Random(3))
    version = (await env.position()).version
    offer = await ask_takeback("thaayam", asker)
    others = [person for person in env.people if person is not asker]
    assert set(offer.pinged) == {person.user for person in others}
    snapshot = offer.snapshot()
    # Both answer the same message at once, and both answers count.
    for person in others[:2]:
        await person.press(snapshot, "Agree to take it back", stale=True)
    assert (await env.position()).version == version
    assert others[0].mention in offer.text
    assert "Agreed so far" in offer.text
    await env.restart()
    await env.done(others[2].press(offer, "Agree to take it back"))
    position = await env.position()
    assert position.match.takebacks == 1
    assert position.version == version + 1
    assert position.to_move is not None
    assert position.to_move.user_id == asker.id
    for person in env.people[1:]:
        await env.resign(person)
    await verify_match(env)


def throws(position: Position) -> dict[int, object]:
    return {p.ply: p.move for p in position.tail if position.game.actor(p.before) is CHANCE}


async def test_the_throws_of_a_match_with_takebacks_verify(env: Environment) -> None:
    dice = random.Random(5)
    await env.begin("thaayam")
    taken = 0
    for _ in range(1500):
        board = env.board()
        if taken == 5:
            await env.resign(env.ann)
            break
        mover, ply = env.mover(board), await env.ply()
        await env.turn(board, dice)
        position = await env.position()
        decided = (
            position.ply == ply + 1 and position.game.actor(position.tail[-1].before) is not CHANCE
        )
        if decided and position.to_move is not None:
            thrown = throws(position)
            offer = await ask_takeback("thaayam", mover)
            other = env.ben if mover is env.ann else env.ann
            await env.done(other.press(offer, "Agree to take it back"))
            taken += 1
            now = await env.position()
            # Each position knows the end of the log alone, and the two may begin at different turns.
            first = max(position.ply - len(position.tail), now.ply - len(now.tail))
            kept = {ply: throw for ply, throw in thrown.items() if ply > first}
            assert kept
            assert {ply: throw for ply, throw in throws(now).items() if ply > first} == kept
    position = await env.position()
    assert position.match.takebacks == taken == 5
    assert position.match.finished
    await verify_match(env)


async def test_a_finished_match_allows_no_takeback(env: Environment) -> None:
    await env.begin("tablut")
    mover, other = await make_first_move(env)
    offer = await ask_takeback("tablut", mover)
    question = await other.slash("/tablut resign")
    snapshot = offer.snapshot()
    await env.done(other.press(question.shown, "Resign"))
    assert "over" in (await other.press(snapshot, "Agree to take it back", stale=True)).text
    assert "over" in (await mover.slash("/tablut takeback", match=1)).text


def test_every_game_is_covered_here() -> None:
    assert set(SILENT) | {"tablan", "thaayam"} == set(registry.games())


SAME = {"draw": "/tablut draw", "takeback": "/tablut takeback"}


async def round_of_moves(env: Environment) -> None:
    ply = await env.ply()
    await env.hurry(random.Random(ply + 100), lambda position: position.ply == ply + 2)


@pytest.mark.parametrize("line", SAME.values(), ids=SAME)
async def test_of_many_offers_one_pings_the_opponent(env: Environment, line: str) -> None:
    await env.begin("tablut")
    mover, other = await make_first_move(env)
    first = await mover.slash(line)
    assert first.shown.pinged == (other.user,)
    for _ in range(3):
        again = (await mover.slash(line)).private
        assert "stands until the next move: https://discord.com/" in again
        assert again.endswith(str(first.shown.id))
    await other.press(first.shown, "Play on")
    for _ in range(3):
        assert "after everyone has made one more move" in (await mover.slash(line)).private


async def test_the_waiting_time_doubles_after_each_failed_offer(env: Environment) -> None:
    await env.begin("tablut")
    offered_after = []
    for number in range(8):
        reply = await env.ann.slash("/tablut draw")
        if not reply.ephemeral:
            offered_after.append(number)
        await round_of_moves(env)
    assert offered_after == [0, 1, 3, 7]


async def test_one_move_and_a_restart_allow_no_other_offer(env: Environment) -> None:
    await env.begin("tablut")
    await env.ann.slash("/tablut draw")
    await make_first_move(env)
    await env.restart()
    assert (await env.ann.slash("/tablut draw")).ephemeral
    await make_first_move(env)
    assert not (await env.ann.slash("/tablut draw")).ephemeral


async def test_mutual_draw_offers_are_an_agreement(env: Environment) -> None:
    await env.begin("tablut")
    offer = await env.ann.slash("/tablut draw")
    reply = await env.done(env.ben.slash("/tablut draw"))
    assert not reply.ephemeral
    assert f"{env.ben.mention} accepted {env.ann.mention}'s draw offer" in reply.text
    assert "draw agreed" in env.board().text
    assert not offer.shown.buttons
    assert offer.shown.text == reply.text


async def test_requesting_the_same_takeback_accepts_it(env: Environment) -> None:
    await env.begin("tablut")
    mover, other = await make_first_move(env)
    offer = await ask_takeback("tablut", mover)
    reply = await env.done(other.slash("/tablut takeback"))
    assert f"{other.mention} agreed: {mover.mention} takes back the last move" in reply.text
    assert await env.ply() == 0
    assert not offer.buttons


async def test_after_an_agreed_takeback_another_can_be_requested_at_once(env: Environment) -> None:
    await env.begin("tablut")
    for _ in range(2):
        mover, other = await make_first_move(env)
        await env.done(other.press(await ask_takeback("tablut", mover), "Agree to take it back"))
    assert (await env.position()).match.takebacks == 2


@pytest.mark.parametrize("how", ["a move", "a takeback", "the end"])
async def test_a_lapsed_offer_loses_its_buttons_and_says_why(env: Environment, how: str) -> None:
    await env.begin("tablut")
    mover, other = await make_first_move(env)
    offer = (await other.slash("/tablut draw")).shown
    assert offer.buttons
    if how == "a move":
        await env.turn(env.board(), random.Random(1))
        await make_first_move(env)
        reason = "a move was made in match #1"
    elif how == "a takeback":
        await other.press(await ask_takeback("tablut", mover), "Agree to take it back")
        reason = "a move was taken back in match #1"
    else:
        question = await mover.slash("/tablut resign")
        await mover.press(question.shown, "Resign")
        reason = "match #1 is over"
    await env.settled()
    assert not offer.buttons
    assert offer.text == f"{other.mention}'s draw offer has lapsed: {reason}."


async def test_a_lapsed_offer_is_closed_by_the_clock_alone(env: Environment) -> None:
    env.expected |= {500}
    await env.begin("tablut")
    offer = (await env.ann.slash("/tablut draw")).shown
    env.faults.respond(EDIT, status=500, times=None, when=lambda one: str(offer.id) in one.path)
    await env.play_a_while(moves=1)
    assert offer.buttons
    await env.restart()
    env.faults.clear()
    await env.advance(minutes=5)
    assert not offer.buttons
    assert "lapsed: a move was made" in offer.text


@pytest.mark.parametrize("yes", [True, False])
async def test_a_lost_answer_is_shown_by_the_offer_soon(env: Environment, *, yes: bool) -> None:
    await env.begin("tablut")
    offer = (await env.ann.slash("/tablut draw")).shown
    await env.app.get(Offers).answer(1, env.ben.id, yes=yes)
    await env.advance(minutes=2)
    assert not offer.buttons
    assert f"{env.ben.mention} {'accepted' if yes else 'declined'}" in offer.text


async def test_an_answered_offer_is_edited_by_the_press_alone(env: Environment) -> None:
    await env.begin("tablut")
    offer = (await env.ann.slash("/tablut draw")).shown
    await env.ben.press(offer, "Play on")
    await env.advance(minutes=5)
    assert f"{env.ben.mention} declined the draw" in offer.text
    assert env.requests_to(EDIT) == []


async def test_an_offer_whose_message_was_deleted_delays_nothing(env: Environment) -> None:
    env.expected = {404}
    await env.begin("tablut")
    offer = (await env.ann.slash("/tablut draw")).shown
    env.playground.messages.delete(offer)
    await round_of_moves(env)
    assert not (await env.ann.slash("/tablut draw")).ephemeral
    assert await env.ply() == 2


async def test_a_button_of_an_earlier_offer_is_answered(env: Environment) -> None:
    await env.begin("tablut")
    first = (await env.ann.slash("/tablut draw")).shown
    snapshot = first.snapshot()
    await round_of_moves(env)
    await env.ann.slash("/tablut draw")
    assert "newer offer" in (await env.ben.press(snapshot, "Agree to a draw", stale=True)).private
    assert (await env.position()).to_move is not None
