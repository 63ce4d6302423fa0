"""Conditional moves: chosen below the board or typed, private, and announced when played."""

from __future__ import annotations

import random

import pytest

from bot.play.boards import board_message_views
from engine import registry
from playground.model import Message
from playground.people import Person
from tests.end_to_end.harness import Environment, unlinked
from tests.end_to_end.people import everything_to, labels, more


async def line(env: Environment, length: int) -> list[str]:
    """Return a sequence of legal moves, the first in each position."""
    position = await env.position()
    state, found = position.state, []
    for _ in range(length):
        move = position.game.legal_moves(state)[0]
        found.append(position.game.write(move))
        state = position.game.after(state, move)
    return found


async def pick(person: Person, message: Message, steps: tuple[str, ...]) -> None:
    for many in range(1, len(steps) + 1):
        wanted = "|".join(steps[:many])
        for place, menu in enumerate(message.menus):
            if any(choice.value == wanted for choice in menu.options):
                await person.choose(message, wanted, menu=place)
                break
        else:
            found = [
                b
                for b in message.buttons
                if (b.custom_id or "").endswith((f":{wanted}", f"|{wanted}"))
            ]
            if not found:
                continue  # this step is taken together with the next
            await person.press(message, custom_id=found[0].custom_id or "")


def told(notation: str) -> str:
    """Return a move of a man in Tablut in the words of its menu."""
    return f"man {notation.replace('-', ' to ')}"


async def test_a_move_planned_with_buttons_is_played_when_it_applies(env: Environment) -> None:
    board = await env.begin("tablut")
    mover, other = env.mover(board), env.other(board)
    first, answer = await line(env, 2)
    game = registry.game("tablut")
    assert "Plan ahead" not in labels(await more(env, mover))
    assert "Plan ahead" not in labels(await more(env, env.carol))
    message = await more(env, other)
    await other.press(message, "Plan ahead")
    assert f"What might {mover.mention} play?" in message.text
    assert message.picture is not None
    start = game.initial(game.settle(), 2)
    move = game.read(start, first)
    await pick(other, message, game.steps(move))
    assert "Your answer?" in message.text
    assert f"If {told(first)} …" in message.text
    await pick(other, message, game.steps(game.read(game.after(start, move), answer)))
    assert f"Planned: {told(first)} → **{told(answer)}**" in message.text
    assert labels(message) == ["Plan a move", "Back"]
    assert not [m for m in env.boards() if "lan" in m.text and "Plan" in m.text]
    posts = len(env.boards())
    await env.done(mover.slash("/tablut move", move=first))
    assert await env.ply() == 2
    new = env.board()
    assert len(env.boards()) == posts + 1, "both moves take one board"
    assert env.mover(new) is mover
    assert mover.user in new.pinged
    assert answer.replace("-", " to ") in new.text
    assert "lanned" not in "".join(m.text for m in env.boards())
    text = everything_to(env, other)
    assert "Your planned answer was played in match #1" in unlinked(text)
    assert f"{told(first)} → **{told(answer)}**" in text
    assert everything_to(env, mover) == ""


async def test_moves_can_be_planned_by_typing(env: Environment) -> None:
    board = await env.begin("tablaaza")
    mover, other = env.mover(board), env.other(board)
    moves = await line(env, 4)
    reply = (await other.slash("/tablaaza plan", moves=" then ".join(moves))).private
    built = [f"build on {one}" for one in moves]
    assert f"{built[0]} → **{built[1]}** → {built[2]} → **{built[3]}**" in reply
    refused = await mover.slash("/tablaaza plan", moves=", ".join(moves[:2]))
    assert "It's your turn" in refused.text
    stranger = await env.carol.slash("/tablaaza plan", moves=", ".join(moves[:2]), match=1)
    assert moves[1] not in stranger.text
    wrong = (await other.slash("/tablaaza plan", moves=f"{moves[0]}, {moves[0]}")).private
    assert "Planned" not in wrong
    assert f"1. {built[0]} → **{built[1]}**" in (await other.slash("/tablaaza plan")).text


async def test_a_plan_can_be_extended_and_removed(env: Environment) -> None:
    board = await env.begin("tablut")
    other = env.other(board)
    moves = await line(env, 4)
    reply = await other.slash("/tablut plan", moves=", ".join(moves[:2]))
    message = reply.shown
    await other.choose(message, message.menus[0].options[0].value)
    assert labels(message) == ["Plan the next", "Remove", "Back"]
    await other.press(message, "Plan the next")
    game = registry.game("tablut")
    state = game.initial(game.settle(), 2)
    for notation in moves[:2]:
        state = game.after(state, game.read(state, notation))
    for notation in moves[2:]:
        move = game.read(state, notation)
        await pick(other, message, game.steps(move))
        state = game.after(state, move)
    one, two, three, four = map(told, moves)
    assert f"2. {one} → **{two}** → {three} → **{four}**" in message.text
    assert message.menus[0].options[1].label == f"2. {one} → {two} → {three} → {four}"
    await other.choose(message, message.menus[0].options[0].value)
    await other.press(message, "Remove")
    assert "Nothing is planned" in message.text


async def test_a_button_from_before_a_move_changes_nothing(env: Environment) -> None:
    board = await env.begin("tablut")
    other = env.other(board)
    message = await more(env, other)
    await other.press(message, "Plan ahead")
    await env.turn(board, random.Random(1))
    choice = next(b for b in message.buttons if (b.custom_id or "").startswith("if:"))
    assert "It's your turn" in (await other.press(message, custom_id=choice.custom_id or "")).text


async def test_closed_direct_messages_reveal_no_plan_in_the_channel(env: Environment) -> None:
    board = await env.begin("tablut")
    mover, other = env.mover(board), env.other(board)
    first, answer = await line(env, 2)
    env.expected.add(403)
    env.faults.respond("POST /users/@me/channels", code=50007, times=None)
    await other.slash("/tablut plan", moves=f"{first}, {answer}")
    await env.done(mover.slash("/tablut move", move=first))
    assert await env.ply() == 2
    assert everything_to(env, other) == ""


async def test_moves_too_long_for_a_custom_id_are_not_offered(
    env: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = await env.begin("tablut")
    other = env.other(board)
    monkeypatch.setattr(board_message_views, "MAX_CUSTOM_ID", 8)
    message = await more(env, other)
    await other.press(message, "Plan ahead")
    assert "These moves are too long to plan here." in message.text
    assert not message.menus
