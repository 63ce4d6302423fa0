"""At Discord's rate limit presses are answered first, and nothing is lost."""

from __future__ import annotations

import random

import discord
import pytest

from bot.core.requests.sending import RequestBudget, Urgency
from data.matches import boards, outbox
from tests.end_to_end.harness import Environment

ANSWERS = ("/interactions/", "/webhooks/")


async def test_every_counted_request_goes_through_the_budget(empty_env: Environment) -> None:
    env = empty_env
    env.threads = True
    await env.start()
    await env.begin()
    dice = random.Random(4)
    for _ in range(6):
        await env.turn(env.board(), dice)
    await env.done(env.ann.slash("/tablan resign"))
    counted = [
        request
        for request in env.playground.requests
        if not any(answer in request.route for answer in ANSWERS)
    ]
    assert env.budget.sent == len(counted) > 5


async def test_requests_are_checked_against_discords_api_description(env: Environment) -> None:
    if env.description is None:
        pytest.skip("Discord's interface description does not lie beside the project")
    message = {"components": "none", "flags": 1 << 15}
    route = discord.http.Route(
        "POST", "/channels/{channel_id}/messages", channel_id=env.channel().id
    )
    env.expected |= {400}
    with pytest.raises(discord.HTTPException):
        await env.bot.http.request(route, json=message)
    assert any("OPENAPI" in str(violation) for violation in env.playground.violations)
    env.playground.violations.clear()


async def test_above_the_limit_all_boards_come_slightly_later(
    empty_env: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    env = empty_env
    env.budget = RequestBudget(limit=6)
    order: list[Urgency] = []
    take = RequestBudget.take

    async def noted(budget: RequestBudget, urgency: Urgency) -> None:
        await take(budget, urgency)
        order.append(urgency)

    monkeypatch.setattr(RequestBudget, "take", noted)
    await env.start()
    for _ in range(3):
        await env.begin()
    await env.settled()
    assert env.budget.delayed > 0
    assert Urgency.BOARD in order
    async with env.store.read() as tx:
        assert not await outbox.pending(tx)
        for match_id in range(1, 4):
            (live,) = await boards.live(tx, match_id)
            assert live.message_id in env.channel().messages
