"""A private board for trying moves, without advice and without playing them."""

from __future__ import annotations

import random

import pytest

from engine import registry
from playground.model import Message
from playground.people import Person
from tests.end_to_end.harness import Environment
from tests.end_to_end.people import finish, labels, more


def tries(message: Message) -> list[str]:
    back = {"‹ Undo", "Start over", "‹ Earlier", "Later ›", "Choose again"}
    values = [choice.value for menu in message.menus for choice in menu.options]
    return values + [
        b.custom_id
        for b in message.buttons
        if b.custom_id and b.custom_id.startswith("try:") and b.label not in back
    ]


async def at_random(
    env: Environment, person: Person, message: Message, dice: random.Random
) -> None:
    wanted = dice.choice(tries(message))
    for place, menu in enumerate(message.menus):
        if any(choice.value == wanted for choice in menu.options):
            await person.choose(message, wanted, menu=place)
            return
    await person.press(message, custom_id=wanted)


@pytest.mark.parametrize("slug", sorted(registry.games()))
async def test_moves_are_tried_privately_without_playing_them(env: Environment, slug: str) -> None:
    board = await env.begin(slug)
    other, ply, posts = env.other(board), await env.ply(), len(env.boards())
    message = await more(env, other)
    await other.press(message, "Try moves")
    assert "nothing is played" in message.text
    dice, furthest = random.Random(slug), 0
    for _ in range(40):
        assert message.picture is not None
        if not tries(message):
            break
        await at_random(env, other, message, dice)
        furthest = max(furthest, message.text.count("→"))
        assert not [b for b in labels(message) if b and b.startswith(("Win:", "Lose:"))]
    assert furthest >= 2
    assert "as far as I go" in message.text or "would end here" in message.text or tries(message)
    await env.settled()
    assert await env.ply() == ply
    assert len(env.boards()) == posts
    while "‹ Undo" in labels(message):
        await other.press(message, "‹ Undo")
    assert "→" not in message.text
    if ply:
        await other.press(message, "‹ Earlier")
        await other.press(message, "Later ›")


async def test_a_stranger_can_try_moves_only_after_the_match(env: Environment) -> None:
    await env.begin("tablut")
    await env.play_a_while()
    assert "Try moves" not in labels(await more(env, env.carol))
    assert "once it's over" in (await env.carol.slash("/match try", number="1")).private
    board = await finish(env, env.ann, "tablut")
    reply = await env.carol.press(board, "Try moves")
    assert reply.ephemeral
    assert "nothing is played" in reply.text
    await env.carol.press(reply.shown, "‹ Earlier")
    assert "of" in reply.shown.text


async def test_moves_tried_from_a_position_taken_back_start_afresh(env: Environment) -> None:
    board = await env.begin("tablut")
    mover = env.mover(board)
    message = await more(env, mover)
    await mover.press(message, "Try moves")
    await at_random(env, mover, message, random.Random(1))
    for person in (mover, env.ben, env.ann):
        reply = await person.slash("/match try", number="1", move=999)
        assert reply.ephemeral
    await env.turn(env.board(), random.Random(2))
    await at_random(env, mover, message, random.Random(3))
    assert "nothing is played" in message.text
