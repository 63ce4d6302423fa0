"""What workers are asked about a match."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any, Final

from bot.matches.computers import is_person
from bot.workers.fair_queue import Whose

if TYPE_CHECKING:
    from bot.matches.positions import MatchView

LIMIT: Final = 12.0
"""So many seconds may a process think about a move, however busy the machine is."""


def position(view: MatchView, log_: list[str]) -> dict[str, Any]:
    """Return a match as workers take it."""
    match = view.match
    return {
        "game": match.game,
        "options": match.options,
        "players": len(match.players),
        "log": log_,
    }


def seed_of(view: MatchView) -> int:
    """Return what a computer's own luck at a turn comes from: the same after every restart."""
    told = hashlib.sha256(view.match.seed + f"computer {view.version}".encode()).digest()
    return int.from_bytes(told[:8])


def whose(view: MatchView) -> Whose:
    """Return for whom is thought about a match."""
    people = [p.user_id for p in view.match.players if is_person(p.user_id)]
    return Whose(view.match.guild_id or 0, people[0] if people else 0)
