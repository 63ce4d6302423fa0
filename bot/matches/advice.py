"""Whether advice on a position is allowed: not while people play it in a match.

Analyses, hints, puzzles and computer opponents ask here. It works across processes, as the store
knows the positions in play (`data.positions_in_play`).
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
    """Return whether this position is, or just was, in an open match between people."""
    found = fingerprint(game, state)
    return found is not None and await positions_in_play.any_of(tx, [found])


async def require_none(tx: Transaction, fingerprints: Collection[int], refusal: Phrase) -> None:
    """Raise NotAllowed if any of these positions is in play, without saying which or where."""
    if await positions_in_play.any_of(tx, fingerprints):
        raise NotAllowed(refusal)


def hint_refusal() -> Phrase:
    """Return why no hint is given."""
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
    """Return why a match or record is not analysed."""
    return say(
        "Others are playing a position from {name} right now, so its analysis has to wait. Ask "
        "again later.",
        name=name,
    )
