"""Every game's picture can be rotated and drawn without file and rank names."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from engine.game import CHANCE
from engine.scene import Disc, Ink, Line, Polygon, Rect, Scene, Shape, Text
from engine.turning import turned, without_coordinates
from tests.contract.games import Case, whole_game


def scenes(case: Case) -> Iterator[Scene]:
    """Yield pictures from a random game with the most players."""
    game = case.game
    steps, _ = whole_game(game, "turning", game.settle({}), game.players[-1])
    for before, step in list(pairwise(steps))[:60:3]:
        if game.actor(step.state) is CHANCE:
            continue
        chosen = game.steps(game.legal_moves(step.state)[0])[:1]
        yield game.scene(step.state, [(before.state, before.move)])
        yield game.scene(step.state, (), chosen)


def plain(scene: Scene) -> Scene:
    """Return a scene with rounded coordinates, since they were computed in different ways."""
    squares = tuple((name, about(x), about(y)) for name, x, y in scene.board.squares)
    shapes = tuple(map(rounded, scene.board.shapes))
    return replace(
        scene,
        board=replace(scene.board, shapes=shapes, squares=squares),
        tokens=tuple(replace(t, x=round(t.x, 4), y=round(t.y, 4)) for t in scene.tokens),
        below=tuple(map(rounded, scene.below)),
        above=tuple(map(rounded, scene.above)),
    )


def rounded(shape: Shape) -> Shape:
    match shape:
        case Rect() | Disc() | Text():
            return replace(shape, x=about(shape.x), y=about(shape.y))
        case Polygon() | Line():
            return replace(shape, points=tuple((about(x), about(y)) for x, y in shape.points))


def about(length: float) -> float:
    return round(length + 1e-5, 3)  # a value ending in 5 might be rounded either way


def coordinates(scene: Scene) -> dict[str, set[tuple[float, float]]]:
    """Return where each file and rank is written on the frame."""
    found: dict[str, set[tuple[float, float]]] = {}
    for shape in scene.board.shapes:
        if isinstance(shape, Text) and shape.ink is Ink.FRAME_TEXT:
            found.setdefault(shape.text, set()).add((round(shape.x, 3), round(shape.y, 3)))
    return found


def test_two_half_turns_give_the_original_picture(case: Case) -> None:
    for scene in scenes(case):
        assert plain(turned(turned(scene, 2), 2)) == plain(scene)


def test_no_turn_or_a_full_turn_returns_the_same_object(case: Case) -> None:
    scene = next(scenes(case))
    assert turned(scene, 0) is scene
    assert turned(scene, 4) is scene


def test_turning_a_picture_keeps_it_within_the_page_and_its_words_unchanged(case: Case) -> None:
    for scene in scenes(case):
        other = turned(scene, 2)
        assert (other.board.width, other.board.height) == (scene.board.width, scene.board.height)
        assert (other.alt, other.text) == (scene.alt, scene.text)
        for token in other.tokens:
            assert 0 < token.x < scene.board.width
            assert 0 < token.y < scene.board.height


def test_file_and_rank_names_stay_beside_their_squares(
    case: Case,
) -> None:
    """Every file's name keeps its distance to the men on that file."""
    for scene in scenes(case):
        if scene.board.area is None:
            continue
        middle = scene.board.area.middle
        before, after = coordinates(scene), coordinates(turned(scene, 2))
        assert after.keys() == before.keys()
        for name, places in before.items():
            along = 0 if name.isalpha() else 1
            assert {round(2 * middle[along] - place[along], 3) for place in places} == {
                place[along] for place in after[name]
            }
            across = 1 - along
            assert {place[across] for place in places} == {place[across] for place in after[name]}


def test_a_picture_without_coordinates_has_everything_else(case: Case) -> None:
    for scene in scenes(case):
        bare = without_coordinates(scene)
        assert coordinates(bare) == {}
        left = [s for s in scene.board.shapes if s in bare.board.shapes]
        assert len(left) == len(bare.board.shapes)
        assert replace(bare, board=scene.board) == scene


def test_equal_boards_are_turned_once_and_shared(case: Case) -> None:
    one, two, *_ = scenes(case)
    if one.board is two.board:
        assert turned(one, 2).board is turned(two, 2).board
        assert without_coordinates(one).board is without_coordinates(two).board


def test_a_seats_number_of_quarter_turns_is_valid_and_zero_for_the_first(case: Case) -> None:
    game = case.game
    for number in game.players:
        state = game.initial({}, number)
        for seat in game.seats(number):
            assert game.quarter_turns(state, seat) in range(4)
        assert game.quarter_turns(state, game.seats(number)[0]) == 0
