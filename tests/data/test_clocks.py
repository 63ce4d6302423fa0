"""Clocks and vacations on both databases."""

from __future__ import annotations

import asyncio
import dataclasses
import re
from datetime import timedelta

import pytest
from sqlalchemy import text

from bot.play.clocks import match_clocks
from data import privacy
from data.matches import absences, clocks, match_log, matches
from data.matches.clocks import ServerOutage
from data.matches.match import MatchClock
from data.matches.match import clocks as clocks_table
from data.matches.match import matches as matches_table
from data.sql.statements import Scope
from data.store.store import Store, Transaction
from tests.data import people
from tests.data.people import ANN, BEN, NOW, SERVER, after, entries, match
from tests.data.plans import plan

DAY = 86400


def running(match_id: int, user_id: int = ANN, ply: int = 0, days: float = 3) -> MatchClock:
    """Return the clock of a turn that has just begun."""
    due, remind = after(days * DAY), after((days - 1) * DAY)
    return MatchClock(match_id, user_id, ply, NOW, remind, due, next_at=remind)


async def begin_match(db: Store) -> tuple[int, MatchClock]:
    """Begin a match with a running clock."""
    async with db.write() as tx:
        number = await people.match(tx)
        clock = running(number)
        await clocks.put(tx, clock)
    return number, clock


async def test_a_clock_is_read_as_set_and_with_its_match(db: Store) -> None:
    number, clock = await begin_match(db)
    async with db.read() as tx:
        assert await clocks.of(tx, number) == clock
        match = await matches.get(tx, number)
        assert await clocks.of_player(tx, ANN) == (clock,)
        assert await clocks.of_player(tx, BEN) == ()
    assert match is not None
    assert match.clock == clock
    assert not clock.is_paused


async def test_a_match_may_have_no_clock(db: Store) -> None:
    async with db.write() as tx:
        number = await people.match(tx)
    async with db.read() as tx:
        match = await matches.get(tx, number)
        assert await clocks.of(tx, number) is None
        assert await clocks.next_moment(tx) is None
    assert match is not None
    assert match.clock is None


async def test_the_next_moment_is_the_earliest_and_due_clocks_come_in_order(db: Store) -> None:
    async with db.write() as tx:
        first, second, third = [await people.match(tx) for _ in range(3)]
        for number, days in ((first, 4), (second, 3), (third, 9)):
            await clocks.put(tx, running(number, days=days))
    async with db.read() as tx:
        assert await clocks.next_moment(tx) == after(2 * DAY)
        assert await clocks.due(tx, after(2 * DAY - 1)) == ()
        found = await clocks.due(tx, after(3 * DAY))
        short = await clocks.running_out(tx, after(4 * DAY))
    assert [clock.match_id for clock in found] == [second, first]
    assert [clock.match_id for clock in short] == [second]


async def test_only_one_of_two_takers_succeeds(db: Store) -> None:
    number, clock = await begin_match(db)
    changed = dataclasses.replace(clock, remind_at=None, next_at=clock.due_at)

    async def take() -> bool:
        async with db.write() as tx:
            return await clocks.take(tx, clock, changed)

    assert sorted(await asyncio.gather(take(), take())) == [False, True]
    async with db.read() as tx:
        assert await clocks.of(tx, number) == changed


async def test_clocks_of_an_earlier_turn_cannot_be_taken(db: Store) -> None:
    number, clock = await begin_match(db)
    async with db.write() as tx:
        await clocks.put(tx, dataclasses.replace(clock, ply=1, since=after(60)))
    async with db.write() as tx:
        assert not await clocks.take(tx, clock, dataclasses.replace(clock, next_at=None))
        assert not await clocks.mute(tx, number, ANN, 0)


async def test_muting_lasts_while_the_same_player_is_to_move(db: Store) -> None:
    number, clock = await begin_match(db)
    async with db.write() as tx:
        assert not await clocks.mute(tx, number, BEN, 0)
        assert await clocks.mute(tx, number, ANN, 0)
        await clocks.put(tx, dataclasses.replace(clock, ply=1))
        same = await clocks.of(tx, number)
        await clocks.put(tx, dataclasses.replace(clock, ply=2, user_id=BEN))
        other = await clocks.of(tx, number)
    assert same is not None
    assert other is not None
    assert (same.muted, other.muted) == (True, False)


async def test_a_clock_is_removed_only_once(db: Store) -> None:
    number, clock = await begin_match(db)
    async with db.write() as tx:
        assert await clocks.remove(tx, number) == clock
        assert await clocks.remove(tx, number) is None


async def test_a_paused_clock_keeps_the_time_left(db: Store) -> None:
    number, clock = await begin_match(db)
    still = dataclasses.replace(
        clock, remind_at=None, due_at=None, left=12345, next_at=after(7 * DAY)
    )
    async with db.write() as tx:
        assert await clocks.take(tx, clock, still)
    async with db.read() as tx:
        found = await clocks.of(tx, number)
        assert await clocks.running_out(tx, after(99 * DAY)) == ()
    assert found == still
    assert still.is_paused


