"""Rating a match in the transaction that ends it, and taking that back where it is voided."""

from __future__ import annotations

from heapq import heappop, heappush
from typing import TYPE_CHECKING

from bot.ratings import recomputing, rows
from bot.ratings.book import Book, Change, Result, lately
from bot.ratings.counting import counts, unequal
from bot.ratings.rows import result_of
from data import matches, ratings, results

if TYPE_CHECKING:
    from collections.abc import Sequence

    from data.store import Transaction


async def rate(tx: Transaction, match_id: int) -> bool:
    """Rate a match that this transaction has ended; return whether it counts."""
    match = await matches.get(tx, match_id)
    if match is None or match.finished_at is None or not await counts(tx, match):
        return False
    await results.lock(tx, match.game)
    number = await results.add(
        tx, match_id, game=match.game, guild_id=match.guild_id, at=match.finished_at
    )
    result = result_of(await results.get(tx, number))
    pages = _Pages(tx, match.game)
    await pages.open_at_end(result)
    changes = pages.book.enter(result)
    await rows.save(tx, match.game, pages.book, changes)
    return True


async def unrate(tx: Transaction, match_id: int) -> None:
    """Compute anew what followed from a match that this transaction has voided."""
    stored = await results.of_match(tx, match_id)
    if stored is None:
        return
    await results.lock(tx, stored.game)
    if unequal(stored.game, stored.options):
        # What was learnt of the sides has gone into everything since.
        await results.remove(tx, stored.id)
        await recomputing.game(tx, stored.game)
        return
    pages = _Pages(tx, stored.game)
    wrong = list(await ratings.of_results(tx, [stored.id]))
    scopes = sorted({row.scope for row in wrong})
    people = [player.user_id for player in stored.players]
    for user_id in people:
        await pages.open_before(user_id, scopes, stored.id)
    await results.remove(tx, stored.id)
    changes = await pages.enter_all()
    wrong += await ratings.of_results(tx, sorted({change.result_id for change in changes}))
    await rows.save(tx, stored.game, pages.book, changes, wrong=wrong)


class _Pages:
    """A book that is read from the store as far as it is needed."""

    def __init__(self, tx: Transaction, game: str) -> None:
        self._tx = tx
        self._game = game
        self.book = Book()
        self._people: set[int] = set()
        self._places: set[tuple[int, int]] = set()
        self._pairs: set[tuple[int, int]] = set()
        self._to_enter: list[int] = []
        self._sides = False

    async def open_at_end(self, result: Result) -> None:
        """Read what must be known to enter the newest result of all."""
        people = [player.user_id for player in result.players]
        for row in await ratings.of(self._tx, self._game, result.scopes, people):
            self.book.tallies[row.scope, row.user_id] = rows.tally_of(row)
        await self._open_pairs(result)
        await self._open_sides(result)

    async def open_before(self, user_id: int, scopes: Sequence[int], result_id: int) -> None:
        """Read how a player stood before a result, and which later ones are to be entered."""
        for scope in scopes:
            if (scope, user_id) in self._places:
                continue
            self._places.add((scope, user_id))
            row = await ratings.before(self._tx, self._game, scope, user_id, result_id)
            self.book.tallies[scope, user_id] = rows.tally_of(row)
        if user_id not in self._people:
            self._people.add(user_id)
            for number in await results.later(self._tx, self._game, user_id, result_id):
                heappush(self._to_enter, number)

    async def enter_all(self) -> list[Change]:
        """Enter what is to be entered again, and whatever follows from that."""
        changes: list[Change] = []
        entered = 0
        while self._to_enter:
            number = heappop(self._to_enter)
            if number == entered:  # both who met there have asked for it
                continue
            entered = number
            result = result_of(await results.get(self._tx, number))
            for player in result.players:
                await self.open_before(player.user_id, result.scopes, number)
            await self._open_pairs(result)
            await self._open_sides(result)
            changes += self.book.enter(result)
        return changes

    async def _open_pairs(self, result: Result) -> None:
        for pair in result.pairs:
            if pair in self._pairs:
                continue
            self._pairs.add(pair)
            since = lately(result.at)
            self.book.met[pair].extend(
                await ratings.met(self._tx, self._game, pair, since=since, before=result.id)
            )

    async def _open_sides(self, result: Result) -> None:
        if result.unequal:
            for row in await ratings.sides_of(self._tx, self._game, result.scopes):
                self.book.sides[row.scope, row.seat] = rows.side_of(row)
