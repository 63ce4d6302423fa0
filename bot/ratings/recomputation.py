"""Computing ratings again from the results, beside a bot that goes on.

A game whose ratings may be wrong is marked in the store, with the result from which on they may
be. From there the results are entered into a book again, slice by slice: a slice is read, entered
in a thread and written in a short transaction, which moves the mark on. Then everybody concerned
is let stand where that has led; and what has come meanwhile is entered in the last transaction,
which takes the mark away.

All that is known between two slices is in the store. So whoever is stopped, or finds that more has
become wrong meanwhile, begins again from the mark, and what comes of it is the same.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Final

from bot.ratings import rows
from bot.ratings.book import NOTHING
from bot.ratings.cache import Shelf
from data import ratings, results, sides, stale
from data.ratings import Key

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bot.ratings.book import Entered, Result
    from data.ratings import Changed
    from data.stale import Mark
    from data.store import Store, Transaction

SLICE: Final = 400
"""How many results are entered at once, beside a bot that goes on."""
_FEW: Final = 40
"""How many results are left at most for the last transaction."""


class _Outdated(Exception):
    """More has become wrong meanwhile: what was read is worth nothing any more."""


class Recomputation:
    """Computing the ratings of one game again."""

    def __init__(
        self, store: Store, game: str, *, size: int = SLICE, cleared: bool = False
    ) -> None:
        """Work on a store.

        Args:
            store: where the results are.
            game: which game.
            size: how many results are entered at once.
            cleared: whether nothing at all is stored that follows from them.

        """
        self._store = store
        self._game = game
        self._size = size
        self._cleared = cleared

    async def run(self) -> None:
        """Compute what is marked, until nothing is."""
        while (mark := await self._store.read_at_once(self._mark)) is not None:
            with suppress(_Outdated):
                await self._work(mark)

    async def _work(self, mark: Mark) -> None:
        shelf = Shelf(self._game, mark.next_id)
        touched = await self._touched(mark)
        done = False
        while not done:
            while part := await self._next(mark, shelf):
                entered = await asyncio.to_thread(shelf.enter, part)
                touched.update(key for one in entered for key in one.keys)
                known = await self._known(part)
                await self._store.at_once(partial(self._write, mark, shelf, entered, known))
            keys = sorted(touched, key=lambda key: (key[1], key[0]))
            for first in range(0, len(keys), self._size):
                some = keys[first : first + self._size]
                await self._store.at_once(partial(self._stand, mark, shelf, some))
            touched.clear()
            done = await self._store.at_once(partial(self._end, mark, shelf))

    async def _touched(self, mark: Mark) -> set[Key]:
        """Return whom the results concern whose changes are right again already."""
        first, found = mark.since_id, set[Key]()

        async def read(tx: Transaction) -> int:
            part = await results.part(tx, self._game, first=first, most=self._size)
            numbers = [one.id for one in part if one.id < mark.next_id]
            found.update(await ratings.touched(tx, numbers))
            return numbers[-1] + 1 if numbers else mark.next_id

        while first < mark.next_id:
            first = await self._store.read_at_once(read)
        return found

    async def _next(self, mark: Mark, shelf: Shelf) -> tuple[Result, ...]:
        """Return the next slice with all that must be known of it; empty where few are left."""

        async def read(tx: Transaction) -> tuple[Result, ...]:
            await self._check(tx, mark)
            part = await results.part(tx, self._game, first=shelf.next_id, most=self._size)
            if len(part) <= min(_FEW, self._size // 2):
                return ()
            found = tuple(rows.result_of(one) for one in part)
            await shelf.fetch(tx, found)
            return found

        return await self._store.read_at_once(read)

    async def _known(self, part: Sequence[Result]) -> Mapping[tuple[int, int, int], Changed]:
        """Return what the store says that some results have changed."""
        if self._cleared:
            return {}
        numbers = [result.id for result in part]
        return await self._store.read_at_once(lambda tx: ratings.of_results(tx, numbers))

    async def _write(
        self,
        mark: Mark,
        shelf: Shelf,
        entered: Sequence[Entered],
        known: Mapping[tuple[int, int, int], Changed],
        tx: Transaction,
    ) -> None:
        """Write what some results have changed, as far as the store says otherwise."""
        await results.lock(tx, self._game)
        await self._check(tx, mark)
        changed = [row for one in entered for row in rows.changed(self._game, one)]
        await ratings.change(
            tx,
            sorted(
                row for row in changed if known.get((row.user_id, row.scope, row.result_id)) != row
            ),
        )
        numbers = [one.result.id for one in entered if one.result.unequal]
        learnt = [row for one in entered for row in rows.learnt(self._game, one)]
        await sides.learn(tx, numbers, learnt)
        await stale.advance(tx, self._game, shelf.next_id)

    async def _stand(self, mark: Mark, shelf: Shelf, keys: Sequence[Key], tx: Transaction) -> None:
        """Let some players stand where the results up to here have led."""
        await results.lock(tx, self._game)
        await self._check(tx, mark)
        await shelf.know(tx, {user_id for _, user_id in keys})
        tallies = shelf.book.tallies
        await rows.stand(tx, self._game, {key: tallies.get(key, NOTHING) for key in keys})

    async def _end(self, mark: Mark, shelf: Shelf, tx: Transaction) -> bool:
        """Enter what is left and take the mark away, unless too much has come meanwhile."""
        await results.lock(tx, self._game)
        await self._check(tx, mark)
        left = await results.part(tx, self._game, first=shelf.next_id, most=self._size)
        if len(left) > min(_FEW, self._size // 2):
            return False
        part = tuple(rows.result_of(one) for one in left)
        await shelf.fetch(tx, part)
        entered = shelf.enter(part)
        await self._write(mark, shelf, entered, {}, tx)
        keys = {key for one in entered for key in one.keys}
        await self._stand(mark, shelf, sorted(keys), tx)
        await stale.clear(tx, self._game)
        return True

    async def _mark(self, tx: Transaction) -> Mark | None:
        return await stale.of(tx, self._game)

    async def _check(self, tx: Transaction, mark: Mark) -> None:
        now = await stale.of(tx, self._game)
        if now is None or now.version != mark.version:
            raise _Outdated