async def test_decisions_are_counted_by_seat_and_throws_are_not(tx: Transaction) -> None:
    number = await people.match(tx)
    await match_log.append(tx, number, entries(1, 2, actor=0))
    await match_log.append(tx, number, entries(3, 1, actor=None))
    await match_log.append(tx, number, entries(4, 1, actor=1))
    assert await match_log.decisions(tx, number) == {0: 2, 1: 1}


async def test_a_vacation_is_current_until_it_ends(db: Store) -> None:
    async with db.write() as tx:
        number = await absences.add(tx, ANN, starts_at=NOW, ends_at=after(5 * DAY))
    async with db.read() as tx:
        away = await absences.present(tx, ANN, after(5 * DAY - 1))
        assert away is not None
        assert (away.id, away.user_id, away.over) == (number, ANN, False)
        assert await absences.present(tx, ANN, after(5 * DAY)) is None
        assert await absences.present(tx, BEN, NOW) is None
        assert await absences.next_moment(tx) == after(5 * DAY)
        assert await absences.due(tx, after(5 * DAY - 1)) == ()
        assert await absences.due(tx, after(5 * DAY)) == (away,)


async def test_a_vacation_ends_only_once(tx: Transaction) -> None:
    number = await absences.add(tx, ANN, starts_at=NOW, ends_at=after(5 * DAY))
    assert await absences.end(tx, number, after(DAY))
    assert not await absences.end(tx, number, after(2 * DAY))
    assert await absences.present(tx, ANN, after(60)) is None
    assert await absences.next_moment(tx) is None
    (past,) = await absences.since(tx, ANN, NOW)
    assert (past.ends_at, past.over) == (after(DAY), True)
    await privacy.erase(tx, ANN, -1)
    assert await absences.since(tx, ANN, NOW) == ()


ELSEWHERE = SERVER - (1 << 22)


async def test_an_outage_holds_the_clocks_of_its_server_alone(db: Store) -> None:
    async with db.write() as tx:
        for guild_id in (SERVER, ELSEWHERE, None):
            number = await match(tx, guild_id=guild_id)
            due = after(1)
            await clocks.put(tx, MatchClock(number, ANN, 0, NOW, None, due, next_at=due))
        await clocks.put_outage(tx, ServerOutage(SERVER, NOW))
    async with db.write() as tx:
        assert [one.match_id for one in await clocks.due(tx, after(2))] == [2, 3]
        there = await clocks.running_out(tx, after(2), guild_id=SERVER)
        assert [one.match_id for one in there] == [1]
        assert await clocks.is_held(tx, SERVER)
        assert not await clocks.is_held(tx, ELSEWHERE)
        assert not await clocks.is_held(tx, None)
        (known,) = await clocks.outages(tx)
        await clocks.end_outage(tx, known, NOW)
        assert [one.match_id for one in await clocks.due(tx, after(2))] == [1, 2, 3]


async def test_an_outage_that_has_begun_again_is_not_removed(db: Store) -> None:
    promised = ServerOutage(SERVER, NOW, NOW + timedelta(hours=12))
    async with db.write() as tx:
        await clocks.put_outage(tx, promised)
        assert await clocks.next_promised(tx) == promised
        await clocks.put_outage(tx, ServerOutage(SERVER, NOW))
        await clocks.end_outage(tx, promised, NOW)
        assert await clocks.outages(tx) == (ServerOutage(SERVER, NOW),)
        assert await clocks.next_promised(tx) is None


OPEN = 5_000


async def fill(db: Store) -> None:
    """Store many open matches with running clocks, and update the planner's statistics."""
    async with db.write() as tx:
        number = await people.match(tx)
        found = dict((await tx.rows(matches_table.select()))[0]._mapping)
        rows = [
            {**found, "id": number + n, "guild_id": n << 22, "commitment": str(n)}
            for n in range(1, OPEN)
        ]
        await tx.run(matches_table.insert(), rows)
        turns = [running(number + n, days=2 + n / 9) for n in range(OPEN)]
        await tx.add(clocks_table, *turns)
        await tx.run(text("ANALYZE"))


@pytest.mark.usefixtures("seen")
@pytest.mark.parametrize("shards", [None, range(50)])
async def test_what_is_next_is_found_without_reading_all_clocks(
    db: Store, shards: range | None
) -> None:
    """The scheduler asks before each sleep, and several times a second where many play."""
    await fill(db)
    scope = None if shards is None else Scope(100, frozenset(shards))
    reads = {
        "next": clocks.next_moment,
        "due": lambda tx: clocks.due(tx, after(2 * DAY), limit=match_clocks.BATCH),
    }
    for name, read in reads.items():
        async with db.write() as tx:
            with tx.limited_to(scope):
                output = await plan(tx, read)
        scans = re.findall(
            r"Seq Scan on (?!server_outages)\w+|SCAN (?!server_outages)\w+$", output, re.MULTILINE
        )
        assert not scans, (name, output)
