"""The engine counts as many lines of play as the slow rules did."""

from __future__ import annotations

import pytest

from engine import registry
from engine.perft import perft
from tests.contract.games import whole_game
from tests.engine.counts import SLUGS, Entry, entries

EVERY = [entry for slug in SLUGS for entry in entries(slug)]


def test_every_game_has_a_table() -> None:
    assert list(registry.games()) == SLUGS


@pytest.mark.parametrize("entry", EVERY, ids=lambda entry: entry.position)
def test_counts_match_those_of_the_slow_rules(entry: Entry) -> None:
    game = registry.game(entry.slug)
    state = game.read_position(entry.position, entry.options)
    counted = [perft(game, state, depth) for depth in range(1, len(entry.counts) + 1)]
    assert counted == list(entry.counts)


@pytest.mark.parametrize("slug", SLUGS)
def test_the_table_was_made_by_the_slow_rules(slug: str) -> None:
    for entry in entries(slug):
        assert entry.slowly(2) == entry.counts[1]


@pytest.mark.parametrize("slug", SLUGS)
def test_a_finished_game_has_no_continuation(slug: str) -> None:
    game = registry.game(slug)
    _, state = whole_game(game, "perft", {}, game.players[0])
    assert [perft(game, state, depth) for depth in range(4)] == [1, 0, 0, 0]
