"""Perft counts, compared with a table made by the slow rules.

``perft.txt`` has a position and its counts at depth 1, 2, 3 …, separated by bars.
`python -m tests.engine.games.thaayam.test_perft` recounts it with the slow rules alone.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.games.thaayam import GAME
from engine.perft import perft
from tests.engine.counts import Entry, entries, recount
from tests.engine.games.thaayam import slow

TABLE = Path(__file__).with_name("perft.txt")


def slowly(position: str, depth: int) -> int:
    """Count with the slow rules."""
    return slow.perft(slow.SlowGame.read(position), depth)


@pytest.mark.parametrize("entry", entries(TABLE), ids=lambda entry: entry.position)
def test_counts_match_those_of_the_slow_rules(entry: Entry) -> None:
    state = GAME.read_position(entry.position)
    counted = [perft(GAME, state, depth) for depth in range(1, len(entry.counts) + 1)]
    assert counted == list(entry.counts)


def test_the_table_was_made_by_the_slow_rules() -> None:
    for entry in entries(TABLE):
        assert slowly(entry.position, 2) == entry.counts[1]


def test_a_finished_game_has_no_continuation() -> None:
    state = GAME.read_position("south:*,*,*,* north:-,-,-,- south -")
    assert [perft(GAME, state, depth) for depth in range(4)] == [1, 0, 0, 0]


if __name__ == "__main__":
    recount(TABLE, slowly)
