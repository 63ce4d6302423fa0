"""Fault injection and rate limits, and how discord.py reacts."""

from __future__ import annotations

import asyncio

import aiohttp
import discord
import pytest

from playground.app import Playground
from playground.clock import ManualClock, RealClock
from playground.connect import point_discord_here
from playground.ratelimits import RateLimits, Rule, realistic
from playground.request_log import Request
from tests.playground.conftest import running
from tests.playground.sample_bot import SampleBot, refusing
from tests.routes import CALLBACK, POST


def statuses(playground: Playground, route: str) -> list[int | None]:
    """List the statuses of a route's responses."""
    return [request.status for request in playground.requests if request.route == route]


async def test_a_429_is_retried_and_posts_once(playground: Playground, bot: SampleBot) -> None:
    fault = playground.faults.respond(POST, status=429, retry_after=0.01)
    await bot.room(playground.channel("general")).send("Once.")
    assert fault.hits == 1
    assert statuses(playground, POST) == [429, 200]
    assert [m.text for m in playground.person("Ann").sees("general")] == ["Once."]


async def test_a_500_after_the_work_is_retried_and_with_a_nonce_posts_once(
    playground: Playground, bot: SampleBot
) -> None:
    playground.faults.respond(POST, status=500, after=True)
    sent = await bot.room(playground.channel("general")).send("Once.", nonce="turn-7")
    assert statuses(playground, POST) == [500, 200]
    messages = playground.person("Ann").sees("general")
    assert [m.text for m in messages] == ["Once."]
    assert sent.id == messages[0].id


async def test_two_messages_with_the_same_text_are_two_messages(
    playground: Playground, bot: SampleBot
) -> None:
    room = bot.room(playground.channel("general"))
    await room.send("Twice.")
    await room.send("Twice.")
    assert [m.text for m in playground.person("Ann").sees("general")] == ["Twice.", "Twice."]


async def test_without_a_nonce_a_500_after_the_work_posts_twice(
    playground: Playground, bot: SampleBot
) -> None:
    playground.faults.respond(POST, status=500, after=True)
    room = playground.channel("general").id
    route = discord.http.Route("POST", "/channels/{channel_id}/messages", channel_id=room)
    await bot.http.request(route, json={"content": "Twice."})
    assert [m.text for m in playground.person("Ann").sees("general")] == ["Twice.", "Twice."]


async def test_a_nonce_expires_after_some_minutes(
    playground: Playground, bot: SampleBot, clock: ManualClock
) -> None:
    room = bot.room(playground.channel("general"))
    first = await room.send("One.", nonce="n")
    clock.advance(299)
    assert (await room.send("Two.", nonce="n")).id == first.id
    clock.advance(2)
    assert (await room.send("Three.", nonce="n")).id != first.id


async def test_a_lost_response_is_an_error_even_though_the_work_was_done(
    playground: Playground, bot: SampleBot
) -> None:
    playground.faults.drop(POST)
    with pytest.raises(aiohttp.ClientConnectionError):
        await bot.room(playground.channel("general")).send("Lost.")
    assert [m.text for m in playground.person("Ann").sees("general")] == ["Lost."]
    playground.faults.drop(POST, after=False)
    with pytest.raises(aiohttp.ClientConnectionError):
        await bot.room(playground.channel("general")).send("Never said.")
    assert len(playground.person("Ann").sees("general")) == 1


@pytest.mark.parametrize("code", [50001, 50013, 50007, 50083, 10008])
async def test_any_discord_error_code_can_be_returned(
    playground: Playground, bot: SampleBot, code: int
) -> None:
    playground.faults.respond(POST, code=code)
    with refusing(code):
        await bot.room(playground.channel("general")).send("No.")
    await bot.room(playground.channel("general")).send("Yes.")


