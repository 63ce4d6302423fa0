"""The page in the browser: who may see and do what there, and that it and Discord show the same match."""

from __future__ import annotations

import asyncio
import re
from http import HTTPStatus
from typing import Any

import pytest
from pydantic import SecretStr
from yarl import URL

from bot.features.web import guard, news_routes
from bot.features.web.activity import Activity
from bot.features.web.people_views import PagePeople
from bot.features.web.service import WebAccess
from tests.end_to_end.harness import Environment
from tests.end_to_end.pages import PageWindow, controls, link, window
from tests.end_to_end.people import begin_in_thread, hide, labels, more

GAME = "tablut"


# ------------------------------------------------------------------ playing


async def test_a_move_on_the_page_is_seen_in_discord_and_the_reverse(
    env: Environment, browser: PageWindow
) -> None:
    board, view = env.board(), await browser.view()
    mover, other = env.mover(board), env.other(board)
    assert view["turn"]
    async with browser.news() as news:
        status, after = await browser.play(view, view["moves"][0]["steps"])
        assert status == HTTPStatus.OK
        assert not after["turn"]
        assert after["ply"] == view["ply"] + 1 == await env.ply()
        await env.settled()
        assert await news.get() == "changed"
        assert env.mover(env.board()) is other
        assert labels(env.board()), "the board in the channel has moved on"
        move = (await env.legal())[0]
        await env.done(other.slash(f"/{GAME} move", move=move))
        while await news.get() != "changed":
            pass
        assert (await browser.view())["turn"]
    assert env.mover(env.board()) is mover


async def test_a_move_from_two_tabs_is_played_once(env: Environment, browser: PageWindow) -> None:
    view = await browser.view()
    steps = view["moves"][0]["steps"]
    answers = await asyncio.gather(*(browser.play(view, steps) for _ in range(5)))
    statuses = sorted(status for status, _ in answers)
    assert statuses == [HTTPStatus.OK, *[HTTPStatus.CONFLICT] * 4]
    assert await env.ply() == view["ply"] + 1
    for status, said in answers:
        assert status == HTTPStatus.OK or said["error"]


async def test_an_impossible_move_is_refused_with_its_rule(
    env: Environment, browser: PageWindow
) -> None:
    view = await browser.view()
    status, said = await browser.ask(
        "/api/matches/1/moves", {"version": view["version"], "text": "e5-e9"}
    )
    assert status == HTTPStatus.CONFLICT
    assert "Rule" in said["error"]
    status, _ = await browser.play(view, ["e5", "-e9"])
    assert status == HTTPStatus.CONFLICT
    assert await env.ply() == view["ply"]


async def test_what_is_done_behind_more_is_done_on_the_page(
    env: Environment, browser: PageWindow
) -> None:
    mover = env.mover(env.board())
    view = await browser.view()
    assert not {"More", "Open the board"} & {one["label"] for one in controls(view)}
    _, said = await browser.press(view, "Note")
    (form,) = said["answers"]
    assert form["kind"] == "form"
    field = form["components"][0]["component"]["custom_id"]
    await browser.ask(
        "/api/matches/1/presses", {"custom_id": form["custom_id"], "fields": {field: "watch e9"}}
    )
    assert "watch e9" in (await browser.view())["note"]
    await browser.press(await browser.view(), "Offer a draw")
    await env.settled()
    offered = list(env.channel().messages.values())[-1]
    assert "offers you a draw" in offered.text
    assert not offered.ephemeral
    await env.ann.press(offered, "Play on")
    _, said = await browser.press(await browser.view(), "Resign")
    status, _ = await browser.press(said["answers"][0], "Resign")
    assert status == HTTPStatus.OK
    await env.settled()
    position = await env.position()
    assert position.match.finished
    assert position.match.ended_by == mover.id


async def test_earlier_turns_can_be_looked_at(browser: PageWindow) -> None:
    first = await browser.view()
    await browser.play(first, first["moves"][0]["steps"])
    status, then = await browser.ask("/api/matches/1?ply=0")
    assert status == HTTPStatus.OK
    assert then["alt"] == first["alt"]
    for ply in ("-1", "99", "x"):
        status, _ = await browser.ask(f"/api/matches/1?ply={ply}")
        assert status == HTTPStatus.BAD_REQUEST


