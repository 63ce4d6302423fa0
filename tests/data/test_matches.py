"""Matches and their logs, of which a move can be taken back once."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import insert
from sqlalchemy.exc import IntegrityError

from data.matches import boards, match_log, matches
from data.matches.match import Entry, Finished, Match, Player, StalePly, moves
from data.store import restoring
from data.store.restoring import Traces
from data.store.store import Store, Transaction
from tests.data import people
from tests.data.people import ANN, BEN, CAROL, CHANNEL, DAN, NOW, SEED, SERVER

texts = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]))


async def test_a_match_is_read_as_recorded(db: Store) -> None:
    async with db.write() as tx:
        number = await people.match(tx, (BEN, ANN))
    async with db.read() as tx:
        match = await matches.get(tx, number)
    assert match == Match(
        id=number,
        game="nim",
        rules_version=1,
        options={"zebra": "first", "apple": "second"},
        guild_id=SERVER,
        channel_id=CHANNEL,
        seed=SEED,
        commitment="c0ffee",
        created_at=NOW,
        finished_at=None,
        reason=None,
        plies=0,
        players=(Player(0, BEN, "word 0"), Player(1, ANN, "word 1")),
    )
    assert list(match.options) == ["zebra", "apple"], "options keep their order"
    assert not match.finished


async def test_an_unknown_match_is_none(db: Store) -> None:
    async with db.read() as tx:
        assert await matches.get(tx, 1) is None
        assert await match_log.read(tx, 1) == ()


async def test_the_last_number_is_of_a_match_or_was_skipped(db: Store) -> None:
    async with db.write() as tx:
        assert await matches.last_number(tx) == 0
        number = await people.match(tx, (BEN, ANN))
        assert await matches.last_number(tx) == number
        await restoring.skip_numbers(tx, Traces(), NOW, NOW)
        skipped = await matches.last_number(tx)
        assert skipped > number
        assert await people.match(tx, (BEN, ANN)) == skipped + 1


async def test_a_match_may_wait_for_its_players(db: Store) -> None:
    async with db.write() as tx:
        match = await matches.get(tx, await people.match(tx, ()))
    assert match is not None
    assert match.players == ()


async def test_a_seed_never_appears_in_a_repr(db: Store) -> None:
    async with db.write() as tx:
        match = await matches.get(tx, await people.match(tx))
    assert "never to be seen" not in repr(match)


async def test_a_log_is_read_in_order_with_throws_and_moves(db: Store) -> None:
    wanted = [
        Entry(1, None, "*1", people.after(1)),
        Entry(2, 0, "k1-l2", people.after(2)),
        Entry(3, 1, "l1-l2,k1-l1", people.after(3)),
    ]
    async with db.write() as tx:
        number = await people.match(tx)
        await match_log.append(tx, number, wanted[:2])
        await match_log.append(tx, number, wanted[2:])
    async with db.read() as tx:
        assert await match_log.read(tx, number) == tuple(wanted)
        assert await match_log.read(tx, number, after=2) == tuple(wanted[2:])
        assert await match_log.read(tx, number, after=3) == ()
        match = await matches.get(tx, number)
    assert match is not None
    assert match.plies == 3


async def test_appending_nothing_changes_nothing(tx: Transaction) -> None:
    number = await people.match(tx)
    await match_log.append(tx, number, [])
    assert await match_log.read(tx, number) == ()


async def test_only_one_of_two_presses_at_one_ply_succeeds_and_the_other_is_refused(
    db: Store,
) -> None:
    async with db.write() as tx:
        number = await people.match(tx)
        await match_log.append(tx, number, people.entries(1))

    async def press(actor: int) -> str:
        async with db.write() as tx:
            await match_log.append(tx, number, people.entries(2, 3, actor))
        return f"seat {actor}"

    answers = await asyncio.gather(press(0), press(1), press(2), return_exceptions=True)
    winners = [answer for answer in answers if isinstance(answer, str)]
    losers = [answer for answer in answers if isinstance(answer, StalePly)]
    assert len(winners) == 1
    assert len(losers) == 2
    assert {loser.match.plies for loser in losers} == {4}, "the loser sees the current match"
    async with db.read() as tx:
        log = await match_log.read(tx, number)
    assert [entry.ply for entry in log] == [1, 2, 3, 4]
    assert {f"seat {entry.actor}" for entry in log[1:]} == set(winners)


async def test_entries_must_continue_exactly_where_the_log_ends(db: Store) -> None:
    async with db.write() as tx:
        number = await people.match(tx)
        await match_log.append(tx, number, people.entries(1, 2))
    for first in (1, 2, 4):
        with pytest.raises(StalePly):
            async with db.write() as tx:
                await match_log.append(tx, number, people.entries(first))
    with pytest.raises(ValueError, match="consecutive"):
        async with db.write() as tx:
            await match_log.append(tx, number, people.entries(3) + people.entries(5))


async def test_the_database_itself_refuses_a_second_entry_at_a_ply(db: Store) -> None:
    async with db.write() as tx:
        number = await people.match(tx)
        await match_log.append(tx, number, people.entries(1))
    row = {"match_id": number, "ply": 1, "actor": 1, "notation": "other", "made_at": NOW}
    with pytest.raises(IntegrityError):
        async with db.write() as tx:
            await tx.run(insert(moves), row)


async def test_a_finished_match_accepts_no_moves_and_no_second_result(db: Store) -> None:
    async with db.write() as tx:
        number = await people.match(tx)
        await matches.finish(tx, number, ranks={0: 2, 1: 1}, reason="all taken", at=people.after(9))
    with pytest.raises(Finished) as refused:
        async with db.write() as tx:
            await match_log.append(tx, number, people.entries(1))
    assert refused.value.match.reason == "all taken"
    assert refused.value.match.finished_at == people.after(9)
    assert [player.rank for player in refused.value.match.players] == [2, 1]
    with pytest.raises(Finished):
        async with db.write() as tx:
            await matches.finish(tx, number, ranks={0: 1, 1: 2}, reason="again", at=NOW)


async def test_the_transaction_of_a_refused_press_remains_usable(db: Store) -> None:
    async with db.write() as tx:
        number = await people.match(tx)
        with pytest.raises(StalePly):
            await match_log.append(tx, number, people.entries(7))
        await match_log.append(tx, number, people.entries(1))
    async with db.read() as tx:
        assert len(await match_log.read(tx, number)) == 1


async def test_a_result_ranks_every_seat_and_no_other(db: Store) -> None:
    async with db.write() as tx:
        number = await people.match(tx)
    for ranks in ({0: 1}, {0: 1, 1: 2, 2: 3}, {0: 1, 2: 2}):
        with pytest.raises(ValueError, match="rank exactly the seats"):
            async with db.write() as tx:
                await matches.finish(tx, number, ranks=ranks, reason="?", at=NOW)
    async with db.read() as tx:
        match = await matches.get(tx, number)
    assert match is not None
    assert not match.finished


async def test_an_unknown_match_cannot_grow_or_end(tx: Transaction) -> None:
    with pytest.raises(LookupError):
        await match_log.append(tx, 77, people.entries(1))
    with pytest.raises(LookupError):
        await matches.finish(tx, 77, ranks={}, reason="", at=NOW)


async def test_a_players_matches_come_newest_first_filtered_by_server_game_and_state(
    db: Store,
) -> None:
    async with db.write() as tx:
        first = await people.match(tx, (ANN, BEN))
        second = await people.match(tx, (BEN, ANN), game="pig")
        elsewhere = await people.match(tx, (ANN, CAROL), guild_id=None, channel_id=5)
        await people.match(tx, (BEN, CAROL))
        ended = await people.match(tx, (ANN, DAN))
        await matches.finish(tx, ended, ranks={}, reason="abandoned", at=NOW)
    async with db.read() as tx:

        async def ids(**wanted: object) -> list[int]:
            found = await matches.of_player(tx, ANN, **wanted)  # type: ignore[arg-type]
            return [match.id for match in found]

        assert await ids() == [elsewhere, second, first]
        assert await ids(open_only=False) == [ended, elsewhere, second, first]
        assert await ids(guild_id=SERVER) == [second, first]
        assert await ids(game="pig") == [second]
        assert await ids(limit=1) == [elsewhere]
        both = await matches.of_player(tx, ANN, limit=2)
        assert [len(match.players) for match in both] == [2, 2]


@given(
    notation=texts,
    minutes=st.integers(-1439, 1439),
    moment=st.datetimes(datetime(1900, 1, 1), datetime(2200, 1, 1)),  # noqa: DTZ001 -- placed below
)
@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
async def test_any_text_is_read_back_and_moments_of_any_zone_as_utc(
    db: Store, notation: str, minutes: int, moment: datetime
) -> None:
    local = moment.replace(tzinfo=timezone(timedelta(minutes=minutes)))
    async with db.write() as tx:
        number = await people.match(tx)
        await match_log.append(tx, number, [Entry(1, None, notation, local)])
        (entry,) = await match_log.read(tx, number)
    assert entry.notation == notation
    assert entry.made_at == local
    assert entry.made_at.tzinfo is UTC or entry.made_at.utcoffset() == timedelta(0)


async def test_a_moment_without_a_time_zone_is_refused(db: Store) -> None:
    naive = datetime(2026, 1, 1)  # noqa: DTZ001 -- the point of the test
    with pytest.raises(Exception, match="time zone"):
        async with db.write() as tx:
            await match_log.append(tx, await people.match(tx), [Entry(1, None, "*1", naive)])


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
