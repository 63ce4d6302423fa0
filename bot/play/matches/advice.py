"""Whether advice on a position is allowed, and how it gives chances.

It is not while people play it in a match, or while it is the puzzle of the day in any server.
Analyses, hints, puzzles and computer opponents ask here. It works across processes, as the store
knows these positions (`data.puzzles.positions_in_play`).
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final, NamedTuple

from bot.core.errors import NotAllowed
from bot.core.i18n.slash import slash
from bot.play.matches.fingerprints import fingerprint
from data.puzzles import positions_in_play
from data.store.store import Transaction
from engine.phrase import Phrase, say
from engine.registry import AnyGame

CERTAIN: Final = 0.999
"""Expected results above this count as a certain win."""


class Refusals(NamedTuple):
    """Why there is no advice on a position."""

    in_play: Phrase
    of_the_day: Phrase


async def is_closed(tx: Transaction, fingerprints: Collection[int]) -> bool:
    """Return whether there is no advice on any of these positions."""
    return await positions_in_play.any_of(
        tx, fingerprints
    ) or await positions_in_play.any_of_the_day(tx, fingerprints)


async def require_open(tx: Transaction, fingerprints: Collection[int], refusals: Refusals) -> None:
    """Raise NotAllowed unless there may be advice, without saying on which position or where."""
    if await positions_in_play.any_of(tx, fingerprints):
        raise NotAllowed(refusals.in_play)
    if await positions_in_play.any_of_the_day(tx, fingerprints):
        raise NotAllowed(refusals.of_the_day)


def of_position(game: AnyGame, state: Any) -> tuple[int, ...]:
    """Return the fingerprint of a position, if anyone has a choice in it."""
    found = fingerprint(game, state)
    return () if found is None else (found,)


def hint_refusals() -> Refusals:
    """Return why no hint is given."""
    return Refusals(
        say(
            "Others are playing this exact position right now, and a hint here would help them. "
            "Ask again on your next move."
        ),
        say("This position is a puzzle of the day, so there's no hint. Ask on your next move."),
    )


def puzzle_refusal() -> Phrase:
    """Return why a puzzle cannot be answered."""
    return say(
        "Others are playing this exact position right now, so the answer has to wait. Get "
        "another puzzle with `{command}`.",
        command=slash("puzzle"),
    )


def analysis_refusals(name: str) -> Refusals:
    """Return why a match or record is not analysed."""
    return Refusals(
        say(
            "Others are playing a position from {name} right now, so its analysis has to wait. Ask "
            "again later.",
            name=name,
        ),
        say(
            "A position from {name} is a puzzle of the day, so its analysis has to wait. Ask again "
            "tomorrow.",
            name=name,
        ),
    )


def percent(expected: float) -> str:
    """Return an expected result in percent of a win."""
    return str(round(100 * expected))
