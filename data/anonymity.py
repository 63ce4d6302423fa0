"""Players who have their data deleted are replaced in what follows from results.

Everything else of theirs is up to `data.privacy`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, select, update

from data import outdated_ratings, ratings, results
from data import tables as t

if TYPE_CHECKING:
    from data.transaction import Transaction

_ME: Any = bindparam("who")
_GAMES = (
    select(t.scores.c.game).where(t.scores.c.user_id == _ME).distinct().order_by(t.scores.c.game)
)
_MET = select(t.rivals.c.rival_id).where(t.rivals.c.user_id == _ME)
_OF_RIVALS = (
    update(t.rivals)
    .where(t.rivals.c.user_id.in_(_MET), t.rivals.c.rival_id == _ME)
    .values(rival_id=bindparam("instead"))
)
_OWN = tuple(
    update(table).where(table.c.user_id == _ME).values(user_id=bindparam("instead"))
    for table in (t.scores, t.rivals, t.rating_changes)
)


async def lock(tx: Transaction, user_id: int) -> tuple[str, ...]:
    """Take the locks of all games that a player has results of, and return those games.

    A transaction that changes more of a player takes them before anything else, in this order.
    """
    games = tuple(row.game for row in await tx.rows(_GAMES, {"who": user_id}))
    for game in games:
        await results.lock(tx, game)
    return games


async def anonymise(tx: Transaction, user_id: int, stranger: int) -> None:
    """Replace a player by a stranger, whom no leaderboard shows.

    The scores and ratings of opponents stay as they are.
    """
    for game in await lock(tx, user_id):
        await outdated_ratings.restart(tx, game)  # it has read the old number
        own = await ratings.of_players(tx, game, [user_id])
        renamed = {
            (rating.scope, stranger): rating._replace(user_id=stranger) for rating in own.values()
        }
        await ratings.put(tx, game, dict.fromkeys(own) | renamed)
    for statement in (_OF_RIVALS, *_OWN):
        await tx.run(statement, {"who": user_id, "instead": stranger})
