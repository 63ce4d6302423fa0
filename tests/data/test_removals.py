"""A log's last entry is removed once, and only if it is the expected decision."""

from __future__ import annotations

import asyncio

import pytest

from data.matches import boards, match_log, matches
from data.matches.match import Entry, Finished, Match, StalePly
from data.store.store import Store
from tests.data import people


async def played(db: Store, *, last: int | None = 0) -> int:
    """Return a match whose third entry was made by a seat, or by chance."""
    async with db.write() as tx:
        number = await people.match(tx)
        await match_log.append(tx, number, people.entries(1, 2))
        await match_log.append(tx, number, people.entries(3, 1, last))
    return number


async def found(db: Store, number: int) -> tuple[Match, tuple[Entry, ...]]:
    """Return a match and its log."""
    async with db.read() as tx:
        match = await matches.get(tx, number)
        assert match is not None
        return match, await match_log.read(tx, number)


async def test_a_decision_taken_back_is_removed_and_counted(db: Store) -> None:
    number = await played(db)
    before, _ = await found(db, number)
    async with db.write() as tx:
        await match_log.remove_last(tx, number, ply=3, takebacks=0, actor=0, at=people.NOW)
    match, log = await found(db, number)
    assert (match.plies, match.takebacks) == (2, 1)
    assert [entry.ply for entry in log] == [1, 2]
    assert match.version > before.version


async def test_a_throw_or_another_seats_decision_is_never_removed(db: Store) -> None:
    for last, asker in ((None, 0), (1, 0)):
        number = await played(db, last=last)
        with pytest.raises(ValueError, match="own decision"):
            async with db.write() as tx:
                await match_log.remove_last(
                    tx, number, ply=3, takebacks=0, actor=asker, at=people.NOW
                )
        match, log = await found(db, number)
        assert (match.plies, match.takebacks, len(log)) == (3, 0, 3)


async def test_exactly_one_of_a_concurrent_move_and_takeback_succeeds(db: Store) -> None:
    number = await played(db)

    async def move() -> str:
        async with db.write() as tx:
            await match_log.append(tx, number, people.entries(4))
        return "moved"

    async def take_back() -> str:
        async with db.write() as tx:
            await match_log.remove_last(tx, number, ply=3, takebacks=0, actor=0, at=people.NOW)
        return "taken back"

    answers = await asyncio.gather(move(), take_back(), take_back(), return_exceptions=True)
    assert sum(isinstance(answer, StalePly) for answer in answers) == 2
    match, log = await found(db, number)
    assert len(log) == match.plies
    assert (match.plies == 4) == ("moved" in answers)


async def test_a_move_chosen_before_a_takeback_is_refused_at_the_same_ply(db: Store) -> None:
    number = await played(db)
    async with db.write() as tx:
        await match_log.remove_last(tx, number, ply=3, takebacks=0, actor=0, at=people.NOW)
        await match_log.append(tx, number, people.entries(3), takebacks=1)
    with pytest.raises(StalePly):
        async with db.write() as tx:
            await match_log.append(tx, number, people.entries(4))
    with pytest.raises(StalePly):
        async with db.write() as tx:
            await match_log.remove_last(tx, number, ply=3, takebacks=0, actor=0, at=people.NOW)
    match, _ = await found(db, number)
    assert (match.plies, match.takebacks) == (3, 1)


async def test_a_finished_match_keeps_its_log(db: Store) -> None:
    number = await played(db)
    async with db.write() as tx:
        await matches.finish(tx, number, ranks={0: 1, 1: 1}, reason="agreed", at=people.NOW)
    with pytest.raises(Finished):
        async with db.write() as tx:
            await match_log.remove_last(tx, number, ply=3, takebacks=0, actor=0, at=people.NOW)
    with pytest.raises(LookupError):
        async with db.write() as tx:
            await match_log.remove_last(tx, 99, ply=3, takebacks=0, actor=0, at=people.NOW)


async def test_versions_are_never_reused(db: Store) -> None:
    number = await played(db)
    seen = [(await found(db, number))[0].version]
    for takebacks in range(3):
        async with db.write() as tx:
            await match_log.remove_last(
                tx, number, ply=3, takebacks=takebacks, actor=0, at=people.NOW
            )
        seen.append((await found(db, number))[0].version)
        async with db.write() as tx:
            await match_log.append(tx, number, people.entries(3), takebacks=takebacks + 1)
        seen.append((await found(db, number))[0].version)
    assert seen == sorted(set(seen))


async def test_the_newest_board_is_the_one_after_a_takeback(db: Store) -> None:
    number = await played(db)
    async with db.write() as tx:
        for message, version in ((10, 3), (11, 4)):
            stored = boards.PostedMessage(message, people.CHANNEL, number, version, live=True)
            await boards.put(tx, stored)
    async with db.read() as tx:
        latest = await boards.latest(tx, number)
    assert latest is not None
    assert latest.message_id == 11
