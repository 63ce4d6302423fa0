"""One task sleeps until something is due: never early, never twice, whatever fails."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from threading import get_ident

import pytest

from bot.core.scheduling.scheduler import Scheduler
from data.sql import key_values
from data.sql.errors import Busy
from data.store.store import Store, Transaction
from tests.bot.conftest import NEW_YEAR, Club
from tests.clocks import HandClock

START = datetime.fromtimestamp(NEW_YEAR, UTC)


def later(**time: float) -> datetime:
    """Return a moment after the start."""
    return START + timedelta(**time)


@dataclass
class Job:
    """A source with a single job; its due time is in the store."""

    store: Store
    name: str
    clock: HandClock
    done: list[datetime] = field(default_factory=list)
    failures: list[Exception] = field(default_factory=list)
    order: list[str] = field(default_factory=list)
    """The names of the jobs done, which jobs may share."""

    async def schedule(self, moment: datetime) -> None:
        """Store when it is due."""
        async with self.store.write() as tx:
            await key_values.set(tx, self.name, moment.isoformat())

    async def next(self, tx: Transaction, /) -> datetime | None:
        """Return when it is due."""
        noted = await key_values.get(tx, self.name)
        return datetime.fromisoformat(noted) if noted else None

    async def due(self, now: datetime) -> None:
        """Do it."""
        if self.failures:
            raise self.failures.pop(0)
        async with self.store.write() as tx:
            moment = await self.next(tx)
            if moment is not None and moment <= now:
                await key_values.set(tx, self.name, "")
                self.done.append(self.clock())
                self.order.append(self.name)


@dataclass
class Environment:
    """A scheduler over a club's store."""

    club: Club
    scheduler: Scheduler = field(init=False)

    def __post_init__(self) -> None:
        self.scheduler = Scheduler(self.club.store, clock=self.club.clock)

    def job(self, name: str = "job") -> Job:
        """Add a job."""
        job = Job(self.club.store, name, self.club.clock)
        self.scheduler.register(job)
        return job

    async def wait(self, **time: float) -> None:
        """Advance the clock and let everything happen."""
        await self.scheduler.idle()
        self.club.wait(**time)
        await self.scheduler.idle()


@pytest.fixture
async def env(club: Club) -> AsyncIterator[Environment]:
    """Create a scheduler and stop it afterwards."""
    made = Environment(club)
    yield made
    await made.scheduler.close()


async def test_nothing_happens_a_second_early(env: Environment) -> None:
    job = env.job()
    await job.schedule(later(days=3))
    env.scheduler.start()
    await env.wait(days=2, hours=23, minutes=59, seconds=59)
    assert job.done == []
    await env.wait(seconds=1)
    assert job.done == [later(days=3)]


async def test_completed_work_is_not_repeated_after_a_restart(env: Environment) -> None:
    job = env.job()
    await job.schedule(later(hours=1))
    env.scheduler.start()
    await env.wait(hours=1)
    await env.scheduler.close()
    again = Environment(env.club)
    later_job = again.job()
    again.scheduler.start()
    await again.wait(days=1)
    await again.scheduler.close()
    assert (len(job.done), len(later_job.done)) == (1, 0)


async def test_work_that_fell_due_while_the_program_was_down_is_done_at_startup(
    env: Environment,
) -> None:
    job = env.job()
    await job.schedule(later(hours=1))
    env.club.wait(days=2)
    env.scheduler.start()
    await env.scheduler.idle()
    assert job.done == [later(days=2)]


async def test_sources_state_is_read_on_the_event_loop_first(env: Environment) -> None:
    job, looks = env.job(), list[tuple[int, int]]()
    env.scheduler.register(job, before_next=lambda: looks.append((get_ident(), len(job.done))))
    await job.schedule(later(hours=1))
    env.club.wait(days=2)
    env.scheduler.start()
    await env.scheduler.idle()
    here = get_ident()
    assert looks == [(here, 0), (here, 1), (here, 1)], "before the work, and after each source"


async def test_work_that_becomes_due_by_other_work_is_done_at_once(
    env: Environment, caplog: pytest.LogCaptureFixture
) -> None:
    first, second = env.job("first"), env.job("second")

    async def due(now: datetime) -> None:
        await Job.due(first, now)
        await second.schedule(now)

    first.due = due  # type: ignore[method-assign]
    await first.schedule(later(hours=1))
    env.scheduler.start()
    await env.wait(hours=1)
    assert second.done == [later(hours=1)]
    assert [one for one in caplog.records if one.levelno >= logging.ERROR] == []


async def test_the_oldest_comes_first(env: Environment) -> None:
    second, first = env.job("second"), env.job("first")
    done: list[str] = []
    for job, hours in ((second, 2), (first, 1)):
        await job.schedule(later(hours=hours))
        job.order = done
    env.club.wait(days=1)
    env.scheduler.start()
    await env.scheduler.idle()
    assert done == ["first", "second"]


async def test_a_new_earlier_deadline_wakes_the_scheduler(env: Environment) -> None:
    long, short = env.job("long"), env.job("short")
    await long.schedule(later(days=3))
    env.scheduler.start()
    await env.scheduler.idle()
    await short.schedule(later(minutes=5))
    env.scheduler.wake(later(minutes=5))
    await env.wait(minutes=5)
    assert len(short.done) == 1


