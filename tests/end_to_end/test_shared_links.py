"""Links that show a finished game to anybody: who makes them, who sees what, and how they end."""

from __future__ import annotations

import asyncio
import json
import random
import re
from collections.abc import AsyncIterator
from html import unescape
from http import HTTPStatus
from typing import Any

import aiohttp
import pytest
from sqlalchemy import delete, select
from yarl import URL

from bot.core.interactions.components import BUTTON, STRING_SELECT
from bot.core.owner_decisions import OwnerDecisions
from bot.core.permissions.members import Members
from bot.features.analysis.service import Analyses
from bot.features.web import guard, share_views
from bot.features.web.requests import preferred
from bot.features.web.share_views import GONE
from bot.features.web.shares import MAX_MADE, ShareLinks
from bot.play.matches.service import Matches
from bot.play.replays.replay import Replays
from data import computer_tasks
from data.matches import watching
from data.puzzles import analyses as stored_analyses
from playground.interaction import InteractionType
from playground.model import Message
from playground.people import Person
from playground.reply import Reply
from tests.end_to_end.harness import Environment
from tests.end_to_end.people import (
    SLUG,
    begin_and_play,
    begin_in_thread,
    decided,
    delete_data,
    finish,
    hide,
    resign_there,
)
from tests.end_to_end.tournaments import play_round, start

EVIL = '"><script>alert(1)</script>'


class Visitor:
    """Somebody with a browser, who is nobody here."""

    def __init__(self, http: aiohttp.ClientSession) -> None:
        self.http = http

    async def get(
        self, address: str | URL, *, method: str = "GET", language: str = ""
    ) -> tuple[int, str, Any]:
        """Ask for an address; return status, body and headers."""
        headers = {"Accept-Language": language} if language else {}
        async with self.http.request(method, address, headers=headers) as answer:
            body = await answer.read()
            text = body.decode() if answer.content_type != "image/png" else body.hex()
            return answer.status, text, answer.headers

    async def page(self, address: str | URL, language: str = "") -> str:
        """Return a page that is there."""
        status, text, _ = await self.get(address, language=language)
        assert status == HTTPStatus.OK, text
        return text


@pytest.fixture
async def visitor() -> AsyncIterator[Visitor]:
    """Open a browser without any cookie."""
    async with aiohttp.ClientSession() as http:
        yield Visitor(http)


async def offered(person: Person, channel: str = "games", number: str = "1") -> Message:
    """Return what *Share a link* asks below a replay."""
    replay = (await person.slash("/match replay", channel=channel, number=number)).shown
    return (await person.press(replay, "Share a link")).shown


async def made(env: Environment, person: Person, channel: str = "games") -> URL:
    """Make a link to the first match, from the end of its replay."""
    question = await offered(person, channel)
    answer = (await env.done(person.press(question, "Make a link"))).shown
    (found,) = [one.url for one in answer.buttons if one.url]
    assert found in answer.text
    return URL(str(found))


async def finished(env: Environment, slug: str = SLUG) -> None:
    """Play and finish a match of Ann and Ben."""
    await begin_and_play(env, slug)
    await finish(env, env.ann, slug)


async def forged(
    env: Environment, person: Person, custom_id: str, *values: str, channel: str = "games"
) -> Reply:
    """Press a button, or choose from a menu, that no message has."""
    data: dict[str, Any] = {"custom_id": custom_id, "id": 1, "component_type": BUTTON}
    if values:
        data |= {"component_type": STRING_SELECT, "values": list(values)}
    on = (await person.slash("/help", channel=channel)).message
    reply = person._interact(InteractionType.COMPONENT, env.channel(channel), data, message=on)
    await reply
    return reply


async def ordered(env: Environment, text: str) -> None:
    """Have the bot's owner order something."""
    owner = env.playground.person("Olive")
    owner.says(f"owner {text}", channel=owner.dm)
    await env.settled()
    await env.app.get(OwnerDecisions).work.idle()


def tags(text: str) -> dict[str, str]:
    """Return what previews read in a page."""
    found = re.findall(r'<meta (?:name|property)="([^"]+)" content="([^"]*)">', text)
    return {name: unescape(value) for name, value in found}


# ------------------------------------------------------------------ what is seen


