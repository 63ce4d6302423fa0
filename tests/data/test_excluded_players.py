"""Exclusion from rated play applies to one server, is recorded once, and can be lifted."""

from __future__ import annotations

from data.people import exclusions
from data.store.store import Store, Transaction
from tests.data.people import ANN, BEN, CAROL, NOW, SERVER, after


async def test_players_who_are_not_excluded_cannot_be_readmitted(tx: Transaction) -> None:
    assert not await exclusions.readmit(tx, SERVER, ANN)
    assert await exclusions.filter_excluded(tx, SERVER, [ANN, BEN]) == ()
    assert await exclusions.filter_excluded(tx, SERVER, []) == ()
    assert await exclusions.excluded_in(tx, SERVER, limit=5) == ()
    assert await exclusions.count_excluded(tx, SERVER) == 0


async def test_excluding_a_player_twice_keeps_the_first_exclusion(tx: Transaction) -> None:
    assert await exclusions.exclude(tx, SERVER, BEN, by=CAROL, at=NOW)
    assert await exclusions.exclude(tx, SERVER, ANN, by=CAROL, at=after(1))
    assert not await exclusions.exclude(tx, SERVER, BEN, by=ANN, at=after(2))
    assert await exclusions.excluded_in(tx, SERVER, limit=5) == (BEN, ANN)
    assert await exclusions.excluded_in(tx, SERVER, limit=1) == (BEN,)
    assert await exclusions.count_excluded(tx, SERVER) == 2


async def test_exclusion_on_one_server_does_not_affect_another(tx: Transaction) -> None:
    await exclusions.exclude(tx, SERVER, ANN, by=CAROL, at=NOW)
    assert await exclusions.filter_excluded(tx, SERVER, [BEN, ANN]) == (ANN,)
    assert await exclusions.filter_excluded(tx, SERVER - 1, [BEN, ANN]) == ()
    assert not await exclusions.readmit(tx, SERVER - 1, ANN)
    assert await exclusions.readmit(tx, SERVER, ANN)
    assert await exclusions.filter_excluded(tx, SERVER, [BEN, ANN]) == ()


async def test_exclusions_can_be_read_and_written_in_a_single_call(db: Store) -> None:
    async def work(tx: Transaction) -> tuple[int, ...]:
        await exclusions.exclude(tx, SERVER, ANN, by=CAROL, at=NOW)
        return await exclusions.filter_excluded(tx, SERVER, [BEN, ANN])

    assert await db.run_write(work) == (ANN,)
