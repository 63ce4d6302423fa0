"""Counting and rating a match in the transaction that ends it, and taking that back."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from bot.ratings import rows
from bot.ratings.book import Book, lately
from bot.ratings.counting import counts
from bot.ratings.pace import pace
from data import counts as tables
from data import matches, ratings, results, sides, stale, verdicts

if TYPE_CHECKING:
    from data.match import Match
    from data.results import Stored
    from data.store import Transaction


async def rate(tx: Transaction, match_id: int) -> bool:
    """Count the result of a match that this transaction has ended; return whether it is rated."""
    match = await matches.get(tx, match_id)
    if match is None or any(player.rank is None for player in match.players):
        return False
    await results.lock(tx, match.game)
    stored = await count(tx, match)
    if stored.rated:
        await _enter(tx, stored)
    return stored.rated


async def count(tx: Transaction, match: Match) -> Stored:
    """Record the result of a match that has ended, and count it; return it.

    The lock of its game is held. Rating it is another matter.
    """
    assert match.finished_at is not None, "what has a result has ended"
    stored = await results.add(
        tx,
        match,
        at=match.finished_at,
        rated=await counts(tx, match),
        pace=pace(await matches.log(tx, match.id), match.created_at),
    )
    await tables.count(tx, stored)
    return stored


async def lock(tx: Transaction, match_id: int) -> None:
    """Keep everybody else from changing a match and the results of its game."""
    match = await matches.get(tx, match_id)
    if match is not None:
        await results.lock(tx, match.game)
        await matches.lock(tx, match_id)


async def void(tx: Transaction, match_id: int, *, reason: str, by: int) -> Match | None:
    """Take the result of a match back that has ended, and all that it counted for.

    What followed from it for ratings is marked to be computed again.

    Returns:
        The match as it stands then; ``None`` where it goes on, is void already or never was.

    """
    await lock(tx, match_id)
    stored = await results.of_match(tx, match_id)
    voided = await verdicts.void(tx, match_id, reason=reason, by=by)
    if voided is None or stored is None:
        return voided
    await tables.count(tx, stored, -1)
    await results.remove(tx, match_id)
    if stored.rated:
        await stale.mark(tx, stored.game, stored.id)
        people = [place.user_id for place in stored.players]
        await rows.restore(tx, stored.game, product(stored.scopes, people))
    return voided


async def _enter(tx: Transaction, stored: Stored) -> None:
    """Rate the newest result of a game."""
    game, result, book = stored.game, rows.result_of(stored), Book()
    people = [player.user_id for player in result.players]
    known = await ratings.of(tx, game, people, result.scopes)
    for key in product(result.scopes, people):
        book.tallies[key] = rows.tally_of(known.get(key))
    for pair in result.pairs:
        since = lately(result.at)
        book.met(pair, *await ratings.met(tx, game, pair, since=since, before=result.id))
    if result.unequal:
        for scope in result.scopes:
            for side in await sides.before(tx, game, scope):
                book.sides[scope, side.seat] = rows.side_of(side)
    entered = book.enter(result)
    await ratings.change(tx, rows.changed(game, entered))
    await sides.learn(tx, [], rows.learnt(game, entered))
    await rows.stand(tx, game, book.tallies)
