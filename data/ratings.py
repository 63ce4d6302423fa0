"""Where players stand, what each result changed, who met whom: rows in, rows out.

The scope is a server, or 0 for all of them together. What the numbers mean is not known here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import and_, bindparam, delete, func, select, update

from data import results, tables
from data.tables import changes, ratings, rivals, sides
from data.upserts import upsert

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from data.transaction import Record, Transaction, Values

_AT_ONCE: Final = 5_000
"""How many values a statement is given at most: databases do not take any number of them."""


def _but_keys(table: Any, *keys: str) -> list[str]:
    return [column.name for column in table.c if column.name not in keys]


_CHANGE = upsert(changes, *_but_keys(changes, "scope", "game", "user_id", "result_id"))
_STAND = upsert(ratings, *_but_keys(ratings, "scope", "game", "user_id", "opponents", "settled"))
_MEET = upsert(rivals, "games", adding=True)
_SIDE = upsert(sides, *_but_keys(sides, "scope", "game", "seat"))
_NOW = select(ratings).where(
    ratings.c.scope == bindparam("at_scope"),
    ratings.c.game == bindparam("of_game"),
    ratings.c.user_id == bindparam("who"),
)
_SIDES = select(sides).where(
    sides.c.scope == bindparam("at_scope"), sides.c.game == bindparam("of_game")
)
_BEFORE = (
    select(changes)
    .where(
        changes.c.scope == bindparam("at_scope"),
        changes.c.game == bindparam("of_game"),
        changes.c.user_id == bindparam("who"),
        changes.c.result_id < bindparam("until"),
    )
    .order_by(changes.c.result_id.desc())
    .limit(1)
)
_one, _other = changes.alias("one"), changes.alias("other")
_MET = (
    select(_one.c.at)
    .join(
        _other,
        and_(
            _other.c.scope == 0,
            _other.c.game == _one.c.game,
            _other.c.user_id == bindparam("other_one"),
            _other.c.result_id == _one.c.result_id,
        ),
    )
    .where(
        _one.c.scope == 0,
        _one.c.game == bindparam("of_game"),
        _one.c.user_id == bindparam("who"),
        _one.c.result_id < bindparam("until"),
        _one.c.at > bindparam("since", type_=changes.c.at.type),
        _one.c.rated,
    )
    .order_by(_one.c.result_id)
)
_opponents = (
    select(func.count())
    .select_from(rivals)
    .where(
        rivals.c.scope == ratings.c.scope,
        rivals.c.game == ratings.c.game,
        rivals.c.user_id == ratings.c.user_id,
    )
    .scalar_subquery()
)
_SETTLE = update(ratings).values(
    opponents=_opponents,
    settled=and_(
        ratings.c.games >= bindparam("games_wanted"), _opponents >= bindparam("others_wanted")
    ),
)
_SETTLE_SOME = _SETTLE.where(
    ratings.c.scope == bindparam("at_scope"),
    ratings.c.game == bindparam("of_game"),
    ratings.c.user_id == bindparam("who"),
)
_SETTLE_GAME = _SETTLE.where(ratings.c.game == bindparam("of_game"))
_PARTED = delete(rivals).where(
    rivals.c.scope == bindparam("at_scope"),
    rivals.c.game == bindparam("of_game"),
    rivals.c.user_id == bindparam("who"),
    rivals.c.games == 0,
)
_GONE = delete(ratings).where(
    ratings.c.scope == bindparam("at_scope"),
    ratings.c.game == bindparam("of_game"),
    ratings.c.user_id == bindparam("who"),
)
_OF_RESULTS = select(
    changes.c.scope, changes.c.user_id, changes.c.result_id, changes.c.rated
).where(changes.c.result_id.in_(bindparam("wanted", expanding=True)))


async def of(
    tx: Transaction, game: str, scopes: Iterable[int], user_ids: Iterable[int]
) -> Sequence[Record]:
    """Return where players stand in some scopes."""
    people = tuple(user_ids)
    found: list[Record] = []
    for scope in scopes:
        for user_id in people:
            key = {"at_scope": scope, "of_game": game, "who": user_id}
            found += await tx.rows(_NOW, key)
    return found


async def before(
    tx: Transaction, game: str, scope: int, user_id: int, result_id: int
) -> Record | None:
    """Return the last change of a player in a scope that came before a result."""
    values = {"at_scope": scope, "of_game": game, "who": user_id, "until": result_id}
    return await tx.row(_BEFORE, values)


async def met(
    tx: Transaction, game: str, pair: tuple[int, int], *, since: datetime, before: int
) -> tuple[datetime, ...]:
    """Return when two players had rated games since a moment, before a result."""
    one, other = pair
    values = {
        "of_game": game,
        "who": one,
        "other_one": other,
        "since": since,
        "until": before,
    }
    return tuple(row.at for row in await tx.rows(_MET, values))


async def sides_of(tx: Transaction, game: str, scopes: Iterable[int]) -> Sequence[Record]:
    """Return what was learnt of the sides of a game."""
    found: list[Record] = []
    for scope in scopes:
        found += await tx.rows(_SIDES, {"at_scope": scope, "of_game": game})
    return found


async def of_results(tx: Transaction, result_ids: Sequence[int]) -> Sequence[Record]:
    """Return whom some results concerned where, and whether they were rated."""
    found: list[Record] = []
    for first in range(0, len(result_ids), _AT_ONCE):
        part = list(result_ids[first : first + _AT_ONCE])
        found += await tx.rows(_OF_RESULTS, {"wanted": part})
    return found


async def change(tx: Transaction, rows: Sequence[Values]) -> None:
    """Record what results changed, in place of what was recorded of them before."""
    if rows:
        await tx.run(_CHANGE[tx.dialect], rows)


async def stand(tx: Transaction, rows: Sequence[Values]) -> None:
    """Record where players stand; `settle` completes it."""
    if rows:
        whole = [{**row, "opponents": 0, "settled": False} for row in rows]
        await tx.run(_STAND[tx.dialect], whole)


async def fall(tx: Transaction, game: str, keys: Iterable[tuple[int, int]]) -> None:
    """Forget where players stand who have no rated game any more, by scope and player."""
    rows = [{"at_scope": scope, "of_game": game, "who": user} for scope, user in keys]
    if rows:
        await tx.run(_GONE, rows)


async def meet(tx: Transaction, rows: Sequence[Values]) -> None:
    """Add to how often players met; what comes to nothing is forgotten."""
    if not rows:
        return
    await tx.run(_MEET[tx.dialect], rows)
    fewer = {(row["scope"], row["game"], row["user_id"]) for row in rows if row["games"] < 0}
    if fewer:
        await tx.run(
            _PARTED,
            [{"at_scope": s, "of_game": g, "who": user} for s, g, user in sorted(fewer)],
        )


async def settle(
    tx: Transaction,
    game: str,
    keys: Iterable[tuple[int, int]] | None,
    *,
    games: int,
    opponents: int,
) -> None:
    """Count the opponents of players, by scope and player or of all, and say who has settled."""
    wanted = {"of_game": game, "games_wanted": games, "others_wanted": opponents}
    if keys is None:
        await tx.run(_SETTLE_GAME, wanted)
        return
    rows = [{**wanted, "at_scope": scope, "who": user} for scope, user in sorted(keys)]
    if rows:
        await tx.run(_SETTLE_SOME, rows)


async def take_sides(tx: Transaction, rows: Sequence[Values]) -> None:
    """Record what was learnt of sides."""
    if rows:
        await tx.run(_SIDE[tx.dialect], rows)


async def clear(tx: Transaction, game: str) -> None:
    """Forget all that follows from the results of a game."""
    for table in (changes, ratings, rivals, sides):
        await tx.run(delete(table).where(table.c.game == game))


async def rename(tx: Transaction, user_id: int, stranger: int) -> None:
    """Put a stranger in somebody's place, whose matches say so already."""
    t = tables
    played = (
        select(t.matches.c.guild_id, t.matches.c.game)
        .distinct()
        .join(t.players, t.players.c.match_id == t.matches.c.id)
        .where(t.players.c.user_id == stranger)
    )
    where = [(row.guild_id, row.game) for row in await tx.rows(played)]
    for game in sorted({game for _, game in where}):
        await results.lock(tx, game)
        scopes = [0, *(guild for guild, of_game in where if of_game == game and guild)]
        for table in (changes, ratings, rivals):
            mine = table.c.scope.in_(scopes) & (table.c.game == game) & (table.c.user_id == user_id)
            await tx.run(update(table).where(mine).values(user_id=stranger))
    met = rivals.c.rival_id == user_id
    await tx.run(update(rivals).where(met).values(rival_id=stranger))


async def everything(tx: Transaction) -> dict[str, list[Any]]:
    """Return all that follows from the results, for comparison: sorted, row by row."""
    found = {}
    for table in (changes, ratings, rivals, sides):
        ordered = select(table).order_by(*table.primary_key.columns)
        found[table.name] = [tuple(row) for row in await tx.rows(ordered)]
    return found