async def test_all_code_is_asked_for_at_once(url: URL) -> None:
    """Not each module once another has come that imports it: on a phone each of them takes a while."""
    async with window(url) as browser:
        async with browser.http.get(url) as answer:
            loaded = set(re.findall(r'"page/([a-z]+\.js)"', await answer.text()))
        for name in sorted(loaded):
            async with browser.http.get(url.join(URL(f"/page/{name}"))) as answer:
                imported = re.findall(r'from "\./([a-z]+\.js)"', await answer.text())
            assert set(imported) <= loaded, name
    assert len(loaded) > 10


async def test_the_page_and_its_code_are_small(url: URL) -> None:
    async with window(url) as browser:
        fetched, size, wanted = set[str](), 0, ["/"]
        while wanted:
            path = wanted.pop()
            fetched.add(path)
            async with browser.http.get(
                url.join(URL(path)), headers={"Accept-Encoding": "deflate"}
            ) as answer:
                assert answer.status == HTTPStatus.OK, path
                size += int(answer.headers["Content-Length"])
                text = await answer.text()
            named = re.findall(r'"(?:\./|page/)([a-z]+\.(?:js|css))"', text)
            wanted += {f"/page/{name}" for name in named} - fetched - set(wanted)
    assert len(fetched) > 10
    assert size <= 80_000


async def test_a_page_that_is_loaded_again_costs_no_file_again(env: Environment, url: URL) -> None:
    async with window(url) as browser:
        for path in ("/", "/page/main.js", "/page/themes.css"):
            address = url.join(URL(path))
            async with browser.http.get(address) as answer:
                assert answer.headers["Cache-Control"] == "no-cache", (
                    "a new version is seen at once"
                )
                known = answer.headers["ETag"]
            async with browser.http.get(address, headers={"If-None-Match": known}) as answer:
                assert answer.status == HTTPStatus.NOT_MODIFIED
                assert await answer.read() == b""
                assert answer.headers["ETag"] == known
                assert answer.headers["Cache-Control"] == "no-cache"
                assert "script-src 'self'" in answer.headers["Content-Security-Policy"]
            for other in ('"an older one"', "W/nonsense", ""):
                async with browser.http.get(address, headers={"If-None-Match": other}) as answer:
                    assert answer.status == HTTPStatus.OK
                    assert await answer.read()
        env.app.get(Activity).begin(SecretStr("x"))
        async with browser.http.get(address, headers={"If-None-Match": known}) as answer:
            assert answer.status == HTTPStatus.OK, "who may show it in a frame has changed"


# ------------------------------------------------------------------ who may


async def test_a_link_works_once_for_ten_minutes(env: Environment, url: URL) -> None:
    board = await env.begin(GAME)
    used = await link(env, env.mover(board))
    async with window(url) as one, window(url) as other:
        answers = await asyncio.gather(*(win.open(used) for win in (one, other)))
        assert sorted(status for status, _ in answers) == [HTTPStatus.OK, HTTPStatus.FORBIDDEN]
        late = await link(env, env.mover(board))
        await env.advance(minutes=11)
        status, said = await other.open(late)
        assert status == HTTPStatus.FORBIDDEN
        assert "ten minutes" in said["error"]
        for wrong in ("", "x", "0" * 22, late + "x"):
            status, _ = await other.ask("/api/session", {"link": wrong})
            assert status == HTTPStatus.FORBIDDEN


async def test_a_link_is_in_no_request_and_no_row(env: Environment, url: URL) -> None:
    """Browsers do not send the fragment: no proxy logs it, no Referer has it."""
    board = await env.begin(GAME)
    found = URL(await link(env, env.mover(board)))
    assert not found.query_string
    assert found.path == "/"
    secret = found.fragment.partition("=")[2]
    assert len(secret) >= 22, "128 bits"
    assert secret not in env.database


async def test_a_session_is_a_cookie_of_this_page_alone(env: Environment, url: URL) -> None:
    board = await env.begin(GAME)
    async with window(url) as browser:
        async with browser.http.post(
            url.join(URL("/api/session")),
            json={"link": URL(await link(env, env.mover(board))).fragment.partition("=")[2]},
            headers={guard.HEADER: "1"},
        ) as answer:
            (cookie,) = answer.headers.getall("Set-Cookie")
        assert "HttpOnly" in cookie
        assert "SameSite=Strict" in cookie
        assert "Domain" not in cookie
        async with browser.http.get(url) as answer:
            policy = answer.headers["Content-Security-Policy"]
            assert "default-src 'none'" in policy
            assert "unsafe" not in policy
            assert answer.headers["Referrer-Policy"] == "no-referrer"