async def test_a_fault_can_select_its_requests(playground: Playground, bot: SampleBot) -> None:
    def bad_news(request: Request) -> bool:
        return bool(request.json["content"] == "Bad news.")

    playground.faults.respond("POST *", code=50013, when=bad_news, times=None)
    room = bot.room(playground.channel("general"))
    await room.send("Good news.")
    for _ in range(2):
        with pytest.raises(discord.Forbidden):
            await room.send("Bad news.")
    playground.faults.clear()
    await room.send("Bad news.")


async def test_a_503_is_not_retried(playground: Playground, bot: SampleBot) -> None:
    playground.faults.respond(POST, status=503, times=None)
    with pytest.raises(discord.DiscordServerError):
        await bot.room(playground.channel("general")).send("No.")
    assert statuses(playground, POST) == [503]


async def test_delays_use_the_playgrounds_clock(
    playground: Playground, bot: SampleBot, clock: ManualClock
) -> None:
    playground.faults.delay(CALLBACK, 2.0)
    bot.do = lambda i: i.response.send_message("Slowly.")
    reply = playground.person("Ann").slash("/do")
    await playground.rest.wait_for_request(CALLBACK)
    clock.advance(2.0)
    assert (await reply).text == "Slowly."
    assert reply.interaction.acknowledged_after == pytest.approx(2.0)


async def test_an_unknown_route_is_recorded(playground: Playground, bot: SampleBot) -> None:
    with pytest.raises(discord.NotFound):
        await bot.http.request(discord.http.Route("GET", "/nowhere"))
    assert [violation.problem.code for violation in playground.violations] == ["UNKNOWN_ROUTE"]


async def test_an_empty_bucket_returns_429_and_discord_py_waits() -> None:
    limits = RateLimits(RealClock(), {POST: Rule(2, 0.2)})
    async with Playground(limits=limits) as playground:
        with point_discord_here(playground):
            async with running(playground, SampleBot()) as bot:
                room = bot.room(playground.channel("general"))
                for n in range(5):
                    await room.send(str(n))
                assert [m.text for m in playground.person("Ann").sees("general")] == list("01234")


def test_realistic_limits_apply_per_channel_and_globally() -> None:
    clock = ManualClock()
    limits = realistic(clock)
    for n in range(5):
        verdict = limits.check(POST, {"channel_id": "1"}, global_exempt=False)
        assert verdict.retry_after is None
        assert verdict.headers["X-RateLimit-Remaining"] == str(4 - n)
    refused = limits.check(POST, {"channel_id": "1"}, global_exempt=False)
    assert refused.retry_after == 5.0
    assert refused.headers["Via"]
    assert limits.check(POST, {"channel_id": "2"}, global_exempt=False).retry_after is None
    for _ in range(43):
        limits.check("GET /users/{user_id}", {}, global_exempt=False)
    everywhere = limits.check("GET /users/{user_id}", {}, global_exempt=False)
    assert everywhere.is_global
    assert everywhere.body["global"] is True
    assert (
        limits.check(CALLBACK, {"interaction_token": "x"}, global_exempt=True).retry_after is None
    )
    clock.advance(5.0)
    assert limits.check(POST, {"channel_id": "1"}, global_exempt=False).retry_after is None


@pytest.mark.parametrize("lost", [False, True])
async def test_a_held_response_arrives_late_or_never_after_the_work_was_done(
    playground: Playground, bot: SampleBot, clock: ManualClock, *, lost: bool
) -> None:
    playground.faults.hold(POST, 2.0, drop=lost)
    sending = asyncio.create_task(bot.room(playground.channel("general")).send("Late."))
    await playground.wait_for("general", lambda message: message.text == "Late.")
    assert not sending.done()
    clock.advance(2.0)
    await asyncio.wait([sending])
    assert isinstance(sending.exception(), aiohttp.ClientError) is lost


async def test_a_proxys_429_is_a_web_page_and_does_no_work(
    playground: Playground, bot: SampleBot
) -> None:
    playground.faults.respond(POST, status=429, page=True)
    with pytest.raises(discord.HTTPException) as caught:
        await bot.room(playground.channel("general")).send("Turned away.")
    assert caught.value.status == 429
    assert "<html>" in caught.value.text
    assert not playground.person("Ann").sees("general")
