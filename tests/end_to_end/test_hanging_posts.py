"""Posts under faults that last, or that hang: nothing else waits, nothing is lost or doubled."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import ClassVar

import pytest

from bot.core.i18n.catalogues import ENGLISH
from bot.core.interactions.layout import text_layout
from bot.core.posts.kinds import Content, Later, PostKind
from bot.core.posts.poster import Poster
from bot.core.requests import sending
from bot.core.scheduling.scheduler import Scheduler
from bot.play.delivery import match_requests
from bot.play.matches.service import Matches
from data import posts
from data.posts import Post, want
from data.store.store import Transaction
from playground.faults import Fault
from playground.model import Channel, Message
from playground.request_log import Request
from tests.end_to_end.harness import Environment
from tests.end_to_end.ladders import ladder
from tests.end_to_end.people import (
    SLUG,
    about_letters_to,
    begin_and_play,
    follow,
    go_on_vacation,
    hangs,
    inbox,
    may_manage,
    resign_there,
)
from tests.end_to_end.puzzles import add_puzzles, daily_puzzles, turn_on_daily_puzzle
from tests.end_to_end.tournaments import announcement, create, create_in
from tests.routes import CALLBACK, EDIT, HISTORY, OPEN, POST

HOUR = 3600.0
MONTH = 30 * 24 * HOUR


def hang(env: Environment, message: Message) -> Fault:
    return env.faults.delay(
        EDIT, HOUR, when=lambda request: request.params["message_id"] == str(message.id)
    )


def hang_posts(env: Environment, channel: Channel, *, arrives: bool) -> Fault:
    """Let the next post in a channel hang for a month, after it has arrived or before."""
    inject = env.faults.hold if arrives else env.faults.delay
    return inject(POST, MONTH, when=lambda request: request.params["channel_id"] == str(channel.id))


async def open_ladder(env: Environment) -> Message:
    """Open a ladder; return its post, which the scheduler has made."""
    may_manage(env, env.ann)
    await env.ann.slash("/ladder open", options={"game": "tablan"})
    games = env.channel()
    return await env.playground.wait_for(
        games, lambda found: found.text.startswith("### Tablan ladder")
    )


async def test_an_answer_that_hangs_holds_up_no_board(env: Environment) -> None:
    board, games = await env.begin(), env.channel()
    move, other, before = (await env.legal())[0], env.other(board), board.revision
    hanging = env.faults.delay(CALLBACK, HOUR)
    env.mover(board).slash("/tablan move", move=move)
    await hangs(hanging)

    def moved(found: Message) -> bool:
        return found.id > board.id or board.revision > before

    await env.playground.wait_for(games, moved)
    await env.app.get(Matches).resign(1, other.id)
    await env.playground.wait_for(games, lambda found: "resigned" in found.text)
    env.expected.add(404)  # the answer comes too late
    env.clock.advance(HOUR)
    await env.settled()


async def test_a_post_that_hangs_holds_up_no_other_tournament(
    env: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sending, "TIMEOUT", HOUR)
    message = await create(env)
    hanging = hang(env, message)
    await env.ben.press(message, "Sign up")
    await hangs(hanging)
    options = {"game": "tablut", "name": "Spring Cup"}
    await create_in(env.ann, "elsewhere", **options)
    there = env.channel("elsewhere")
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
    monkeypatch.setattr(sending, "TIMEOUT", HOUR)
    message = await ladder(env, 2)
    hanging = hang(env, message)
    await env.carol.press(message, "Join")
    await hangs(hanging)
    assert (await open_ladder(env)).buttons
    assert "-# 3 players" not in message.text
    env.clock.advance(HOUR)
    await env.settled()
    assert "-# 3 players" in message.text


async def test_a_challenge_that_hangs_does_not_hold_up_the_scheduler(
    env: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(match_requests, "TIMEOUT", HOUR)
    offered = (await env.challenge()).shown
    hanging = hang(env, offered)
    env.clock.advance(7 * 24 * HOUR)
    await hangs(hanging)
    assert (await open_ladder(env)).buttons
    assert "Expired" not in offered.text
    env.clock.advance(HOUR)
    await env.settled()
    assert "Expired" in offered.text


async def test_a_direct_message_that_hangs_does_not_hold_up_the_scheduler(env: Environment) -> None:
    await go_on_vacation(env, env.ann, 5)
    await env.advance(days=3, hours=23, minutes=59)
    hanging = env.faults.delay("POST /users/@me/channels", MONTH)
    env.clock.advance(HOUR)
    await hangs(hanging)
    assert (await open_ladder(env)).buttons
    await env.restart()
    await env.settled()
    assert [message.text[:18] for message in inbox(env, env.ann)] == ["Your vacation ends"]


async def pose_a_puzzle(env: Environment, *, arrives: bool) -> Callable[[], int]:
    await add_puzzles(env)
    channel = env.channel("elsewhere")
    hanging = hang_posts(env, channel, arrives=arrives)
    await env.change_settings(puzzle_channel=channel.id)
    await hangs(hanging)
    return lambda: len(daily_puzzles(env, "elsewhere"))


async def tell_a_follower(env: Environment, *, arrives: bool) -> Callable[[], int]:
    await begin_and_play(env, "tablut")
    await follow(env.carol, match=1)
    direct = env.world.dm_channel(env.carol.user, env.world.bot)
    hanging = hang_posts(env, direct, arrives=arrives)
    reply = await env.ann.slash("/tablut resign", options={"match": 1})
    await env.ann.press(reply.shown, "Resign")
    await hangs(hanging)
    return lambda: len(inbox(env, env.carol))


@pytest.mark.usefixtures("no_shipped_puzzles")
@pytest.mark.parametrize("arrives", [False, True])
@pytest.mark.parametrize("post", [pose_a_puzzle, tell_a_follower])
async def test_a_post_that_hangs_does_not_hold_up_the_scheduler_and_comes_once_after_a_restart(
    env: Environment, post: Callable[..., Awaitable[Callable[[], int]]], *, arrives: bool
) -> None:
    there = await post(env, arrives=arrives)
    assert (await open_ladder(env)).buttons
    assert there() == arrives
    await env.restart()
    await env.settled()
    assert there() == 1


pytestmark = pytest.mark.usefixtures("no_shipped_puzzles")


async def ended(env: Environment) -> None:
    await env.begin(SLUG)
    for person in (env.carol, env.dan):
        await follow(person, match=1)
    await resign_there(env, "games")


async def test_where_history_fails_for_good_posts_still_come_once(env: Environment) -> None:
    env.expected |= {500}
    env.faults.respond(HISTORY, status=500, times=None)
    await add_puzzles(env)
    env.faults.drop(POST, after=True)
    await turn_on_daily_puzzle(env)
    await env.advance(minutes=5)
    [post] = daily_puzzles(env)
    await env.restart()
    await env.advance(minutes=5)
    assert daily_puzzles(env) == [post]
    await ended(env)
    assert len(inbox(env, env.carol)) == 1


@pytest.mark.parametrize("route", [OPEN, POST, HISTORY])
@pytest.mark.parametrize(("status", "code"), [(500, None), (400, 40003)])
async def test_one_persons_direct_messages_fail_for_an_hour_and_others_get_theirs(
    env: Environment, route: str, status: int, code: int | None
) -> None:
    env.expected |= {status}
    carol = str(env.carol.id)

    def hers(request: Request) -> bool:
        return (
            carol in str(request.json)
            if route == OPEN
            else about_letters_to(env, env.carol)(request)
        )

    env.faults.respond(route, status=status, code=code, times=None, when=hers)
    await ended(env)
    assert len(inbox(env, env.dan)) == 1
    await env.advance(hours=1)
    env.faults.clear()
    await env.advance(minutes=1)
    assert len(inbox(env, env.carol)) == 1
    assert len(inbox(env, env.dan)) == 1


@pytest.mark.parametrize(("status", "code"), [(500, None), (413, None), (400, 40005)])
async def test_where_uploads_are_refused_it_goes_out_in_words_and_gets_its_picture_later(
    env: Environment, status: int, code: int | None
) -> None:
    env.expected |= {status}
    env.faults.respond(
        "*", status=status, code=code, times=None, when=lambda request: bool(request.files)
    )
    await add_puzzles(env)
    await turn_on_daily_puzzle(env)
    await env.advance(minutes=1)
    [post] = daily_puzzles(env)
    assert not post.picture
    assert [button.label for button in post.buttons] == ["Solve it"]
    assert "Green" in post.text, "the board in words"
    env.faults.clear()
    await env.advance(minutes=1)
    assert daily_puzzles(env) == [post]
    assert post.picture


class Asked(PostKind):
    """A post that is asked for by hand."""

    def __init__(self, env: Environment) -> None:
        """Post in an environment."""
        self._env = env

    async def ask(self) -> None:
        """Ask for it, or for an update."""
        env = self._env
        async with env.store.write() as tx:
            await want(tx, self.kind, 1, at=env.now(), guild_id=env.guild.id)


class AskedAgain(Asked):
    """A post that is asked for while it decides to wait, as when a paused ladder is resumed."""

    kind: ClassVar[str] = "asked again"
    kept: ClassVar[bool] = False
    _waited = False

    async def content(self, post: Post) -> Content:
        """Wait for a day at first."""
        if not self._waited:
            self._waited = True
            await self.ask()
            raise Later(self._env.now() + timedelta(days=1))
        there = self._env.channel("games").id
        return Content(text_layout("Here it is"), ENGLISH, there)


async def test_what_is_asked_for_while_it_decides_to_wait_does_not_wait(env: Environment) -> None:
    kind = AskedAgain(env)
    env.app.get(Poster).declare([kind])
    await kind.ask()
    await env.settled()
    messages = env.channel().messages.values()
    assert [one.text for one in messages] == ["Here it is"]


class Counted(Asked):
    """A post that says how often it was asked for."""

    kind: ClassVar[str] = "counted"

    async def content(self, post: Post) -> Content:
        """Say it."""
        there = self._env.channel("games").id
        return Content(text_layout(f"Asked for {post.wanted} times"), ENGLISH, there)


async def test_what_is_asked_for_while_it_looks_whether_anything_is_left_is_shown(
    env: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    kind, scheduler = Counted(env), env.app.get(Scheduler)
    env.app.get(Poster).declare([kind])
    get, late = posts.get, [kind.ask]

    async def slowly(tx: Transaction, post_id: int) -> Post | None:
        found = await get(tx, post_id)
        if found is not None and found.try_at is None and late:
            await late.pop()()
            await scheduler.idle()
        return found

    monkeypatch.setattr(posts, "get", slowly)
    await kind.ask()
    await env.settled()
    messages = env.channel().messages.values()
    assert [one.text for one in messages] == ["Asked for 2 times"]
