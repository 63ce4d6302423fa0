"""Players' progress in the lessons of each game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from data import courses

if TYPE_CHECKING:
    from data.store import Store


class Courses:
    """Remembers where players left off."""

    def __init__(self, store: Store) -> None:
        """Read and write a store."""
        self._store = store

    async def reached(self, user_id: int, game: str) -> int:
        """Return the page a player has reached, one past the last when done; 0 for none."""
        async with self._store.read() as tx:
            return await courses.page(tx, user_id, game)

    async def reach(self, user_id: int, game: str, page: int) -> None:
        """Store a player's current page, to resume there."""
        async with self._store.write() as tx:
            await courses.put(tx, user_id, game, page)
