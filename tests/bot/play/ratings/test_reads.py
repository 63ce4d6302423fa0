"""Rating a result reads a bounded number of rows, by index, however much was played before."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import timedelta
from typing import Any

from sqlalchemy.dialects import sqlite

from bot.play.ratings.calculator import FULL
from data.ratings import rating_changes, scores
from data.sql.transaction import Transaction
from data.store.store import Store
from tests.bot.play.ratings.season import Watched, played
from tests.data.people import ANN, BEN, CAROL, NOW


async def reads(tx: Transaction, one: int, other: int, days: int) -> int:
    """Return how many statements read something when a match of two is played and rated."""
    watched: Any = Watched(tx)
    await played(watched, [one, other], [1, 2], at=NOW + timedelta(days=days))
    return len(watched.read)


async def test_past_opponents_are_read_only_until_a_player_is_established(db: Store) -> None:
    """One read for both, and one for each player who has met too few in the season."""

    async def count(tx: Transaction) -> tuple[int, int, int]:
        early = await reads(tx, ANN, BEN, 0)
        for turn in range(FULL):
            await reads(tx, ANN, 2000 + turn, 1 + turn)
            await reads(tx, BEN, 2000 + turn, 1 + turn)
        return early, await reads(tx, ANN, BEN, 40), await reads(tx, ANN, CAROL, 41)

    early, well_known, newcomer = await db.run_write(count)
    assert newcomer == well_known + 2
    assert early == well_known + 3


async def test_rating_a_result_scans_no_table(sqlite_url: str) -> None:
    store = await Store.open(sqlite_url)
    async with store.write() as tx:
        watched: Any = Watched(tx)
        await scores.met(watched, "nim", [ANN, BEN])
        await rating_changes.meetings(watched, "nim", (ANN, BEN), since=NOW, before=9)
    await store.close()
    with closing(sqlite3.connect(sqlite_url.removeprefix("sqlite:///"))) as bare:
        for statement in watched.read:
            made = statement.compile(
                dialect=sqlite.dialect(), compile_kwargs={"render_postcompile": True}
            )
            unknown = [None] * len(made.positiontup)
            plan = [row[3] for row in bare.execute(f"EXPLAIN QUERY PLAN {made}", unknown)]
            assert plan
            assert not [line for line in plan if line.startswith("SCAN ")], plan