async def test_anybody_with_the_link_sees_the_game(
    env: Environment, url: URL, visitor: Visitor
) -> None:
    await finished(env)
    address = await made(env, env.carol)
    assert re.fullmatch(r"/s/[\w-]{22}", address.path)
    text = await visitor.page(address)
    found = tags(text)
    assert found["og:title"] in {"Tablut · Ann – Ben", "Tablut · Ben – Ann"}
    assert "Ann" in found["og:description"]
    assert "won" in found["og:description"]
    assert found["og:url"] == str(address)
    assert found["twitter:card"] == "summary_large_image"
    assert found["robots"] == "noindex"
    assert found["og:image:alt"]
    status, picture, headers = await visitor.get(found["og:image"])
    assert status == HTTPStatus.OK
    assert bytes.fromhex(picture).startswith(b"\x89PNG")
    assert headers["X-Robots-Tag"] == "noindex"
    status, boards, _ = await visitor.get(address / "boards" / "0")
    assert status == HTTPStatus.OK
    shown = json.loads(boards)["boards"]
    assert len(shown) == len(re.findall(r'data-stop="', text))
    assert shown[0]["alt"] != shown[-1]["alt"]


async def test_a_head_request_says_the_same_without_a_body(
    env: Environment, url: URL, visitor: Visitor
) -> None:
    await finished(env)
    address = await made(env, env.ann)
    for one in (address, address / "picture.png", address / "boards" / "0"):
        status, body, headers = await visitor.get(one, method="HEAD")
        _, _, full = await visitor.get(one)
        assert status == HTTPStatus.OK
        assert body == ""
        assert headers["Content-Type"] == full["Content-Type"]


async def test_a_position_is_shared_as_it_was(env: Environment, url: URL, visitor: Visitor) -> None:
    await finished(env)
    replay = (await env.ann.slash("/match replay", number="1", move=1)).shown
    question = (await env.ann.press(replay, "Share a link")).shown
    answer = (await env.done(env.ann.press(question, "Make a link"))).shown
    (then,) = [URL(str(one.url)) for one in answer.buttons if one.url]
    end = await made(env, env.ann)
    first, last = [await visitor.page(one) for one in (then, end)]
    assert re.search(r'data-at="1"', first)
    assert tags(first)["og:image:alt"] != tags(last)["og:image:alt"]
    pictures = [await visitor.get(one / "picture.png") for one in (then, end)]
    assert pictures[0][1] != pictures[1][1]


@pytest.mark.parametrize(
    ("accepted", "word"),
    [
        ("de-AT,de;q=0.9,en;q=0.5", "Alle Züge"),
        ("xx, sv;q=0.8, de;q=0.9", "Alle Züge"),
        ("fr", "Tous les coups"),
        ("hi", "सभी चालें"),
        ("sv-SE", "Alla drag"),
        ("nonsense;q=x, ,;,", "All moves"),
        ("", "All moves"),
    ],
)
async def test_the_page_is_in_its_readers_language(
    env: Environment, url: URL, visitor: Visitor, accepted: str, word: str
) -> None:
    await finished(env)
    assert word in await visitor.page(await made(env, env.ann), accepted)


def test_the_language_is_the_first_that_there_is() -> None:
    there = ["en-US", "de", "sv-SE"]
    for accepted, wanted in {
        "da, sv;q=0.5": "sv-SE",
        "de;q=0.1, en-GB;q=0.2": "en-US",
        "de;q=0": None,
        "*": None,
        "": None,
    }.items():
        assert preferred(accepted, there) == wanted


async def test_without_a_language_it_is_its_makers(
    env: Environment, url: URL, visitor: Visitor
) -> None:
    await finished(env)
    await env.change_player(env.ann, language="sv-SE")
    replay = (await env.ann.slash("/match replay", number="1")).shown
    await env.change_player(env.ann, language=None)
    question = (await env.ann.press(replay, custom_id=link_of(replay))).shown
    await env.change_player(env.ann, language="sv-SE")
    answer = (await env.done(env.ann.press(question, "Make a link"))).shown
    (found,) = [str(one.url) for one in answer.buttons if one.url]
    assert 'lang="sv-SE"' in await visitor.page(found)


def link_of(message: Message) -> str:
    """Return the custom id of *Share a link*."""
    (found,) = [
        one.custom_id for one in message.buttons if (one.custom_id or "").startswith("link:")
    ]
    return str(found)


async def test_it_has_the_look_its_maker_likes(
    env: Environment, url: URL, visitor: Visitor
) -> None:
    await finished(env)
    address = await made(env, env.ann)
    for theme in ("night", "contrast"):
        await env.change_player(env.ann, theme=theme)
        assert f'data-board="{theme}"' in await visitor.page(address)


