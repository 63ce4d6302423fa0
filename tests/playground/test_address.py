"""The playground's addresses, its token, and redirecting discord.py."""

from __future__ import annotations

import aiohttp
import discord
import pytest
from aiohttp import web

from playground.addresses import Addresses
from playground.app import Playground
from playground.clock import ManualClock
from playground.connect import point_discord_here
from tests.playground.sample_bot import SampleBot


@pytest.mark.parametrize("host", ["0.0.0.0", "192.168.1.7", "::", "example.org", ""])
def test_the_playground_serves_only_this_machine(host: str) -> None:
    with pytest.raises(ValueError, match=r"Use 127\.0\.0\.1"):
        Playground(host=host)


@pytest.mark.parametrize("url", ["https://discord.example", "http://127.0.0.1.example.org"])
def test_discord_py_is_never_redirected_to_another_machine(url: str) -> None:
    before = discord.http.Route.BASE
    with pytest.raises(ValueError, match="this machine"):
        point_discord_here(Addresses(url))
    assert before == discord.http.Route.BASE


async def test_redirecting_discord_py_is_undone_afterwards_and_only_possible_once_at_a_time() -> (
    None
):
    before = (discord.http.Route.BASE, discord.asset.Asset.BASE)
    async with Playground() as playground:
        with point_discord_here(playground) as here:
            assert playground.rest_url == discord.http.Route.BASE
            with pytest.raises(RuntimeError, match="already"):
                point_discord_here(playground)
            here.close()
            here.close()
            assert before == (discord.http.Route.BASE, discord.asset.Asset.BASE)
    assert before == (discord.http.Route.BASE, discord.asset.Asset.BASE)


async def test_two_playgrounds_have_two_addresses() -> None:
    async with Playground() as one, Playground() as other:
        assert one.url != other.url
        assert one.token != other.token


async def test_requests_without_the_token_are_refused() -> None:
    async with (
        Playground() as playground,
        aiohttp.ClientSession() as session,
        session.get(f"{playground.rest_url}/users/@me") as answer,
    ):
        assert answer.status == 401
        assert await answer.json() == {"message": "401: Unauthorized", "code": 0}
        assert answer.headers["Content-Type"] == "application/json"
        assert [request.status for request in playground.requests] == [401]


async def test_other_pages_can_be_served_alongside() -> None:
    async def hello(_: web.Request) -> web.Response:
        return web.Response(text="Hello.")

    def attach(playground: Playground, app: web.Application) -> None:
        app.router.add_get("/hello", hello)

    async with (
        Playground(attach=[attach]) as playground,
        aiohttp.ClientSession() as session,
        session.get(f"{playground.url}/hello") as answer,
    ):
        assert await answer.text() == "Hello."


@pytest.mark.parametrize(
    ("body", "kind", "code"),
    [
        (b"{", "application/json", 50109),
        (b"[]", "application/json", 50035),
        (b"--x", "multipart/form-data", 50035),
    ],
)
async def test_unreadable_bodies_are_refused(body: bytes, kind: str, code: int) -> None:
    async with Playground() as playground:
        playground.world.invite_bot(playground.guild)
        headers = {"Authorization": f"Bot {playground.token}", "Content-Type": kind}
        address = f"{playground.rest_url}/channels/{playground.channel('general').id}/messages"
        async with (
            aiohttp.ClientSession() as session,
            session.post(address, data=body, headers=headers) as answer,
        ):
            assert answer.status == 400
            assert (await answer.json())["code"] == code


# The clock


async def test_time_stands_still_until_advanced() -> None:
    clock = ManualClock(1000.0)
    rung: list[float] = []
    clock.call_later(2, lambda: rung.append(clock.time()))
    clock.call_later(1, lambda: rung.append(clock.time()))
    clock.call_later(1.5, lambda: rung.append(clock.time())).cancel()
    clock.advance(1)
    assert rung == [1001.0]
    clock.advance(5)
    assert rung == [1001.0, 1002.0]
    assert clock.time() == 1006.0
    with pytest.raises(ValueError, match="backwards"):
        clock.advance(-1)


async def test_ids_increase_even_while_time_stands_still(
    playground: Playground, bot: SampleBot
) -> None:
    ids = [playground.world.ids.next() for _ in range(10_000)]
    assert ids == sorted(set(ids))
    assert bot.user is not None
    assert abs((discord.utils.utcnow() - bot.user.created_at).total_seconds()) < 60
