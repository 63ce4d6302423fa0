"""What every game guarantees about its moves, throws and end."""

from __future__ import annotations

from itertools import groupby, pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import BadNotation, GameOver, IllegalMove, RulesError
from engine.game import CHANCE
from engine.menu import choices
from engine.move_label import Worth
from engine.registry import AnyGame
from engine.replay import final, replay
from tests.contract.games import STEADY, Case, played, whole_game


@STEADY
@given(data=st.data())
def test_there_are_moves_exactly_while_there_is_no_outcome(case: Case, data: st.DataObject) -> None:
    _, steps, state = data.draw(played(case.game))
    for position in (*(step.state for step in steps), state):
        moves = case.game.legal_moves(position)
        assert bool(moves) == (case.game.outcome(position) is None)
        assert len(set(moves)) == len(moves)


@STEADY
@given(data=st.data())
def test_the_odds_cover_the_legal_throws_and_sum_to_one(case: Case, data: st.DataObject) -> None:
    _, steps, state = data.draw(played(case.game))
    for position in (*(step.state for step in steps), state):
        odds = case.game.odds(position)
        if case.game.outcome(position) is None and case.game.actor(position) is CHANCE:
            assert sum(odds.values()) == 1
            assert set(odds) == set(case.game.legal_moves(position))
            assert min(odds.values()) > 0
        else:
            assert not odds


@STEADY
@given(data=st.data())
def test_no_moves_steps_are_a_prefix_of_anothers(case: Case, data: st.DataObject) -> None:
    _, _, state = data.draw(played(case.game))
    moves = case.game.legal_moves(state)
    written = sorted(case.game.steps(move) for move in moves)
    assert all(written)
    for one, two in pairwise(written):
        assert two[: len(one)] != one
    assert len({case.game.write(move) for move in moves}) == len(moves)


@STEADY
@given(data=st.data())
def test_written_moves_are_read_as_the_same_move(case: Case, data: st.DataObject) -> None:
    game = case.game
    _, _, state = data.draw(played(game))
    for move in game.legal_moves(state):
        text = game.write(move)
        assert game.read(state, text) == move
        assert game.read(state, f" {text.upper()} ") == move
        assert " " not in text
        assert text.isascii()
        assert game.refuse(state, move) is None


@STEADY
@given(data=st.data())
def test_applying_a_move_leaves_the_original_position_unchanged(
    case: Case, data: st.DataObject
) -> None:
    game = case.game
    _, _, state = data.draw(played(game))
    line = game.write_position(state)
    for move in game.legal_moves(state):
        reached = game.apply(state, move)
        assert reached == game.after(state, move)
        assert hash(reached) == hash(game.after(state, move))
        sentence = game.tell(state, move)
        assert sentence.strip() == sentence != ""
        assert sentence[-1] not in ".!?"  # the caller adds a full stop
    assert game.write_position(state) == line


@STEADY
@given(data=st.data())
def test_positions_and_moves_are_frozen_and_hashable(case: Case, data: st.DataObject) -> None:
    _, steps, state = data.draw(played(case.game))
    values: list[Any] = [state, *(step.move for step in steps[:1])]
    for value in values:
        assert hash(value) == hash(value)
        names = list(type(value).__annotations__)
        assert names
        for name in names:
            with pytest.raises(AttributeError):
                setattr(value, name, None)


@STEADY
@given(data=st.data())
def test_a_menu_leads_to_a_move_of_every_effect_and_to_nothing_else(
    case: Case, data: st.DataObject
) -> None:
    game = case.game
    _, _, state = data.draw(played(game))
    reached: list[Any] = []
    open_ends: list[tuple[str, ...]] = [()]
    while open_ends:
        for choice in choices(game, state, open_ends.pop(), 5):
            if choice.move is None:
                open_ends.append(choice.steps)
            else:
                assert game.steps(choice.move) == choice.steps
                reached.append(choice.move)
    legal = game.legal_moves(state)
    assert set(reached) <= set(legal)
    effects = [game.effect(state, move) for move in reached]
    assert set(effects) == {game.effect(state, move) for move in legal}


@STEADY
@given(data=st.data())
def test_no_list_offers_two_moves_of_the_same_effect(case: Case, data: st.DataObject) -> None:
    game = case.game
    _, _, state = data.draw(played(game))
    offered = [one.move for one in choices(game, state) if one.move is not None]
    assert len({game.effect(state, move) for move in offered}) == len(offered)


@STEADY
@given(data=st.data())
def test_moves_of_the_same_effect_leave_the_same_choices(case: Case, data: st.DataObject) -> None:
    game = case.game
    _, _, state = data.draw(played(game))
    found: dict[Any, Any] = {}
    for move in game.legal_moves(state):
        after = game.after(state, move)
        facts = (game.outcome(after), game.turn(after), game.equivalence_key(after).lower())
        assert found.setdefault(game.effect(state, move), facts) == facts


