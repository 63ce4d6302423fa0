"""How much a game against somebody counts, by whom else they have met.

A rating says how strong somebody is among all players only as far as their opponents have been
compared with others. Accounts made to lose to one player have met hardly anybody else: what a game
against them does not prove counts like a draw against an average beginner. `bench/farming.py` shows
what that is worth.
"""

from __future__ import annotations

from typing import Final

FULL: Final = 14
"""An opponent who has met so many people, the player among them, counts in full."""
LEAST: Final = 1 / 16
"""What a game counts at least, so that two friends who only have each other see who is ahead."""


def share(others: int) -> float:
    """Return how much a game counts against somebody who has met so many other people, 0 to 1."""
    return max(LEAST, min(1.0, (others + 1) / FULL) ** 2)
