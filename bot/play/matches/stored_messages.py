"""Reads what the store says about a match's messages, and records what was done to them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Literal

from bot.core.hooks import on_match_shown
from bot.play.matches.jobs import BOARD_JOB
from data import locks
from data.matches import boards, matches, outbox
from data.matches.boards import PostedMessage, TurnCall
from data.matches.match import Match
from data.matches.outbox import Job
from data.store.store import Store, Transaction


@dataclass(frozen=True, slots=True)
class Stored:
    """What the store says about a match."""

    match: Match
    jobs: Sequence[Job]
    live: Sequence[PostedMessage]
    calls: Sequence[TurnCall]
    old: Sequence[PostedMessage]
    """Boards recorded without controls that may show something else."""
    final: PostedMessage | None
    """The one of these that shows how the match ended."""


@dataclass(slots=True)
class Done:
    """What was done, for the record."""

    jobs: list[Job] = field(default_factory=list)
    shown: list[PostedMessage] = field(default_factory=list)
    called: list[TurnCall] = field(default_factory=list)
    answered: list[TurnCall] = field(default_factory=list)


async def read(
    store: Store, match_id: int, now: datetime, *, uncertain: Iterable[int]
) -> Stored | None:
    """Return what the store says now; ``None`` if there is no such match.

    Jobs that are not due yet are left out. ``uncertain`` are messages that may not show what is
    recorded.
    """

    async def work(tx: Transaction) -> Stored | None:
        match = await matches.get(tx, match_id)
        return None if match is None else await _read(tx, match, now, uncertain)

    return await store.run_read(work)


async def _read(
    tx: Transaction, match: Match, now: datetime, uncertain: Iterable[int] = ()
) -> Stored:
    live = await boards.live(tx, match.id)
    jobs = [job for job in await outbox.pending(tx, match.id) if job.due(now)]
    doubted = {*uncertain, *(one for job in jobs for one in job.payload.get("messages", ()))}
    known = {shown.message_id for shown in live}
    read = [await boards.get(tx, one) for one in sorted(doubted - known)]
    old = [shown for shown in read if shown is not None]
    over = old and match.finished and not any(job.kind == BOARD_JOB for job in jobs)
    latest = await boards.latest(tx, match.id) if over else None
    calls = await boards.calls_of(tx, match.id)
    return Stored(match, jobs, live, calls, old, latest if latest in old else None)


class Alone(asyncio.Lock):
    """Keeps others from writing about a match."""

    def __init__(self) -> None:
        """Begin free."""
        super().__init__()
        self.taken = 0
        """How often it was taken."""
        self.news = 0
        """How often something new about the match was announced."""
        self.done: Done | None = None
        """All that its holder has recorded, once known."""
        self.done_before: Done | None = None
        """The same of the holder before."""

    async def acquire(self) -> Literal[True]:
        """Wait until it is free, and take it."""
        await super().acquire()
        self.taken += 1
        self.done_before, self.done = self.done, None
        return True


class Snapshot:
    """What a transaction reads about a match's messages for the delivery that follows it.

    So a turn makes one trip less to the store. It is of no use if someone else has begun to write
    about the match since before the transaction, or has announced something new. What a delivery
    that was ending then has recorded is added.
    """

    def __init__(self, alone: Alone, now: datetime) -> None:
        """Begin before the transaction."""
        self._alone = alone
        self._now = now
        self._busy = alone.locked()
        self._taken, self._news = alone.taken, alone.news
        self._stored: Stored | None = None

    async def read(self, tx: Transaction, match: Match) -> None:
        """Read what is stored, at the end of the transaction."""
        self._stored = await _read(tx, match, self._now)
        self._news += (outbox.TOPIC, match.id) in tx.announced

    def use(self) -> Stored | None:
        """Return what was read, if it still stands; only for whoever holds the lock."""
        alone, stored = self._alone, self._stored
        if stored is None or (alone.taken, alone.news) != (self._taken + 1, self._news):
            return None
        if not self._busy:
            return stored
        return None if alone.done_before is None else _after(stored, alone.done_before)


def _after(stored: Stored, done: Done) -> Stored:
    """Return what was read as it stands once a delivery has recorded what it did."""
    boards_ = {one.message_id: one for one in (*stored.live, *done.shown)}
    live = [one for one in boards_.values() if one.live]
    calls = dict.fromkeys((*stored.calls, *done.called))
    return replace(
        stored,
        jobs=[job for job in stored.jobs if job not in done.jobs],
        live=tuple(sorted(live, key=lambda one: (one.ply, one.message_id))),
        calls=tuple(call for call in calls if call not in done.answered),
    )


async def write(store: Store, done: Done, stored: Stored, now: datetime) -> bool:
    """Record what was done, and return whether another process has recorded boards meanwhile.

    If so, only what the store does not know is recorded, and the jobs stay open. ``stored`` is what
    the store said before.
    """
    seen = set(stored.live)
    known = {shown.message_id: shown for shown in (*stored.live, *done.shown)}
    made = {shown for shown in known.values() if shown.live}

    async def work(tx: Transaction) -> bool:
        await locks.lock_match(tx, stored.match.id)
        live = set(await boards.live(tx, stored.match.id)) if done.shown else seen
        overtaken = live not in (seen, made)
        fresh = [
            shown
            for shown in done.shown
            if not overtaken or await boards.get(tx, shown.message_id) is None
        ]
        if fresh:
            await boards.put(tx, *fresh)
            if not stored.live:
                for hook in on_match_shown:
                    await hook(tx, stored.match, now)
        for call in done.called:
            await boards.put_call(tx, call)
        for call in done.answered:
            await boards.forget_call(tx, call.message_id)
        for job in () if overtaken else done.jobs:
            await outbox.mark_done(tx, job.id, now)
        return overtaken

    if any((done.shown, done.jobs, done.called, done.answered)):
        return await store.run_write(work, durable=False)  # Discord can be asked
    return False
