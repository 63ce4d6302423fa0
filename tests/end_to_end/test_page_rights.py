"""What people do on the page who have lost rights since it was opened, and presses that no page would send."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from datetime import timedelta
from http import HTTPStatus
from typing import Any

import pytest
from yarl import URL

from bot.core.interactions.dispatch import UNEXPECTED
from bot.features.web import guard
from bot.features.web.changes import Changes
from bot.features.web.people_views import PagePeople
from bot.features.web.service import WebAccess
from bot.play.matches.positions import Position
from bot.play.matches.service import Matches
from data.challenges import challenges
from data.people import web_sessions
from data.sql.transaction import Transaction
from playground.app import GROUP
from playground.people import Person
from tests.end_to_end.harness import Environment
from tests.end_to_end.pages import PageWindow, link, window
from tests.end_to_end.people import hide
from tests.recorded import CONTROLS as RECORDED

GAME = "tablut"


def forget_what_discord_said(env: Environment) -> None:
    """Let half a minute pass, for which Discord's answers hold."""
    people = env.app.get(PagePeople)
    people._sees.clear()
    people._members.clear()


async def signed_in(env: Environment, browser: PageWindow, person: Person) -> None:
    """Sign a person in, who watches or plays match 1."""
    secret = await env.app.get(WebAccess).link(person.id, match_id=1, locale="en-US")
    assert (await browser.ask("/api/session", {"link": secret}))[0] == HTTPStatus.OK


async def test_in_a_timeout_one_plays_and_presses_nothing_else(
    env: Environment, browser: PageWindow
) -> None:
    """Discord passes on none of their presses, so that they say nothing; no game is lost by it."""
    mover = env.mover(env.board())
    member = env.guild.members[mover.id]
    view, before = await browser.view(), len(env.channel().messages)
    member.timed_out_until = env.now() + timedelta(hours=1)
    forget_what_discord_said(env)
    for label in ("Offer a draw", "Note", "Rules"):
        status, said = await browser.press(view, label)
        assert status == HTTPStatus.FORBIDDEN
        assert "in a timeout" in said["error"]
    await env.settled()
    assert len(env.channel().messages) == before
    assert (await browser.play(view, view["moves"][0]["steps"]))[0] == HTTPStatus.OK
    env.clock.advance(3601)
    forget_what_discord_said(env)
    status, _ = await browser.press(await browser.view(), "Rules")
    assert status == HTTPStatus.OK, "it is over by itself"


async def test_who_loses_sight_of_a_match_is_not_told_when_it_is_played(
    env: Environment, url: URL
) -> None:
    board = await env.begin(GAME)
    async with window(url) as browser:
        await browser.open(await link(env, env.carol, board))
        async with browser.news() as news:
            while await news.get() != "changed":
                pass  # the first look at the match
            hide(env, "games", env.carol)
            forget_what_discord_said(env)
            env.app.get(Changes)._changed(1)
            heard = [await news.get()]
            while heard[-1] != "closed":
                heard.append(await news.get())
        assert "changed" not in heard
        assert (await browser.ask("/api/matches/1"))[0] == HTTPStatus.NOT_FOUND


