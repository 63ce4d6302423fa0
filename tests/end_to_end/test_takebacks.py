"""Taking a move back by consent, in games with throws and without."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from engine import registry
from engine.game import CHANCE
from tests.end_to_end.proof import prove

if TYPE_CHECKING:
    from playground.model import Message
    from playground.people import Person
    from tests.end_to_end.harness import House

SILENT = ["tablut", "tablaaza"]
"""Games in which nothing is thrown."""


async def ended_by(house: House, slug: str) -> tuple[Person, Person]:
    """Let the first player make a move; return them and the one who is to answer."""
    board = house.board()
    mover, other = house.mover(board), house.other(board)
    ply = await house.ply()
    while await house.ply() == ply:
        await house.turn(house.board(), random.Random(1))
    return mover, other


async def asked(house: House, slug: str, person: Person, **options: int) -> Message:
    """Let somebody ask to take the last move back, and return the offer."""
    told = await person.slash(f"/{slug} takeback", options=options)
    assert not told.ephemeral, told.text
    assert told.message is not None
    return told.message


@pytest.mark.parametrize("slug", SILENT)
async def test_an_agreed_takeback_removes_the_last_move_and_calls_its_player_again(
    house: House, slug: str
) -> None:
    before = await house.begin(slug)
    legal = await house.legal()
    mover, other = await ended_by(house, slug)
    board = house.board()
    offer = await asked(house, slug, mover)
    assert offer.pinged == (other.user,)
    assert [button.label for button in offer.buttons] == ["Play on", "Agree to take it back"]

    told = await other.press(offer, "Agree to take it back")
    assert f"{mover.mention} takes the last move of match #1 back" in told.text
    assert not offer.buttons
    await house.settled()

    assert await house.ply() == 0
    assert await house.legal() == legal
    now = house.board()
    assert now not in {before, board}
    assert now.pinged == (mover.user,)
    assert now.picture == before.picture or now.alt == before.alt
    assert not board.buttons
    assert not board.menus
    assert "taken back" in board.text
    assert board.picture is not None
    assert await linked(house, slug, mover) == now.id


async def linked(house: House, slug: str, person: Person) -> int:
    """Return the message that the list of games links to."""
    listed = (await person.slash(f"/{slug} games")).text
    return int(listed.rsplit("/", 1)[1].split(")")[0])


@pytest.mark.parametrize("slug", SILENT)
async def test_the_other_player_may_decline_and_the_one_who_asks_may_withdraw(
    house: House, slug: str
) -> None:
    await house.begin(slug)
    mover, other = await ended_by(house, slug)
    board, ply = house.board(), await house.ply()
    offer = await asked(house, slug, mover)
    told = await other.press(offer, "Play on")
    assert f"{other.mention} would rather not" in told.text
    assert not offer.buttons
    offer = await asked(house, slug, mover)
    told = await mover.press(offer, "Agree to take it back")
    assert told.ephemeral
    assert other.mention in told.text
    told = await mover.press(offer, "Play on")
    assert f"{mover.mention} no longer asks" in told.text
    await house.settled()
    assert await house.ply() == ply
    assert house.board() is board
    assert board.buttons or board.menus


async def test_a_late_yes_to_an_offer_that_was_declined_changes_nothing(house: House) -> None:
    await house.begin("tablut")
    mover, other = await ended_by(house, "tablut")
    offer = await asked(house, "tablut", mover)
    seen = offer.snapshot()
    await other.press(offer, "Play on")
    late = await other.press(seen, "Agree to take it back", stale=True)
    assert late.ephemeral
    assert "declined" in late.text
    assert await house.ply() == 1


async def test_nobody_else_may_ask_or_answer(house: House) -> None:
    await house.begin("tablut")
    mover, other = await ended_by(house, "tablut")
    offer = await asked(house, "tablut", mover)
    for label in ("Agree to take it back", "Play on"):
        told = await house.carol.press(offer, label)
        assert told.ephemeral
        assert mover.mention in told.text
    assert offer.buttons
    told = await house.carol.slash("/tablut takeback", match=1)
    assert mover.mention in told.text
    assert await house.ply() == 1
    told = await other.slash("/tablut takeback")
    assert f"{mover.mention} has moved since" in told.text


async def test_before_the_first_move_there_is_nothing_to_take_back(house: House) -> None:
    board = await house.begin("tablut")
    told = await house.mover(board).slash("/tablut takeback")
    assert "Nobody has moved yet" in told.text


async def test_what_a_throw_has_followed_stays_and_the_answer_says_why(house: House) -> None:
    board = await house.begin("tablan")
    mover = house.mover(board)
    while await house.ply() == 0 or house.mover(house.board()) is mover:
        await house.turn(house.board(), random.Random(1))
    view = await house.bot.matches.view(1)
    assert view.game.actor(view.tail[-1].before) is CHANCE
    told = await mover.slash("/tablan takeback")
    assert "cannot be unseen" in told.text
    assert (await house.bot.matches.view(1)).version == view.version


async def test_an_offer_lapses_with_the_next_move(house: House) -> None:
    await house.begin("tablut")
    mover, other = await ended_by(house, "tablut")
    offer = await asked(house, "tablut", mover)
    await ended_by(house, "tablut")
    late = await other.press(offer, "Agree to take it back")
    assert late.ephemeral
    assert "lapsed" in late.text
    assert late.message is not None
    assert late.message.picture
    assert await house.ply() == 2


async def test_an_offer_lapses_with_a_takeback_even_when_the_same_turn_comes_again(
    house: House,
) -> None:
    await house.begin("tablut")
    mover, other = await ended_by(house, "tablut")
    first = await asked(house, "tablut", mover)
    second = await asked(house, "tablut", mover)
    draw = None
    await other.press(first, "Agree to take it back")
    await house.settled()
    await ended_by(house, "tablut")
    assert await house.ply() == 1
    late = await other.press(second, "Agree to take it back")
    assert "lapsed" in late.text
    assert draw is None
    assert await house.ply() == 1


async def test_a_press_on_a_board_from_before_the_takeback_is_refused(house: House) -> None:
    await house.begin("tablut")
    mover, other = await ended_by(house, "tablut")
    old = house.board().snapshot()
    offer = await asked(house, "tablut", mover)
    await other.press(offer, "Agree to take it back")
    await house.settled()
    await ended_by(house, "tablut")
    assert await house.ply() == 1, "the same turn number again"
    value = old.menus[0].options[0].value
    late = await other.choose(old, value, stale=True)
    assert late.ephemeral
    assert "earlier turn" in late.text
    assert await house.ply() == 1


async def test_of_two_who_agree_at_once_and_of_a_move_meanwhile_one_wins(house: House) -> None:
    await house.begin("tablut")
    mover, other = await ended_by(house, "tablut")
    offer = await asked(house, "tablut", mover)
    seen = offer.snapshot()
    presses = [other.start_press(seen, "Agree to take it back", stale=True) for _ in range(2)]
    answers = [await press.acknowledged() for press in presses]
    await house.settled()
    assert await house.ply() == 0
    assert (await house.bot.matches.view(1)).match.takebacks == 1
    assert sum("lapsed" in answer.text for answer in answers) == 1


@pytest.mark.parametrize("slug", SILENT)
async def test_a_restart_between_the_question_and_the_yes_does_no_harm(
    house: House, slug: str
) -> None:
    await house.begin(slug)
    mover, other = await ended_by(house, slug)
    offer = await asked(house, slug, mover)
    await house.restart()
    await other.press(offer, "Agree to take it back")
    await house.settled()
    assert await house.ply() == 0
    await house.restart()
    await ended_by(house, slug)
    assert await house.ply() == 1
    assert house.mover(house.board()) is other


async def test_what_a_crash_left_untold_is_told_at_the_next_start(house: House) -> None:
    await house.begin("tablut")
    mover, other = await ended_by(house, "tablut")
    old = house.board()
    made, _ = await house.bot.takebacks.offer(1, mover.id)
    await house.bot.takebacks.agree(made, other.id)
    await house.restart()
    await house.settled()
    now = house.board()
    assert now is not old
    assert now.pinged == (mover.user,)
    assert "taken back" in old.text
    assert not old.menus


async def test_with_more_players_all_others_must_agree(house: House) -> None:
    dice = random.Random(3)
    await house.begin("thaayam", players=4)
    asker = None
    for _ in range(400):
        board = house.board()
        mover = house.mover(board)
        ply = await house.ply()
        await house.turn(board, dice)
        view = await house.bot.matches.view(1)
        if view.ply == ply + 1 and view.game.actor(view.tail[-1].before) is not CHANCE:
            asker = mover
            break
    assert asker is not None
    version = (await house.bot.matches.view(1)).version
    offer = await asked(house, "thaayam", asker)
    others = [person for person in house.people if person is not asker]
    assert set(offer.pinged) == {person.user for person in others}
    seen = offer.snapshot()
    # Two answer the same message at once: neither overlooks the other.
    for person in others[:2]:
        await person.press(seen, "Agree to take it back", stale=True)
    assert (await house.bot.matches.view(1)).version == version
    assert others[0].mention in offer.text
    assert "Agreed so far" in offer.text
    await house.restart()
    await others[2].press(offer, "Agree to take it back")
    await house.settled()
    view = await house.bot.matches.view(1)
    assert view.match.takebacks == 1
    assert view.version == version + 1
    assert view.to_move is not None
    assert view.to_move.user_id == asker.id
    await house.play_until(dice, lambda board: not house.choices(board))
    await prove(house)


async def test_the_luck_of_a_match_with_takebacks_verifies(house: House) -> None:
    dice = random.Random(5)
    await house.begin("thaayam")
    taken = 0
    for _ in range(1500):
        board = house.board()
        if not house.choices(board):
            break
        mover, ply = house.mover(board), await house.ply()
        await house.turn(board, dice)
        view = await house.bot.matches.view(1)
        decided = view.ply == ply + 1 and view.game.actor(view.tail[-1].before) is not CHANCE
        if decided and taken < 10 and view.to_move is not None:
            thrown = [p.move for p in view.tail if view.game.actor(p.before) is CHANCE]
            offer = await asked(house, "thaayam", mover)
            other = house.ben if mover is house.ann else house.ann
            await other.press(offer, "Agree to take it back")
            await house.settled()
            taken += 1
            now = await house.bot.matches.view(1)
            assert [p.move for p in now.tail if now.game.actor(p.before) is CHANCE] == thrown[
                -len(thrown) :
            ]
    view = await house.bot.matches.view(1)
    assert view.match.takebacks == taken == 10
    assert view.match.finished
    await prove(house)


async def test_a_finished_match_takes_nothing_back(house: House) -> None:
    await house.begin("tablut")
    mover, other = await ended_by(house, "tablut")
    offer = await asked(house, "tablut", mover)
    question = await other.slash("/tablut resign")
    assert question.message is not None
    await other.press(question.message, "Resign")
    await house.settled()
    late = await other.press(offer, "Agree to take it back")
    assert "over" in late.text
    told = await mover.slash("/tablut takeback", match=1)
    assert "over" in told.text


def test_every_game_is_looked_at_here() -> None:
    assert set(SILENT) | {"tablan", "thaayam"} == set(registry.games())
