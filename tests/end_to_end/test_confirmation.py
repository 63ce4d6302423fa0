"""Move confirmation, only for players who want it."""

from __future__ import annotations

import random

import pytest

from bot.play.delivery.outbox_worker import OutboxWorker
from bot.play.matches.service import Matches
from engine import registry
from playground.model import Message
from playground.people import Person
from tests.end_to_end.harness import Environment, alone, first_steps, receipt
from tests.moves import play

GAMES = sorted(registry.games())


@pytest.fixture
async def env(env: Environment) -> Environment:
    for person in (env.ann, env.ben):
        await env.change_player(person, confirm=True)
    return env


async def asked(env: Environment) -> tuple[Message, Person, Message]:
    """Choose a whole move on the board; return the board, the player, and the question."""
    board = env.board()
    mover = env.mover(board)
    question = alone(await env.turn(board, random.Random(2)))
    assert question is not None
    return board, mover, question


@pytest.mark.parametrize("slug", GAMES)
async def test_a_chosen_move_is_played_when_confirmed(env: Environment, slug: str) -> None:
    await env.begin(slug)
    ply = await env.ply()
    board, mover, question = await asked(env)
    assert question.ephemeral_for is mover.user
    assert "Nothing has been played yet." in question.text
    assert question.picture
    assert "The board if you play it." in (question.alt or "")
    assert [button.label for button in question.buttons] == ["Play it", "Choose again"]
    assert await env.ply() == ply
    assert env.board() is board
    done = await mover.press(question, "Play it")
    assert "Played." in receipt(done)
    assert not question.buttons
    assert not question.attachments
    await env.settled()
    assert await env.ply() > ply


async def test_the_player_can_choose_again(env: Environment) -> None:
    await env.begin("tablut")
    _, mover, question = await asked(env)
    await mover.press(question, "Choose again")
    assert first_steps(question)
    assert question.picture
    assert await env.ply() == 0
    while "Nothing has been played yet." not in question.text:
        await env.turn_from(question, mover, random.Random(3))
    await env.done(mover.press(question, "Play it"))
    assert await env.ply() == 1


async def test_a_typed_move_needs_confirmation_too(env: Environment) -> None:
    board = await env.begin("tablan")
    mover = env.mover(board)
    ply = await env.ply()
    (move, *_) = await env.legal()
    reply = (await mover.slash("/tablan move", move=move)).shown
    assert reply.ephemeral
    assert await env.ply() == ply
    await env.restart()
    await env.done(mover.press(reply, "Play it"))
    assert await env.ply() > ply


async def test_illegal_or_untimely_moves_are_refused_before_confirmation(env: Environment) -> None:
    board = await env.begin("tablut")
    mover, other = env.mover(board), env.other(board)
    reply = await mover.slash("/tablut move", move="a1-a2")
    assert not reply.message or not reply.message.buttons
    assert "not your turn" in (await other.slash("/tablut move", move=(await env.legal())[0])).text


async def test_confirming_for_an_earlier_turn_plays_nothing(env: Environment) -> None:
    await env.begin("tablut")
    _, mover, question = await asked(env)
    position = await env.position()
    move = position.game.write(position.game.legal_moves(position.state)[0])
    await play(env.app.get(Matches), 1, mover.id, move)
    env.app.get(OutboxWorker).wake(1)
    await env.settled()
    assert "earlier turn" in (await mover.press(question, "Play it")).text
    assert await env.ply() == 1


async def test_confirming_twice_plays_one_move(env: Environment) -> None:
    env.expected |= {404}  # the question is gone after the first
    await env.begin("tablut")
    _, mover, question = await asked(env)
    snapshot = question.snapshot()
    presses = [mover.press(snapshot, "Play it", stale=True) for _ in range(2)]
    for press in presses:
        await press
    await env.settled()
    assert await env.ply() == 1


async def test_no_confirmation_is_asked_if_turned_off(env: Environment) -> None:
    for person in (env.ann, env.ben):
        await env.change_player(person, confirm=False)
    await env.begin("tablut")
    board = env.board()
    while await env.ply() == 0:
        reply = await env.turn(board, random.Random(2))
        message = alone(reply)
        assert message is None or message.text.startswith("Played.")
