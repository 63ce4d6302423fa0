"""Posts about one tournament, ladder or challenge that hang in Discord hold up nothing else."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from bot.delivery import requests
from bot.tournaments import posts_views
from tests.end_to_end.ladders import ladder
from tests.end_to_end.tournaments import announcement, create

if TYPE_CHECKING:
    import pytest

    from playground.faults import Fault
    from playground.model import Message
    from tests.end_to_end.harness import Environment

EDIT = "PATCH /channels/{channel_id}/messages/{message_id}"
HOUR = 3600.0


def hang(env: Environment, message: Message) -> Fault:
    """Let the next edit of a message hang for an hour."""
    return env.playground.faults.delay(
        EDIT, HOUR, when=lambda request: request.params["message_id"] == str(message.id)
    )


async def test_a_post_that_hangs_holds_up_no_other_tournament(
    env: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(posts_views, "_PATIENCE", HOUR)
    message = await create(env)
    hanging = hang(env, message)
    await env.ben.press(message, "Sign up")
    while not hanging.hits:  # noqa: ASYNC110 -- no event to await
        await asyncio.sleep(0.01)
    options = {"game": "tablut", "name": "Spring Cup"}
    await env.ann.slash("/tournament create", channel="elsewhere", options=options)
    there = env.playground.channel("elsewhere")
    other = await env.playground.wait_for(there, lambda found: found.text.startswith("### Spring"))
    await env.ben.press(other, "Sign up")
    await env.playground.wait_for(there, lambda found: found is other and "1 play" in found.text)
    assert "1 player" not in message.text
    env.clock.advance(HOUR)
    await env.settled()
    assert "1 player" in announcement(env).text


async def test_a_post_that_hangs_holds_up_neither_other_ladders_nor_the_scheduler(
    env: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(requests, "PATIENCE", HOUR)
    games = env.playground.channel("games")
    message = await ladder(env, 2)
    hanging = hang(env, message)
    await env.carol.press(message, "Join")
    while not hanging.hits:  # noqa: ASYNC110 -- no event to await
        await asyncio.sleep(0.01)
    await env.ann.slash("/ladder open", options={"game": "tablan"})
    other = await env.playground.wait_for(
        games, lambda found: found.text.startswith("### Tablan ladder")
    )
    assert other.buttons
    assert "3 players" not in message.text
    env.clock.advance(HOUR)
    await env.settled()
    assert "3 players" in message.text


async def test_a_challenge_that_hangs_does_not_hold_up_the_scheduler(
    env: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    offered = (await env.challenge()).message
    assert offered is not None
    with monkeypatch.context() as patched:
        patched.setattr(requests, "PATIENCE", 0.1)
        hanging = hang(env, offered)
        await env.advance(days=7)
    assert hanging.hits == 1
    await env.advance(minutes=1)
    assert "Expired" in offered.text
    env.clock.advance(HOUR)
