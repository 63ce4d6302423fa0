"""Old delivered jobs are deleted while the bot runs, in batches."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

import pytest
from discord.utils import time_snowflake

from bot.core.scheduling.scheduler import Scheduler
from bot.core.shards.ownership import AllShards
from bot.play.delivery.outbox_worker import BATCH, KEPT, Pruning
from data.matches import boards, outbox
from data.matches.boards import PostedMessage
from tests.bot.conftest import CHANNEL, Club


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

    async def watched(*arguments: object, **rest: object) -> Sequence[int | None]:
        done = await prune(*arguments, **rest)  # type: ignore[arg-type]
        taken.append(len(done))
        return done

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
    assert await club.read(outbox.oldest_done) is None


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


async def test_boards_superseded_for_days_are_forgotten_but_the_newest_of_each_match_is_not(
    club: Club,
) -> None:
    one, other = (await club.start()).match.id, (await club.start()).match.id
    left: list[PostedMessage] = []

    async def post(match_id: int, ply: int, *, live: bool = False) -> PostedMessage:
        """Show a match on a new board, with a job done at once."""
        club.wait(minutes=1)
        shown = PostedMessage(time_snowflake(club.clock()), CHANNEL, match_id, ply, live)
        async with club.store.write() as tx:
            await boards.put(tx, shown)
            job = await outbox.put(
                tx, match_id=match_id, kind="k", payload={}, nonce=f"{ply}", at=club.clock()
            )
            await outbox.mark_done(tx, job.id, club.clock())
        return shown

    for ply in range(4):
        await post(one, ply)
    left += [await post(one, 4, live=True), await post(other, 5)]
    club.wait(days=KEPT.days - 1)
    left += [await post(one, 6), await post(one, 7, live=True)]
    club.wait(days=1)

    await Pruning(club.store, AllShards()).due(club.clock())

    async with club.store.read() as tx:
        known = await tx.records(PostedMessage, boards.boards.select())
    assert sorted(known, key=lambda shown: shown.ply) == left
