"""Messages to send to Discord, and which messages show what."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError

from data import computer_tasks, posts
from data.challenges import challenges
from data.computer_tasks import Kind
from data.ladders import ladder_challenges, ladders
from data.matches import absences, boards, clocks, match_log, outbox
from data.matches.boards import PostedMessage
from data.matches.outbox import outbox as table
from data.people import limits
from data.puzzles import daily_puzzles
from data.sql import key_values
from data.store.store import Store, Transaction
from data.tournaments import tournament_rounds, tournaments
from tests.data import people
from tests.data.people import CHANNEL, NOW
from tests.data.plans import plan

texts = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]))
payloads = st.dictionaries(
    texts,
    st.recursive(
        st.none() | st.booleans() | st.integers(-(2**53), 2**53) | texts,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
        max_leaves=6,
    ),
    max_size=4,
)


async def job(tx: Transaction, nonce: str, match_id: int | None = None) -> outbox.Job:
    """Add a job."""
    return await outbox.put(
        tx, match_id=match_id, kind="board", payload={"ply": 3}, nonce=nonce, at=NOW
    )


async def test_jobs_wait_in_the_order_added_until_done(db: Store) -> None:
    async with db.write() as tx:
        one, other = await people.match(tx), await people.match(tx)
        a = await job(tx, "a", one)
        b = await job(tx, "b", other)
        c = await job(tx, "c")
        d = await job(tx, "d", one)
    async with db.read() as tx:
        assert await outbox.pending(tx) == (a, b, c, d)
        assert await outbox.pending(tx, one) == (a, d)
    async with db.write() as tx:
        await outbox.mark_done(tx, a.id, NOW)
        await outbox.mark_done(tx, c.id, NOW)
    async with db.read() as tx:
        assert await outbox.pending(tx) == (b, d)


async def test_a_scheduled_job_reports_when_it_is_due(db: Store) -> None:
    hour = timedelta(hours=1)
    async with db.write() as tx:
        number, other = await people.match(tx), await people.match(tx)
        for nonce, match_id, moment in (
            ("soon", number, NOW + hour),
            ("later", other, NOW + 2 * hour),
            ("never again", other, NOW + hour),
        ):
            waiting = await outbox.put(
                tx,
                match_id=match_id,
                kind="board",
                payload={},
                nonce=nonce,
                at=NOW,
                not_before=moment,
            )
        await outbox.mark_done(tx, waiting.id, NOW)
        await job(tx, "at once", number)
    async with db.read() as tx:
        first, soon = sorted(await outbox.pending(tx, number), key=lambda job: job.nonce)
        assert first.due(NOW)
        assert not soon.due(NOW)
        assert soon.due(NOW + hour)
        assert await outbox.next_due(tx, NOW) == NOW + hour
        assert await outbox.next_due(tx, NOW + hour) == NOW + 2 * hour
        assert await outbox.next_due(tx, NOW + 2 * hour) is None
        assert await outbox.due_between(tx, NOW, NOW + hour) == (number,)
        assert await outbox.due_between(tx, NOW + hour, NOW + 2 * hour) == (other,)
        assert await outbox.due_between(tx, NOW, NOW + 2 * hour) == (number, other)


async def test_attempts_are_counted_and_the_blocking_reason_is_kept(tx: Transaction) -> None:
    put = await job(tx, "a")
    await outbox.mark_failed(tx, put.id, "no permission to post pictures")
    (waiting,) = await outbox.pending(tx)
    assert (waiting.attempts, waiting.blocked) == (1, "no permission to post pictures")
    await outbox.mark_failed(tx, put.id, None)
    (waiting,) = await outbox.pending(tx)
    assert (waiting.attempts, waiting.blocked) == (2, None)


async def test_pruning_removes_only_jobs_done_before_a_moment(db: Store) -> None:
    async with db.write() as tx:
        old, new, waiting = [await job(tx, nonce) for nonce in "abc"]
        await outbox.mark_done(tx, old.id, people.after(1))
        await outbox.mark_done(tx, old.id, people.after(99))  # second delivery: the first counts
        await outbox.mark_done(tx, new.id, people.after(10))
        assert await outbox.oldest_done(tx) == people.after(1)
        assert await outbox.prune(tx, people.after(10)) == (old.match_id,)
        assert await outbox.pending(tx) == (waiting,)
        assert await outbox.oldest_done(tx) == people.after(10)
        assert await outbox.prune(tx, people.after(11)) == (new.match_id,)
        assert await outbox.oldest_done(tx) is None
        again = await job(tx, "d")
    assert again.id > waiting.id, "a number is never reused"


async def test_a_nonce_can_be_used_once_and_has_at_most_25_characters(db: Store) -> None:
    async with db.write() as tx:
        await job(tx, "n" * 25)
    for wrong in ("n" * 25, "m" * 26, ""):
        with pytest.raises(IntegrityError):
            async with db.write() as tx:
                await job(tx, wrong)


@given(payload=payloads)
@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
async def test_any_payload_is_read_as_written(db: Store, payload: dict[str, Any]) -> None:
    async with db.write() as tx:
        put = await outbox.put(tx, match_id=None, kind="k", payload=payload, nonce="n", at=NOW)
        (read,) = await outbox.pending(tx)
        await outbox.mark_done(tx, put.id, NOW)
        await outbox.prune(tx, people.after(1))
    assert read == put
    assert read.payload == payload
    assert list(read.payload) == list(payload)
    assert read.created_at.utcoffset() is not None


async def test_a_move_and_its_job_are_saved_together_or_not_at_all(db: Store) -> None:
    async with db.write() as tx:
        number = await people.match(tx)

    async def press() -> None:
        async with db.write() as tx:
            await match_log.append(tx, number, people.entries(1))
            await job(tx, "x" * 26, number)

    with pytest.raises(IntegrityError):
        await press()
    async with db.read() as tx:
        assert await match_log.read(tx, number) == ()
        assert await outbox.pending(tx) == ()


async def test_a_message_shows_one_version_at_a_time(db: Store) -> None:
    async with db.write() as tx:
        number = await people.match(tx)
        await boards.put(tx, PostedMessage(10, CHANNEL, number, 1, live=True))
        await boards.put(tx, PostedMessage(11, CHANNEL, number, 4, live=True))
        await boards.put(tx, PostedMessage(10, CHANNEL, number, 2, live=True))
    async with db.write() as tx:
        old, new = (
            PostedMessage(10, CHANNEL, number, 2, live=True),
            PostedMessage(11, CHANNEL, number, 4, live=True),
        )
        assert await boards.live(tx, number) == (old, new)
        assert await boards.latest(tx, number) == new
        await boards.put(tx, replace(old, live=False))
        assert await boards.live(tx, number) == (new,)
        await boards.forget(tx, 11)
        assert await boards.live(tx, number) == ()
        assert await boards.latest(tx, number) == PostedMessage(10, CHANNEL, number, 2, live=False)
        assert await boards.latest(tx, number + 1) is None


async def test_the_latest_boards_of_several_matches_are_those_of_each(db: Store) -> None:
    async with db.write() as tx:
        one, other, without = [await people.match(tx) for _ in range(3)]
        for message, number, ply in ((5, one, 1), (9, one, 3), (7, one, 3), (6, other, 0)):
            await boards.put(tx, PostedMessage(message, CHANNEL, number, ply, live=False))
    async with db.read() as tx:
        found = await boards.latest_of(tx, [other, without, one])
        assert {number: shown.message_id for number, shown in found.items()} == {one: 9, other: 6}
        for number in (one, other, without):
            assert await boards.latest(tx, number) == found.get(number)
        assert await boards.latest_of(tx, []) == {}


async def test_old_boards_are_forgotten_only_of_the_given_matches(db: Store) -> None:
    async with db.write() as tx:
        one, other = await people.match(tx), await people.match(tx)
        for n, number in enumerate((one, one, one, other, other), start=1):
            await boards.put(tx, PostedMessage(n, CHANNEL, number, 1, live=False))
        assert await boards.forget_superseded(tx, [one], NOW) == 2
        assert await boards.forget_superseded(tx, [], NOW) == 0
    async with db.read() as tx:
        left = [n for n in range(1, 6) if await boards.get(tx, n) is not None]
    assert left == [3, 4, 5]


async def test_setting_a_key_again_replaces_its_value(db: Store) -> None:
    async with db.write() as tx:
        assert await key_values.get(tx, "commands") is None
        await key_values.set(tx, "commands", "hash 1")
        await key_values.set(tx, "commands", "hash 2")
    async with db.read() as tx:
        assert await key_values.get(tx, "commands") == "hash 2"


DONE = 20_000

READS: dict[str, Callable[[Transaction], Awaitable[object]]] = {
    "of a match": lambda tx: tx.rows(outbox.PENDING_OF.statement, {"match": 1}),
    "left behind": lambda tx: outbox.waiting_matches(tx, NOW, limit=500),
    "next due": lambda tx: outbox.next_due(tx, NOW),
    "came due": lambda tx: outbox.due_between(tx, NOW, NOW + timedelta(hours=1)),
    "oldest done": outbox.oldest_done,
    "newest": outbox.newest,
    "pruned": lambda tx: outbox.prune(tx, NOW - timedelta(days=30), limit=500),
}


async def fill(db: Store) -> None:
    """Store many old finished jobs and a few pending ones, and update the planner's statistics."""
    async with db.write() as tx:
        number = await people.match(tx)
        rows: list[dict[str, Any]] = [
            {
                "match_id": number,
                "kind": "board",
                "payload": {},
                "nonce": f"n{n}",
                "created_at": NOW,
                "attempts": 0,
                "done_at": NOW - timedelta(minutes=n) if n >= 3 else None,
                "not_before": NOW + timedelta(hours=1) if n == 2 else None,
            }
            for n in range(DONE)
        ]
        await tx.run(table.insert(), rows)
        await tx.run(text("ANALYZE"))


