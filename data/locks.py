"""The locks that transactions take and hold to their end.

On PostgreSQL, writers run at READ COMMITTED and lock what they decide on, in the statement that
decides; a writer that waited for the lock sees what the other has done. Deadlocks are impossible,
because all writers take locks in this order:

1. users, servers and rematches (`lock_id`), by their ids, then challenges, tournaments and ladders;
2. matches (`lock_match`), in the order of their numbers;
3. the results of games (`lock_results`), in the order of their names;
4. all other rows: those that belong to a match, such as its players and its clock, and those
   derived from results.

Writers that need several locks take them before changing anything else; a move that ends its match
has already locked the match and then locks the results. SQLite has one writer at a time.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from sqlalchemy import bindparam, func, select

from data.matches.match import matches
from data.sql.statements import Prepared
from data.sql.transaction import Transaction

PROGRAM: Final = 0x7461626C616E01
"""The key of the advisory lock that keeps other programs off a PostgreSQL database."""
MIGRATION: Final = 0x7461626C616E
"""The key of the lock for migrating the tables."""
COUNT_OF_SHARDS: Final = 0x7461626C616E02
"""The key of the lock for agreeing on the number of shards."""
SHARDS: Final = 0x74616263
"""The first key of a process's locks on its shards; the second is the shard's number."""
_RESULTS: Final = 20571
"""The first key of the locks on results; the second is a hash of the game."""
_MATCH: Final = Prepared(
    select(matches.c.id).where(matches.c.id == bindparam("match")).with_for_update(key_share=True)
)
_MATCHES: Final = (
    select(matches.c.id)
    .where(matches.c.id.in_(bindparam("these", expanding=True)))
    .order_by(matches.c.id)
    .with_for_update(key_share=True)
)


async def lock_id(tx: Transaction, number: int) -> None:
    """Lock what counts for a user or a server, by its id, or the rematches of match ``-number``."""
    if tx.dialect == "postgresql":
        await tx.row(select(func.pg_advisory_xact_lock(number)))


async def lock_match(tx: Transaction, match_id: int) -> None:
    """Lock a match against changes; rows that refer to it, such as jobs, can still be added."""
    if tx.dialect == "postgresql":
        await tx.rows(_MATCH, {"match": match_id})


async def lock_matches(tx: Transaction, match_ids: Iterable[int]) -> None:
    """Lock matches in the order of their numbers."""
    await tx.rows(_MATCHES, {"these": sorted(set(match_ids))})


async def lock_results(tx: Transaction, game: str) -> None:
    """Lock a game's results: who adds or removes one holds it, so they are rated one by one."""
    if tx.dialect == "postgresql":
        await tx.row(select(func.pg_advisory_xact_lock(_RESULTS, func.hashtext(game))))
