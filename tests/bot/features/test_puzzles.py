"""What puzzles say of a move and of how hard they are."""

from __future__ import annotations

from typing import Any

import pytest

from bot.features.puzzles.puzzles import Answered, PuzzlePosition, facts, solved
from data.puzzles.puzzles import Puzzle, Score
from engine import registry


def posed(**puzzle: Any) -> PuzzlePosition:
    """Return a puzzle whose solution is the first legal move."""
    game = registry.game("tablaaza")
    state = game.initial()
    known: dict[str, Any] = {
        "id": 1,
        "game": game.slug,
        "options": {},
        "position": game.write_position(state),
        "solution": game.write(game.legal_moves(state)[0]),
        "evaluation": {"expected": 0.8, "margin": 0.3},
        "fingerprint": 7,
    }
    return PuzzlePosition(Puzzle(**known | puzzle), game, state)


@pytest.mark.parametrize(
    ("expected", "margin", "text"),
    [
        (0.8, 0.3, "80 % win chance. Every other move has 50 % or less."),
        (1.0, 0.4, "It wins. No other move has more than 60 %."),
        (1.0, 1.0, "It wins. Every other move loses."),
    ],
)
def test_certain_results_are_not_shown_as_percentages(
    expected: float, margin: float, text: str
) -> None:
    puzzle = posed(evaluation={"expected": expected, "margin": margin})
    assert text in solved(Answered(puzzle, right=False, first=True, score=Score(0, 1)))


@pytest.mark.parametrize(
    ("tried", "right", "level", "grade"),
    [
        (2, 2, None, "new, not rated yet"),
        (2, 0, 1, "easy"),
        (2, 2, 5, "hard"),
        (3, 3, 5, "easy"),
        (3, 2, None, "medium"),
        (3, 1, 1, "hard"),
    ],
)
def test_grades_depend_on_how_many_solve_a_puzzle_and_first_on_computers(
    tried: int, right: int, level: int | None, grade: str
) -> None:
    assert facts(posed(tried=tried, solved=right, level=level)).startswith(f"-# {grade}")
