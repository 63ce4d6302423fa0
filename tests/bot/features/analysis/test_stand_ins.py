"""A stand-in computer's mistakes are not credited to anyone."""

from __future__ import annotations

from typing import Any

from bot.features.analysis.report import to_json
from data.matches.match import Player
from tests.data.people import a_match


def entry(ply: int, place: int) -> dict[str, Any]:
    """Return an analysis entry that is a mistake."""
    return {
        "ply": ply,
        "place": place,
        "notation": "a",
        "best": "b",
        "loss": 0.5,
        "after": [0.3, 0.3, 0.4],
    }


def test_moves_made_by_a_stand_in_are_not_a_players_mistakes() -> None:
    players = (Player(0, 11, "a"), Player(1, 22, "b", None, 1, 5, "resigned"), Player(2, 33, "c"))
    match = a_match(game="thaayam", plies=9, players=players)
    analysis = {
        "start": [0.3, 0.3, 0.4],
        "plies": [entry(4, 0), entry(5, 1), entry(6, 1), entry(9, 2)],
        "luck": [],
        "skill": [],
        "early": [],
        "explanations": [],
    }
    told = [(ply, place) for ply, place, *_ in to_json(analysis, match)["mistakes"]]
    assert told == [(4, 0), (5, 1), (9, 2)]
