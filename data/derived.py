"""All that follows from results, taken together: made somebody else's, forgotten, compared."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, delete, select, text, update

from data import crowd, results, stale
from data import tables as t
from data.ratings import Stand

if TYPE_CHECKING:
    from data.transaction import Transaction

_GAMES = (
    select(t.records.c.game)
    .where(t.records.c.user_id == bindparam("who"))
    .distinct()
    .order_by(t.records.c.game)
)
_RATINGS = select(t.ratings).where(t.ratings.c.user_id == bindparam("who"))
_MET = select(t.rivals.c.rival_id, t.rivals.c.scope, t.rivals.c.game).where(
    t.rivals.c.user_id == bindparam("who")
)
_MIRRORED = (
    update(t.rivals)
    .where(
        t.rivals.c.user_id == bindparam("met"),
        t.rivals.c.scope == bindparam("at_scope"),
        t.rivals.c.rival_id == bindparam("who"),
        t.rivals.c.game == bindparam("of_game"),
    )
    .values(rival_id=bindparam("instead"))
)
_OWN = tuple(
    update(table).where(table.c.user_id == bindparam("who")).values(user_id=bindparam("instead"))
    for table in (t.records, t.rivals, t.changes, t.ratings)
)
_COMPUTED = (t.changes, t.ratings, t.crowd, t.sides)
_COUNTED = (t.records, t.rivals)


async def lock(tx: Transaction, user_id: int) -> tuple[str, ...]:
    """Take the locks of all games that a player has results of, and return those games.

    Whoever changes more of a player takes them before anything else, in this order.
    """
    games = tuple(row.game for row in await tx.rows(_GAMES, {"who": user_id}))
    for game in games:
        await results.lock(tx, game)
    return games


async def rename(tx: Transaction, user_id: int, stranger: int) -> None:
    """Put a stranger in somebody's place, and let them be counted in no crowd.

    The ratings of opponents stay as they are: whom they have met they have met, under any number.
    """
    who = {"who": user_id}
    games = await lock(tx, user_id)
    for game in games:
        # Who is computing ratings of these games has read the old number.
        await stale.touch(tx, game)
    for row in await tx.rows(_RATINGS, who):
        place = Stand(*row).counted
        if place is not None:
            await crowd.move(tx, row.game, {place: -1})
    mirrored = [
        {"met": row.rival_id, "at_scope": row.scope, "of_game": row.game, "instead": stranger} | who
        for row in await tx.rows(_MET, who)
    ]
    if mirrored:
        await tx.run(_MIRRORED, mirrored)
    for statement in _OWN:
        await tx.run(statement, who | {"instead": stranger})


async def clear(tx: Transaction) -> None:
    """Forget all ratings; the results stay, and what does not depend on their order."""
    for table in _COMPUTED:
        if tx.dialect == "postgresql":
            await tx.run(text(f"TRUNCATE {table.name}"))
        else:
            await tx.run(delete(table))


async def everything(tx: Transaction) -> dict[str, list[Any]]:
    """Return all that follows from the results, for comparison: sorted, row by row."""
    found = {}
    for table in (*_COMPUTED, *_COUNTED):
        ordered = select(table).order_by(*table.primary_key.columns)
        found[table.name] = [tuple(row) for row in await tx.rows(ordered)]
    return found
