"""A private board for trying moves, without advice and without playing them."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from engine import registry
from tests.end_to_end.test_more import labels, more

if TYPE_CHECKING:
    from playground.model import Message
    from playground.people import Person
    from tests.end_to_end.harness import Environment


def tries(shown: Message) -> list[str]:
    """Return the moves and steps that can be tried."""
    back = {"‹ Undo", "Start over", "‹ Earlier", "Later ›", "Choose again"}
    values = [choice.value for menu in shown.menus for choice in menu.options]
    return values + [
        b.custom_id
        for b in shown.buttons
        if b.custom_id and b.custom_id.startswith("try:") and b.label not in back
    ]


async def at_random(env: Environment, person: Person, shown: Message, dice: random.Random) -> None:
    """Try something at random."""
    wanted = dice.choice(tries(shown))
    for place, menu in enumerate(shown.menus):
        if any(choice.value == wanted for choice in menu.options):
            await person.choose(shown, wanted, menu=place)
            return
    await person.press(shown, custom_id=wanted)


@pytest.mark.parametrize("slug", sorted(registry.games()))
async def test_moves_are_tried_privately_without_playing_them(env: Environment, slug: str) -> None:
    board = await env.begin(slug)
    other, ply, posts = env.other(board), await env.ply(), len(env.boards())
    shown = await more(env, other)
    await other.press(shown, "Try moves")
    assert "nothing is played" in shown.text
    dice, furthest = random.Random(slug), 0
    for _ in range(40):
        assert shown.picture is not None
        if not tries(shown):
            break
        await at_random(env, other, shown, dice)
        furthest = max(furthest, shown.text.count("→"))
        assert not [b for b in labels(shown) if b and b.startswith(("Win:", "Lose:"))]
    assert furthest >= 2
    assert "as far as I go" in shown.text or "would end here" in shown.text or tries(shown)
    await env.settled()
    assert await env.ply() == ply
    assert len(env.boards()) == posts
    while "‹ Undo" in labels(shown):
        await other.press(shown, "‹ Undo")
    assert "→" not in shown.text
    if ply:
        await other.press(shown, "‹ Earlier")
        await other.press(shown, "Later ›")


async def test_a_stranger_can_try_moves_only_after_the_match(env: Environment) -> None:
    await env.begin("tablut")
    await env.play_a_while()
    assert "Try moves" not in labels(await more(env, env.carol))
    told = await env.carol.slash("/match try", number="1")
    assert told.ephemeral
    assert "once it's over" in told.text
    await env.ann.slash("/tablut resign")
    resigning = await env.ann.slash("/tablut resign")
    assert resigning.message is not None
    await env.ann.press(resigning.message, "Resign")
    await env.settled()
    told = await env.carol.press(env.board(), "Try moves")
    assert told.ephemeral
    assert told.message is not None
    assert "nothing is played" in told.text
    await env.carol.press(told.message, "‹ Earlier")
    assert "of" in told.message.text


async def test_moves_tried_from_a_position_taken_back_start_afresh(env: Environment) -> None:
    board = await env.begin("tablut")
    mover = env.mover(board)
    shown = await more(env, mover)
    await mover.press(shown, "Try moves")
    await at_random(env, mover, shown, random.Random(1))
    for person in (mover, env.ben, env.ann):
        told = await person.slash("/match try", number="1", move=999)
        assert told.ephemeral
    await env.turn(env.board(), random.Random(2))
    await at_random(env, mover, shown, random.Random(3))
    assert "nothing is played" in shown.text