@pytest.mark.usefixtures("kernels")
async def test_an_analysis_is_shown_as_it_is_stored_and_none_is_made_for_strangers(
    env: Environment, url: URL, visitor: Visitor
) -> None:
    await env.begin("tablaaza")
    await env.hurry(random.Random(1), lambda position: position.ply >= 8)
    await env.resign(env.ann)
    analyses = env.app.get(Analyses)
    await analyses.of(await env.app.get(Replays).of_match(1))
    shown = (await env.ann.slash("/match analysis", number="1")).shown
    question = (await env.ann.press(shown, "Share a link")).shown
    assert "its analysis" in question.text
    answer = (await env.done(env.ann.press(question, "Make a link"))).shown
    (address,) = [URL(str(one.url)) for one in answer.buttons if one.url]
    text = await visitor.page(address)
    found = tags(text)
    assert found["og:title"].startswith("Analysis: Tablaaza · ")
    assert "A computer's estimate" in unescape(text)
    assert "win chance" in found["og:image:alt"]
    board = await made(env, env.ann)
    assert (await visitor.get(address / "picture.png"))[1] != (
        await visitor.get(board / "picture.png")
    )[1]
    async with env.store.write() as tx:
        await tx.run(delete(stored_analyses.analyses))
        await tx.run(delete(computer_tasks.computer_tasks))
    plain_page = await visitor.page(address)
    assert "A computer's estimate" not in unescape(plain_page)
    async with env.store.read() as tx:
        assert not await tx.rows(select(computer_tasks.computer_tasks))


async def test_a_tournaments_table_is_shown_as_it_is(
    env: Environment, url: URL, visitor: Visitor
) -> None:
    await start(env, 3, rounds=1)
    await play_round(env, random.Random(1))
    standings = (await env.ann.slash("/tournament standings")).shown
    question = (await env.ann.press(standings, "Share a link")).shown
    answer = (await env.done(env.ann.press(question, "Make a link"))).shown
    (address,) = [URL(str(one.url)) for one in answer.buttons if one.url]
    text = await visitor.page(address)
    found = tags(text)
    assert found["og:title"] == "Winter Cup"
    assert "Ann" in text
    status, picture, _ = await visitor.get(found["og:image"])
    assert status == HTTPStatus.OK
    await env.change_player(env.ann, profile=False)
    hidden = await visitor.page(address)
    assert "Ann" not in hidden
    assert "Ben" in hidden, "of many, only those are left out who want it"
    assert str(env.ann.id) not in hidden
    assert (await visitor.get(found["og:image"]))[1] != picture
    status, _, _ = await visitor.get(address / "boards" / "0")
    assert status == HTTPStatus.NOT_FOUND
    await delete_data(env, env.ben)
    status, _, _ = await visitor.get(address)
    assert status == HTTPStatus.NOT_FOUND


# ------------------------------------------------------------------ names


async def test_nobody_is_named_once_one_player_hides_their_profile(
    env: Environment, url: URL, visitor: Visitor
) -> None:
    await finished(env)
    address = await made(env, env.ann)
    assert "Ben" in await visitor.page(address)
    before = (await visitor.get(address / "picture.png"))[1]
    await env.change_player(env.ben, profile=False)
    text = await visitor.page(address)
    _, boards, _ = await visitor.get(address / "boards" / "0")
    for name in ("Ann", "Ben", str(env.ann.id), str(env.ben.id)):
        assert name not in text
        assert name not in boards
    assert "Player 1" in text
    assert tags(text)["og:title"] == "Tablut · match #1"
    assert (await visitor.get(address / "picture.png"))[1] != before
    assert "It shows no names" in (await offered(env.carol)).text


async def test_a_name_is_never_markup(env: Environment, url: URL, visitor: Visitor) -> None:
    await finished(env)
    address = await made(env, env.ann)
    guild = env.channel().guild
    assert guild is not None
    guild.members[env.ben.id].nick = EVIL
    env.app.get(Members)._names.clear()
    text = await visitor.page(address)
    assert "<script>alert" not in text
    assert "&lt;script&gt;" in text
    assert text.count("<script") == 1, "the page's own"
    _, boards, _ = await visitor.get(address / "boards" / "0")
    assert "<script" not in boards


async def test_no_secret_and_nothing_private_is_in_any_answer(
    env: Environment, url: URL, visitor: Visitor
) -> None:
    await begin_and_play(env, "tablan")
    async with env.store.write() as tx:
        await watching.put_note(tx, 1, env.ann.id, "my secret plan")
    await finish(env, env.ann)
    address = await made(env, env.carol)
    match = (await env.app.get(Matches).position(1)).match
    whole = await visitor.page(address)
    whole += (await visitor.get(address / "boards" / "0"))[1]
    for private in ("secret plan", match.seed.hex(), str(env.ann.id), str(env.carol.id), "Carol"):
        assert private not in whole
    assert address.name not in env.database


