"""The picture of Tablut shows and describes everything a player needs."""

from __future__ import annotations

from itertools import combinations

import pytest

from engine.games.tablut import GAME
from engine.games.tablut.board import KING, MUSCOVITE, NUMBERS, SQUARES, SWEDE
from engine.games.tablut.men import man
from engine.games.tablut.table import HEIGHT, WIDTH, centre
from engine.scene import Board, Disc, Ink, Polygon, Rect, Scene, Sprite, Text, Token
from render import THEMES, Painter
from tests.contract.games import whole_game
from tests.engine.games.tablut.boards import (
    OPEN,
    PROPPED,
    THREE,
    Position,
    at,
    board,
    play,
    played,
)
from tests.render.similarity import difference, rgb

every_theme = pytest.mark.parametrize("theme", THEMES)
PLACES = {centre(number): name for name, number in NUMBERS.items()}


def squares_of(scene: Scene, sprite: Sprite) -> set[str]:
    """Return the squares on which a sprite is drawn."""
    return {PLACES[token.x, token.y] for token in scene.tokens if token.sprite == sprite}


def marked(scene: Scene, ink: Ink, kind: type[Rect | Disc]) -> set[str]:
    """Return the squares with a mark of this colour under or around them."""
    return {
        PLACES[token.x, token.y]
        for token in scene.tokens
        if (token.x, token.y) in PLACES
        for shape in token.sprite.shapes
        if isinstance(shape, kind) and ink in {shape.fill, shape.edge}
    }


def tips(scene: Scene, ink: Ink) -> list[tuple[float, float]]:
    """Return the tips of the arrows of a colour."""
    return [s.points[0] for s in scene.below if isinstance(s, Polygon) and s.fill is ink]


def words(scene: Scene) -> list[str]:
    return [shape.text for shape in scene.above if isinstance(shape, Text)]


# ---------------------------------------------------------------- men and board


@every_theme
def test_a_swede_a_muscovite_and_the_king_look_different(painter: Painter, theme: str) -> None:
    looks = []
    for kind in (MUSCOVITE, SWEDE, KING):
        ground = Board(1.2, 1.2, (Rect(0, 0, 1.2, 1.2, Ink.SQUARE),))
        scene = Scene(ground, (Token(man(kind), 0.6, 0.6),))
        looks.append(rgb(painter.png(scene, theme=theme, width=240)))
    for one, other in combinations(looks, 2):
        assert difference(one, other) > 8


def test_swedes_are_round_and_muscovites_angular() -> None:
    outline = {kind: type(man(kind).shapes[1]) for kind in (MUSCOVITE, SWEDE, KING)}
    assert outline == {MUSCOVITE: Polygon, SWEDE: Disc, KING: Disc}


def test_men_are_drawn_where_the_position_has_them() -> None:
    steps, end = whole_game(GAME, "men", {}, 2)
    for state in (*(step.state for step in steps), end):
        scene = GAME.scene(state)
        for kind, letter in ((MUSCOVITE, "m"), (SWEDE, "s"), (KING, "k")):
            assert squares_of(scene, man(kind)) == {n for n in SQUARES if at(state, n) == letter}


def test_the_castle_is_marked_and_everything_stays_within_the_page() -> None:
    board = GAME.scene(GAME.initial()).board
    x, y = centre(NUMBERS["e5"])
    (castle,) = [s for s in board.shapes if isinstance(s, Rect) and s.fill is Ink.SPECIAL]
    assert castle.x + castle.width / 2 == pytest.approx(x)
    assert castle.y + castle.height / 2 == pytest.approx(y)
    assert (board.width, board.height) == (WIDTH, HEIGHT)
    for shape in board.shapes:
        if isinstance(shape, Text):
            assert 0 < shape.x < WIDTH
            assert 0 < shape.y < HEIGHT


# ---------------------------------------------------------------- marks


def test_the_last_move_is_an_arrow_from_the_mans_origin() -> None:
    state, last = played(GAME.initial(), "e7-h7")
    scene = GAME.scene(state, last)
    assert marked(scene, Ink.LAST, Rect) == {"h7"}
    assert marked(scene, Ink.LAST, Disc) == {"e7"}
    (tip,) = tips(scene, Ink.LAST)
    assert tip[1] == centre(NUMBERS["h7"])[1]
    assert centre(NUMBERS["g7"])[0] < tip[0] < centre(NUMBERS["h7"])[0]
    assert not tips(GAME.scene(state), Ink.LAST)


