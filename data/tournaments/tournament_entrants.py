"""The entrants of tournaments."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, bindparam, delete, func, or_, select, update

from data.sql.columns import by_name
from data.sql.transaction import Transaction
from data.tournaments.tournaments import RESERVE, Entry, entrants

_e = entrants.c
_entry = by_name(Entry, entrants)


async def of(tx: Transaction, tournament_id: int) -> tuple[Entry, ...]:
    """Return a tournament's current and former entrants, in order of joining."""
    these = select(entrants).where(_e.tournament_id == tournament_id)
    return await tx.records(_entry, these.order_by(_e.number))


async def sizes(
    tx: Transaction, tournament_ids: Sequence[int], ended: Collection[int]
) -> list[int]:
    """Return the number of players in each tournament; ended ones count those who left too."""
    counted = or_(_e.left_after.is_(None), _e.tournament_id.in_(ended))
    return await _counts(tx, tournament_ids, _e.joined_round != RESERVE, counted)


async def began(tx: Transaction, tournament_ids: Sequence[int]) -> list[int]:
    """Return the number of players who began each tournament, those who left it since included."""
    stayed = or_(_e.left_after.is_(None), _e.left_after != 0)
    return await _counts(tx, tournament_ids, _e.joined_round == 1, stayed)


async def _counts(
    tx: Transaction, tournament_ids: Sequence[int], *counted: ColumnElement[bool]
) -> list[int]:
    these = _e.tournament_id.in_(tournament_ids), *counted
    statement = select(_e.tournament_id, func.count()).where(*these).group_by(_e.tournament_id)
    known = {row[0]: row[1] for row in await tx.rows(statement)}
    return [known.get(number, 0) for number in tournament_ids]


async def enter(
    tx: Transaction,
    tournament_id: int,
    user_id: int,
    *,
    strength: float,
    at: datetime,
    joined_round: int = 1,
    replaces: int | None = None,
) -> None:
    """Add a new entrant to a tournament that the transaction has locked."""
    last = await tx.number(select(func.max(_e.number)).where(_e.tournament_id == tournament_id))
    new = Entry(
        tournament_id=tournament_id,
        user_id=user_id,
        number=last + 1,
        strength=strength,
        joined_at=at,
        joined_round=joined_round,
        replaces=replaces,
    )
    await tx.add(entrants, new)


async def add(tx: Transaction, complete: Iterable[Entry]) -> None:
    """Add complete entrants."""
    await tx.add(entrants, *complete)


async def remove(tx: Transaction, tournament_id: int, user_id: int) -> bool:
    """Remove an entrant before the first round; return whether they were one."""
    return bool(await tx.run(delete(entrants).where(*_this(tournament_id, user_id))))


async def withdraw(
    tx: Transaction, tournament_id: int, user_id: int, *, after: int, reason: str
) -> bool:
    """Withdraw an entrant after a round; return whether they were active until then."""
    this = update(entrants).where(*_this(tournament_id, user_id), _e.left_after.is_(None))
    return bool(await tx.run(this.values(left_after=after, leave_reason=reason)))


async def take_place(
    tx: Transaction, tournament_id: int, user_id: int, *, of: int, round_no: int
) -> bool:
    """Give another's place to a waiting entrant from a round on; return whether they waited."""
    this = update(entrants).where(*_this(tournament_id, user_id), _e.joined_round == RESERVE)
    return bool(await tx.run(this.values(joined_round=round_no, replaces=of)))


async def set_word(tx: Transaction, tournament_id: int, user_id: int, word: str) -> None:
    """Set what an entrant adds to the throws."""
    await tx.run(update(entrants).where(*_this(tournament_id, user_id)).values(word=word))


async def words(tx: Transaction, tournament_id: int, user_ids: Collection[int]) -> dict[int, str]:
    """Return what some entrants add to the throws, empty for nothing."""
    these = _e.tournament_id == tournament_id, _e.user_id.in_(user_ids)
    return {row[0]: row[1] for row in await tx.rows(select(_e.user_id, _e.word).where(*these))}


async def set_places(
    tx: Transaction, tournament_id: int, places: Iterable[tuple[int, int]]
) -> None:
    """Set the final places of entrants, as pairs of user and place."""
    this = update(entrants).where(
        _e.tournament_id == tournament_id, _e.user_id == bindparam("user")
    )
    rows = [{"user": user_id, "final": place} for user_id, place in places]
    if rows:
        await tx.run(this.values(place=bindparam("final")), rows)


def _this(tournament_id: int, user_id: int) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    return _e.tournament_id == tournament_id, _e.user_id == user_id