async def test_only_the_page_itself_changes_anything(env: Environment, browser: PageWindow) -> None:
    view = await browser.view()
    asked = {"version": view["version"], "steps": view["moves"][0]["steps"]}
    path = browser.url.join(URL("/api/matches/1/moves"))
    for headers in (
        {},
        {"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site", guard.HEADER: "1"},
        {"Sec-Fetch-Site": "same-site", guard.HEADER: "1"},
    ):
        async with browser.http.post(path, json=asked, headers=headers) as answer:
            assert answer.status == HTTPStatus.FORBIDDEN
    async with browser.http.post(path, json=asked, headers={"Host": "evil.example"}) as answer:
        assert answer.status == HTTPStatus.FORBIDDEN
    assert await env.ply() == view["ply"]


async def test_without_a_session_nothing_is_shown(env: Environment, url: URL) -> None:
    await env.begin(GAME)
    async with window(url) as stranger:
        for path in ("/api/matches", "/api/matches/1", "/api/news?match=1", "/api/files/x.png"):
            status, said = await stranger.ask(path)
            assert status == HTTPStatus.UNAUTHORIZED
            assert said == {"error": "You're signed out."}
        status, _ = await stranger.ask("/api/matches/1/moves", {"version": 0, "steps": ["a", "b"]})
        assert status == HTTPStatus.UNAUTHORIZED


async def test_a_spectator_sees_what_they_see_in_discord(env: Environment, url: URL) -> None:
    board = await env.begin(GAME)
    async with window(url) as browser:
        await browser.open(await link(env, env.carol))
        view = await browser.view()
        assert not view["yours"]
        assert view["moves"] == []
        labelled = {one["label"] for one in controls(view)}
        assert not labelled & {"Resign", "Offer a draw", "Note", "Hint"}
        legal = (await browser.ask("/api/matches/1"))[1]
        status, _ = await browser.play(legal, ["e7", "-e9"])
        assert status == HTTPStatus.CONFLICT
        mover = env.mover(board)
        menu = await more(env, mover)
        resign = next(one for one in menu.buttons if one.label == "Resign")
        status, said = await browser.ask("/api/matches/1/presses", {"custom_id": resign.custom_id})
        assert status == HTTPStatus.OK
        assert "Resign your game" not in str(said)
        assert not (await env.position()).match.finished


async def test_an_offer_asks_only_those_who_can_answer_it(env: Environment, url: URL) -> None:
    board = await env.begin(GAME)
    people = (env.mover(board), env.other(board), env.carol)
    async with window(url) as maker, window(url) as other, window(url) as stranger:
        for browser, person in zip((maker, other, stranger), people, strict=True):
            await browser.open(await link(env, person))
        await maker.press(await maker.view(), "Offer a draw")
        own, asked, seen = [await one.view() for one in (maker, other, stranger)]
        labels = [[one["label"] for one in controls(view["offers"])] for view in (own, asked, seen)]
        assert labels == [["Withdraw"], ["Play on", "Agree to a draw"], []]
        _, said = await maker.press(own, "Withdraw")
        assert "withdrew" in str(said)
        assert (await other.view())["offers"] == []
        assert not (await env.position()).match.finished


async def until(word: str, *all_news: asyncio.Queue[str]) -> None:
    """Wait until all have heard some news."""
    for news in all_news:
        while await news.get() != word:
            pass


