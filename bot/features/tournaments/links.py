"""Links to the boards of a tournament's games."""

from __future__ import annotations

from collections.abc import Iterable

from bot.play.matches.jobs import board_link
from data.matches import matches
from data.store.store import Transaction
from data.tournaments.tournament_rounds import Pairing


async def of(tx: Transaction, pairings: Iterable[Pairing]) -> dict[int, str]:
    """Return the board addresses of some pairings, by match, where there are any."""
    found = {}
    for one in pairings:
        for game in one.games:
            match = None if game.match_id is None else await matches.get(tx, game.match_id)
            link = None if match is None else await board_link(tx, match)
            if match is not None and link is not None:
                found[match.id] = link
    return found
