"""What must change in a database that was restored from a backup, before a bot works on it.

Discord knows more than the backup: messages whose buttons hold numbers of matches and challenges
that the store will give out once more, and boards that show turns that it has not seen. So no
number that may have been given out since is given out again, and every open match begins at a
version above all that it may have had.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sqlalchemy import func, select, text, update

from data import match
from data.schema import metadata
from data.tables import boards, matches, moves, outbox

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from sqlalchemy import Table

    from data.match import Match
    from data.transaction import Transaction

STEP: Final = 10_000
"""How far a restoration puts versions forward; no match has so many moves."""
_LEAST_GAP: Final = 1_000
_GAP_A_DAY: Final = 1_000


async def last_known(tx: Transaction) -> datetime | None:
    """Return the last moment that a backup knows of; ``None`` if nothing ever happened."""
    moments = [
        await tx.scalar(select(func.max(column)))
        for column in (moves.c.made_at, outbox.c.created_at, outbox.c.done_at)
    ]
    return max((moment for moment in moments if moment is not None), default=None)


async def skip_numbers(tx: Transaction, known: datetime | None, now: datetime) -> None:
    """Let no number be given out that may have been given out since the backup.

    Nobody knows how many those were. Skipped are two for each that there ever was, a thousand for
    each day since, and a thousand more.
    """
    days = 0 if known is None else max(0, (now - known).days)
    least = _LEAST_GAP + _GAP_A_DAY * days
    for table in _counted():
        if tx.dialect == "sqlite":
            last = await tx.scalar(
                text("SELECT seq FROM sqlite_sequence WHERE name = :name"), {"name": table.name}
            )
            values = {"name": table.name, "next": 3 * (last or 0) + least}
            await tx.run(text("DELETE FROM sqlite_sequence WHERE name = :name"), values)
            await tx.run(
                text("INSERT INTO sqlite_sequence (name, seq) VALUES (:name, :next)"), values
            )
        else:
            last = await tx.scalar(select(func.max(table.c.id)))
            await tx.scalar(
                select(
                    func.setval(
                        func.pg_get_serial_sequence(table.name, "id"), 3 * (last or 0) + least
                    )
                )
            )


async def put_forward(tx: Transaction) -> tuple[Match, ...]:
    """Put the versions of all open matches forward, and return these matches as they are then.

    What was still to be shown of them is left to what shows them anew.
    """
    open_ = matches.c.finished_at.is_(None)
    numbers = await tx.scalars(select(matches.c.id).where(open_).order_by(matches.c.id))
    await tx.run(update(matches).where(open_).values(restored=matches.c.restored + STEP))
    theirs = select(matches.c.id).where(open_)
    await tx.run(
        update(boards).where(boards.c.match_id.in_(theirs)).values(ply=boards.c.ply + STEP)
    )
    found = [await match.get(tx, number) for number in numbers]
    return tuple(one for one in found if one is not None)


def _counted() -> Iterator[Table]:
    """Yield the tables that give out numbers."""
    for table in metadata.sorted_tables:
        if table.dialect_options["sqlite"]["autoincrement"]:
            yield table
