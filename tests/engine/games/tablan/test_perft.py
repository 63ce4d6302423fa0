"""Perft counts, compared with a table made by the slow rules.

``perft.txt`` has options, a position, and its counts at depth 1, 2, 3 …, separated by bars.
`python -m tests.engine.games.tablan.test_perft` recounts it with the slow rules alone.
"""

from __future__ import annotations

import pytest

from engine.games.tablan import GAME
from engine.perft import perft
from tests.engine.games.tablan import slow
from tests.engine.games.tablan.perft_table import TABLE, Entry, entries


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
