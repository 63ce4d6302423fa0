"""Links to the boards of a tournament's games."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.matches.links import board
from data import matches

if TYPE_CHECKING:
    from bot.tournaments.view import TournamentView
    from data.store import Transaction


async def of(
    tx: Transaction, view: TournamentView, number: int | None, *, user_id: int | None = None
) -> dict[int, str]:
    """Return board addresses by match, where there are any.

    Args:
        tx: the transaction.
        view: the tournament.
        number: the round; ``None`` for all rounds of a player.
        user_id: that player.

    """
    found = {}
    for one in view.tables:
        if one.round == number if number is not None else user_id in one.players:
            for game in one.games:
                match = None if game.match_id is None else await matches.get(tx, game.match_id)
                link = None if match is None else await board(tx, match)
                if match is not None and link is not None:
                    found[match.id] = link
    return found
