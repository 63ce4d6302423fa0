"""Records imported by players: kept, limited, forgotten."""

from __future__ import annotations

from data import privacy
from data.people import limits
from data.puzzles import imported_records
from data.store.store import Store, Transaction
from tests.data.people import ANN, BEN, NOW, after
from tests.data.schema import everything


async def add(tx: Transaction, user_id: int, text: str) -> tuple[int, int]:
    """Store a record as an import does."""
    luck = {"made": ["say", ["so it is"], {}]}
    return await imported_records.add(tx, user_id, text, NOW, game="tablut", over=True, luck=luck)


async def test_a_record_is_read_as_imported(db: Store) -> None:
    text = '[Record "1"]\n\n1. *3 ☃\n'
    async with db.write() as tx:
        number, dropped = await add(tx, ANN, text)
    assert dropped == 0
    async with db.read() as tx:
        assert await imported_records.get(tx, number) == imported_records.ImportedRecord(
            number, ANN, NOW, text
        )
        assert await imported_records.get(tx, number + 1) is None


async def test_an_identical_record_is_stored_once_per_player(tx: Transaction) -> None:
    first, _ = await add(tx, ANN, "one")
    again, _ = await add(tx, ANN, "one")
    other, _ = await add(tx, BEN, "one")
    assert first == again != other
    assert [one.id for one in await imported_records.titles(tx, ANN)] == [first]


async def test_findings_are_kept_with_their_record(db: Store) -> None:
    async with db.write() as tx:
        number, _ = await add(tx, ANN, "one")
        assert await imported_records.analysis(tx, number) is None
        assert await imported_records.put_analysis(tx, number, {"values": [[0.5, 0.5]]})
    async with db.write() as tx:
        assert await imported_records.analysis(tx, number) == {"values": [[0.5, 0.5]]}
        again, _ = await add(tx, ANN, "one")
        assert again == number
        await privacy.erase(tx, ANN, -1)
        assert await imported_records.analysis(tx, number) is None
        assert not await imported_records.put_analysis(tx, number, {"values": []})


async def test_a_players_oldest_record_makes_room_for_a_new_one(tx: Transaction) -> None:
    await add(tx, BEN, "of another")
    numbers = []
    for index in range(imported_records.MAX_KEPT + 3):
        number, dropped = await add(tx, ANN, f"record {index}")
        assert dropped == (index >= imported_records.MAX_KEPT)
        numbers.append(number)
    kept = [one.id for one in await imported_records.titles(tx, ANN)]
    assert kept == numbers[:2:-1]
    assert len(await imported_records.titles(tx, BEN)) == 1


async def test_lists_of_records_read_columns_not_texts(tx: Transaction) -> None:
    first, _ = await add(tx, ANN, "one")
    second, _ = await add(tx, ANN, "two")
    await add(tx, BEN, "three")
    titles = await imported_records.titles(tx, ANN)
    assert [(one.id, one.at, one.game, one.over) for one in titles] == [
        (second, NOW, "tablut", True),
        (first, NOW, "tablut", True),
    ]
    assert await imported_records.luck(tx, first) == {"made": ["say", ["so it is"], {}]}
    assert await imported_records.luck(tx, 99) is None


async def test_a_deleted_player_is_removed_from_records_imported_by_others(db: Store) -> None:
    text = f'[Id "white={ANN}"]\n[Id "black={ANN}0"]\n[Reason "decided (<@{ANN}> left)"]\n'
    async with db.write() as tx:
        number, _ = await add(tx, BEN, text)
        other, _ = await add(tx, BEN, "nothing of them")
        await privacy.erase(tx, ANN, -1)
        record = await imported_records.get(tx, number)
        assert record is not None
        assert record.record == (
            f'[Id "white=-1"]\n[Id "black={ANN}0"]\n[Reason "decided (<@-1> left)"]\n'
        )
        same = await imported_records.get(tx, other)
        assert same is not None
        assert same.record == "nothing of them"


async def test_uses_within_an_hour_are_counted_per_user_and_kind(tx: Transaction) -> None:
    for _ in range(3):
        assert await limits.take(tx, ANN, "import", after(60), 3) is None
    for moment in (after(60), after(3540)):
        assert await limits.take(tx, ANN, "import", moment, 3) == after(3660)
    assert await limits.take(tx, BEN, "import", after(120), 3) is None
    assert await limits.take(tx, ANN, "other", after(120), 3) is None
    assert await limits.take(tx, ANN, "import", after(3660), 3) is None
    assert await limits.forget_hours(tx, after(7259)) == 2
    assert await limits.first_hour_end(tx) == after(7260)
    assert [row["action"] for row in (await everything(tx, ANN))["hourly_uses"]] == ["import"]
    assert await limits.forget_hours(tx, after(7260)) == 1
    assert await limits.first_hour_end(tx) is None
