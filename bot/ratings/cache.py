"""A book that is read from the store as far as it is needed, up to a result."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bot.ratings import rows
from bot.ratings.book import Book, lately
from data import ratings, sides

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from bot.ratings.book import Entered, Pair, Result
    from data.store import Transaction

_MOST_KNOWN: Final = 400_000
"""How many tallies are kept in memory at most, from one slice of results to the next."""


class Shelf:
    """The book of a game as it was before a result, and the results that are entered from there.

    What is entered has to be written before more is read: what the book knows is what the store
    says of the results before `next_id`.
    """

    def __init__(self, game: str, next_id: int) -> None:
        """Begin before a result."""
        self.book = Book()
        self.next_id = next_id
        """The number from which on results are to be entered."""
        self._game = game
        # Before all results nothing is known, and nothing need be read.
        self._everybody = self._begun = next_id == 0
        self._people: set[int] = set()
        self._pairs: set[Pair] = set()
        self._scopes: set[int] = set()
        self._first: datetime | None = None

    def enter(self, part: Sequence[Result]) -> list[Entered]:
        """Enter results, all of which were fetched."""
        entered = [self.book.enter(result) for result in part]
        if part:
            self.next_id = part[-1].id + 1
        return entered

    async def fetch(self, tx: Transaction, part: Sequence[Result]) -> None:
        """Read what must be known to enter some results, the next ones."""
        if len(self.book.tallies) > _MOST_KNOWN:
            # All of it is written, so it can be read again.
            self.book.tallies.clear()
            self._people.clear()
            self._everybody = False
        await self.know(tx, {player.user_id for result in part for player in result.players})
        if self._begun:
            return
        for result in part:
            await self._know_pairs(tx, result)
            if result.unequal:
                await self._know_sides(tx, result.scopes)

    async def know(self, tx: Transaction, people: Iterable[int]) -> None:
        """Read how some players stood."""
        if self._everybody:
            return
        new = set(people) - self._people
        self._people |= new
        for key, row in (await ratings.before(tx, self._game, new, self.next_id)).items():
            self.book.tallies[key] = rows.tally_of(row)

    async def _know_pairs(self, tx: Transaction, result: Result) -> None:
        self._first = self._first or result.at
        since = lately(result.at)
        if since >= self._first:
            return  # all that matters has been entered here
        for pair in result.pairs:
            if pair not in self._pairs:
                self._pairs.add(pair)
                self.book.met(
                    pair,
                    *await ratings.met(tx, self._game, pair, since=since, before=self.next_id),
                )

    async def _know_sides(self, tx: Transaction, scopes: Iterable[int]) -> None:
        for scope in scopes:
            if scope not in self._scopes:
                self._scopes.add(scope)
                for side in await sides.before(tx, self._game, scope, self.next_id):
                    self.book.sides[scope, side.seat] = rows.side_of(side)
