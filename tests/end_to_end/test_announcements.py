"""Announcements beside the boards: once, in order and when due."""

from __future__ import annotations

import random
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from bot.delivery import jobs
from bot.delivery.jobs import NOTICE_JOB
from bot.delivery.notices import Notice, announces
from bot.delivery.outbox_worker import OutboxWorker
from bot.delivery.unannounced_jobs import UnannouncedJobs
from bot.interactions.layout import text_layout
from bot.matches.service import Matches
from bot.settings.service import SettingsStore
from data import matches, outbox
from playground.permissions import Permission

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bot.matches.positions import MatchView
    from playground.model import Message
    from tests.end_to_end.harness import Environment

POST = "POST /channels/{channel_id}/messages"


@announces("bell")
def bell(view: MatchView, payload: Mapping[str, Any]) -> Notice:
    """Ring for both players, pinging the one to move."""
    text = " ".join(f"<@{player.user_id}>" for player in view.match.players)
    words = f"Ding {payload['times']} {text}"
    return Notice(text_layout(words), () if view.to_move is None else (view.to_move.user_id,))


@announces("broken bell")
def broken_bell(view: MatchView, payload: Mapping[str, Any]) -> Notice:
    """Fail to ring."""
    raise LookupError(payload["times"])


@announces("empty bell")
def empty_bell(view: MatchView, payload: Mapping[str, Any]) -> Notice:
    """Send an empty message, which Discord refuses."""
    return Notice(text_layout(""))


async def put(
    env: Environment,
    kind: str = "bell",
    *,
    ply: int | None = None,
    after: timedelta | None = None,
    times: int = 1,
    ring: bool = True,
) -> None:
    """Queue an announcement for match 1, now or later."""
    async with env.store.write() as tx:
        match = await matches.get(tx, 1)
        assert match is not None
        await jobs.notify(
            tx,
            match,
            kind,
            nonce=f"bell{times}",
            at=env.now(),
            ply=ply,
            not_before=None if after is None else env.now() + after,
            times=times,
        )
    if ring:
        env.app.get(OutboxWorker).wake(1)
        await env.settled()


async def strike(env: Environment) -> None:
    """Make the outbox worker deliver what is due."""
    await env.app.get(UnannouncedJobs).due(env.now())
    await env.settled()


def bells(env: Environment) -> list[Message]:
    """Return the announcements posted."""
    messages = env.playground.channel("games").messages.values()
    return [message for message in messages if "Ding" in message.text]


async def test_an_announcement_is_posted_beside_the_boards_and_pings_its_players(
    env: Environment,
) -> None:
    board = await env.begin()
    await put(env)
    (rung,) = bells(env)
    assert rung.id > board.id
    assert rung.pinged == (env.mover(board).user,)


async def test_a_player_who_wants_no_pings_is_named_but_not_pinged(env: Environment) -> None:
    mover = env.mover(await env.begin())
    settings = await env.app.get(SettingsStore).player(mover.id)
    await env.app.get(SettingsStore).set_player(
        mover.id, settings.model_copy(update={"pings": False})
    )
    await put(env)
    assert mover.mention in bells(env)[0].text
    assert bells(env)[0].pinged == ()


async def test_an_announcement_that_cannot_be_rendered_delays_nothing(env: Environment) -> None:
    env.expected_errors += ["an announcement failed"] * 2
    await env.begin()
    await put(env, "broken bell", times=1)
    await put(env, "unheard of", times=2)
    await put(env, times=3)
    assert [rung.text[:6] for rung in bells(env)] == ["Ding 3"]


async def test_an_announcement_discord_always_refuses_delays_nothing(env: Environment) -> None:
    env.expected |= {400}
    env.expected_errors += ["Discord refused an announcement"]
    env.allow_pending = True  # it is tried again by the clock
    await env.begin()
    await put(env, "empty bell", times=1)
    await put(env, times=2)
    assert len(bells(env)) == 1
    env.playground.violations.clear()


