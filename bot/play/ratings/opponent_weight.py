"""How much a game counts, by how many others the opponent has met.

A rating places someone among all players only as far as their opponents have been compared with
others. Accounts made to lose to one player have met hardly anyone else: the unproven part of a game
against them counts like a draw against an average beginner. `bench/farming.py` measures the effect.
"""

from __future__ import annotations

from typing import Final

FULL: Final = 14
"""The number of people met, the player included, from which an opponent counts in full."""
MIN_WEIGHT: Final = 1 / 16
"""The minimum a game counts, so two friends who play only each other see who is ahead."""


def share(others: int) -> float:
    """Return how much a game counts, 0 to 1, if the opponent has met ``others`` other people."""
    return max(MIN_WEIGHT, min(1.0, (others + 1) / FULL) ** 2)
