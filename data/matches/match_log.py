"""The logs of matches. A match *is* its log: no position is stored."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import bindparam, delete, func, select, update

from data.matches import offers
from data.matches.match import Entry, Finished, StalePly, matches, moves
from data.matches.matches import FORGET_CONDITIONAL, get_existing
from data.sql.statements import Prepared, values_of
from data.sql.transaction import Transaction

_READ = (
    select(moves.c.ply, moves.c.actor, moves.c.notation, moves.c.made_at)
    .where(moves.c.match_id == bindparam("match"), moves.c.ply > bindparam("known"))
    .order_by(moves.c.ply)
)
_CHANGE = Prepared(
    update(matches)
    .where(
        matches.c.id == bindparam("match"),
        matches.c.plies == bindparam("known"),
        matches.c.takebacks == bindparam("taken"),
        matches.c.given_up == bindparam("left"),
        matches.c.finished_at.is_(None),
    )
    .values(
        plies=bindparam("then"),
        takebacks=bindparam("taken_then"),
        to_move=bindparam("to_move_then"),
    )
    .returning(offers.ANY_OPEN)
)


async def read(tx: Transaction, match_id: int, *, after: int = 0) -> tuple[Entry, ...]:
    """Return the log of a match, or the part after a ply, in order."""
    return await tx.records(Entry, _READ, {"match": match_id, "known": after})


async def decisions(tx: Transaction, match_id: int, *, after: int = 0) -> dict[int, int]:
    """Return the number of moves by seat, after a ply; seats without a move are omitted."""
    statement = select(moves.c.actor, func.count().label("made")).group_by(moves.c.actor)
    mine = (moves.c.match_id == match_id) & moves.c.actor.is_not(None) & (moves.c.ply > after)
    return {row.actor: row.made for row in await tx.rows(statement.where(mine))}


async def append(
    tx: Transaction,
    match_id: int,
    entries: Sequence[Entry],
    *,
    to_move: int | None = None,
    takebacks: int = 0,
    given_up: int = 0,
) -> None:
    """Append entries to a log, exactly at its end; ``to_move`` is the seat that decides next.

    Of two appends at the same ply, one wins; the other waits and is refused. ``takebacks`` and
    ``given_up`` are those of the `Match` when the entries were chosen: since then a ply may have
    been taken back and replayed, or a computer may have taken over the seat.

    Raises:
        StalePly: the log has grown or a seat was given up since.
        Finished: the match is over.
        LookupError: no match with that number.
        ValueError: the entries are not consecutive.
    """
    if not entries:
        return
    first = entries[0].ply
    if [entry.ply for entry in entries] != list(range(first, first + len(entries))):
        raise ValueError("log entries must be consecutive")
    known = (first - 1, takebacks, given_up)
    last = entries[-1]
    await _change(tx, match_id, known, (last.ply, takebacks, to_move), last.made_at)
    await tx.add(moves, *({"match_id": match_id, **values_of(entry)} for entry in entries))


async def remove_last(
    tx: Transaction,
    match_id: int,
    *,
    ply: int,
    takebacks: int,
    actor: int,
    at: datetime,
    given_up: int = 0,
) -> None:
    """Take a move back: remove the last entry of a log, which a seat made at a ply.

    ``takebacks`` and ``given_up`` are those of the `Match` before the takeback.

    Raises:
        StalePly: the log has changed or a seat was given up since.
        Finished: the match is over.
        LookupError: no match with that number.
        ValueError: the entry is a throw, or another seat's move; do not commit then.
    """
    known, then = (ply, takebacks, given_up), (ply - 1, takebacks + 1, actor)
    await _change(tx, match_id, known, then, at)
    this = (moves.c.match_id == match_id) & (moves.c.ply == ply) & (moves.c.actor == actor)
    if not await tx.run(delete(moves).where(this)):
        raise ValueError("only a seat's own decision can be taken back")
    await tx.run(FORGET_CONDITIONAL, {"match": match_id})


async def _change(
    tx: Transaction,
    match_id: int,
    known: tuple[int, int, int],
    then: tuple[int, int, int | None],
    at: datetime,
) -> None:
    """Change the length of a log, the takebacks and the seat to move; raises as `append` does.

    ``known`` has the expected length, takebacks and seats given up. Open offers lapse with it.
    """
    values = {"match": match_id, "known": known[0], "taken": known[1], "left": known[2]}
    changed = {"then": then[0], "taken_then": then[1], "to_move_then": then[2]}
    offered = await tx.scalar(_CHANGE, values | changed)
    if offered is None:
        match = await get_existing(tx, match_id)
        raise Finished(match) if match.finished else StalePly(match)
    if offered:
        await offers.lapse(tx, match_id, at)
