"""The stored and displayed report of an analysis."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, dataclass
from typing import Any, Final

from ai.explanations import MIN_LOSS, Cause, Explanation
from data.matches.match import Match

MAX_MISTAKES: Final = 5
"""Maximum mistakes shown per match."""
_DIGITS: Final = 4
"""Decimal places of stored values; more would not show in a chart."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """A decision that was not the best."""

    ply: int
    place: int
    """The player, in turn order."""
    played: str
    better: str
    loss: float
    """Its cost as a fraction of a win."""


@dataclass(frozen=True, slots=True)
class AnalysisReport:
    """Everything shown of an analysis. Places are in turn order."""

    values: Sequence[Sequence[float]]
    """Expected results of all places, at the start and after each entry."""
    mistakes: Sequence[Mistake]
    """The biggest mistakes, largest first."""
    untold: int
    """The number of further mistakes worth mentioning."""
    explanations: Sequence[Explanation]
    """What decided the match for each place."""
    luck: Sequence[float]
    early: Sequence[float]
    """What an early end, or the giving up of others, gained or cost.

    Start, luck, skill and this add up to the result.
    """
    thrown: bool
    """Whether chance played a part."""


def to_json(analysis: dict[str, Any], match: Match) -> dict[str, Any]:
    """Return the part of a worker's analysis to store.

    Moves by a computer that replaces a player are nobody's mistakes.
    """
    until = {place: player.gave_up_ply for place, player in enumerate(match.players)}
    plies = analysis["plies"]
    return {
        "values": [analysis["start"], *(ply["after"] for ply in plies)],
        "mistakes": [
            [ply["ply"], ply["place"], ply["notation"], ply["best"], ply["loss"]]
            for ply in plies
            if ply["loss"] > 0 and ply["ply"] <= (until[ply["place"]] or ply["ply"])
        ],
        "luck": analysis["luck"],
        "skill": analysis["skill"],
        "early": analysis["early"],
        "explanations": analysis["explanations"],
        "thrown": any(ply["place"] is None for ply in plies),
    }


def shortened(stored: dict[str, Any]) -> dict[str, Any]:
    """Reduce a stored report to what is shown, as users get a copy with their data."""
    return {
        **stored,
        "untold": _untold(stored),
        "values": [[round(value, _DIGITS) for value in values] for values in stored["values"]],
        "mistakes": [astuple(mistake) for mistake in _biggest(stored)],
    }


def from_json(stored: dict[str, Any]) -> AnalysisReport:
    """Return a stored report."""
    explanations = [
        Explanation(**{**one, "cause": Cause(one["cause"])}) for one in stored["explanations"]
    ]
    return AnalysisReport(
        stored["values"],
        _biggest(stored),
        _untold(stored),
        explanations,
        stored["luck"],
        stored["early"],
        stored["thrown"],
    )


def _untold(stored: dict[str, Any]) -> int:
    if "untold" in stored:  # already shortened
        return int(stored["untold"])
    worth = [mistake for mistake in stored["mistakes"] if Mistake(*mistake).loss >= MIN_LOSS]
    return max(len(worth) - MAX_MISTAKES, 0)


def _biggest(stored: dict[str, Any]) -> list[Mistake]:
    mistakes = [Mistake(*mistake) for mistake in stored["mistakes"]]
    biggest = sorted(mistakes, key=lambda mistake: (-mistake.loss, mistake.ply))[:MAX_MISTAKES]
    return [mistake for mistake in biggest if mistake.loss >= MIN_LOSS]
