"""Who has won, drawn and lost how often: on which side, and against whom.

These tables run along: a result is added in the transaction that ends its match and taken back in
the one that voids it. In which order that happens makes no difference. `rebuild` computes the same
from the results.

A player who is ranked 1 alone has won, who shares that rank has drawn, everybody else has lost.
Between two players the better rank counts.
"""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import (
    Select,
    and_,
    bindparam,
    case,
    delete,
    func,
    insert,
    literal,
    select,
)

from data.columns import Id
from data.tables import players, records, results, rivals
from data.upserts import upsert

if TYPE_CHECKING:
    from sqlalchemy import Table

    from data.results import Stored
    from data.transaction import Transaction

_AT_ONCE: Final = 10_000
"""How many rows of players are counted again in one transaction, or a little more."""
_RECORD = upsert(records, "won", "drawn", "lost", "moves", "seconds", adding=True)
_RIVAL = upsert(rivals, "games", "rated", "won", "drawn", adding=True)


def _emptied(table: Table, empty: Any) -> Any:
    keys = [column == bindparam(f"key_{column.name}") for column in table.primary_key]
    return delete(table).where(*keys, empty)


_NO_RECORD = _emptied(records, records.c.won + records.c.drawn + records.c.lost == 0)
_NO_RIVAL = _emptied(rivals, rivals.c.games == 0)
_BOUND = (
    select(players.c.user_id)
    .where(players.c.user_id > bindparam("known"))
    .order_by(players.c.user_id)
    .limit(1)
    .offset(_AT_ONCE)
)


async def count(tx: Transaction, result: Stored, times: int = 1) -> None:
    """Add a result, or take it back where ``times`` is -1. The lock of its game is held."""
    ranks = [place.rank for place in result.players]
    shared = ranks.count(1) > 1
    kept, met = [], []
    for scope in result.scopes:
        for place in result.players:
            first = place.rank == 1
            kept.append(
                {
                    "user_id": place.user_id,
                    "scope": scope,
                    "game": result.game,
                    "seat": place.seat,
                    "won": times * (first and not shared),
                    "drawn": times * (first and shared),
                    "lost": times * (not first),
                    "moves": times * place.moves,
                    "seconds": times * place.seconds,
                }
            )
        for one, other in permutations(result.players, 2):
            met.append(
                {
                    "user_id": one.user_id,
                    "scope": scope,
                    "rival_id": other.user_id,
                    "game": result.game,
                    "games": times,
                    "rated": times * result.rated,
                    "won": times * (one.rank < other.rank),
                    "drawn": times * (one.rank == other.rank),
                }
            )
    await tx.run(_RECORD[tx.dialect], kept)
    await tx.run(_RIVAL[tx.dialect], met)
    if times < 0:
        for statement, table, rows in ((_NO_RECORD, records, kept), (_NO_RIVAL, rivals, met)):
            names = [column.name for column in table.primary_key]
            await tx.run(statement, [{f"key_{name}": row[name] for name in names} for row in rows])


async def rebuild(tx: Transaction, known: int | None) -> int | None:
    """Count again for some players; return up to whom, ``None`` when those were the last ones.

    Args:
        tx: the transaction.
        known: what this has returned before; ``None`` at first.

    """
    after = _BEFORE_ALL if known is None else known
    row = await tx.row(_BOUND, {"known": after})
    values = {"known": after, "bound": _AFTER_ALL if row is None else row.user_id}
    for remove, *add in _REBUILD:
        await tx.run(remove, values)
        for computed in add:
            await tx.run(computed, values)
    return None if row is None else int(row.user_id)


_BEFORE_ALL, _AFTER_ALL = -(2**63), 2**63 - 1


def _some(column: Any) -> Any:
    return and_(column > bindparam("known"), column <= bindparam("bound"))


def _times(what: Any) -> Any:
    return func.sum(case((what, 1), else_=0))


def _computed(everywhere: bool) -> tuple[Select[Any], Select[Any]]:  # noqa: FBT001 -- read below
    """Return what the two tables hold of some players, in their servers or in all together."""
    mine, theirs, first = players.alias("mine"), players.alias("theirs"), players.alias("first")
    scope = literal(0, Id) if everywhere else results.c.guild_id
    firsts = (
        select(func.count())
        .where(first.c.match_id == mine.c.match_id, first.c.rank == 1)
        .scalar_subquery()
    )
    here = _some(mine.c.user_id)
    if not everywhere:
        here = and_(here, results.c.guild_id.is_not(None))
    of_results = results.c.id == mine.c.result_id
    keys = (mine.c.user_id, results.c.guild_id) if not everywhere else (mine.c.user_id,)
    recorded = (
        select(
            mine.c.user_id,
            scope,
            results.c.game,
            mine.c.seat,
            _times(and_(mine.c.rank == 1, firsts == 1)),
            _times(and_(mine.c.rank == 1, firsts > 1)),
            _times(mine.c.rank > 1),
            func.sum(mine.c.moves),
            func.sum(mine.c.seconds),
        )
        .join(results, of_results)
        .where(here)
        .group_by(*keys, results.c.game, mine.c.seat)
    )
    met = (
        select(
            mine.c.user_id,
            scope,
            theirs.c.user_id,
            results.c.game,
            func.count(),
            _times(results.c.rated),
            _times(mine.c.rank < theirs.c.rank),
            _times(mine.c.rank == theirs.c.rank),
        )
        .join(results, of_results)
        .join(theirs, and_(theirs.c.match_id == mine.c.match_id, theirs.c.seat != mine.c.seat))
        .where(here)
        .group_by(*keys, theirs.c.user_id, results.c.game)
    )
    return recorded, met


def _again(table: Table, number: int) -> tuple[Any, ...]:
    names = [column.name for column in table.c]
    return (
        delete(table).where(_some(table.c.user_id)),
        *(
            insert(table).from_select(names, _computed(everywhere)[number])
            for everywhere in (True, False)
        ),
    )


_REBUILD = (_again(records, 0), _again(rivals, 1))
