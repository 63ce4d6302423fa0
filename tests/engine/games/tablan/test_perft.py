"""Perft counts, compared with a table made by the slow rules.

``perft.txt`` has options, a position, and its counts at depth 1, 2, 3 …, separated by bars.
`python -m tests.engine.games.tablan.test_perft` recounts it with the slow rules alone.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from engine.games.tablan import GAME
from engine.perft import perft
from tests.engine.games.tablan import slow

TABLE = Path(__file__).with_name("perft.txt")


class Entry(NamedTuple):
    """One line of the table."""

    options: dict[str, str]
    position: str
    counts: tuple[int, ...]

    def __str__(self) -> str:
        options = " ".join(f"{name}={value}" for name, value in self.options.items())
        return f"{options} | {self.position} | {' '.join(map(str, self.counts))}"


def entries() -> list[Entry]:
    """Read the table."""
    found = []
    for line in TABLE.read_text().splitlines():
        options, position, counts = line.split(" | ")
        pairs = dict(option.split("=") for option in options.split())
        found.append(Entry(pairs, position, tuple(map(int, counts.split()))))
    return found


@pytest.mark.parametrize("entry", entries(), ids=lambda entry: entry.position)
def test_counts_match_those_of_the_slow_rules(entry: Entry) -> None:
    state = GAME.read_position(entry.position, entry.options)
    counted = [perft(GAME, state, depth) for depth in range(1, len(entry.counts) + 1)]
    assert counted == list(entry.counts)


def test_the_table_was_made_by_the_slow_rules() -> None:
    for entry in entries():
        game = slow.read(entry.position, entry.options)
        assert slow.perft(game, 2) == entry.counts[1]


def test_a_finished_game_has_no_continuation() -> None:
    state = GAME.read_position("b..........W/............/............/............ white -")
    assert [perft(GAME, state, depth) for depth in range(4)] == [1, 0, 0, 0]


if __name__ == "__main__":
    table = [
        entry._replace(
            counts=tuple(
                slow.perft(slow.read(entry.position, entry.options), depth)
                for depth in range(1, len(entry.counts) + 1)
            )
        )
        for entry in entries()
    ]
    TABLE.write_text("".join(f"{entry}\n" for entry in table))