@pytest.mark.usefixtures("seen")
async def test_no_outbox_query_reads_finished_jobs(db: Store) -> None:
    await fill(db)
    for name, read in READS.items():
        async with db.write() as tx:
            output = await plan(tx, read)
        assert "SCAN outbox\n" not in output + "\n", (name, output)
        assert "Seq Scan on outbox" not in output, (name, output)


@pytest.mark.usefixtures("seen")
@pytest.mark.parametrize(
    "read",
    [
        absences.next_moment,
        challenges.next_end,
        clocks.next_moment,
        daily_puzzles.next_moment,
        ladder_challenges.next_due,
        ladders.next_check,
        limits.first_end,
        limits.first_hour_end,
        tournament_rounds.with_new_results,
        lambda tx: absences.due(tx, NOW),
        lambda tx: boards.forget_superseded(tx, [1, 2], NOW),
        lambda tx: boards.left_over(tx, NOW),
        lambda tx: challenges.lock_expired(tx, NOW),
        lambda tx: clocks.due(tx, NOW, limit=9),
        lambda tx: computer_tasks.due_in(tx, [Kind.MOVE]),
        lambda tx: daily_puzzles.due_now(tx, NOW, limit=9),
        lambda tx: ladder_challenges.due(tx, NOW, limit=9),
        lambda tx: ladders.due_for_check(tx, NOW, limit=9),
        lambda tx: posts.due(tx, NOW, limit=9),
        lambda tx: posts.next_due(tx, NOW),
        lambda tx: tournaments.due(tx, NOW),
        lambda tx: tournaments.next_moment(tx, NOW),
    ],
)
async def test_what_the_clock_asks_is_found_through_an_index(
    sqlite_url: str, read: Callable[[Transaction], Awaitable[object]]
) -> None:
    db = await Store.open(sqlite_url)
    async with db.write() as tx:
        output = await plan(tx, read)
    await db.close()
    scans = [line for line in output.split("\n") if line.startswith("SCAN")]
    assert all("INDEX" in line for line in scans), output


async def test_pruning_removes_the_oldest_first_and_no_more_than_requested(db: Store) -> None:
    await fill(db)
    async with db.write() as tx:
        oldest = await outbox.oldest_done(tx)
        assert oldest == NOW - timedelta(minutes=DONE - 1)
        assert len(await outbox.prune(tx, NOW, limit=500)) == 500
        assert await outbox.oldest_done(tx) == oldest + timedelta(minutes=500)
        assert len(await outbox.pending(tx)) == 3
