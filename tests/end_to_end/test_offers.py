"""Draw and takeback offers are limited to one a turn, with a pause after it and no old buttons."""

from __future__ import annotations

import random

import pytest

from bot.play.matches.offers import Offers
from tests.end_to_end.harness import Environment
from tests.end_to_end.people import ask_takeback, make_first_move
from tests.routes import EDIT

SAME = {"draw": "/tablut draw", "takeback": "/tablut takeback"}


async def round_of_moves(env: Environment) -> None:
    ply = await env.ply()
    await env.hurry(random.Random(ply + 100), lambda view: view.ply == ply + 2)


@pytest.mark.parametrize("line", SAME.values(), ids=SAME)
async def test_of_many_offers_one_pings_the_opponent(env: Environment, line: str) -> None:
    await env.begin("tablut")
    mover, other = await make_first_move(env, "tablut")
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
    await make_first_move(env, "tablut")
    await env.restart()
    assert (await env.ann.slash("/tablut draw")).ephemeral
    await make_first_move(env, "tablut")
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
    mover, other = await make_first_move(env, "tablut")
    offer = await ask_takeback(env, "tablut", mover)
    reply = await env.done(other.slash("/tablut takeback"))
    assert f"{other.mention} agreed: {mover.mention} takes back the last move" in reply.text
    assert await env.ply() == 0
    assert not offer.buttons


async def test_after_an_agreed_takeback_another_can_be_requested_at_once(env: Environment) -> None:
    await env.begin("tablut")
    for _ in range(2):
        mover, other = await make_first_move(env, "tablut")
        await env.done(
            other.press(await ask_takeback(env, "tablut", mover), "Agree to take it back")
        )
    assert (await env.view()).match.takebacks == 2


@pytest.mark.parametrize("how", ["a move", "a takeback", "the end"])
async def test_a_lapsed_offer_loses_its_buttons_and_says_why(env: Environment, how: str) -> None:
    await env.begin("tablut")
    mover, other = await make_first_move(env, "tablut")
    offer = (await other.slash("/tablut draw")).shown
    assert offer.buttons
    if how == "a move":
        await env.turn(env.board(), random.Random(1))
        await make_first_move(env, "tablut")
        reason = "a move was made in match #1"
    elif how == "a takeback":
        await other.press(await ask_takeback(env, "tablut", mover), "Agree to take it back")
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
    assert (await env.view()).to_move is not None
