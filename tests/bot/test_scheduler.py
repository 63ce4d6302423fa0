"""One task sleeps until something is due: never early, never twice, whatever fails."""

from __future__ import annotations

import logging
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from bot.scheduling.scheduler import Scheduler
from data import due, key_values
from data.errors import Busy
from tests.bot.conftest import NEW_YEAR

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from data.store import Store, Transaction
    from tests.bot.conftest import Club
    from tests.clocks import HandClock

START = datetime.fromtimestamp(NEW_YEAR, UTC)


def later(**time: float) -> datetime:
    """Return a moment so long after the start."""
    return START + timedelta(**time)


@dataclass
class Egg:
    """An egg that is to be taken out of the water once; the moment stands in the store."""

    store: Store
    name: str
    clock: HandClock
    taken: list[datetime] = field(default_factory=list)
    failures: list[Exception] = field(default_factory=list)

    async def put_on(self, moment: datetime) -> None:
        """Write down when it is done."""
        async with self.store.write() as tx:
            await key_values.set(tx, self.name, moment.isoformat())

    async def next(self, tx: Transaction, /) -> datetime | None:
        """Read when it is done."""
        noted = await key_values.get(tx, self.name)
        return datetime.fromisoformat(noted) if noted else None

    async def due(self, now: datetime) -> None:
        """Take it out."""
        if self.failures:
            raise self.failures.pop(0)
        async with self.store.write() as tx:
            moment = await self.next(tx)
            if moment is not None and moment <= now:
                await key_values.set(tx, self.name, "")
                self.taken.append(self.clock())


@dataclass
class Kitchen:
    """A scheduler over the store of a club, with its hands."""

    club: Club
    scheduler: Scheduler = field(init=False)

    def __post_init__(self) -> None:
        self.scheduler = Scheduler(self.club.store, clock=self.club.clock)

    def egg(self, name: str = "egg") -> Egg:
        """Look after an egg."""
        egg = Egg(self.club.store, name, self.club.clock)
        self.scheduler.register(egg)
        return egg

    async def wait(self, **time: float) -> None:
        """Let time pass and everything happen."""
        await self.scheduler.rest()
        self.club.wait(**time)
        await self.scheduler.rest()


@pytest.fixture
async def kitchen(club: Club) -> AsyncIterator[Kitchen]:
    """Open a kitchen; its scheduler is stopped afterwards."""
    made = Kitchen(club)
    yield made
    await made.scheduler.close()


async def test_nothing_happens_one_second_early(kitchen: Kitchen) -> None:
    egg = kitchen.egg()
    await egg.put_on(later(days=3))
    kitchen.scheduler.start()
    await kitchen.wait(days=2, hours=23, minutes=59, seconds=59)
    assert egg.taken == []
    await kitchen.wait(seconds=1)
    assert egg.taken == [later(days=3)]


async def test_what_is_done_is_not_done_again_after_a_restart(kitchen: Kitchen) -> None:
    egg = kitchen.egg()
    await egg.put_on(later(hours=1))
    kitchen.scheduler.start()
    await kitchen.wait(hours=1)
    await kitchen.scheduler.close()
    again = Kitchen(kitchen.club)
    boiled = again.egg()
    again.scheduler.start()
    await again.wait(days=1)
    await again.scheduler.close()
    assert (len(egg.taken), len(boiled.taken)) == (1, 0)


async def test_what_came_due_while_the_program_was_away_is_done_at_its_start(
    kitchen: Kitchen,
) -> None:
    egg = kitchen.egg()
    await egg.put_on(later(hours=1))
    kitchen.club.wait(days=2)
    kitchen.scheduler.start()
    await kitchen.scheduler.rest()
    assert egg.taken == [later(days=2)]


async def test_the_oldest_comes_first(kitchen: Kitchen) -> None:
    second, first = kitchen.egg("second"), kitchen.egg("first")
    taken: list[str] = []
    for egg, hours in ((second, 2), (first, 1)):
        await egg.put_on(later(hours=hours))
        egg.taken = _Named(taken, egg.name)
    kitchen.club.wait(days=1)
    kitchen.scheduler.start()
    await kitchen.scheduler.rest()
    assert taken == ["first", "second"]


class _Named(list[datetime]):
    """Writes a name instead of a moment."""

    def __init__(self, names: list[str], name: str) -> None:
        super().__init__()
        self._names, self._name = names, name

    def append(self, moment: datetime) -> None:
        """Write the name down."""
        super().append(moment)
        self._names.append(self._name)


async def test_an_earlier_moment_that_comes_up_wakes_the_sleeper(kitchen: Kitchen) -> None:
    long, short = kitchen.egg("long"), kitchen.egg("short")
    await long.put_on(later(days=3))
    kitchen.scheduler.start()
    await kitchen.scheduler.rest()
    await short.put_on(later(minutes=5))
    kitchen.scheduler.wake(later(minutes=5))
    await kitchen.wait(minutes=5)
    assert len(short.taken) == 1


