"""Measured ratings of the levels, written by `ai.rating_fit`. Loads no compiled code."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Final

RATINGS: Final = Path(__file__).with_name("strength.json")


@dataclass(frozen=True, slots=True)
class Rating:
    """A level's strength on the scale of people's ratings."""

    points: int
    margin: int
    """Half the 95 % confidence interval of the distance from level 3."""


def measured(slug: str, file: Path = RATINGS) -> dict[str, Rating]:
    """Return the ratings of a game's levels, by their digit, for its first rule set.

    Empty if the game was not measured.
    """
    known = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    first: dict[str, dict[str, int]] = next(
        (rated for name, rated in known.items() if name.split()[0] == slug), {}
    )
    return {player: Rating(**rating) for player, rating in first.items()}
