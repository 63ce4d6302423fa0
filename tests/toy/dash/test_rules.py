"""Dash, rule by rule: even a toy is tested."""

from __future__ import annotations

from tests.toy import dropped_in


def test_rule_1_a_runner_moves_as_far_as_the_die_says() -> None:
    with dropped_in() as game:
        state = game.read_position("0,3 5,0 red 4")
        moves = [game.write(move) for move in game.legal_moves(state)]
        assert moves == ["a+4", "b+4"]
        assert game.write_position(game.apply(state, game.read(state, "b+4"))) == (
            "0,7 5,0 green -"
        )


def test_rule_2_a_throw_no_runner_can_use_is_lost() -> None:
    with dropped_in() as game:
        state = game.read_position("7,7 5,0 red -")
        roll = game.read(state, "*6")
        assert game.tell(state, roll) == "Red threw 6, which cannot be used"
        assert game.write_position(game.after(state, roll)) == "7,7 5,0 green -"


def test_rule_3_the_first_runner_home_wins() -> None:
    with dropped_in() as game:
        state = game.read_position("7,7 5,0 0,0 red 1")
        outcome = game.outcome(game.apply(state, game.read(state, "a+1")))
        assert outcome is not None
        assert outcome.ranks == (1, 2, 2)
