"""The fast boards equal the engine: perft counts, and whole games position by position."""

from __future__ import annotations

import random

import pytest

from ai.position import CHANCE
from tests.ai.boards import SLUGS, WAYS, Boards
from tests.engine.counts import Entry, entries

pytestmark = pytest.mark.timeout(600)  # the first one to run may have to compile

EVERY = [entry for slug in SLUGS for entry in entries(slug)]
GAMES = {"tablaaza": 150, "tablut": 40, "thaayam": 12}
"""Random games for each set of options and number of players; one in other games."""
CASES = [
    pytest.param(slug, options, players, id="-".join([slug, str(players), *options.values()]))
    for slug in SLUGS
    for options in Boards.of(slug).combinations()
    for players in Boards.of(slug).game.players
]


@pytest.mark.parametrize("entry", EVERY, ids=lambda entry: entry.position)
def test_perft_counts_equal_the_engines(entry: Entry) -> None:
    boards = Boards.of(entry.slug)
    board = boards.read(entry.position, entry.options)
    depths = range(1, len(entry.counts) + 1)
    assert [boards.perft(board, depth) for depth in depths] == list(entry.counts)


@pytest.mark.parametrize(("slug", "options", "players"), CASES)
def test_whole_games_go_the_same_way(slug: str, options: dict[str, str], players: int) -> None:
    boards = Boards.of(slug)
    game, fast = boards.game, boards.fast
    for number in range(GAMES.get(slug, 1)):
        dice = random.Random(f"{slug} {players} {options} {number}")
        state = game.initial(options, players)
        board = boards.read(game.write_position(state), options)
        seen = [board.tolist()]
        while seen.count(seen[-1]) != fast.times:  # a board knows no repetition
            boards.assert_same(state, board, players)
            if game.outcome(state) is not None:
                break
            if fast.kernels.actor(board) == CHANCE:
                (step,) = dice.choices(range(5), WAYS)
                text = f"*{step}"
            else:
                step = dice.choice(boards.legal(board))
                text = fast.notation(board, step)
            state, board = game.apply(state, game.read(state, text)), boards.after(board, step)
            seen.append(board.tolist())