async def test_a_commit_announcing_an_earlier_deadline_wakes_the_scheduler(
    env: Environment,
) -> None:
    long, short = env.job("long"), env.job("short")
    await long.schedule(later(days=3))
    env.scheduler.start()
    await env.scheduler.idle()
    await short.schedule(later(minutes=5))
    async with env.club.store.write() as tx:
        tx.announce_due(later(minutes=5))
    await env.wait(minutes=5)
    assert len(short.done) == 1


async def test_a_later_deadline_does_not_wake_the_scheduler(env: Environment) -> None:
    job = env.job()
    await job.schedule(later(minutes=5))
    env.scheduler.start()
    await env.scheduler.idle()
    await job.schedule(later(minutes=4))  # behind its back
    env.scheduler.wake(later(hours=1))
    await env.scheduler.idle()
    assert env.scheduler.next_moment == later(minutes=5)


async def test_a_source_whose_store_fails_is_retried_with_growing_delays(env: Environment) -> None:
    job = env.job()
    job.failures = [Busy("busy"), Busy("busy")]
    await job.schedule(later(hours=1))
    env.scheduler.start()
    await env.wait(hours=1)
    await env.wait(seconds=1)
    assert job.done == []
    await env.wait(seconds=1)
    assert job.done == []
    await env.wait(seconds=1)
    assert job.done == [later(hours=1, seconds=3)]


async def test_a_faulty_source_does_not_delay_the_others(
    env: Environment, caplog: pytest.LogCaptureFixture
) -> None:
    bad, good = env.job("bad"), env.job("good")
    bad.failures = [RuntimeError("broken")]
    await bad.schedule(later(hours=1))
    await good.schedule(later(hours=1))
    env.scheduler.start()
    with caplog.at_level(logging.ERROR):
        await env.wait(hours=1)
    assert (len(good.done), len(bad.done)) == (1, 0)
    await env.wait(seconds=1)
    assert len(bad.done) == 1


async def test_other_sources_stay_on_time_while_one_waits_for_its_retry(env: Environment) -> None:
    bad, good = env.job("bad"), env.job("good")
    bad.failures = [Busy("busy") for _ in range(3)]
    await bad.schedule(later(hours=1))
    await good.schedule(later(hours=1, seconds=4))
    env.scheduler.start()
    await env.wait(hours=1)
    await env.wait(seconds=1)
    await env.wait(seconds=2)
    assert bad.failures == []
    assert env.scheduler.next_moment == later(hours=1, seconds=4)
    await env.wait(seconds=1)
    assert good.done == [later(hours=1, seconds=4)]


async def test_a_source_that_leaves_work_due_is_not_asked_in_a_loop(env: Environment) -> None:
    stuck = Stuck(START)
    env.scheduler.register(stuck)
    env.scheduler.start()
    await env.scheduler.idle()
    assert stuck.asked == 1
    await env.wait(seconds=1)
    assert stuck.asked == 2


@dataclass
class Stuck:
    """Never completes."""

    moment: datetime
    asked: int = 0

    async def next(self, _: Transaction, /) -> datetime | None:
        """Always return the same."""
        return self.moment

    async def due(self, _: datetime) -> None:
        """Do nothing."""
        self.asked += 1


async def test_a_source_that_asks_for_a_pause_gets_it_and_delays_no_other(
    env: Environment,
) -> None:
    class Batches(Job):
        async def due(self, now: datetime) -> timedelta:  # type: ignore[override]
            self.done.append(now)
            return timedelta(seconds=2)

    batches, other = Batches(env.club.store, "batches", env.club.clock), env.job("other")
    env.scheduler.register(batches)
    await batches.schedule(later(minutes=1))
    await other.schedule(later(minutes=1, seconds=1))
    env.scheduler.start()
    await env.wait(minutes=1)
    for _ in range(5):
        await env.wait(seconds=1)
    assert batches.done == [later(minutes=1, seconds=second) for second in (0, 2, 4)]
    assert other.done == [later(minutes=1, seconds=1)]


async def test_an_unreadable_store_is_tried_again(env: Environment) -> None:
    job = env.job()
    await job.schedule(later(hours=1))
    blind = Blind(2)
    env.scheduler.register(blind)
    env.scheduler.start()
    await env.wait(seconds=1)
    await env.wait(seconds=2)
    await env.wait(hours=1)
    assert len(job.done) == 1


@dataclass
class Blind:
    """Cannot say when it is due, for a while."""

    times: int

    async def next(self, _: Transaction, /) -> datetime | None:
        """Fail a few times."""
        if self.times:
            self.times -= 1
            raise Busy("busy")
        return None

    async def due(self, _: datetime) -> None:
        """Do nothing."""


async def test_it_stops_while_sleeping(env: Environment) -> None:
    await env.job().schedule(later(days=1))
    env.scheduler.start()
    await env.scheduler.idle()
    await env.scheduler.close()
    await env.scheduler.idle()  # nothing left to wait for
