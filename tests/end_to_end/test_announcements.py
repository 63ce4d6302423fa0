"""Announcements beside the boards: once, in order and when due."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Mapping
from contextlib import suppress
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import text

from bot.core.interactions.layout import text_layout
from bot.core.posts.poster import Poster
from bot.core.scheduling.scheduler import Scheduler
from bot.play.delivery import notices
from bot.play.delivery.notices import Notice, NoticePost, announces
from bot.play.delivery.outbox_worker import OutboxWorker
from bot.play.matches import jobs
from bot.play.matches.positions import Position
from bot.play.matches.service import Matches
from data import posts
from data.matches import matches
from playground.app import GROUP
from playground.permissions import Permission
from playground.request_log import Request
from tests.end_to_end.harness import Environment, unlinked
from tests.end_to_end.people import bells, confirm, put_announcement
from tests.routes import OPEN, POST


@announces("broken bell")
def broken_bell(position: Position, payload: Mapping[str, Any]) -> Notice:
    raise LookupError(payload["times"])


@announces("gong")
def gong(position: Position, payload: Mapping[str, Any]) -> Notice:
    players = tuple(player.user_id for player in position.match.players)
    words = f"Ding {payload['times']}"
    return Notice(text_layout(words), players, text_layout(f"{words}, just for you"))


@announces("empty bell")
def empty_bell(position: Position, payload: Mapping[str, Any]) -> Notice:
    return Notice(text_layout(""))


async def wanted(env: Environment) -> int:
    return len(await env.read(posts.due, env.now() + timedelta(days=365), limit=100))


def ringing(request: Request) -> bool:
    return "Ding" in str(request.json)


def ending(request: Request) -> bool:
    """Return whether a request posts the board that shows how Ann's match ended."""
    return "resigned" in str(request.json) and bool(request.files)


async def resign(env: Environment) -> None:
    matches_ = env.app.get(Matches)
    async with env.store.write() as tx:
        seat = (await matches_.position_in(tx, 1)).match.players[0].seat
        await matches_.give_up(tx, 1, seat, "resigned", by=None)
        match = await matches.get(tx, 1)
        assert match is not None
        await jobs.notify(tx, match, "bell", at=env.now(), times=1)
    env.app.get(Matches).positions.forget(1)


async def test_an_announcement_beside_the_boards_pings_who_wants_it(env: Environment) -> None:
    board = await env.begin()
    await put_announcement(env)
    (rung,) = bells(env)
    assert rung.id > board.id
    assert rung.pinged == (env.mover(board).user,)
    mover = env.mover(board)
    await env.change_player(mover, pings=False)
    await put_announcement(env, times=2)
    assert mover.mention in bells(env)[1].text
    assert bells(env)[1].pinged == ()


async def test_an_announcement_that_cannot_be_rendered_delays_nothing(env: Environment) -> None:
    env.expected_errors += ["an announcement failed"] * 2
    await env.begin()
    await put_announcement(env, "broken bell", times=1)
    await put_announcement(env, "unheard of", times=2)
    await put_announcement(env, times=3)
    assert [rung.text[:6] for rung in bells(env)] == ["Ding 3"]


async def test_an_announcement_discord_always_refuses_delays_nothing(env: Environment) -> None:
    env.expected |= {400}
    await env.begin()
    await put_announcement(env, "empty bell", times=1)
    await put_announcement(env, times=2)
    assert len(bells(env)) == 1
    assert await wanted(env) == 1, "it is tried again by the clock"
    env.playground.violations.clear()


@pytest.mark.parametrize("when", ["before", "after"])
async def test_a_broken_connection_repeats_no_announcement(env: Environment, when: str) -> None:
    await env.begin()
    env.faults.drop(POST, after=when == "after")
    await put_announcement(env)
    await env.advance(seconds=3)
    assert len(bells(env)) == 1


