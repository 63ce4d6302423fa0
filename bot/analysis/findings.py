"""What was found out about a match, as it is stored and as it is told."""

from __future__ import annotations

from dataclasses import astuple, dataclass
from typing import Any, Final

MOST_SLIPS: Final = 5
"""So many mistakes are told."""
LEAST_LOSS: Final = 0.03
"""What costs less of a win is no mistake that is worth a word."""
_DIGITS: Final = 4
"""More of a value nobody can see in a picture."""


@dataclass(frozen=True, slots=True)
class Slip:
    """A decision that was not the best."""

    ply: int
    place: int
    """Whose, in turn order."""
    played: str
    better: str
    loss: float
    """What it cost, in parts of a win."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What to say of one player, with the figures for it; see `ai.verdicts`."""

    kind: str
    luck: float
    lost: float
    gained: float
    worst: int
    """The entry of the worst decision."""
    loss: float
    expected: float


@dataclass(frozen=True, slots=True)
class Findings:
    """What there is to say of a match. Places are in turn order."""

    values: tuple[tuple[float, ...], ...]
    """What each place could expect before the first entry and after each."""
    slips: tuple[Slip, ...]
    """The biggest mistakes, the biggest first."""
    verdicts: tuple[Verdict, ...]
    """What to say of each place in a sentence."""
    luck: tuple[float, ...]
    skill: tuple[float, ...]
    early: tuple[float, ...]
    """What an early end gave or took; all of it and the start make the result."""
    thrown: bool
    """Whether there was any luck in it."""

    @property
    def start(self) -> tuple[float, ...]:
        """What each place could expect at the start."""
        return self.values[0]

    @property
    def result(self) -> tuple[float, ...]:
        """What each place got."""
        return self.values[-1]


def stored(analysis: dict[str, Any]) -> dict[str, Any]:
    """Return what is kept of an analysis that a worker has made."""
    plies = analysis["plies"]
    return {
        "values": [analysis["start"], *(ply["after"] for ply in plies)],
        "slips": [
            [ply["ply"], ply["place"], ply["notation"], ply["best"], ply["loss"]]
            for ply in plies
            if ply["loss"] > 0
        ],
        "luck": analysis["luck"],
        "skill": analysis["skill"],
        "early": analysis["early"],
        "verdicts": analysis["verdicts"],
        "thrown": any(ply["place"] is None for ply in plies),
    }


def brief(found: dict[str, Any]) -> dict[str, Any]:
    """Return as much of what is stored as is told: people get a copy of it with their data."""
    return {
        **found,
        "values": [[round(value, _DIGITS) for value in values] for values in found["values"]],
        "slips": [astuple(slip) for slip in _biggest(found)],
    }


def read(found: dict[str, Any]) -> Findings:
    """Return what is stored."""
    return Findings(
        tuple(tuple(values) for values in found["values"]),
        _biggest(found),
        tuple(Verdict(**verdict) for verdict in found["verdicts"]),
        tuple(found["luck"]),
        tuple(found["skill"]),
        tuple(found["early"]),
        bool(found["thrown"]),
    )


def _biggest(found: dict[str, Any]) -> tuple[Slip, ...]:
    slips = [Slip(*slip) for slip in found["slips"]]
    biggest = sorted(slips, key=lambda slip: (-slip.loss, slip.ply))[:MOST_SLIPS]
    return tuple(slip for slip in biggest if slip.loss >= LEAST_LOSS)
