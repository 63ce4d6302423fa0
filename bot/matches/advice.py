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
        "This very position is on the board of a match that people are playing now, so I say "
        "nothing about it: a hint here would be a hint there. Play on; the next position may be "
        "all yours."
    )


def puzzle_refusal() -> Phrase:
    """Return why a puzzle cannot be answered."""
    return say(
        "The position of this puzzle is on the board of a match that people are playing now, so "
        "I say nothing about it. `{command}` has another one.",
        command=slash("puzzle"),
    )


def analysis_refusal(name: str) -> Phrase:
    """Return why a match or record is not explained."""
    return say(
        "A position of {name} is on the board of a match that people are playing now, so I "
        "explain nothing yet: it would be advice for that match. Ask again when it has gone on.",
        name=name,
    )
