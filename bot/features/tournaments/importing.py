"""Imports tournaments played elsewhere: FIDE reports and the project's records.

All or nothing: a file is read and checked as a whole, in a process of its own, then stored in one
short transaction. An imported tournament is over. It can be viewed like any other here but changes
no rating and appears on no profile, as anyone can write such a file.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from bot.core import hourly_limits
from bot.core.errors import TooMany
from bot.core.scheduling.wall_clock import WallClock
from bot.core.workers.fair_queue import Requester
from bot.features.tournaments import checking, showing
from bot.features.tournaments.checking import Checked, ImportPool, named
from bot.features.tournaments.service import MAX_MADE
from data import locks
from data.store.store import Store, Transaction
from data.tournaments import tournament_entrants, tournament_imports, tournaments
from data.tournaments.tournaments import Entrant, State, Terms, Tournament
from engine import registry
from engine.phrase import say

MAX_IMPORTED: Final = 50
"""Maximum imported tournaments per server."""
MAX_IMPORTED_IN_ALL: Final = 2000
"""Maximum imported tournaments of all servers."""
_ALL: Final = 0
"""Serialises imports of all servers, to count them."""


@dataclass(eq=False, repr=False)
class TournamentImports:
    """Stores tournaments from files. Callers check permissions."""

    store: Store
    pool: ImportPool
    clock: WallClock

    async def add(self, raw: bytes, terms: Terms) -> tuple[Tournament, Checked]:
        """Store a tournament, named as in the file unless the terms have a name.

        Raises:
            BadImport: the file can't be imported; the message says why, where, and what to do.
            TooMany: too many imports by this user within an hour, in this server, or in all.

        """
        now = self.clock()
        await hourly_limits.take(self.store, terms.created_by, "tournament", now, MAX_MADE)
        requester = Requester(terms.guild_id, terms.created_by)
        played = await checking.checked(self.pool, raw, terms.game, requester)
        name = named(terms.name) or played.name or registry.game(terms.game).title
        terms = replace(terms, name=name, plan=played.plan)
        async with self.store.write() as tx:
            await _check(tx, terms.guild_id)
            tournament = await tournaments.add(tx, terms, seed=played.seed, at=now, next_at=None)
            entrants = (
                Entrant(
                    tournament.id,
                    number=number,
                    joined_at=now,
                    leave_reason=None if one["left_after"] is None else "left",
                    **one,
                )
                for number, one in enumerate(played.entrants, 1)
            )
            await tournament_entrants.add(tx, entrants)
            await tournament_imports.add(tx, tournament.id, played.pairings)
            tournament = await tournaments.change(
                tx,
                tournament,
                state=State.FINISHED,
                imported=True,
                round=played.round,
                ended_at=now,
            )
            await showing.show(tx, tournament, now)
        return tournament, played


async def _check(tx: Transaction, guild_id: int) -> None:
    """Raise TooMany if a server, or all of them, have too many imported tournaments."""
    await locks.lock_id(tx, _ALL)
    if await tournaments.count_imported(tx, guild_id) >= MAX_IMPORTED:
        raise TooMany(
            say("This server already has {number} imported tournaments.", number=MAX_IMPORTED)
        )
    if await tournaments.count_imported(tx) >= MAX_IMPORTED_IN_ALL:
        raise TooMany(
            say(
                "I already keep {number} imported tournaments of all servers, so there's no room "
                "for more.",
                number=MAX_IMPORTED_IN_ALL,
            )
        )
