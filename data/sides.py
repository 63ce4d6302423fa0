"""What was learnt of the sides of games whose sides are unequal, after each rated result."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from sqlalchemy import bindparam, delete, insert, select

from data.tables import sides

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from data.transaction import Transaction


class Learnt(NamedTuple):
    """What was known of a side in one scope after a result: a row of the table."""

    scope: int
    game: str
    seat: int
    result_id: int
    mu: float
    sigma: float
    games: int
    won: int
    drawn: int


_AFTER_ALL: Final = 2**63 - 1
_LAST = (
    select(sides)
    .where(
        sides.c.scope == bindparam("at_scope"),
        sides.c.game == bindparam("of_game"),
        sides.c.seat == bindparam("at_seat"),
        sides.c.result_id < bindparam("until"),
    )
    .order_by(sides.c.result_id.desc())
    .limit(1)
)
_REMOVE = delete(sides).where(sides.c.result_id == bindparam("number"))
_ADD = insert(sides)


async def before(
    tx: Transaction, game: str, scope: int, result_id: int = _AFTER_ALL
) -> tuple[Learnt, ...]:
    """Return what was known of the sides of a game before a result, in the order of the seats.

    Nothing is known of any before the first one.
    """
    found: list[Learnt] = []
    while True:
        values = {
            "at_scope": scope,
            "of_game": game,
            "at_seat": len(found),
            "until": result_id,
        }
        row = await tx.row(_LAST, values)
        if row is None:
            return tuple(found)
        found.append(Learnt(*row))


async def learn(tx: Transaction, result_ids: Iterable[int], learnt: Sequence[Learnt]) -> None:
    """Record what some results have taught, in place of what was recorded of them before."""
    gone = [{"number": number} for number in result_ids]
    if gone:
        await tx.run(_REMOVE, gone)
    if learnt:
        await tx.run(_ADD, [row._asdict() for row in learnt])