async def test_a_rematch_asks_those_who_can_answer_it_and_begins_on_all_their_pages(
    env: Environment, url: URL
) -> None:
    board = await env.begin(GAME)
    people = (env.mover(board), env.other(board), env.carol)
    async with window(url) as maker, window(url) as other, window(url) as stranger:
        for browser, person in zip((maker, other, stranger), people, strict=True):
            await browser.open(await link(env, person))
        _, said = await maker.press(await maker.view(), "Resign")
        await maker.press(said["answers"][0], "Resign")
        await env.settled()
        async with maker.news() as own, other.news() as news:
            await until("changed", own, news)  # what was before they listened
            for asker, asked, answer in (
                (other, maker, "Decline"),
                (maker, other, "Withdraw"),
                (maker, other, "Accept"),
            ):
                await asker.press(await asker.view(), "Rematch")
                await until("changed", own, news)
                seen = [(await one.view())["offers"] for one in (asker, asked, stranger)]
                labels = [[one["label"] for one in controls(offers)] for offers in seen]
                assert labels == [["Withdraw"], ["Decline", "Accept"], []]
                withdraws = answer == "Withdraw"
                await (asker if withdraws else asked).press(seen[not withdraws], answer)
                assert [(await one.view())["offers"] for one in (maker, other)] == [[], []]
            await until("turns", own, news)  # whoever's turn it is
        for browser in (maker, other):
            _, found = await browser.ask("/api/matches")
            assert [one["match"] for one in found["matches"]] == [2]


async def test_a_private_threads_match_is_hidden_from_others(env: Environment, url: URL) -> None:
    env.expected.add(404)  # who is no member of a thread
    await begin_in_thread(env, private=True)
    secret = await env.app.get(WebAccess).link(env.carol.id, match_id=1, locale="en-US")
    async with window(url) as browser:
        await browser.ask("/api/session", {"link": secret})
        for path in ("/api/matches/1", "/api/news?match=1", "/api/matches/99"):
            status, said = await browser.ask(path)
            assert status == HTTPStatus.NOT_FOUND
            assert "Ann" not in str(said)
        status, _ = await browser.ask("/api/matches/1/presses", {"custom_id": "do:resign:1"})
        assert status == HTTPStatus.NOT_FOUND


async def test_who_is_in_a_private_thread_watches_until_they_leave_it(
    env: Environment, url: URL
) -> None:
    env.expected.add(404)  # who is no member of a thread
    thread = await begin_in_thread(env, private=True)
    secret = await env.app.get(WebAccess).link(env.dan.id, match_id=1, locale="en-US")
    async with window(url) as browser:
        await browser.ask("/api/session", {"link": secret})
        assert not (await browser.view())["yours"]
        del thread.thread_members[env.dan.id]
        forget_what_discord_said(env)
        status, _ = await browser.ask("/api/matches/1")
        assert status == HTTPStatus.NOT_FOUND


async def test_who_left_a_private_thread_keeps_their_own_match_alone(
    env: Environment, url: URL
) -> None:
    env.expected.add(404)  # who is no member of a thread
    thread = await begin_in_thread(env, private=True)
    await env.begin_between([env.ben, env.dan], GAME, channel=thread.name)
    secret = await env.app.get(WebAccess).link(env.ann.id, match_id=1, locale="en-US")
    async with window(url) as browser:
        await browser.ask("/api/session", {"link": secret})
        other = {"custom_id": "replay:2"}
        _, said = await browser.ask("/api/matches/1/presses", other)
        assert "There's no match" not in str(said), "it is played in their thread"
        del thread.thread_members[env.ann.id]
        forget_what_discord_said(env)
        _, said = await browser.ask("/api/matches/1/presses", other)
        assert "There's no match #2 here." in str(said)
        before = len(thread.messages)
        _, said = await browser.press(await browser.view(), "Offer a draw")
        assert "any more" in str(said)
        assert len(thread.messages) == before


def forget_what_discord_said(env: Environment) -> None:
    """Let half a minute pass, for which Discord's answers hold."""
    people = env.app.get(PagePeople)
    people._sees.clear()
    people._members.clear()


async def test_who_lost_the_channel_keeps_their_own_match_alone(env: Environment, url: URL) -> None:
    """A press carries the address of any match: it shows no more than the person may see."""
    board = await env.begin(GAME)
    mover, other = env.mover(board), env.other(board)
    async with window(url) as browser:
        await browser.open(await link(env, mover))
        await env.begin_between([other, env.carol], GAME)
        hide(env, "games", mover)
        await env.settled()
        _, said = await browser.ask("/api/matches/1/presses", {"custom_id": "replay:2"})
        assert "There's no match #2 here." in str(said)
        before = len(env.channel().messages)
        view = await browser.view()
        _, said = await browser.press(view, "Offer a draw")
        assert "any more" in str(said)
        assert len(env.channel().messages) == before
        status, _ = await browser.play(view, view["moves"][0]["steps"])
        assert status == HTTPStatus.OK, "they play on"


