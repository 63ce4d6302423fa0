"""The transaction for a step of a tournament."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from data import tournaments

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from bot.tournaments.view import TournamentView
    from data.store import Store, Transaction


class ConcurrentChange(Exception):
    """Another process or user changed the tournament first."""


@asynccontextmanager
async def changing(store: Store, view: TournamentView) -> AsyncIterator[Transaction]:
    """Open a transaction to change a tournament.

    Raises:
        ConcurrentChange: it is no longer as seen.

    """
    async with store.write() as tx:
        tournament = await tournaments.lock(tx, view.id)
        if tournament is None or tournament.version != view.tournament.version:
            raise ConcurrentChange
        yield tx