@STEADY
@given(data=st.data())
def test_menu_entries_say_what_they_do_best_first(case: Case, data: st.DataObject) -> None:
    game = case.game
    _, _, state = data.draw(played(game))
    if game.outcome(state) is not None or game.actor(state) is CHANCE:
        return
    open_ends: list[tuple[str, ...]] = [()]
    while open_ends:
        offered = choices(game, state, open_ends.pop())
        labels = [choice.label for choice in offered]
        assert len(set(labels)) == len(labels)
        assert all(0 < len(label) <= 60 for label in labels)
        assert all(not choice.label.endswith(("…", ".")) for choice in offered)
        whole = [choice for choice in offered if choice.move is not None]
        wins = [one for one in whole if game.ends(state, one.move) is Worth.WINS]
        called = [one for one in whole if one.label.startswith("Win: ")]
        assert all(one in wins for one in called)
        assert bool(called) == bool(wins), "a slower win is called one unless one at sight is"
        assert called in (wins, [one for one in wins if _wins_at_once(game, state, one.move)])
        if len(whole) == len(offered):
            assert [choice.worth for choice in offered] == sorted(c.worth for c in offered)
        open_ends += [choice.steps for choice in offered if choice.move is None]


@STEADY
@given(data=st.data())
def test_an_illegal_text_is_refused_by_a_rule_or_as_notation(
    case: Case, data: st.DataObject
) -> None:
    game = case.game
    _, steps, state = data.draw(played(game))
    texts = [game.write(step.move) for step in steps[-20:]]
    texts += data.draw(st.lists(st.text(max_size=9), max_size=3))
    ended = game.outcome(state) is not None
    legal = [] if ended else [game.write(move) for move in game.legal_moves(state)]
    for text in texts:
        answer = move_or_error(game, state, text)
        if isinstance(answer, IllegalMove):
            assert answer.rule in game.rules
            assert answer.sentence.endswith(".")
            assert all(isinstance(square, str) for square in answer.squares)
        elif isinstance(answer, RulesError):
            assert isinstance(answer, GameOver if ended else BadNotation)
            assert answer.sentence
        else:
            assert game.write(answer) in legal
            assert game.refuse(state, answer) is None


def move_or_error(game: AnyGame, state: Any, text: str) -> Any:
    """Return the move a text means, or the error it causes."""
    try:
        return game.read(state, text)
    except RulesError as error:
        return error


@STEADY
@given(data=st.data())
def test_a_log_replays_to_the_same_position(case: Case, data: st.DataObject) -> None:
    game = case.game
    options, steps, state = data.draw(played(game))
    log = [game.write(step.move) for step in steps]
    for players in game.players:  # the starting position depends on the number of players
        if steps and steps[0].state == game.initial(options, players):
            assert final(game, log, options, players) == state
            entries = list(replay(game, log, options, players))
            assert [entry.before for entry in entries] == [step.state for step in steps]


@STEADY
@given(seed=st.integers(0, 10**6), data=st.data())
def test_every_game_ends_with_a_rank_for_every_seat(
    case: Case, seed: int, data: st.DataObject
) -> None:
    game = case.game
    options = game.settle({o.name: data.draw(st.sampled_from(o.values)) for o in game.options})
    players = data.draw(st.sampled_from(game.players))
    steps, state = whole_game(game, str(seed), options, players)
    outcome = game.outcome(state)
    assert outcome is not None
    assert len(outcome.ranks) == len(game.seats(players))
    assert min(outcome.ranks) == 1
    assert outcome.reason
    assert not outcome.reason.endswith(".")
    assert not game.legal_moves(state)
    assert not game.odds(state)
    with pytest.raises(GameOver):
        game.apply(state, steps[-1].move)


def _wins_at_once(game: Any, state: Any, move: Any) -> bool:
    return bool(game.move_label(state, move).worth is Worth.WINS)


@STEADY
@given(data=st.data())
def test_throws_in_a_row_are_told_up_to_the_last(case: Case, data: st.DataObject) -> None:
    game = case.game
    _, steps, _ = data.draw(played(game))
    for chance, group in groupby(steps, lambda step: game.actor(step.state) is CHANCE):
        if chance:
            throws = [(step.state, step.move) for step in group]
            told = game.tell_throws(throws, moved=False)
            assert told[-1] == game.tell(*throws[-1])
            assert len(told) <= len(throws)
            assert game.tell_throws(throws, moved=True) in {told, told[:-1]}
