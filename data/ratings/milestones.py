"""What players may reach in matches: the first of a kind, or the best, is a milestone.

That is computed from the rows, so voiding a result removes its milestone and the next best takes
its place.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

import sqlalchemy as sa
from sqlalchemy import and_, exists, select

from data.ratings.rating import results
from data.sql.columns import reference, table
from data.sql.transaction import Transaction

WIN: Final = "win"
"""A win against people, per rule set."""
COMPUTER: Final = "computer"
"""A win against the strongest computer."""
COMEBACK: Final = "comeback"
"""A win from an all but lost position; the amount is its worst chance in percent."""
CHAIN: Final = "chain"
"""Captures in a row; the amount is their number, and the highest counts."""


class Milestone(NamedTuple):
    """What a player reached in a match; a milestone, unless an earlier one equals it."""

    user_id: int
    kind: str
    game: str
    rules: str
    """The rule set; empty where it does not matter."""
    result_id: int
    amount: int = 0


milestones = table(
    "milestones",
    reference("result_id", "results.id"),
    sa.Index("ix_milestones_result_id", "result_id"),
    rows=Milestone,
    key=("user_id", "kind", "game", "rules", "result_id"),
)
"""Deleted with the result of its match."""

_c = milestones.c
_READ: Final = select(milestones)
_before = milestones.alias("before")


async def put(tx: Transaction, new: Iterable[Milestone]) -> None:
    """Store players' milestones."""
    await tx.put(milestones, *new)


async def of_match(tx: Transaction, match_id: int) -> tuple[Milestone, ...]:
    """Return the milestones of a match, which no earlier result of the same player equals."""
    earlier = and_(
        _before.c.user_id == _c.user_id,
        _before.c.kind == _c.kind,
        _before.c.game == _c.game,
        _before.c.rules == _c.rules,
        _before.c.result_id < _c.result_id,
        (_c.kind != CHAIN) | (_before.c.amount >= _c.amount),
    )
    here = select(results.c.id).where(results.c.match_id == match_id)
    found = _READ.where(_c.result_id.in_(here), ~exists().where(earlier))
    return await tx.records(Milestone, found.order_by(_c.user_id, _c.kind))


async def of_player(tx: Transaction, user_id: int) -> tuple[Milestone, ...]:
    """Return the milestones of a player, newest first."""
    found: dict[tuple[str, str, str], Milestone] = {}
    mine = _READ.where(_c.user_id == user_id)
    for kind in (WIN, COMPUTER, COMEBACK, CHAIN):
        order = (_c.amount.desc(), _c.result_id) if kind == CHAIN else (_c.result_id,)
        last = None
        # Each step reads the first row of the next game or rule set, never all rows.
        while True:
            wanted = mine.where(_c.kind == kind)
            if last is not None:
                after = (_c.game > last.game) | ((_c.game == last.game) & (_c.rules > last.rules))
                wanted = wanted.where(after)
            row = await tx.row(wanted.order_by(_c.game, _c.rules, *order).limit(1))
            if row is None:
                break
            last = Milestone(*row)
            found[last.kind, last.game, last.rules] = last
    return tuple(
        sorted(found.values(), key=lambda milestone: (-milestone.result_id, milestone.kind))
    )
