"""Imports tournaments played elsewhere: FIDE reports and the project's records.

All or nothing: a file is read and checked as a whole, then stored in one transaction. An imported
tournament is over. It can be viewed like any other here but changes no rating and appears on no
profile, as anyone can write such a file.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from bot import hourly_limits
from bot.errors import TooMany
from bot.tournaments import jobs
from bot.tournaments.names import named
from bot.tournaments.reading import read
from bot.tournaments.service import MAX_MADE
from bot.tournaments.standing_rows import places_won
from bot.tournaments.view import stored_pairing, stored_plan
from data import tournament_entrants, tournament_rounds, tournaments
from data.tournament_rounds import Round
from data.tournaments import State
from engine import registry
from engine.phrase import say

if TYPE_CHECKING:
    from bot.scheduling.wall_clock import WallClock
    from bot.tournaments.reading import Played
    from data.store import Store
    from data.tournaments import Terms, Tournament

MAX_IMPORTED: Final = 50
"""Maximum imported tournaments per server."""


class TournamentImports:
    """Stores tournaments from files. Callers check permissions."""

    def __init__(self, store: Store, *, clock: WallClock) -> None:
        """Store them here."""
        self._store = store
        self._clock = clock

    async def add(self, raw: bytes, terms: Terms) -> tuple[Tournament, Played]:
        """Store a tournament, named as in the file unless the terms have a name.

        Raises:
            BadImport: the file can't be imported; the message says why, where, and what to do.
            TooMany: too many imports by this user within an hour, or in this server.

        """
        now = self._clock()
        await hourly_limits.take(self._store, terms.created_by, "tournament", now, MAX_MADE)
        played = await asyncio.to_thread(read, raw, registry.game(terms.game))
        name = named(terms.name) or named(played.title) or registry.game(terms.game).title
        last = max(one.round for one in played.pairings)
        async with self._store.write() as tx:
            await tournaments.serialize(tx, terms.guild_id)
            if await tournaments.imported_in_server(tx, terms.guild_id) >= MAX_IMPORTED:
                raise TooMany(
                    say(
                        "This server already has {number} imported tournaments.",
                        number=MAX_IMPORTED,
                    )
                )
            terms = replace(terms, name=name, plan=stored_plan(played.plan))
            tournament = await tournaments.add(tx, terms, seed=played.seed, at=now, next_at=None)
            places = places_won(played.standings, played.pairings)
            await tournament_entrants.add(
                tx,
                (
                    tournament_entrants.Entrant(
                        tournament.id,
                        one.user_id,
                        number,
                        one.strength,
                        now,
                        one.joined_round,
                        one.left_after,
                        None if one.left_after is None else "left",
                        one.replaces,
                        places.get(one.user_id),
                    )
                    for number, one in enumerate(played.entrants, 1)
                ),
            )
            for number in sorted({one.round for one in played.pairings}):
                of_round = [stored_pairing(one) for one in played.pairings if one.round == number]
                await tournament_rounds.add(
                    tx, Round(tournament.id, number, now, ended_at=now), of_round
                )
            tournament = await tournaments.change(
                tx, tournament, state=State.FINISHED, imported=True, round=last, ended_at=now
            )
            await jobs.show(tx, tournament, now)
        return tournament, played