def test_captured_men_are_marked() -> None:
    state, last = played(board(PROPPED, "muscovites"), "e1-e6")
    assert marked(GAME.scene(state, last), Ink.ALERT, Disc) == {"d6"}
    state, last = played(board(THREE, "muscovites"), "c3-c5")
    assert marked(GAME.scene(state, last), Ink.ALERT, Disc) == {"c6"}


def test_raichi_draws_the_kings_way_out() -> None:
    state, last = played(board(OPEN, "swedes"), "h5-g5")
    scene = GAME.scene(state, last)
    (tip,) = tips(scene, Ink.ALERT)
    assert tip[1] == centre(NUMBERS["a5"])[1]
    assert tip[0] < centre(NUMBERS["a5"])[0]
    assert "a way out!" in words(scene)


def test_tuichu_draws_every_way_out() -> None:
    state, last = played(board(OPEN, "swedes"), "h5-h4")
    scene = GAME.scene(state, last)
    assert len(tips(scene, Ink.ALERT)) == 2
    assert "two ways out!" in words(scene)
    assert "lost" in words(scene)


def test_movable_men_are_framed_and_the_targets_of_the_chosen_one_dotted() -> None:
    state = GAME.initial()
    movers = {GAME.steps(move)[0] for move in GAME.legal_moves(state)}
    assert marked(GAME.scene(state), Ink.CHOICE, Rect) == movers
    scene = GAME.scene(state, (), ("e7",))
    assert marked(scene, Ink.CHOICE, Rect) == {"e7"}
    targets = {move[1:] for man, move in map(GAME.steps, GAME.legal_moves(state)) if man == "e7"}
    assert marked(scene, Ink.CHOICE, Disc) == targets


def test_a_chosen_move_is_shown_as_if_played() -> None:
    scene = GAME.scene(GAME.initial(), (), ("e7", "-h7"))
    assert "h7" in squares_of(scene, man(SWEDE))
    assert "e7" not in squares_of(scene, man(SWEDE))
    assert len(tips(scene, Ink.CHOICE)) == 1


def test_the_panels_show_who_is_to_move_the_men_left_and_the_winner() -> None:
    assert words(GAME.scene(GAME.initial()))[:6] == [
        *("Swedes", "8+1", "to move"),
        *("Muscovites", "16", ""),
    ]
    over = play(board(THREE, "muscovites"), "c3-c5")
    assert "won" in words(GAME.scene(over))
    drawn = play(GAME.initial(), *("e7-f7", "e8-f8", "f7-e7", "f8-e8") * 2)
    assert words(GAME.scene(drawn)).count("drawn") == 2


# ---------------------------------------------------------------- descriptions


def test_the_alt_text_mentions_every_man_the_turn_and_the_last_moves() -> None:
    state, last = played(GAME.initial(), "e7-h7")
    assert GAME.scene(state, last).alt == (
        "Muscovites to move. The king is on his castle, e5. "
        "Swedes (8): c5 d5 e3 e4 e6 f5 g5 h7. "
        "Muscovites (16): a4 a5 a6 b5 d1 d9 e1 e2 e8 e9 f1 f9 h5 i4 i5 i6. "
        "Last: Swedes: e7 to h7."
    )


def test_the_alt_text_names_every_square_and_stays_within_the_limit() -> None:
    for seed in ("alt 1", "alt 2"):
        steps, end = whole_game(GAME, seed, {}, 2)
        for count, state in enumerate((*(step.state for step in steps), end)):
            last = [(step.state, step.move) for step in steps[:count]]
            alt = GAME.scene(state, last).alt
            assert len(alt) <= 1024
            for square in (n for n in SQUARES if at(state, n) != "."):
                assert square in alt


def test_the_alt_text_of_a_finished_game_says_how_it_ended() -> None:
    taken = play(board(THREE, "muscovites"), "c3-c5")
    assert GAME.scene(taken).alt.startswith(
        "Muscovites have won: the king is taken. The king is off the board"
    )
    drawn = play(GAME.initial(), *("e7-f7", "e8-f8", "f7-e7", "f8-e8") * 2)
    assert GAME.scene(drawn).alt.startswith("The game is drawn: the same position")


def test_the_text_board_shows_the_castle_and_has_a_key() -> None:
    state: Position = play(GAME.initial(), "e7-h7", "e8-f8", "e6-h6", "f8-e8", "e5-e7")
    lines = GAME.scene(state).text.splitlines()
    assert lines[0] == "   a b c d e f g h i"
    assert lines[5] == "5  m m s s + s s m m  5"
    assert lines[3] == "7  . . . . k . . s .  7"
    assert lines[-1] == "k: the king; s: a Swede; m: a Muscovite; +: the empty castle"
