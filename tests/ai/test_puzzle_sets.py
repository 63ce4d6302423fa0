"""The puzzles shipped with games: sound, legal, covering all rule sets, and readable."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

import ai.games
from ai import puzzle_making, puzzle_sets
from ai.levels import LEVELS
from ai.position import fast
from ai.puzzle_sets import ShippedPuzzle, shipped
from ai.puzzles import MIN_CHOICES, MIN_EXPECTED, MIN_MARGIN
from ai.strength import settings
from engine import registry

SLUGS = sorted(
    path.parent.name for folder in ai.games.__path__ for path in Path(folder).glob("*/puzzles.txt")
)


def test_every_game_with_a_fast_board_ships_a_set() -> None:
    assert sorted(registry.games()) == SLUGS


@pytest.mark.parametrize("slug", SLUGS)
def test_every_puzzle_can_be_shown_and_its_solution_played(slug: str) -> None:
    game = registry.game(slug)
    found = shipped(slug)
    assert len(found) == puzzle_making.NUMBER
    assert len({one.position for one in found}) == len(found)
    for one in found:
        options = game.settle(dict(one.options))
        state = game.read_position(one.position, options)
        assert game.write_position(state) == one.position
        assert game.outcome(state) is None
        moves = [game.write(move) for move in game.legal_moves(state)]
        assert one.solution in moves
        assert len(moves) >= MIN_CHOICES
        board = fast(slug)
        assert board is not None
        assert one.margin >= (0.08 if board.throws else MIN_MARGIN)
        assert MIN_EXPECTED <= one.expected <= 1
        assert one.level in LEVELS


@pytest.mark.parametrize("slug", SLUGS)
def test_a_set_covers_every_rule_set_and_several_grades(slug: str) -> None:
    found = shipped(slug)
    by_rules = Counter((one.options, _players(slug, one)) for one in found)
    known = {(setting.options, setting.players) for setting in settings([slug])}
    assert set(by_rules) <= known
    assert {options for options, _ in by_rules} == {options for options, _ in known}
    assert {players for _, players in by_rules} >= {
        min(n for _, n in known),
        max(n for _, n in known),
    }
    assert len({one.level for one in found}) >= 3


def _players(slug: str, one: ShippedPuzzle) -> int:
    game = registry.game(slug)
    if len(game.players) == 1:
        return game.players[0]
    return one.position.count(":")


def test_a_set_is_read_as_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ai.games.__path__", [str(tmp_path)])
    (tmp_path / "chess").mkdir()
    wanted = (
        ShippedPuzzle(1, 0.5, 0.25, (), "a position to move", "a1-a2"),
        ShippedPuzzle(5, 1.0, 0.15, (("rules", "bell"), ("tie", "draw")), "another", "*"),
    )
    file = puzzle_sets.write("chess", wanted, made_by="a command")
    assert shipped("chess") == wanted
    assert file.read_text("utf-8").startswith("# Made by: a command\n")
    assert shipped("draughts") == ()
    puzzle_sets.shipped.cache_clear()