async def test_a_session_that_ends_while_it_is_looked_up_is_not_believed_after_it(
    env: Environment, browser: PageWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    access, person = env.app.get(WebAccess), env.mover(env.board())
    secret = str(next(iter(browser.http.cookie_jar)).value)
    read, ended = asyncio.Event(), asyncio.Event()
    get = web_sessions.get

    async def slow(tx: Transaction, *args: Any) -> Any:
        found = await get(tx, *args)
        read.set()
        await ended.wait()
        return found

    access._doubt()
    monkeypatch.setattr(web_sessions, "get", slow)
    asking = asyncio.create_task(access.session(secret))
    await read.wait()
    await access.end(person.id)
    ended.set()
    await asking
    assert await access.session(secret) is None
    assert (await browser.ask("/api/matches/1"))[0] == HTTPStatus.UNAUTHORIZED


async def test_a_flood_from_their_address_never_locks_out_who_is_signed_in(
    env: Environment, browser: PageWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are known by their session, also once that is to be looked up again."""
    monkeypatch.setattr(guard, "_PER_SECOND", 0.0)  # however slow this machine is
    assert (await browser.ask("/api/matches"))[0] == HTTPStatus.OK
    async with window(browser.url) as stranger:
        for _ in range(guard.BURST):
            await stranger.ask("/api/matches")
        assert (await stranger.ask("/api/matches"))[0] == HTTPStatus.TOO_MANY_REQUESTS
        env.clock.advance(31)
        assert (await browser.ask("/api/matches"))[0] == HTTPStatus.OK
        env.app.get(WebAccess)._doubt()
        assert (await browser.ask("/api/matches"))[0] == HTTPStatus.OK
        await env.app.get(WebAccess).end(env.mover(env.board()).id)
        status, _ = await browser.ask("/api/matches")
        assert status == HTTPStatus.TOO_MANY_REQUESTS, "an ended session is anybody's"


def lost_the_channel(env: Environment, person: Person) -> None:
    hide(env, "games", person)


def left(env: Environment, person: Person) -> None:
    env.world.remove_member(env.guild, person.user)


def stays(_: Environment, __: Person) -> None:
    pass


@pytest.mark.parametrize("happens", [stays, lost_the_channel, left])
async def test_any_control_forged_on_the_page_is_answered_and_decides_nothing(
    env: Environment, url: URL, happens: Callable[[Environment, Person], None]
) -> None:
    """Discord takes only presses of what a message shows; the page's come from anybody's program."""
    env.expected |= {404}  # Discord is asked for people and threads that are not there
    await env.begin(GAME)
    mover = env.mover(env.board())
    async with window(url) as browser:
        await signed_in(env, browser, mover)
        happens(env, mover)
        await env.settled()
        forget_what_discord_said(env)
        for address in forged():
            for more in USES:
                status, said = await browser.ask(
                    "/api/matches/1/presses", {"custom_id": address, **more}
                )
                assert status < HTTPStatus.INTERNAL_SERVER_ERROR, (address, more)
                assert UNEXPECTED not in str(said), (address, more)
                assert env.error_log.lines == [], (address, more)
            if status == HTTPStatus.UNAUTHORIZED:
                await signed_in(env, browser, mover)
    assert not (await env.position()).match.finished


USES: tuple[dict[str, Any], ...] = ({}, {"fields": {}}, {"values": ["1"], "type": 3})
"""A press, a form and a choice, which a control may take or not."""


def forged() -> list[str]:
    """Return the address of one control of each kind, about match 1."""
    every = {address.partition(":")[0]: address for address, _ in RECORDED}
    kept = (one for one in every.values() if not one.startswith(("erase", "r:")))
    return [re.sub(r"(?<=:)12(?=:|$)", "1", one) for one in kept]


# ------------------------------------------------------------------ other servers, and places left


async def outside(env: Environment, browser: PageWindow) -> int:
    """Sign Dan in, who plays the computer in direct messages and is on no server; return his match."""
    await env.done(env.dan.slash(f"/{GAME} practice", channel=env.dan.dm, options={"level": 1}))
    (match,) = await env.app.get(Matches).of_player(env.dan.id)
    left(env, env.dan)
    secret = await env.app.get(WebAccess).link(env.dan.id, match_id=match.id, locale="en-US")
    assert (await browser.ask("/api/session", {"link": secret}))[0] == HTTPStatus.OK
    return match.id


async def test_a_challenge_on_a_server_is_unknown_to_who_is_not_there(
    env: Environment, url: URL
) -> None:
    """Numbers are easily guessed: neither who has made it is told, nor can it be joined."""
    await env.done(env.ann.slash(f"/{GAME} challenge"))
    async with window(url) as browser:
        number = await outside(env, browser)
        for asked in (
            *({"custom_id": f"c:1:{answer}"} for answer in ("accept", "word", "withdraw", "more")),
            {"custom_id": "word:1", "fields": {"word": "hello"}},
        ):
            _, said = await browser.ask(f"/api/matches/{number}/presses", asked)
            assert "This challenge is gone." in str(said), asked
            assert str(env.ann.id) not in str(said)
    challenge = await env.read(challenges.get, 1)
    assert challenge is not None
    assert [one.user_id for one in challenge.invited] == [env.ann.id]


async def test_who_has_left_a_server_begins_nothing_there(env: Environment, url: URL) -> None:
    """Whoever was thrown out would have the bot post their boards."""
    env.expected |= {404}
    await env.done(env.dan.slash(f"/{GAME} practice", options={"level": 1}))
    await env.resign(env.dan)
    before = len(env.channel().messages)
    async with window(url) as browser:
        number = await outside(env, browser)
        played = {"custom_id": f"easiest:{GAME}"}
        for match, asked in (
            (1, played),
            (1, {"custom_id": "again:1"}),
            (number, {"custom_id": "again:1"}),
        ):
            _, said = await browser.ask(f"/api/matches/{match}/presses", asked)
            assert "You can't see this game's channel any more" in str(said), (match, asked)
    assert len(env.channel().messages) == before
    assert [one.id for one in await env.app.get(Matches).of_player(env.dan.id)] == [number]


async def test_who_cannot_see_the_channel_answers_offers_but_makes_none(
    env: Environment, url: URL
) -> None:
    """The bot cannot post an offer of theirs, so none stands that they believe was refused."""
    board = await env.begin(GAME)
    mover, other = env.mover(board), env.other(board)
    async with window(url) as browser, window(url) as opponent:
        for one, person in ((browser, mover), (opponent, other)):
            await one.open(await link(env, person))
        view = await browser.view()
        assert (await browser.play(view, view["moves"][0]["steps"]))[0] == HTTPStatus.OK
        await env.settled()
        before = len(env.channel().messages)
        lost_the_channel(env, mover)
        forget_what_discord_said(env)
        for label in ("Offer a draw", "Take back"):
            _, said = await browser.press(await browser.view(), label)
            assert "You can't see this game's channel any more" in str(said), label
            assert (await browser.view())["offers"] == [], label
            assert (await opponent.view())["offers"] == [], label
        assert len(env.channel().messages) == before
        await opponent.press(await opponent.view(), "Offer a draw")
        forget_what_discord_said(env)
        _, said = await browser.press(await browser.view(), "Offer a draw")
        assert "You can't see this game's channel any more" in str(said), "it agrees publicly"
        assert not (await env.position()).match.finished
        await browser.press((await browser.view())["offers"], "Agree to a draw")
        await env.settled()
    assert (await env.position()).match.finished


async def test_in_a_group_without_the_bot_nothing_begins_on_the_page(
    env: Environment, url: URL
) -> None:
    """There the bot can only answer in Discord: nobody would ever see the board."""
    group = env.playground.channel(GROUP)
    await env.done(env.ann.slash(f"/{GAME} practice", channel=group, options={"level": 1}))
    await env.app.get(Matches).resign(1, env.ann.id)
    async with window(url) as browser:
        await signed_in(env, browser, env.ann)
        for address in ("again:1", f"easiest:{GAME}"):
            _, said = await browser.ask("/api/matches/1/presses", {"custom_id": address})
            assert "In this chat I can only answer you." in str(said), address
    assert await env.app.get(Matches).of_player(env.ann.id) == ()


async def test_earlier_turns_are_worked_out_one_at_a_time_and_few_wait_for_one_person(
    env: Environment, browser: PageWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each may replay a whole log: who asks for many at once is told so, and others get theirs."""
    going, may_go = asyncio.Event(), asyncio.Event()
    earlier = Matches.earlier
    busy = most = 0

    async def slow(matches: Matches, position: Position, ply: int) -> Position:
        nonlocal busy, most
        busy += 1
        most = max(busy, most)
        going.set()
        await may_go.wait()
        busy -= 1
        return await earlier(matches, position, ply)

    monkeypatch.setattr(Matches, "earlier", slow)
    other = env.other(env.board())
    async with window(browser.url) as second:
        await signed_in(env, second, other)
        asking = [asyncio.create_task(browser.ask("/api/matches/1?ply=0")) for _ in range(5)]
        done, _ = await asyncio.wait(asking, return_when=asyncio.FIRST_COMPLETED)
        status, said = done.pop().result()
        assert status == HTTPStatus.CONFLICT
        assert "4 requests waiting" in said["error"]
        await going.wait()
        theirs = asyncio.create_task(second.ask("/api/matches/1?ply=0"))
        may_go.set()
        assert (await theirs)[0] == HTTPStatus.OK
        answers = [status for status, _ in await asyncio.gather(*asking)]
    assert sorted(answers) == [HTTPStatus.OK] * 4 + [HTTPStatus.CONFLICT]
    assert most == 1