@pytest.mark.fast_timers
@pytest.mark.parametrize("when", ["before", "after"])
async def test_an_announcement_is_posted_once_although_the_connection_breaks(
    env: Environment, when: str
) -> None:
    await env.begin()
    env.playground.faults.drop(POST, after=when == "after")
    await put(env)
    assert len(bells(env)) == 1


async def test_an_announcement_is_posted_once_although_the_program_dies_after_it(
    env: Environment,
) -> None:
    await env.begin()
    await put(env)
    async with env.store.write() as tx:
        await put_again(tx)
    env.clock.advance(3600)  # Discord has forgotten the nonce
    await env.restart()
    assert len(bells(env)) == 1


async def put_again(tx: Any) -> None:
    """Mark the last job as not done."""
    from sqlalchemy import update  # noqa: PLC0415

    from data.tables import outbox as jobs  # noqa: PLC0415

    await tx.run(update(jobs).where(jobs.c.kind == NOTICE_JOB).values(done_at=None))


async def test_two_identical_announcements_are_both_posted(env: Environment) -> None:
    await env.begin()
    await put(env, times=1, ring=False)
    await put(env, times=2, ring=False)
    await env.restart()
    assert [rung.text[:6] for rung in bells(env)] == ["Ding 1", "Ding 2"]


async def test_an_announcement_waiting_for_its_time_delays_nothing(env: Environment) -> None:
    await env.begin()
    await put(env, times=1, after=timedelta(hours=2))
    await put(env, times=2)
    dice = random.Random(3)
    await env.turn(env.board(), dice)
    assert f"Move {await env.move()}" in env.board().text
    assert [rung.text[:6] for rung in bells(env)] == ["Ding 2"]

    async with env.store.read() as tx:
        due = await env.app.get(UnannouncedJobs).next(tx)
    assert due == env.now() + timedelta(hours=2)
    env.clock.advance(7199)
    await strike(env)
    assert len(bells(env)) == 1
    env.clock.advance(1)
    await strike(env)
    assert [rung.text[:6] for rung in bells(env)] == ["Ding 2", "Ding 1"]
    async with env.store.read() as tx:
        assert await env.app.get(UnannouncedJobs).next(tx) is None


async def test_announcements_due_while_the_program_was_down_come_at_startup(
    env: Environment,
) -> None:
    await env.begin()
    await put(env, after=timedelta(hours=2))
    await env.stop()
    env.clock.advance(7200)
    await env.start()
    assert len(bells(env)) == 1


async def test_an_announcement_for_a_past_turn_is_dropped(env: Environment) -> None:
    await env.begin()
    match = (await env.app.get(Matches).view(1)).match
    await put(env, ply=match.plies, after=timedelta(hours=2))
    await env.turn(env.board(), random.Random(4))
    env.clock.advance(7200)
    await strike(env)
    assert bells(env) == []
    async with env.store.read() as tx:
        assert await outbox.pending(tx) == ()


async def test_an_announcement_for_a_turn_is_dropped_if_the_match_ended_there(
    env: Environment,
) -> None:
    await env.begin()
    match = (await env.app.get(Matches).view(1)).match
    await put(env, ply=match.plies, after=timedelta(hours=2))
    question = await env.ann.slash("/tablan resign")
    assert question.message is not None
    await env.ann.press(question.message, "Resign")
    await env.settled()
    env.clock.advance(7200)
    await strike(env)
    assert bells(env) == []


async def test_an_announcement_waits_for_a_board_that_may_not_be_posted(env: Environment) -> None:
    env.expected |= {403}
    await env.begin()
    env.forbid(Permission.SEND_MESSAGES)
    dice = random.Random(5)
    for _ in range(20):
        if not (await env.turn(env.board(), dice)).followups:
            continue
        break
    await put(env)
    assert bells(env) == []
    env.allow(Permission.SEND_MESSAGES)
    env.app.get(OutboxWorker).wake(1)
    await env.settled()
    assert env.board().id < bells(env)[0].id
    assert f"Move {await env.move()}" in env.board().text
