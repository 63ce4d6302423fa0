"""Whether advice on positions may be given: not while they are played in a match of people.

Analyses, hints, puzzles and computer opponents ask here, across all processes, as the store knows
which positions are in play (`data.positions_in_play`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bot.errors import NotAllowed
from bot.i18n.slash import slash
from bot.matches.fingerprints import fingerprint
from data import positions_in_play
from engine.phrase import say

if TYPE_CHECKING:
    from collections.abc import Collection

    from data.store import Transaction
    from engine.phrase import Phrase
    from engine.registry import AnyGame


async def in_play(tx: Transaction, game: AnyGame, state: Any) -> bool:
    """Return whether an open match of people has, or just had, this position."""
    found = fingerprint(game, state)
    return found is not None and await positions_in_play.any_of(tx, [found])


async def require_none(tx: Transaction, fingerprints: Collection[int], refusal: Phrase) -> None:
    """Raise NotAllowed if one of these positions is in play; which and where is not told."""
    if await positions_in_play.any_of(tx, fingerprints):
        raise NotAllowed(refusal)


def hint_refusal() -> Phrase:
    """Return why there is no hint."""
    return say(
        "Others are playing this exact position right now, and a hint here would help them. "
        "Ask again on your next move."
    )


def puzzle_refusal() -> Phrase:
    """Return why a puzzle cannot be answered."""
    return say(
        "Others are playing this exact position right now, so the answer has to wait. Get "
        "another puzzle with `{command}`.",
        command=slash("puzzle"),
    )


def analysis_refusal(name: str) -> Phrase:
    """Return why a match or record is not explained."""
    return say(
        "Others are playing a position from {name} right now, so its analysis has to wait. Ask "
        "again later.",
        name=name,
    )
