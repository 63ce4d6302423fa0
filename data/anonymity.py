"""Players who have their data deleted are replaced in what follows from results.

Everything else of theirs is up to `data.privacy`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select, update

from data import outdated_ratings, ratings, results
from data import tables as t

if TYPE_CHECKING:
    from data.transaction import Transaction


async def lock(tx: Transaction, user_id: int) -> tuple[str, ...]:
    """Take the locks of all games that a player has results of, and return those games.

    A transaction that changes more of a player takes them before anything else, in this order.
    """
    c = t.scores.c
    statement = select(c.game).where(c.user_id == user_id).distinct().order_by(c.game)
    games: tuple[str, ...] = await tx.scalars(statement)
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
    rivals = t.rivals
    met = select(rivals.c.rival_id).where(rivals.c.user_id == user_id)
    of_rivals = (rivals.c.user_id.in_(met)) & (rivals.c.rival_id == user_id)
    await tx.run(update(rivals).where(of_rivals).values(rival_id=stranger))
    for table in (t.scores, rivals, t.rating_changes):
        await tx.run(update(table).where(table.c.user_id == user_id).values(user_id=stranger))
