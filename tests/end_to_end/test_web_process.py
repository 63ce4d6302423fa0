"""``python -m bot web`` beside gateways on one PostgreSQL: the page has a process of its own."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from http import HTTPStatus

import pytest
from pydantic import SecretStr
from yarl import URL

from bot.core.permissions import servers
from bot.core.permissions.members import Members
from bot.features.web import people_views
from bot.features.web.activity import Activity
from bot.features.web.server import WebServer
from bot.features.web.service import WebAccess
from bot.features.web.shares import ShareLinks
from bot.play.matches.service import Matches
from playground.errors import SAFETY_SECONDS
from playground.events import ChannelUpdated
from playground.model import Channel, Overwrite
from playground.people import Person
from playground.permissions import Permission
from tests.end_to_end.gateways import Cluster, begin, move, until, wait_for_board
from tests.end_to_end.pages import Frame, PageWindow, controls, window


@asynccontextmanager
async def opened(cluster: Cluster, person: Person) -> AsyncIterator[PageWindow]:
    """Open the page as a person."""
    assert cluster.page is not None
    url, access = cluster.page.app.get(WebServer).url, cluster.page.app.get(WebAccess)
    assert url is not None
    secret = await access.link(person.id, match_id=1, locale="en-US")
    async with window(url) as browser:
        status, _ = await browser.ask("/api/session", {"link": secret})
        assert status == HTTPStatus.OK
        yield browser


async def players(cluster: Cluster, match: int) -> tuple[Person, Person]:
    """Return whose turn it is, and their opponent."""
    assert cluster.page is not None
    position = await cluster.page.app.get(Matches).position(match)
    assert position.to_move is not None
    ann, ben = cluster.playground.person("Ann"), cluster.playground.person("Ben")
    return (ann, ben) if position.to_move.user_id == ann.id else (ben, ann)


async def begun(cluster: Cluster, shard: int) -> tuple[int, Person]:
    """Begin a match at a gateway beside the page; return its number, and whose turn it is."""
    await cluster.serve()
    await cluster.join()
    match = await begin(cluster, shard)
    return match, (await players(cluster, match))[0]


async def place(cluster: Cluster, match: int) -> Channel:
    """Return where a match is played."""
    assert cluster.page is not None
    # It may not have heard yet that the match has its thread.
    cluster.page.app.get(Matches).positions.forget(match)
    position = await cluster.page.app.get(Matches).position(match)
    return cluster.playground.world.channel(position.match.channel_id)


async def heard(news: asyncio.Queue[str], wanted: str) -> None:
    """Wait for some news."""
    async with asyncio.timeout(SAFETY_SECONDS):
        while await news.get() != wanted:
            pass


async def test_a_move_on_the_page_is_seen_in_discord_and_the_reverse(cluster: Cluster) -> None:
    match, mover = await begun(cluster, 1)
    async with opened(cluster, mover) as browser, browser.news(match) as news:
        view = await browser.view(match)
        assert view["turn"]
        assert set(view["people"].values()) == {"Ann", "Ben"}
        status, after = await browser.play(view, view["moves"][0]["steps"])
        assert status == HTTPStatus.OK
        await wait_for_board(cluster, match, after["version"])
        await heard(news, "changed")
        await move(cluster, match)
        await wait_for_board(cluster, match, after["version"] + 1)
        await heard(news, "changed")
        assert (await browser.view(match))["turn"]
        _, found = await browser.ask("/api/matches")
        assert [one["match"] for one in found["matches"]] == [match]


async def test_a_gateway_offers_the_page_that_another_process_serves(cluster: Cluster) -> None:
    url = await cluster.serve()
    await cluster.start(page=(url, None))
    await cluster.agreed()
    match = await begin(cluster, 0)
    mover, _ = await players(cluster, match)
    played = (await place(cluster, match)).messages.values()
    (board,) = [one for one in played if one.picture is not None]
    menu = await (await mover.press(board, "More")).filled()
    answer = await (await mover.press(menu, "Open the board")).filled()
    (link,) = [button.url for button in answer.buttons if button.url]
    assert link.startswith(f"{url}/#open=")
    async with window(URL(url)) as browser:
        assert (await browser.open(link))[0] == HTTPStatus.OK
        assert (await browser.view(match))["turn"]


async def test_a_gateway_opens_the_board_inside_discord_and_the_pages_process_answers_there(
    cluster: Cluster,
) -> None:
    url = await cluster.serve()
    gateway = await cluster.start(page=(url, None))
    assert cluster.page is not None
    cluster.playground.enable_activities(url)
    for process in (gateway, cluster.page):
        process.app.get(Activity).begin(SecretStr(cluster.playground.client_secret))
    await cluster.agreed()
    match = await begin(cluster, 0)
    mover, _ = await players(cluster, match)
    played = (await place(cluster, match)).messages.values()
    (board,) = [one for one in played if one.picture is not None]
    menu = await (await mover.press(board, "More")).filled()
    assert (await mover.press(menu, "Open the board")).activity is not None
    async with window(URL(url)) as opened_there:
        frame = Frame(opened_there.http, URL(url))
        status, said = await frame.enter(cluster, mover)
        assert (status, said["match"]) == (HTTPStatus.OK, match)
        view = await frame.view(match)
        status, after = await frame.play(view, view["moves"][0]["steps"])
        assert status == HTTPStatus.OK
        await wait_for_board(cluster, match, after["version"])
        await gateway.app.get(WebAccess).end(mover.id)
        access = cluster.page.app.get(WebAccess)
        await until(lambda: access.last_known(frame.secret) is None)
        assert (await frame.ask("/api/matches"))[0] == HTTPStatus.UNAUTHORIZED


async def test_without_a_gateway_the_page_shows_and_plays_on(cluster: Cluster) -> None:
    await cluster.serve()
    gateway = await cluster.join()
    match = await begin(cluster, 0)
    await cluster.stop(gateway)
    mover, other = await players(cluster, match)
    async with opened(cluster, mover) as one, opened(cluster, other) as two:
        for browser in (one, two, one):
            view = await browser.view(match)
            status, after = await browser.play(view, view["moves"][0]["steps"])
            assert status == HTTPStatus.OK, after
        _, said = await one.press(after, "Offer a draw", match=match)
        assert said["answers"] == []
    offered = list((await place(cluster, match)).messages.values())[-1]
    assert "offers you a draw" in offered.text, "it is posted without a gateway"
    await cluster.join()
    await wait_for_board(cluster, match, after["version"])


async def test_who_cannot_read_the_channel_sees_nothing(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module, name in ((servers, "KNOWN"), (people_views, "_KNOWN")):
        monkeypatch.setattr(module, name, 0.02)
    match, _ = await begun(cluster, 0)
    channel, carol = cluster.channels[0], cluster.playground.person("Carol")
    async with opened(cluster, carol) as browser:
        view = await browser.view(match)
        assert not view["yours"]
        assert view["moves"] == []
        assert not {one["label"] for one in controls(view)} & {"Resign", "Offer a draw"}
        channel.overwrites[carol.id] = Overwrite(1, deny=Permission.VIEW_CHANNEL)
        cluster.playground.world.emit(ChannelUpdated(channel))
        await asyncio.sleep(0.1)
        for path in (f"/api/matches/{match}", f"/api/news?match={match}", "/api/matches/99"):
            status, said = await browser.ask(path)
            assert status == HTTPStatus.NOT_FOUND
            assert "Ann" not in str(said)
        status, _ = await browser.ask(
            f"/api/matches/{match}/presses", {"custom_id": f"replay:{match}"}
        )
        assert status == HTTPStatus.NOT_FOUND


async def test_while_discord_is_silent_players_see_and_play_and_others_see_nothing(
    cluster: Cluster,
) -> None:
    match, mover = await begun(cluster, 0)
    carol = cluster.playground.person("Carol")
    for route in ("GET /guilds/{guild_id}", "GET /guilds/{guild_id}/members/{user_id}"):
        cluster.playground.faults.respond(route, status=503, times=None)
    async with opened(cluster, mover) as browser, opened(cluster, carol) as stranger:
        view = await browser.view(match)
        status, said = await browser.press(view, "Rules", match=match)
        assert status == HTTPStatus.CONFLICT
        assert "Discord isn't answering" in said["error"]
        status, _ = await stranger.ask(f"/api/matches/{match}")
        assert status == HTTPStatus.NOT_FOUND
        status, _ = await browser.play(view, view["moves"][0]["steps"])
        assert status == HTTPStatus.OK


async def test_while_discord_tells_no_names_the_match_is_shown_without_them(
    cluster: Cluster,
) -> None:
    match, mover = await begun(cluster, 1)
    async with opened(cluster, mover) as browser:
        route = "GET /guilds/{guild_id}/members/{user_id}"
        bot = str(cluster.playground.world.bot.id)
        cluster.playground.faults.respond(
            route, status=503, times=None, when=lambda asked: asked.params["user_id"] != bot
        )
        view = await browser.view(match)
        assert view["people"] == {}
        assert view["turn"]


async def test_a_server_without_an_answer_leaves_the_names_of_others_alone(
    cluster: Cluster,
) -> None:
    await cluster.serve()
    await cluster.join()
    assert cluster.page is not None
    ann, members = cluster.playground.person("Ann"), cluster.page.app.get(Members)
    members._wait = 3600.0  # however slow this machine is
    silent, other = (cluster.channels[shard].guild for shard in (0, 1))
    assert silent is not None
    assert other is not None
    route = "GET /guilds/{guild_id}/members/{user_id}"
    cluster.playground.faults.respond(
        route, status=503, times=None, when=lambda asked: asked.params["user_id"] == str(ann.id)
    )
    assert await members.names(silent.id, [ann.id]) == {}
    cluster.playground.faults.clear()
    assert await members.names(silent.id, [ann.id]) == {}, "it is left alone for a while"
    assert await members.names(other.id, [ann.id]) == {ann.id: "Ann"}


async def test_discord_is_asked_about_a_server_only_now_and_then(cluster: Cluster) -> None:
    match, _ = await begun(cluster, 0)
    carol = cluster.playground.person("Carol")
    async with opened(cluster, carol) as browser:
        await asyncio.gather(*(browser.view(match) for _ in range(20)))
        await browser.press(await browser.view(match), "Rules", match=match)
    asked = [one.route for one in cluster.playground.requests]
    assert asked.count("GET /guilds/{guild_id}") == 1
    assert asked.count("GET /guilds/{guild_id}/channels") == 1


async def test_a_server_without_the_bot_is_closed_to_all_but_the_players(cluster: Cluster) -> None:
    match, mover = await begun(cluster, 0)
    for route in ("GET /guilds/{guild_id}", "GET /guilds/{guild_id}/channels"):
        cluster.playground.faults.respond(route, status=403, times=None)
    carol = cluster.playground.person("Carol")
    async with opened(cluster, mover) as browser, opened(cluster, carol) as stranger:
        status, _ = await stranger.ask(f"/api/matches/{match}")
        assert status == HTTPStatus.NOT_FOUND
        assert (await browser.view(match))["turn"]


async def test_a_window_goes_on_when_the_pages_process_was_replaced(cluster: Cluster) -> None:
    match, mover = await begun(cluster, 0)
    async with opened(cluster, mover) as browser:
        async with browser.news(match) as news:
            assert cluster.page is not None
            await cluster.page.stop()
            await heard(news, "closed")
        assert await cluster.serve(browser.url.port or 0) == str(browser.url)
        async with browser.news(match) as news:
            view = await browser.view(match)
            status, _ = await browser.play(view, view["moves"][0]["steps"])
            assert status == HTTPStatus.OK
            await heard(news, "changed")


async def test_a_link_made_at_a_gateway_shows_the_game_here(cluster: Cluster) -> None:
    url = await cluster.serve()
    gateway = await cluster.join()
    match = await begin(cluster, 0)
    for _ in range(4):
        await move(cluster, match)
    ann = cluster.playground.person("Ann")
    await gateway.app.get(Matches).resign(match, ann.id)
    shares = gateway.app.get(ShareLinks)
    secret, made = await shares.make(ann.id, "match", match, None, "en-US", people=())
    async with window(URL(url)) as browser:
        address = URL(url).with_path(f"/s/{secret}")
        async with browser.http.get(address) as answer:
            assert answer.status == HTTPStatus.OK
            text = await answer.text()
            assert "Ann" in text
            assert "Ben" in text
        async with browser.http.get(address / "picture.png") as answer:
            assert (await answer.read()).startswith(b"\x89PNG")
        assert await shares.end_one(ann.id, made) == 1
        async with browser.http.get(address) as answer:
            assert answer.status == HTTPStatus.NOT_FOUND