async def test_an_answer_names_the_channels_that_it_may_speak_of(
    env: Environment, url: URL
) -> None:
    thread = await begin_in_thread(env)
    async with window(url) as browser:
        secret = await env.app.get(WebAccess).link(env.ann.id, match_id=1, locale="en-US")
        await browser.ask("/api/session", {"link": secret})
        _, said = await browser.press(await browser.view(), "Replay")
        games = str(env.channel().id)
        assert said["channels"] == {games: "games", str(thread.id): thread.name}
        hide(env, "games", env.ann)
        await env.settled()
        _, said = await browser.press(await browser.view(), "Replay")
        assert said["channels"] == {}, "not to those who can't see them"


async def test_a_failure_of_discords_is_told(env: Environment, browser: PageWindow) -> None:
    view = await browser.view()
    env.expected |= {503}
    env.faults.respond("GET /guilds/{guild_id}/members/{user_id}", status=503, times=None)
    status, said = await browser.press(view, "Rules")
    assert status == HTTPStatus.CONFLICT
    assert "Discord isn't answering" in said["error"]


async def test_a_view_holds_no_secret(env: Environment, browser: PageWindow) -> None:
    view: Any = await browser.view()
    match = (await env.position()).match
    assert match.seed.hex() not in str(view)
    for player in match.players:
        assert not player.word or player.word not in str(view)


# ------------------------------------------------------------------ floods


async def test_a_flood_from_one_address_is_turned_away(
    env: Environment, browser: PageWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guard, "_PER_SECOND", 0.0)  # however slow this machine is
    answers = await asyncio.gather(*(browser.ask("/api/matches") for _ in range(300)))
    statuses = [status for status, _ in answers]
    assert HTTPStatus.TOO_MANY_REQUESTS in statuses
    assert statuses.count(HTTPStatus.OK) <= 2 * guard.BURST, "as an address, and as a person"


async def test_a_proxy_says_whom_it_speaks_for(url: URL, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each client has a bucket of their own, and an IPv6 network is one client."""
    monkeypatch.setattr(guard, "_PER_SECOND", 0.0)  # however slow this machine is
    async with window(url) as browser:

        async def statuses(addresses: list[str]) -> list[int]:
            path = url.join(URL("/api/matches"))
            found = []
            for address in addresses:
                async with browser.http.get(path, headers={"X-Forwarded-For": address}) as answer:
                    found.append(answer.status)
            return found

        many = [f"203.0.113.{n % 250}" for n in range(400)]
        assert set(await statuses(many)) == {HTTPStatus.UNAUTHORIZED}
        for flood in (["198.51.100.7"] * 200, [f"2001:db8::{n:x}" for n in range(200)]):
            assert HTTPStatus.TOO_MANY_REQUESTS in await statuses(flood)
        spoofed = [f"192.0.2.{n}, 198.51.100.9" for n in range(200)]
        assert HTTPStatus.TOO_MANY_REQUESTS in await statuses(spoofed), "only the proxy's own word"


async def test_a_session_opens_only_so_many_streams(browser: PageWindow) -> None:
    async with asyncio.TaskGroup() as group:
        closing = asyncio.Event()

        async def listen() -> None:
            async with browser.news():
                opened.release()
                await closing.wait()

        opened = asyncio.Semaphore(0)
        for _ in range(news_routes.MAX_STREAMS):
            group.create_task(listen())
        for _ in range(news_routes.MAX_STREAMS):
            await opened.acquire()
        status, _ = await browser.ask("/api/news?match=1")
        assert status == HTTPStatus.TOO_MANY_REQUESTS
        closing.set()


async def test_nonsense_is_refused_and_large_bodies_are_not_read(browser: PageWindow) -> None:
    nonsense: tuple[object, ...] = (
        [],
        {},
        {"version": "x"},
        {"version": 1, "steps": 5},
        {"custom_id": None},
        "x",
    )
    for body in nonsense:
        for path in ("/api/matches/1/moves", "/api/matches/1/presses", "/api/session"):
            status, _ = await browser.ask(path, body)
            assert HTTPStatus.BAD_REQUEST <= status < HTTPStatus.INTERNAL_SERVER_ERROR, (path, body)
    status, _ = await browser.ask("/api/session", {"link": "x" * 100_000})
    assert status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE
