"""Tournaments under faults that last: they go on, and nothing they post is lost or doubled."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable
from functools import partial

import pytest

from bot.core.i18n.mentions import message_link
from bot.core.posts.poster import Poster
from bot.features.tournaments.posts import AnnouncementPost, NotePost, RoundPost, TournamentPost
from playground.model import Message
from playground.permissions import Permission
from playground.request_log import Request
from tests.end_to_end.harness import Environment
from tests.end_to_end.people import owners_letters
from tests.end_to_end.tournaments import (
    analysed,
    announcement,
    create,
    create_in,
    open_matches,
    play_round,
    posts,
    sign_up,
    start,
    tournament_view,
)
from tests.routes import EDIT, HISTORY, POST, THREAD

PLAYED = ["**Round 1 of 2**", "**Round 2 of 2**", "### Winter Cup is over"]


def first_lines(messages: Iterable[Message]) -> list[str]:
    """Return the first lines of a tournament's messages."""
    texts = [one.text.split("\n")[0] for one in messages if not (one.deleted or one.ephemeral)]
    starts = ("**Round", "### Winter", "**Winter Cup** is adj", "**Winter Cup** goes")
    return [text for text in texts if text.startswith(starts)]


def begins(found: Message, words: str) -> bool:
    """Return whether a message begins with some words."""
    return found.text.startswith(words)


def in_channel(env: Environment) -> list[str]:
    """Return the first lines of a tournament's messages in its channel."""
    return first_lines(env.channel("games").messages.values())


def says(words: str) -> Callable[[Request], bool]:
    """Return a predicate for requests with some words."""
    return lambda request: words in str(request.json)


def in_thread(env: Environment, message: Message) -> str:
    """Return the part of a path that requests about a tournament's thread have."""
    return str(env.guild.threads[message.id].id)


async def played(env: Environment) -> None:
    """Play a tournament of two rounds that has begun to its end."""
    dice = random.Random(4)
    for _ in range(2):
        await play_round(env, dice)
        await env.advance(minutes=2)
    await analysed(env)


async def test_where_history_fails_for_good_each_post_comes_once_though_replies_are_lost(
    env: Environment,
) -> None:
    env.expected |= {400, 500}
    env.faults.respond(HISTORY, status=500, times=None)
    env.faults.drop(POST, after=True)
    env.faults.drop(THREAD, after=True)
    message = await start(env, 4, rounds=2)
    await env.restart()
    env.faults.respond(HISTORY, status=500, times=None)
    for words in ("Round 2", "is over"):
        env.faults.drop(POST, after=True, when=says(words))
    await played(env)
    assert in_channel(env) == ["### Winter Cup"]
    assert first_lines(posts(env, message)) == PLAYED


@pytest.mark.parametrize(("status", "code"), [(500, None), (413, None), (400, 40005)])
async def test_where_uploads_are_refused_rounds_come_in_words_and_get_their_picture_later(
    env: Environment, status: int, code: int | None
) -> None:
    env.expected |= {status}

    def bracket(request: Request) -> bool:
        return bool(request.files) and "tournament.png" in str(request.json)

    env.faults.respond("*", status=status, code=code, times=None, when=bracket)
    message = await start(env, 4, format="knockout")
    await env.advance(minutes=1)
    (post,) = posts(env, message)
    assert not post.picture
    words = r"1 \(\w+\) plays against 4 \(\w+\)\. 2 \(\w+\) plays against 3 \(\w+\)\."
    assert re.search(words, post.text)
    env.faults.clear()
    await env.advance(hours=1, minutes=1)
    assert posts(env, message) == [post]
    assert post.picture


@pytest.mark.parametrize(("status", "code"), [(500, None), (403, 50013), (429, 30046)])
async def test_where_edits_fail_rounds_go_on_and_are_up_to_date_once_they_work(
    env: Environment, status: int, code: int | None
) -> None:
    env.expected |= {status}
    env.allow_pending = True
    message = await start(env, 4, rounds=2)
    await env.advance(minutes=6)
    thread, channel = posts(env, message)[0].channel, message.channel
    env.faults.respond(
        EDIT,
        status=status,
        code=code,
        times=None,
        when=lambda request: (
            request.params["message_id"]
            in {str(one.id) for one in (message, *thread.messages.values())}
        ),
    )
    await played(env)
    assert first_lines(posts(env, message)) == PLAYED
    assert "0 of 2 games decided" in posts(env, message)[0].text
    env.faults.clear()
    await env.advance(hours=1, minutes=1)
    assert first_lines(posts(env, message)) == PLAYED
    assert "2 of 2 games decided" in posts(env, message)[0].text
    found = [one for one in channel.messages.values() if one.text.startswith("### Winter Cup")]
    assert found == [message]
    assert "**Won by" in message.text


async def test_a_thread_that_refuses_once_gets_the_next_round_by_the_clock_alone(
    env: Environment,
) -> None:
    env.expected |= {403}
    message = await start(env, 4, rounds=2)
    await env.advance(minutes=6)
    thread = in_thread(env, message)
    env.faults.respond(POST, code=50013, when=lambda request: thread in request.path)
    await play_round(env, random.Random(4))
    assert first_lines(posts(env, message)) == PLAYED[:1]
    await env.advance(minutes=2)
    assert first_lines(posts(env, message)) == PLAYED[:2]


@pytest.mark.parametrize("after", [False, True])
async def test_a_post_that_is_lost_comes_once(env: Environment, *, after: bool) -> None:
    faults = env.faults
    for words in ("Sign up", "Round 1", "is adjourned", "goes on", "Round 2", "is over"):
        faults.drop(POST, after=after, when=says(words))
    await create(env, rounds=2) if after else await create_in(env.ann, "games", rounds=2)
    await env.advance(seconds=10)
    message = announcement(env)
    await sign_up(env, message, 4)
    await env.ann.slash("/tournament start", channel="games")
    await env.advance(minutes=1)
    for press in ("Adjourn", "Go on"):
        choices = await env.ann.press(announcement(env), "Manage")
        reply = await env.ann.press(choices.shown, press)
        if press == "Adjourn":
            await env.ann.press(reply.shown, press)
        await env.advance(minutes=1)
    await played(env)
    assert in_channel(env) == ["### Winter Cup"]
    told = ["**Winter Cup** is adjourned. Open games go on, the next round waits."]
    told.append("**Winter Cup** goes on.")
    assert first_lines(posts(env, message)) == [PLAYED[0], *told, *PLAYED[1:]]


@pytest.mark.parametrize(
    ("status", "code"),
    [(500, None), (400, 50035), (400, 200000), (400, 50024), (403, 50013), (429, None)],
)
async def test_where_no_thread_can_be_opened_all_goes_to_the_channel(
    env: Environment, status: int, code: int | None
) -> None:
    env.expected |= {status}
    env.faults.respond(THREAD, status=status, code=code, retry_after=600.0, times=None)
    await start(env, 4, rounds=2)
    assert env.guild.threads == {}
    await play_round(env, random.Random(4))
    await env.advance(seconds=1)
    assert in_channel(env) == ["### Winter Cup", *PLAYED[:2]]


@pytest.mark.parametrize("lost", [False, True])
async def test_a_thread_that_fails_once_is_opened_all_the_same(
    env: Environment, *, lost: bool
) -> None:
    env.expected |= {400, 500}
    if lost:
        env.faults.drop(THREAD, after=True)
    else:
        env.faults.respond(THREAD, status=500)
    message = await start(env, 4, rounds=2)
    assert first_lines(posts(env, message)) == PLAYED[:1]


@pytest.mark.parametrize("kind", [AnnouncementPost, RoundPost, NotePost])
async def test_a_kill_between_posting_and_recording_doubles_nothing(
    env: Environment, monkeypatch: pytest.MonkeyPatch, kind: type[TournamentPost]
) -> None:
    env.expected |= {400}  # the announcement already has its thread
    env.expected_errors.append("posts")
    adjourned = "**Winter Cup** is adjourned. Open games go on, the next round waits."

    async def killed(*_: object) -> None:
        raise RuntimeError("no more")

    async def creates() -> None:
        options = {"game": "tablut", "name": "Winter Cup", "rounds": 2}
        await create_in(env.ann, "games", **options)

    async def starts() -> None:
        await sign_up(env, announcement(env), 4)
        await env.ann.slash("/tournament start", channel="games")

    async def adjourns() -> None:
        reply = await env.ann.slash("/tournament adjourn", channel="games")
        await env.ann.press(reply.shown, "Adjourn")

    for step, act, said in (
        (AnnouncementPost, creates, "### Winter Cup"),
        (RoundPost, starts, PLAYED[0]),
        (NotePost, adjourns, adjourned),
    ):
        with monkeypatch.context() as patched:
            if step is kind:
                patched.setattr(kind, "posted", killed)
            await act()
            place = env.channel("games")
            if step is not AnnouncementPost:
                place = env.guild.threads[announcement(env).id]
            await env.playground.wait_for(place, partial(begins, words=said))
            if step is kind:
                await env.app.get(Poster).work.close()
        if step is kind:
            await env.restart()
        await env.advance(minutes=1)
    assert in_channel(env) == ["### Winter Cup"]
    assert first_lines(posts(env, announcement(env))) == [PLAYED[0], adjourned]


@pytest.mark.parametrize("restarts", [False, True])
async def test_after_a_day_without_permission_of_which_the_owner_is_told_posts_come_in_their_order(
    env: Environment, *, restarts: bool
) -> None:
    env.expected |= {403}
    env.allow_pending = True
    message = await create(env, rounds=2)
    await sign_up(env, message, 4)
    env.forbid(Permission.SEND_MESSAGES_IN_THREADS | Permission.SEND_MESSAGES)
    await env.done(env.ann.slash("/tournament start", channel="games"))
    assert "Send Messages" in owners_letters(env)[-1].text
    await env.advance(hours=5)
    for _ in range(2):
        await play_round(env, random.Random(4))
        await env.advance(hours=9)
    assert posts(env, message) == []
    env.allow(Permission.SEND_MESSAGES_IN_THREADS | Permission.SEND_MESSAGES)
    await env.ben.slash("/tournament list", channel="games")  # the bot has heard of it by then
    if restarts:
        await env.restart()
    await env.advance(minutes=1)
    assert first_lines(posts(env, message)) == PLAYED
    await analysed(env)


async def test_a_rounds_post_in_an_archived_thread_is_kept_up_to_date(env: Environment) -> None:
    env.expected |= {400}
    message = await start(env, 4, rounds=1)
    await env.advance(minutes=6)
    thread = env.guild.threads[message.id]
    env.world.archive(thread, archived=True)
    (first, _) = await open_matches(env)
    await env.play_a_while(first)
    await played(env)
    assert "2 of 2 games decided" in posts(env, message)[0].text
    assert (await tournament_view(env)).tournament.thread_id == thread.id


async def test_a_deleted_round_stays_deleted_and_a_deleted_announcement_keeps_its_thread(
    env: Environment,
) -> None:
    env.expected |= {404}
    message = await start(env, 4, rounds=2)
    await env.advance(minutes=6)
    env.playground.messages.delete(posts(env, message)[0])
    env.playground.messages.delete(message)
    await played(env)
    assert first_lines(posts(env, message)) == PLAYED[1:]
    assert in_channel(env) == ["### Winter Cup"]


async def test_the_channel_hears_who_won_exactly_once_though_the_reply_is_lost(
    env: Environment,
) -> None:
    message = await start(env, 4, rounds=2)
    env.faults.drop(POST, after=True, when=says("### 🏆"))
    await played(env)
    await env.restart()
    await env.advance(hours=2)
    games = env.channel("games")
    won = [one for one in games.messages.values() if "### 🏆" in one.text and not one.deleted]
    assert len(won) == 1
    (winner,) = won
    first = (await tournament_view(env)).placed(1)
    head, *places = winner.text.splitlines()
    link = message_link(env.guild.id, games.id, message.id)
    assert head.startswith("### 🏆 <@")
    assert f"[Winter Cup]({link})" in head
    assert all(f"<@{user}>" in head and f"<@{user}>" in places[0] for user in first)
    assert places[0].startswith("🥇 **1st:** <@")
    assert winner.picture is not None
    assert winner.pinged == ()
    assert f"Played in <#{message.id}>" in winner.text
    seed = (await tournament_view(env)).tournament.seed.hex()
    shown = [winner, announcement(env), posts(env, message)[-1]]
    assert all(seed not in one.text for one in shown)
    pairings = await env.ben.press(winner, "Pairings")
    assert seed in pairings.shown.text
