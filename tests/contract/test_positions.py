"""What every game guarantees about its positions, pictures and options."""

from __future__ import annotations

import re
from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import BadOption, BadPosition
from engine.game import CHANCE, Outcome
from engine.phrase import capital
from engine.scene import Scene, Text
from tests.contract.games import STEADY, Case, played, whole_game
from tests.toy import SLUG as TOY


@STEADY
@given(data=st.data())
def test_a_position_is_read_as_written(case: Case, data: st.DataObject) -> None:
    options, steps, state = data.draw(played(case.game))
    for position in (*(step.state for step in steps[-5:]), state):
        line = case.game.write_position(position)
        assert "\n" not in line
        assert case.game.read_position(line, options) == position
        assert case.game.read_position(f"  {line} ", options) == position


@STEADY
@given(text=st.text(max_size=40))
def test_an_invalid_position_is_refused_with_a_sentence(case: Case, text: str) -> None:
    with pytest.raises(BadPosition) as caught:
        case.game.read_position(text)
    assert caught.value.sentence.endswith((".", "!"))


@STEADY
@given(data=st.data())
def test_every_position_also_has_a_text_description(case: Case, data: st.DataObject) -> None:
    game = case.game
    _, steps, state = data.draw(played(game))
    last = [(step.state, step.move) for step in steps[-12:]]
    scene: Scene = game.scene(state, last)
    assert 0 < len(scene.alt) <= 1024
    assert len(scene.text.splitlines()) > 1
    assert hash(scene.board) == hash(game.scene(state).board)
    for move in list(game.legal_moves(state))[:5]:
        chosen = game.steps(move)[:-1]
        assert game.scene(state, last, chosen).board == scene.board


@STEADY
@given(data=st.data())
def test_the_board_of_a_picture_stays_the_same_throughout_a_game(
    case: Case, data: st.DataObject
) -> None:
    _, steps, state = data.draw(played(case.game))
    boards = {
        case.game.scene(position).board for position in (state, *(s.state for s in steps[::3]))
    }
    assert len(boards) == 1


@STEADY
@given(data=st.data())
def test_the_picture_of_an_abandoned_game_prompts_no_seat(case: Case, data: st.DataObject) -> None:
    game = case.game
    _, _, state = data.draw(played(game))
    open_still: Scene = game.scene(state)
    over: Scene = game.scene(state, over=True)
    assert over.board == open_still.board
    if game.outcome(state) is not None:
        assert over == open_still
        return
    assert "choice" in inks(open_still) or game.slug == TOY
    assert "choice" not in inks(over)
    calls = re.compile("to (move|throw|play|use)|throws on")
    assert calls.search(open_still.alt)
    for words in (over.alt, over.text, *(s.text for s in over.above if isinstance(s, Text))):
        assert not calls.search(words)


def test_the_picture_of_a_game_ended_by_its_players_says_who_won(case: Case) -> None:
    game = case.game
    for players in game.players:
        _, state = whole_game(game, "ended by its players", game.settle({}), players, most=40)
        seats = game.seats(players)
        names = {seat: capital(game.side(state, seat)) for seat in seats}
        pictures = []
        for ranks in product((1, 2), repeat=players):
            if 1 not in ranks:
                continue
            over: Scene = game.scene(state, over=True, result=Outcome(ranks, "nobody knows why"))
            assert "choice" not in inks(over)
            pictures.append([text for text in over.above if isinstance(text, Text)])
            for words in (re.split(r"(?<=\.) ", over.alt), over.text.splitlines()):
                verdict = next((line for line in words if "nobody knows why" in line), None)
                if verdict is None:
                    assert game.slug == TOY
                elif set(ranks) == {1}:
                    assert "drawn" in verdict or game.slug == TOY
                else:
                    first = {seat for seat, rank in zip(seats, ranks, strict=True) if rank == 1}
                    assert {seat for seat in seats if names[seat] in verdict} == first
        assert all(one != other for one, other in combinations(pictures, 2)) or game.slug == TOY


@STEADY
@given(data=st.data())
def test_moves_start_and_end_on_squares_of_the_board(case: Case, data: st.DataObject) -> None:
    """So that hints can point at them; off-board steps have no square."""
    game = case.game
    _, _, state = data.draw(played(game))
    places = {name: (x, y) for name, x, y in game.scene(state).board.squares}
    if not places:
        return
    for move in list(game.legal_moves(state))[:20]:
        ways, routes = game.ways(state, move), game.routes(state, move)
        for way, route in zip(ways, routes, strict=True):
            assert {*way, *route} <= set(places)
            assert (route[0], route[-1]) == (way[0], way[-1])
        assert game.ways(state, move) or game.actor(state) is CHANCE


def inks(scene: Scene) -> set[str]:
    """Return the names of the inks used on a picture's board."""
    sprites = (shape for token in scene.tokens for shape in token.sprite.shapes)
    shapes = (*scene.below, *scene.above, *sprites)
    return {
        ink.value
        for shape in shapes
        for ink in (getattr(shape, name, None) for name in ("fill", "edge", "ink"))
        if ink is not None
    }


def test_every_option_has_its_default_among_its_values(case: Case) -> None:
    for option in case.game.options:
        assert option.default in option.values
        assert len(set(option.values)) == len(option.values)
        assert option.name != "players"
        for value, preset in option.presets.items():
            assert value in option.values
            assert set(preset) <= {other.name for other in case.game.options} - {option.name}
            for name, other in preset.items():
                assert case.game.settle({option.name: value})[name] == other
                for chosen in _values(case, name):
                    settled = case.game.settle({option.name: value, name: chosen})
                    assert settled[name] == chosen


def test_rule_sets_are_told_apart_in_a_line_of_a_menu(case: Case) -> None:
    for option in case.game.options:
        assert set(option.notes) <= set(option.values)
        assert len(set(option.notes.values())) == len(option.notes)
        assert all(0 < len(note) <= 60 for note in option.notes.values())
        if option.presets:
            assert set(option.notes) == set(option.values), "a name alone tells a newcomer nothing"


def test_documents_of_a_rule_set_name_an_option_and_each_match_has_one(case: Case) -> None:
    for option in case.game.options:
        for value in option.values:
            options = case.game.settle({option.name: value})
            assert any(document.applies(options) for document in case.game.documents)


def test_settling_options_twice_changes_nothing(case: Case) -> None:
    for option in case.game.options:
        for value in option.values:
            settled = case.game.settle({option.name: value})
            assert case.game.settle(settled) == settled
            assert list(settled) == [o.name for o in case.game.options]


def test_unknown_options_values_and_numbers_of_players_are_refused(case: Case) -> None:
    with pytest.raises(BadOption):
        case.game.initial({"no such option": "1"})
    line = case.game.write_position(case.game.initial())
    with pytest.raises(BadOption):
        case.game.read_position(line, {"no such option": "1"})
    for option in case.game.options:
        with pytest.raises(BadOption, match=option.name):
            case.game.initial({option.name: "no such value"})
    for players in (0, 1, case.game.players[-1] + 1):
        with pytest.raises(BadOption, match="players"):
            case.game.initial(None, players)


def test_every_number_of_players_has_its_seats(case: Case) -> None:
    game = case.game
    assert set(game.players) <= {2, 3, 4}
    for players in game.players:
        seats = game.seats(players)
        assert len(seats) == players
        assert all(0 <= seat < len(game.seat_names) for seat in seats)
    assert all(name == name.lower() and name.isalpha() for name in game.seat_names)


def _values(case: Case, name: str) -> tuple[str, ...]:
    return next(option.values for option in case.game.options if option.name == name)
