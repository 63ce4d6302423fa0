"""Records that players brought along: kept, bounded, forgotten."""

from __future__ import annotations

from typing import TYPE_CHECKING

from data import imported_records, privacy
from tests.data.people import ANN, BEN, NOW

if TYPE_CHECKING:
    from data.store import Store


async def test_a_record_comes_back_as_it_was_brought(db: Store) -> None:
    text = '[Record "1"]\n\n1. *3 ☃\n'
    async with db.write() as tx:
        number, dropped = await imported_records.add(tx, ANN, text, NOW)
    assert dropped == 0
    async with db.read() as tx:
        assert await imported_records.get(tx, number) == imported_records.ImportedRecord(
            number, ANN, NOW, text
        )
        assert await imported_records.get(tx, number + 1) is None


async def test_the_very_same_record_is_kept_once_for_each_player(db: Store) -> None:
    async with db.write() as tx:
        first, _ = await imported_records.add(tx, ANN, "one", NOW)
        again, _ = await imported_records.add(tx, ANN, "one", NOW)
        other, _ = await imported_records.add(tx, BEN, "one", NOW)
        assert first == again != other
        assert [one.id for one in await imported_records.of_player(tx, ANN)] == [first]


async def test_what_was_found_out_is_kept_with_the_record_as_long_as_it_is_there(db: Store) -> None:
    async with db.write() as tx:
        number, _ = await imported_records.add(tx, ANN, "one", NOW)
        assert await imported_records.analysis(tx, number) is None
        assert await imported_records.put_analysis(tx, number, {"values": [[0.5, 0.5]]})
    async with db.write() as tx:
        assert await imported_records.analysis(tx, number) == {"values": [[0.5, 0.5]]}
        again, _ = await imported_records.add(tx, ANN, "one", NOW)
        assert again == number
        await privacy.erase(tx, ANN, -1)
        assert await imported_records.analysis(tx, number) is None
        assert not await imported_records.put_analysis(tx, number, {"values": []})


async def test_the_oldest_record_of_a_player_makes_room(db: Store) -> None:
    async with db.write() as tx:
        await imported_records.add(tx, BEN, "of another", NOW)
        numbers = []
        for index in range(imported_records.MOST + 3):
            number, dropped = await imported_records.add(tx, ANN, f"record {index}", NOW)
            assert dropped == (index >= imported_records.MOST)
            numbers.append(number)
        kept = [one.id for one in await imported_records.of_player(tx, ANN)]
        assert kept == numbers[:2:-1]
        assert len(await imported_records.of_player(tx, BEN)) == 1


async def test_a_player_who_leaves_leaves_no_record(db: Store) -> None:
    async with db.write() as tx:
        await imported_records.add(tx, ANN, "one", NOW)
        await imported_records.add(tx, BEN, "two", NOW)
        await privacy.erase(tx, ANN, -1)
        assert await imported_records.of_player(tx, ANN) == ()
        assert len(await imported_records.of_player(tx, BEN)) == 1
