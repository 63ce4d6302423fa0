"""Whether a match has begun in earnest: what has hardly begun is void, not lost, and not rated."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from data import matches

if TYPE_CHECKING:
    from data.matches import Match
    from data.store import Transaction

HARDLY_BEGUN: Final = 2
"""A match in which some seat has made fewer moves than this has hardly begun."""


async def hardly_begun(tx: Transaction, match: Match) -> bool:
    """Return whether a player has made fewer than two moves."""
    made = await matches.decisions(tx, match.id)
    return any(made.get(player.seat, 0) < HARDLY_BEGUN for player in match.players)
