"""Changes needed in a database restored from a backup, before a bot works on it.

Discord knows more than the backup: buttons with numbers of matches and challenges that the store
would give out again, and boards that show turns the store has not seen. So numbers possibly given
out since are skipped, and every open match restarts at a version above any it may have had.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final

from sqlalchemy import column, func, select, table, text, update

from data.matches.boards import boards
from data.matches.match import matches, moves
from data.matches.outbox import outbox
from data.sql.transaction import Transaction

_FIRST: Final = datetime(2026, 1, 1, tzinfo=UTC)
"""No bot ran before this date."""
_STEP: Final = 10_000
"""Minimum increase of versions per restoration; no match has that many moves."""
_MIN_GAP: Final = 1_000
_GAP_A_DAY: Final = 1_000
_COUNTED: Final = {
    "sqlite": text("SELECT name FROM sqlite_master WHERE sql LIKE '%AUTOINCREMENT%' ORDER BY name"),
    "postgresql": text(
        "SELECT table_name FROM information_schema.columns "
        "WHERE table_schema = current_schema() AND column_name = 'id' "
        "AND column_default LIKE 'nextval%' ORDER BY table_name"
    ),
}
"""Finds the tables that generate numbers."""
_SEQUENCE: Final = text("SELECT seq FROM sqlite_sequence WHERE name = :name")
_ANY_NUMBER: Final = {
    "sqlite": text("SELECT count(*) FROM sqlite_sequence WHERE seq > 0"),
    "postgresql": text(
        "SELECT count(*) FROM pg_sequences "
        "WHERE schemaname = current_schema() AND last_value IS NOT NULL"
    ),
}
_FORGET_SEQUENCE: Final = text("DELETE FROM sqlite_sequence WHERE name = :name")
_SET_SEQUENCE: Final = text("INSERT INTO sqlite_sequence (name, seq) VALUES (:name, :following)")


@dataclass(frozen=True, slots=True)
class Traces:
    """The numbers and versions that a database has given out."""

    numbers: Mapping[str, int] = field(default_factory=dict)
    """The last number of each table."""
    restored: int = 0
    """How far its matches' versions were advanced."""

    def joined(self, other: Traces) -> Traces:
        """Return what two databases have given out together."""
        both = (self.numbers, other.numbers)
        numbers = {name: max(one.get(name, 0) for one in both) for name in {*both[0], *both[1]}}
        return Traces(numbers, max(self.restored, other.restored))


async def last_known(tx: Transaction) -> datetime | None:
    """Return the latest time recorded in a backup; ``None`` if nothing ever happened."""
    moments = [
        await tx.scalar(select(func.max(moment)))
        for moment in (moves.c.made_at, outbox.c.created_at, outbox.c.done_at)
    ]
    return max((moment for moment in moments if moment is not None), default=None)


async def traces(tx: Transaction) -> Traces:
    """Return the numbers and versions that a database has given out."""
    numbers = {}
    for name in await tx.scalars(_COUNTED[tx.dialect]):
        if tx.dialect == "sqlite":
            last = await tx.scalar(_SEQUENCE, {"name": name})
        else:
            last = await tx.scalar(select(func.max(column("id"))).select_from(table(name)))
        numbers[name] = int(last or 0)
    return Traces(numbers, await tx.scalar(select(func.max(matches.c.restored))) or 0)


async def numbers_used(tx: Transaction) -> bool:
    """Return whether any number has been given out or skipped: even an empty database may be restored."""
    return bool(await tx.number(_ANY_NUMBER[tx.dialect]))


async def skip_numbers(
    tx: Transaction, before: Traces, known: datetime | None, now: datetime
) -> None:
    """Skip all numbers that may have been given out since the latest time known in the backup.

    The gap is twice the numbers ever given out, plus a thousand for each day since, plus another
    thousand: if the previous database is lost, the true number is unknown.
    """
    days = 0 if known is None else max(0, (now - known).days)
    least = _MIN_GAP + _GAP_A_DAY * days
    own = await traces(tx)
    for name, last in own.numbers.items():
        following = max(3 * last + least, before.numbers.get(name, 0) + _MIN_GAP)
        values = {"name": name, "following": following}
        if tx.dialect == "sqlite":
            await tx.run(_FORGET_SEQUENCE, values)
            await tx.run(_SET_SEQUENCE, values)
        else:
            sequence = func.pg_get_serial_sequence(name, "id")
            await tx.scalar(select(func.setval(sequence, following)))


async def advance_versions(tx: Transaction, before: Traces, now: datetime) -> dict[int, int]:
    """Advance the versions of all open matches; return the increase for each match.

    The new value counts seconds, as no match makes a move per second for long; so it grows with
    each restoration, even if the same backup is restored twice and nothing else is left.
    """
    own = await traces(tx)
    least = max(before.restored, own.restored) + _STEP
    restored = max(int((now - _FIRST).total_seconds()), least)
    open_ = matches.c.finished_at.is_(None)
    rows = await tx.rows(
        select(matches.c.id, matches.c.restored).where(open_).order_by(matches.c.id)
    )
    step = restored - (
        select(matches.c.restored).where(matches.c.id == boards.c.match_id).scalar_subquery()
    )
    theirs = boards.c.match_id.in_(select(matches.c.id).where(open_))
    await tx.run(update(boards).where(theirs).values(ply=boards.c.ply + step))
    await tx.run(update(matches).where(open_).values(restored=restored))
    return {number: restored - earlier for number, earlier in rows}