async def test_a_commit_that_announces_an_earlier_moment_wakes_the_sleeper(
    kitchen: Kitchen,
) -> None:
    long, short = kitchen.egg("long"), kitchen.egg("short")
    await long.put_on(later(days=3))
    kitchen.scheduler.start()
    await kitchen.scheduler.rest()
    await short.put_on(later(minutes=5))
    async with kitchen.club.store.write() as tx:
        due.announce(tx, later(minutes=5))
    await kitchen.wait(minutes=5)
    assert len(short.taken) == 1


async def test_a_later_moment_wakes_nobody(kitchen: Kitchen) -> None:
    egg = kitchen.egg()
    await egg.put_on(later(minutes=5))
    kitchen.scheduler.start()
    await kitchen.scheduler.rest()
    await egg.put_on(later(minutes=4))  # behind its back
    kitchen.scheduler.wake(later(hours=1))
    await kitchen.scheduler.rest()
    assert kitchen.scheduler.next_moment == later(minutes=5)


async def test_a_source_whose_store_fails_is_tried_again_later_and_later(kitchen: Kitchen) -> None:
    egg = kitchen.egg()
    egg.failures = [Busy("busy"), Busy("busy")]
    await egg.put_on(later(hours=1))
    kitchen.scheduler.start()
    await kitchen.wait(hours=1)
    await kitchen.wait(seconds=1)
    assert egg.taken == []
    await kitchen.wait(seconds=1)
    assert egg.taken == []
    await kitchen.wait(seconds=1)
    assert egg.taken == [later(hours=1, seconds=3)]


async def test_a_source_with_a_defect_holds_nobody_up(
    kitchen: Kitchen, caplog: pytest.LogCaptureFixture
) -> None:
    bad, good = kitchen.egg("bad"), kitchen.egg("good")
    bad.failures = [RuntimeError("cracked")]
    await bad.put_on(later(hours=1))
    await good.put_on(later(hours=1))
    kitchen.scheduler.start()
    with caplog.at_level(logging.ERROR):
        await kitchen.wait(hours=1)
    assert (len(good.taken), len(bad.taken)) == (1, 0)
    await kitchen.wait(seconds=1)
    assert len(bad.taken) == 1


async def test_what_is_due_while_a_source_is_left_alone_is_done_in_time(kitchen: Kitchen) -> None:
    bad, good = kitchen.egg("bad"), kitchen.egg("good")
    bad.failures = [Busy("busy") for _ in range(3)]
    await bad.put_on(later(hours=1))
    await good.put_on(later(hours=1, seconds=4))
    kitchen.scheduler.start()
    await kitchen.wait(hours=1)
    await kitchen.wait(seconds=1)
    await kitchen.wait(seconds=2)
    assert bad.failures == []
    assert kitchen.scheduler.next_moment == later(hours=1, seconds=4)
    await kitchen.wait(seconds=1)
    assert good.taken == [later(hours=1, seconds=4)]


async def test_a_source_that_leaves_something_due_is_not_asked_without_end(
    kitchen: Kitchen,
) -> None:
    stuck = Stuck(START)
    kitchen.scheduler.register(stuck)
    kitchen.scheduler.start()
    await kitchen.scheduler.rest()
    assert stuck.asked == 1
    await kitchen.wait(seconds=1)
    assert stuck.asked == 2


@dataclass
class Stuck:
    """Never gets done."""

    moment: datetime
    asked: int = 0

    async def next(self, _: Transaction, /) -> datetime | None:
        """Return always the same."""
        return self.moment

    async def due(self, _: datetime) -> None:
        """Do nothing."""
        self.asked += 1


async def test_a_store_that_cannot_be_read_is_tried_again(kitchen: Kitchen) -> None:
    egg = kitchen.egg()
    await egg.put_on(later(hours=1))
    blind = Blind(2)
    kitchen.scheduler.register(blind)
    kitchen.scheduler.start()
    await kitchen.wait(seconds=1)
    await kitchen.wait(seconds=2)
    await kitchen.wait(hours=1)
    assert len(egg.taken) == 1


@dataclass
class Blind:
    """Cannot tell when, for a while."""

    times: int

    async def next(self, _: Transaction, /) -> datetime | None:
        """Fail so many times."""
        if self.times:
            self.times -= 1
            raise Busy("busy")
        return None

    async def due(self, _: datetime) -> None:
        """Do nothing."""


async def test_it_ends_when_told_while_it_sleeps(kitchen: Kitchen) -> None:
    await kitchen.egg().put_on(later(days=1))
    kitchen.scheduler.start()
    await kitchen.scheduler.rest()
    await kitchen.scheduler.close()
    await kitchen.scheduler.rest()  # nothing is left to wait for
