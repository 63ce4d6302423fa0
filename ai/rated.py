"""How strong the levels were measured to be; what `ai.ladder` wrote. Nothing here is compiled."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Final

RATINGS: Final = Path(__file__).with_name("strength.json")


@dataclass(frozen=True, slots=True)
class Rating:
    """How strong a player is, on the scale of people's ratings."""

    points: int
    margin: int
    """Of the distance from level 3, which holds in 95 of 100 cases."""


def measured(slug: str, file: Path = RATINGS) -> dict[str, Rating]:
    """Return what is known of the players of a game, by its first rule set.

    Levels are called by their digit; nothing is known of a game that was not measured.
    """
    known = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    first: dict[str, dict[str, int]] = next(
        (rated for name, rated in known.items() if name.split()[0] == slug), {}
    )
    return {player: Rating(**rating) for player, rating in first.items()}
