"""What links that show a finished game show to anybody, and what strangers try with them."""

from __future__ import annotations

import asyncio
import json
import random
import re
from html import unescape
from http import HTTPStatus
from typing import Any

import pytest
from sqlalchemy import delete, select
from yarl import URL

from bot.core.permissions.members import Members
from bot.features.analysis.service import Analyses
from bot.features.web import guard, share_views
from bot.features.web.requests import preferred
from bot.features.web.share_views import GONE
from bot.features.web.shares import ShareLinks
from bot.play.replays.replay import Replays
from data import computer_tasks
from data.matches import watching
from data.puzzles import analyses as stored_analyses
from playground.model import Message
from tests.end_to_end.harness import Environment
from tests.end_to_end.people import begin_and_play, delete_data, finish
from tests.end_to_end.shared_links import Visitor, finished, made, offered
from tests.end_to_end.tournaments import play_round, start

EVIL = '"><script>alert(1)</script>'


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
    assert found["og:title"] == "Tablut · Winter Cup"
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
    match = (await env.position()).match
    whole = await visitor.page(address)
    whole += (await visitor.get(address / "boards" / "0"))[1]
    for private in ("secret plan", match.seed.hex(), str(env.ann.id), str(env.carol.id), "Carol"):
        assert private not in whole
    assert address.name not in env.database


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
    monkeypatch.setattr(guard, "_PER_SECOND", 0.0)  # however slow this machine is
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