# ------------------------------------------------------------------ who may


async def test_a_game_going_on_has_no_link(env: Environment, url: URL) -> None:
    await begin_and_play(env, SLUG)
    replay = (await env.ann.slash("/match replay", number="1")).shown
    assert "Share a link" not in [one.label for one in replay.buttons]
    reply = await forged(env, env.ann, "link-make:match:1:")
    assert "still being played" in reply.text


async def test_a_private_games_players_alone_share_it(
    env: Environment, url: URL, visitor: Visitor
) -> None:
    thread = await begin_in_thread(env, private=True)
    await resign_there(env, thread)
    question = await offered(env.ann, "our corner")
    assert "only some people can see that" in question.text
    await visitor.page(await made(env, env.ann, "our corner"))
    replay = (await env.dan.slash("/match replay", channel="our corner", number="1")).shown
    refused = await env.dan.press(replay, "Share a link")
    assert "only its players can share it" in refused.text


async def test_who_cannot_see_a_game_gets_no_link_to_it(env: Environment, url: URL) -> None:
    await finished(env)
    hide(env, "games", env.carol)
    await env.settled()
    for address in ("link:match:1:", "link-make:match:1:", "link-make:analysis:1:"):
        reply = await forged(env, env.carol, address, channel="general")
        assert "no match #1" in reply.text


async def test_a_blocked_person_gets_no_link(env: Environment, url: URL) -> None:
    await finished(env)
    question = await offered(env.carol)
    await env.done(env.ben.slash("/block", user=env.carol))
    refused = await env.done(env.carol.press(question, "Make a link"))
    assert "You can't share this game." in refused.text


async def test_nobody_makes_links_without_end(env: Environment, url: URL) -> None:
    await finished(env)
    question = await offered(env.ann)
    shares = env.app.get(ShareLinks)
    for _ in range(MAX_MADE):
        await shares.make(env.ann.id, "match", 1, None, "en-US")
    refused = await env.done(env.ann.press(question, "Make a link"))
    assert "limit" in refused.text


async def test_without_the_page_there_are_no_links(env: Environment) -> None:
    await finished(env)
    replay = (await env.ann.slash("/match replay", number="1")).shown
    assert "Share a link" not in [one.label for one in replay.buttons]
    reply = await forged(env, env.ann, "link-make:match:1:")
    assert "off" in reply.text


# ------------------------------------------------------------------ how they end


async def gone(visitor: Visitor, address: URL) -> bool:
    """Return whether a link shows nothing, in the way of one that never existed."""
    never = await visitor.get(address.with_path("/s/" + "A" * 22))
    now = await visitor.get(address)
    for part in ("picture.png", "boards/0"):
        status, _, _ = await visitor.get(
            address / part if part[0] == "p" else address / "boards" / "0"
        )
        assert (status == HTTPStatus.NOT_FOUND) is (now[0] == HTTPStatus.NOT_FOUND)
    return now[:2] == never[:2]


async def test_its_maker_ends_it(env: Environment, url: URL, visitor: Visitor) -> None:
    await finished(env)
    address = await made(env, env.carol)
    assert not await gone(visitor, address)
    question = await offered(env.carol)
    assert "1 link leads here so far" in question.text
    await env.done(env.carol.press(question, "End this link"))
    assert await gone(visitor, address)
    again = await forged(env, env.carol, "link-end:match:1:")
    assert "no link left to end" in again.text


async def test_any_player_ends_it_and_nobody_else(
    env: Environment, url: URL, visitor: Visitor
) -> None:
    await finished(env)
    address = await made(env, env.carol)
    await forged(env, env.dan, "link-end:match:1:")
    assert not await gone(visitor, address)
    assert "so far" not in (await offered(env.dan)).text, "who made links is not told to others"
    question = await offered(env.ben)
    assert f"by {env.carol.mention}" in question.text
    await env.done(env.ben.press(question, "End this link"))
    assert await gone(visitor, address)


async def test_a_person_finds_and_ends_their_own_links(
    env: Environment, url: URL, visitor: Visitor
) -> None:
    await finished(env)
    addresses = [await made(env, env.carol), await made(env, env.carol)]
    settings = (await env.carol.slash("/me settings")).shown
    listed = (await env.carol.press(settings, "2 shared links")).shown
    assert listed.text.count("match #1") == 2
    one = (await env.app.get(ShareLinks).of_user(env.carol.id))[0].id
    tried = await forged(env, env.dan, f"link-end:match:1:{one}")
    assert "no link left to end" in tried.text
    newest, older = await env.app.get(ShareLinks).of_user(env.carol.id)
    tried = await forged(env, env.dan, "link-pick", str(newest.id))
    assert "You have no links." in tried.text
    assert not await gone(visitor, addresses[1])
    await env.done(env.carol.choose(listed, str(older.id)))
    assert [await gone(visitor, one) for one in addresses] == [True, False]


