"""Old delivered jobs are deleted while the bot runs, in batches."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot.core.scheduling.scheduler import Scheduler
from bot.core.shards.ownership import AllShards
from bot.play.delivery.outbox_worker import BATCH, KEPT, Pruning
from data.matches import outbox
from tests.bot.conftest import Club


async def put(club: Club, number: int, *, nonce: str) -> None:
    """Add jobs that are done at once."""
    async with club.store.write() as tx:
        for n in range(number):
            job = await outbox.put(
                tx, match_id=None, kind="k", payload={}, nonce=f"{nonce}{n}", at=club.clock()
            )
            await outbox.mark_done(tx, job.id, club.clock())


async def test_the_scheduler_prunes_in_small_transactions_while_the_bot_runs(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken: list[int] = []
    prune = outbox.prune

    async def watched(*arguments: object, **rest: object) -> int:
        taken.append(await prune(*arguments, **rest))  # type: ignore[arg-type]
        return taken[-1]

    monkeypatch.setattr(outbox, "prune", watched)
    scheduler = Scheduler(club.store, clock=club.clock)
    scheduler.register(Pruning(club.store, AllShards()))
    await put(club, BATCH + 10, nonce="a")
    club.wait(days=1)
    await put(club, 5, nonce="b")
    scheduler.start()
    await scheduler.idle()
    assert taken == []
    assert scheduler.next_moment == club.clock() + KEPT - timedelta(days=1)
    club.wait(days=KEPT.days - 1, seconds=1)
    await scheduler.idle()
    assert taken == [BATCH, 10]
    club.wait(days=1)
    await scheduler.idle()
    assert taken == [BATCH, 10, 5]
    await scheduler.close()
    async with club.store.read() as tx:
        assert await outbox.oldest_done(tx) is None


async def test_pruning_happens_at_most_once_an_hour(club: Club) -> None:
    scheduler = Scheduler(club.store, clock=club.clock)
    scheduler.register(Pruning(club.store, AllShards()))
    for n in range(3):
        await put(club, 1, nonce=f"{n}-")
        club.wait(minutes=1)
    scheduler.start()
    club.wait(days=KEPT.days, minutes=-3)
    club.wait(seconds=1)
    await scheduler.idle()
    first = club.clock()
    assert scheduler.next_moment == first + timedelta(hours=1)
    await scheduler.close()