async def test_an_announcement_is_posted_once_although_the_program_dies_after_it(
    env: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    env.expected_errors.append("posts")

    async def killed(*_: object) -> None:
        raise RuntimeError("no more")

    await env.begin()
    with monkeypatch.context() as patched:
        patched.setattr(NoticePost, "posted", killed)
        await put_announcement(env, ring=False)
        await env.playground.wait_for(env.channel(), lambda message: "Ding" in message.text)
        await env.app.get(Poster).work.close()
    env.clock.advance(3600)  # Discord has forgotten the nonce
    await env.restart()
    await env.settled()
    assert len(bells(env)) == 1


async def test_two_identical_announcements_are_both_posted(env: Environment) -> None:
    await env.begin()
    await put_announcement(env, times=1, ring=False)
    await put_announcement(env, times=2, ring=False)
    await env.restart()
    await env.settled()
    assert [rung.text[:6] for rung in bells(env)] == ["Ding 1", "Ding 2"]


async def test_an_announcement_waiting_for_its_time_delays_nothing(env: Environment) -> None:
    await env.begin()
    await put_announcement(env, times=1, after=timedelta(hours=2))
    await put_announcement(env, times=2)
    dice = random.Random(3)
    await env.turn(env.board(), dice)
    assert f"Move {await env.move()}" in env.board().text
    assert [rung.text[:6] for rung in bells(env)] == ["Ding 2"]
    await env.advance(seconds=7199)
    assert len(bells(env)) == 1
    await env.advance(seconds=1)
    assert [rung.text[:6] for rung in bells(env)] == ["Ding 2", "Ding 1"]
    assert await wanted(env) == 0


async def test_announcements_due_during_downtime_come_at_startup(env: Environment) -> None:
    await env.begin()
    await put_announcement(env, after=timedelta(hours=2))
    await env.down(hours=2)
    assert len(bells(env)) == 1


@pytest.mark.parametrize("ended", [False, True])
async def test_an_announcement_for_a_turn_is_dropped_once_it_has_passed_or_the_match_has_ended(
    env: Environment, *, ended: bool
) -> None:
    await env.begin()
    match = (await env.position()).match
    await put_announcement(env, ply=match.plies, after=timedelta(hours=2))
    if ended:
        await confirm(env, env.ann, await env.ann.slash("/tablan resign"), "Resign")
    else:
        await env.turn(env.board(), random.Random(4))
    await env.advance(hours=2)
    assert bells(env) == []
    assert await wanted(env) == 0


async def test_an_announcement_waits_for_a_board_that_may_not_be_posted(env: Environment) -> None:
    env.expected |= {403}
    await env.begin()
    env.forbid(Permission.SEND_MESSAGES)
    dice = random.Random(5)
    for _ in range(20):
        if not (await env.turn(env.board(), dice)).followups:
            continue
        break
    await put_announcement(env)
    assert bells(env) == []
    env.allow(Permission.SEND_MESSAGES)
    env.app.get(OutboxWorker).wake(1)
    await env.settled()
    assert env.board().id < bells(env)[0].id
    assert f"Move {await env.move()}" in env.board().text


async def test_an_announcement_follows_the_board_of_the_same_moment(
    env: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notices, "_FOR_A_BOARD", 60.0)
    board, sent = await env.begin(), asyncio.Event()

    def sending(request: Request) -> bool:
        """Return whether a request posts the last board, and note that it has arrived."""
        if ending(request):
            sent.set()
        return ending(request)

    env.faults.delay(POST, 1.0, when=sending)
    await resign(env)
    await sent.wait()
    await env.app.get(Scheduler).idle()
    with suppress(TimeoutError):
        async with asyncio.timeout(0.3):
            await env.app.get(Poster).work.idle()
    assert bells(env) == []
    env.clock.advance(1)
    await env.settled()
    assert env.board().id > board.id
    assert bells(env)[0].id > env.board().id


async def test_an_announcement_waits_for_no_board_that_cannot_come(env: Environment) -> None:
    env.expected |= {500}
    env.allow_pending = True
    await env.begin()
    env.faults.respond(POST, status=500, times=None, when=lambda one: not ringing(one))
    await resign(env)
    await env.playground.wait_for(env.channel(), lambda message: "Ding" in message.text)


async def test_an_announcement_that_is_refused_comes_by_the_clock(env: Environment) -> None:
    env.expected |= {403}
    await env.begin()
    env.faults.respond(POST, code=50013, times=None, when=ringing)
    await put_announcement(env)
    await env.advance(hours=5)
    assert bells(env) == []
    env.faults.clear()
    await env.advance(hours=1)
    assert len(bells(env)) == 1


async def test_an_announcement_refused_for_a_week_is_old_news(env: Environment) -> None:
    env.expected |= {403}
    await env.begin()
    fault = env.faults.respond(POST, code=50013, times=None, when=ringing)
    await put_announcement(env)
    env.clock.advance(timedelta(days=8).total_seconds())
    await env.settled()
    assert await wanted(env) == 0
    assert fault.hits == 1


async def test_what_could_not_be_posted_comes_along_when_a_match_moves(env: Environment) -> None:
    env.expected |= {403}
    await env.begin()
    env.faults.respond(POST, code=50013, times=None, when=ringing)
    await put_announcement(env)
    await env.advance(hours=1)
    env.faults.clear()
    await put_announcement(env, times=2, after=timedelta(hours=1))
    place = env.world.add_channel(env.guild, "elsewhere")
    await env.done(env.ann.slash("/match relocate", channel="elsewhere", number=1))
    (moved,) = [one for one in place.messages.values() if "moved match #1 here" in one.text]
    (rung,) = bells(env, place)
    assert rung.text.startswith("Ding 1"), "what is due later stays so"
    assert moved.id < min(env.board(channel="elsewhere").id, rung.id)
    await env.advance(hours=1)
    assert len(bells(env, place)) == 2
    assert bells(env) == []


async def test_a_match_whose_thread_is_gone_moves_on_for_an_announcement(env: Environment) -> None:
    env.expected |= {404}
    await env.change_settings(threads=True)
    board = await env.begin()
    env.world.remove_channel(board.channel)
    await put_announcement(env)
    await env.advance(minutes=2)
    (place,) = env.guild.threads.values()
    (moved,) = [one for one in place.messages.values() if "was deleted" in one.text]
    (rung,) = bells(env, place)
    assert moved.id < env.board().id < rung.id
    assert await wanted(env) == 0


async def test_an_announcement_is_posted_in_direct_messages_with_the_bot(env: Environment) -> None:
    await env.done(
        env.ann.slash(
            "/tablut practice", channel=env.ann.dm, options={"level": 1, "seat": "muscovites"}
        )
    )
    await put_announcement(env)
    assert len(bells(env, env.ann.dm)) == 1


async def test_one_players_closed_messages_delay_no_other(env: Environment) -> None:
    env.expected |= {500}
    await env.begin("thaayam", players=3, channel=GROUP)
    env.faults.respond(
        OPEN, status=500, times=None, when=lambda request: str(env.ann.id) in str(request.json)
    )
    await put_announcement(env, "gong")
    assert len(bells(env, env.ben.dm)) == len(bells(env, env.carol.dm)) == 1
    await env.advance(hours=3)
    env.faults.clear()
    await env.advance(hours=1)
    for person in (env.ann, env.ben, env.carol):
        assert [rung.text for rung in bells(env, person.dm)] == ["Ding 1, just for you"]
    assert bells(env, env.channel(GROUP)) == []


async def test_who_plays_on_is_told_privately_that_somebody_gave_up(env: Environment) -> None:
    await env.begin("thaayam", players=3, channel=GROUP)
    gone = env.mover(env.board(channel=GROUP))
    position = await env.read(env.app.get(Matches).position_in, 1)
    player = position.player_of(gone.id)
    assert player is not None
    await env.app.get(Matches).lose(1, player.seat, "left", by=None)
    await env.settled()
    for person in (env.ann, env.ben, env.carol):
        told = [
            one for one in person.dm.messages.values() if "left** match #1" in unlinked(one.text)
        ]
        assert len(told) == (person is not gone)


async def test_a_board_hardly_waits_for_the_announcement_of_its_move(env: Environment) -> None:
    env.expected |= {500}
    await env.begin()
    env.faults.respond(
        POST, status=500, times=None, when=lambda request: "moved match" in str(request.json)
    )
    place = env.world.add_channel(env.guild, "elsewhere")
    await env.done(env.ann.slash("/match relocate", channel="elsewhere", number=1))
    assert len(env.boards(channel="elsewhere")) == 1
    env.faults.clear()
    await env.advance(minutes=1)
    assert [one.pinged for one in place.messages.values() if "moved match" in one.text] == [
        (env.ben.user,)
    ]


async def test_announcements_go_on_after_very_many(env: Environment) -> None:
    await env.begin()
    await put_announcement(env)
    async with env.store.write() as tx:
        await tx.run(text("UPDATE sqlite_sequence SET seq = 50000000 WHERE name = 'posts'"))
    await put_announcement(env, times=2)
    assert [rung.text[:6] for rung in bells(env)] == ["Ding 1", "Ding 2"]
