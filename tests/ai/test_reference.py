"""The textbook opponent plays legal moves, better with more time, and follows the algorithm."""

from __future__ import annotations

import random
import time

import numpy as np
import pytest

from ai import strength
from ai.position import fast, inner
from ai.reference.uct import COUNT, FIRST, MOVE, VISITS, Reference
from ai.strength import Pair, Part, Setting
from ai.tournament import Player, at_random, tournament
from engine import registry

WAYS = [setting for setting in strength.SETTINGS if setting != Setting("tablan")]


def reference(slug: str, players: int = 2, c: float = 1.4) -> Reference:
    board = fast(slug)
    assert board is not None
    return Reference(board, players, c)


def with_simulations(made: Reference, many: int) -> Player:
    """Return a player that makes this many random games per move, without a time limit."""
    return lambda state, _, dice: made.choose(state, dice, 1e9, many)


@pytest.mark.parametrize("setting", WAYS, ids=lambda setting: setting.name)
def test_every_rule_set_is_played_to_the_end(setting: Setting) -> None:
    made = reference(setting.slug, setting.players)
    score = tournament(
        made.fast,
        with_simulations(made, 3),
        at_random(made.fast),
        setting.players,
        players=setting.players,
        options=dict(setting.options),
    )
    assert score.games == setting.players
    assert 0 < score.plies / score.games < 1000


def test_the_reference_beats_random_play() -> None:
    made = reference("tablan")
    bell = {"rules": "bell"}
    player = with_simulations(made, 40)
    assert tournament(made.fast, player, at_random(made.fast), 4, options=bell).points >= 3


def test_more_simulations_play_better() -> None:
    made = reference("tablaaza")
    score = tournament(made.fast, with_simulations(made, 40), with_simulations(made, 2), 8)
    assert score.points > 5


def test_the_same_dice_choose_the_same_move() -> None:
    made = reference("tablut")
    state = made.fast.encode(inner(registry.game("tablut").initial()))
    one, two = (made.choose(state, random.Random(4), 1e9, 300) for _ in range(2))
    assert one == two


def test_the_whole_time_is_used() -> None:
    made = reference("tablut")
    state = made.fast.encode(inner(registry.game("tablut").initial()))
    begun = time.process_time()
    made.choose(state, random.Random(4), 0.2)
    assert 0.2 <= time.process_time() - begun < 0.4


def test_every_visit_is_of_a_move_and_the_best_move_has_the_most() -> None:
    made = reference("tablaaza")
    state = made.fast.encode(registry.game("tablaaza").initial())
    chosen = made.choose(state, random.Random(4), 1e9, 800)
    root = made._tree[0]
    moves = made._tree[root[FIRST] : root[FIRST] + root[COUNT]]
    legal = np.zeros(made.fast.most_moves, np.int64)
    count = made.fast.kernels.moves(state, legal)
    assert sorted(moves[:, MOVE]) == sorted(legal[:count])
    assert root[VISITS] == moves[:, VISITS].sum() == 800
    assert moves[moves[:, MOVE] == chosen, VISITS] == moves[:, VISITS].max()


def test_an_immediate_win_is_worth_a_win() -> None:
    """The king's way out is open."""
    game, dice = registry.game("tablut"), random.Random(4)
    made = reference("tablut")
    state, wins = game.initial({"match": "false"}), set[str]()
    while not wins:
        moves = game.legal_moves(state)
        wins = {
            game.write(move)
            for move in moves
            if (ended := game.outcome(game.after(state, move))) and ended.ranks[0] == 1
        }
        before, state = state, game.after(state, dice.choice(moves))
    board = made.fast.encode(inner(before))
    made.choose(board, dice, 1e9, 500)
    first = made._tree[0, FIRST]
    for child in range(first, first + made._tree[0, COUNT]):
        if made.fast.notation(board, int(made._tree[child, MOVE])) in wins:
            assert made._totals[child, 0] == made._tree[child, VISITS] > 0


def test_levels_and_simple_players_play_against_it() -> None:
    found = strength.against_reference(Setting("tablut"))
    assert [pair.one for pair in found] == ["5", "4", "3", "2", "1", "greedy", "random"]
    assert {pair.other for pair in found} == {"reference"}
    (pair, *_) = strength.against_reference(Setting("tablut"), 0.7)
    assert pair == Pair(Setting("tablut"), "5", "reference c=0.7")
    score = strength._played(Part(pair, 0, 2, 0.01), strength.sources(pair))
    assert score.games == 2
