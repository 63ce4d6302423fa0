"""Computing all ratings again from the results: after a change of the formula, or to make sure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bot.ratings import rows
from bot.ratings.book import Book
from bot.ratings.counting import counts
from bot.ratings.gate import GAMES, OPPONENTS
from bot.ratings.mathematics import FORMULA
from data import matches, notes, ratings, results

if TYPE_CHECKING:
    from data.store import Store, Transaction

NOTE: Final = "ratings"
"""The note that tells by which formula the ratings in the store were computed."""
_AT_ONCE: Final = 2_000


async def everything(store: Store) -> int:
    """Compute all ratings again in one transaction; return how many results there are."""
    async with store.write() as tx:
        return await everything_in(tx)


async def where_outdated(store: Store) -> int | None:
    """Compute all ratings again where another formula made them; return how many results."""
    async with store.read() as tx:
        if await notes.get(tx, NOTE) == FORMULA:
            return None
    return await everything(store)


async def everything_in(tx: Transaction) -> int:
    """Find the results that count in the matches, and rate them all again."""
    missing = [
        match for number in await results.missing(tx) if (match := await matches.get(tx, number))
    ]
    games = sorted({*await results.games(tx), *(match.game for match in missing)})
    for slug in games:
        await results.lock(tx, slug)
    await results.remove_void(tx)
    for match in missing:
        if match.finished_at is not None and await counts(tx, match):
            await results.add(
                tx, match.id, game=match.game, guild_id=match.guild_id, at=match.finished_at
            )
    for slug in games:
        await game(tx, slug)
    await notes.set(tx, NOTE, FORMULA)
    return await results.count(tx)


async def game(tx: Transaction, slug: str) -> None:
    """Rate all results of a game again, whose lock this transaction holds."""
    await ratings.clear(tx, slug)
    book = Book()
    known = 0
    while part := await results.part(tx, slug, after=known, most=_AT_ONCE):
        changes = [change for stored in part for change in book.enter(rows.result_of(stored))]
        await rows.write_changes(tx, slug, changes)
        await rows.write_meetings(tx, slug, rows.meetings(changes))
        known = part[-1].id
    await rows.write_standings(tx, slug, book)
    await ratings.settle(tx, slug, None, games=GAMES, opponents=OPPONENTS)