@pytest.mark.parametrize("who", ["ann", "ben", "carol"])
async def test_it_goes_with_the_data_of_its_maker_and_of_any_player(
    env: Environment, url: URL, visitor: Visitor, who: str
) -> None:
    await finished(env)
    address = await made(env, env.carol)
    await delete_data(env, getattr(env, who))
    await env.settled()
    assert await gone(visitor, address)
    await env.done(env.dan.slash("/match replay", number="1"))


async def test_it_is_closed_while_its_maker_or_server_is_blocked(
    env: Environment, url: URL, visitor: Visitor
) -> None:
    await finished(env)
    address = await made(env, env.carol)
    guild = env.channel().guild
    assert guild is not None
    for what in (f"user {env.carol.id}", f"server {guild.id}"):
        await ordered(env, f"block {what} --reason spam --yes")
        assert await gone(visitor, address)
        await ordered(env, f"unblock {what.split()[1]}")
        assert not await gone(visitor, address)
    await ordered(env, f"block user {env.ben.id} --reason rude --yes")
    assert "Ben" not in await visitor.page(address), "nor is a blocked player named"


async def test_a_match_that_loses_its_result_is_shown_no_more(
    env: Environment, url: URL, visitor: Visitor
) -> None:
    await finished(env)
    address = await made(env, env.ann)
    await decided(env, "void", match=1)
    assert await gone(visitor, address)


# ------------------------------------------------------------------ attacks


async def test_a_guess_shows_nothing(env: Environment, url: URL, visitor: Visitor) -> None:
    await finished(env)
    address = await made(env, env.ann)
    (link,) = await env.app.get(ShareLinks).of_user(env.ann.id)
    guesses = (
        *("x", "A" * 22, "A" * 5000, address.name[:-1], address.name + "A", link.secret_hash),
        *("1", "' OR 1=1 --", "%00" * 22, "%2e%2e%2fapi"),
    )
    for guess in guesses:
        status, text, _ = await visitor.get(f"{url}/s/{guess}")
        assert status == HTTPStatus.NOT_FOUND, guess
        assert "Ann" not in text
    for block in ("-1", "99", "x", "1e3"):
        status, _, _ = await visitor.get(f"{address}/boards/{block}")
        assert status in {HTTPStatus.NOT_FOUND, HTTPStatus.BAD_REQUEST}


async def test_a_link_opens_nothing_but_what_it_shows(
    env: Environment, url: URL, visitor: Visitor
) -> None:
    await finished(env)
    address = await made(env, env.ann)
    await visitor.page(address)
    for path in ("/api/matches", "/api/matches/1"):
        status, _, _ = await visitor.get(url.with_path(path))
        assert status == HTTPStatus.UNAUTHORIZED
    status, _, headers = await visitor.get(f"{address}?next=https://evil.example//")
    assert status == HTTPStatus.OK
    assert "Location" not in headers
    assert "Set-Cookie" not in headers
    for method in ("POST", "PUT", "DELETE"):
        status, _, _ = await visitor.get(address, method=method)
        assert status == HTTPStatus.METHOD_NOT_ALLOWED


async def test_a_flood_is_turned_away_and_the_game_made_once(
    env: Environment, url: URL, visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    await finished(env)
    address = await made(env, env.ann)
    count = 0
    real = share_views._boards

    def counted(*given: Any) -> bytes:
        nonlocal count
        count += 1
        return real(*given)

    monkeypatch.setattr(share_views, "_boards", counted)
    answers = await asyncio.gather(*(visitor.get(address / "boards" / "0") for _ in range(20)))
    assert {status for status, _, _ in answers} == {HTTPStatus.OK}
    assert count == 1
    guesses = (visitor.get(address.with_path(f"/s/{n:022}")) for n in range(3 * guard.BURST))
    statuses = [status for status, _, _ in await asyncio.gather(*guesses)]
    assert HTTPStatus.TOO_MANY_REQUESTS in statuses
    assert set(statuses) == {HTTPStatus.NOT_FOUND, HTTPStatus.TOO_MANY_REQUESTS}


async def test_the_words_for_what_is_gone_are_the_readers(
    env: Environment, url: URL, visitor: Visitor
) -> None:
    status, text, _ = await visitor.get(url.with_path("/s/" + "B" * 22))
    assert status == HTTPStatus.NOT_FOUND
    assert unescape(text).count(str(GONE)) >= 1
