"""The picture of Tablan shows and describes everything a player needs."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest
from PIL import Image, ImageChops, ImageStat

from engine.game import Seat
from engine.games.tablan import GAME
from engine.games.tablan.board import COURSES
from engine.games.tablan.men import Inlay, man, stick, sticks
from engine.games.tablan.state import BLACK, WHITE, Phase
from engine.games.tablan.table import board as ground
from engine.games.tablan.table import centre
from engine.scene import Board, Disc, Ink, Line, Polygon, Scene, Sprite, Text, Token
from engine.turning import turned
from render import THEMES, Painter
from tests.engine.acts import decisions
from tests.engine.games.tablan.boards import START, board, picture, play, played
from tests.render.similarity import difference, rgb

HOME = "wwwwwwwwwwww"
every_theme = pytest.mark.parametrize("theme", THEMES)


def standing(scene: Scene, square: str) -> list[Token]:
    """Return what is drawn exactly at the centre of a square."""
    return [token for token in scene.tokens if (token.x, token.y) == centre(square)]


def men_on(scene: Scene, square: str, seat: Seat) -> list[Inlay]:
    """Return the inlays of a seat's men on a square."""
    looks = {man(seat, inlay): inlay for inlay in Inlay}
    found = (looks.get(token.sprite) for token in standing(scene, square))
    return [inlay for inlay in found if inlay]


def texts(scene: Scene) -> list[str]:
    return [shape.text for shape in scene.above if isinstance(shape, Text)]


def framed(scene: Scene) -> set[str]:
    """Return the squares framed in the colour for choices."""
    return {
        square
        for square in (f"{file}{rank}" for file in "abcdefghijkl" for rank in "1234")
        for token in standing(scene, square)
        if any(
            getattr(shape, "edge", None) is Ink.CHOICE and shape.fill is None
            for shape in token.sprite.shapes
            if not isinstance(shape, Disc | Text) and hasattr(shape, "fill")
        )
    }


# ---------------------------------------------------------------- men


def _silhouette(painter: Painter, sprite: Sprite, theme: str) -> Image.Image:
    scene = Scene(Board(1.2, 1.2, ()), (Token(sprite, 0.6, 0.6),))
    return rgb(painter.png(scene, theme=theme, width=240)).convert("L")


@every_theme
def test_the_seats_men_differ_without_colour(painter: Painter, theme: str) -> None:
    """In grey, even with the brightness of one inverted."""
    white = _silhouette(painter, man(WHITE), theme)
    black = _silhouette(painter, man(BLACK), theme)
    assert ImageStat.Stat(ImageChops.difference(white, black)).mean[0] > 40
    turned = ImageChops.invert(black)
    assert ImageStat.Stat(ImageChops.difference(white, turned)).mean[0] > 10


def test_a_white_man_has_a_round_outline_and_a_black_one_has_corners() -> None:
    white, black = man(WHITE).shapes[1], man(BLACK).shapes[1]
    assert isinstance(white, Disc)
    assert isinstance(black, Polygon)
    assert len(black.points) == 8


@every_theme
def test_locked_men_men_at_home_and_other_men_look_different(painter: Painter, theme: str) -> None:
    for seat in (WHITE, BLACK):
        looks = [
            rgb(
                painter.png(
                    Scene(Board(1.2, 1.2, ()), (Token(man(seat, inlay), 0.6, 0.6),)),
                    theme=theme,
                    width=240,
                )
            )
            for inlay in (Inlay.OWN, Inlay.LOCK, Inlay.STAR)
        ]
        assert all(difference(one, other) > 2 for one, other in combinations(looks, 2))


def test_every_man_is_drawn_on_its_square_and_on_no_other() -> None:
    state = board("W c3 e4 l1, w a1, B b4 c1 i2 j2, b j4", "white 8")
    scene = GAME.scene(state)
    for seat in (WHITE, BLACK):
        for square in (f"{file}{rank}" for file in "abcdefghijkl" for rank in "1234"):
            assert bool(men_on(scene, square, seat)) == (square in state.squares(seat))


def test_b3_men_waiting_for_a_two_carry_a_lock_under_that_rule_only() -> None:
    line = ("bbbbbbbbbbb./...........B/...........W/wwwwwwwwwww.", "white -")
    bell = GAME.scene(picture(*line, rules="bell"))
    assert men_on(bell, "a1", WHITE) == men_on(bell, "a4", BLACK) == [Inlay.LOCK]
    assert men_on(bell, "l2", WHITE) == men_on(bell, "l3", BLACK) == [Inlay.OWN]
    walker = GAME.scene(picture(*line))
    assert men_on(walker, "a1", WHITE) == [Inlay.OWN]


def test_w11_men_on_the_last_row_carry_a_star() -> None:
    scene = GAME.scene(board("W a4 g1, B a1 g4", "white -"))
    assert men_on(scene, "a4", WHITE) == men_on(scene, "a1", BLACK) == [Inlay.STAR]
    assert men_on(scene, "g1", WHITE) == men_on(scene, "g4", BLACK) == [Inlay.OWN]


# ---------------------------------------------------------------- what was played


@pytest.mark.parametrize("plain", range(5))
def test_four_sticks_show_the_number_of_plain_sides_thrown(plain: int) -> None:
    shown = sticks(plain)
    assert len(shown) == 4
    assert shown.count(stick(plain=True)) == plain


@pytest.mark.parametrize(("score", "plain"), [(2, 1), (8, 4), (12, 0)])
def test_w8_the_throw_in_hand_is_shown_beside_the_board_with_its_score(
    score: int, plain: int
) -> None:
    scene = GAME.scene(picture(START, f"white {score}"))
    lying = [token.sprite for token in scene.tokens if token.sprite in sticks(2)]
    assert lying.count(stick(plain=True)) == plain
    assert len(lying) == 4
    assert str(score) in texts(scene)


def test_w9_a_throw_that_passed_the_sticks_is_shown_with_no_score() -> None:
    state, last = played(picture(START, "white -"), "*2")
    lying = [token.sprite for token in GAME.scene(state, last).tokens]
    assert lying.count(stick(plain=True)) == lying.count(stick(plain=False)) == 2


def test_the_last_move_is_a_trail_along_the_path_from_a_ring_to_a_highlighted_square() -> None:
    state, last = played(picture(START, "white 8"), "h1-i2")
    before, now = GAME.scene(state), GAME.scene(state, last)
    added = [token for token in now.tokens if token not in before.tokens]
    places = {(token.x, token.y) for token in added}
    for square in ("h1", "i1", "l1", "l2", "k2", "i2"):
        assert centre(square) in places, square
    assert men_on(now, "i2", WHITE) == [Inlay.OWN]


def test_w15_a_captured_man_is_marked_on_its_square_and_shown_beside_the_board() -> None:
    state, last = played(
        picture("bbbbbbbbbbb./............/...........B/wwwwwwwwwwww", "white 2"), "k1-l2"
    )
    scene = GAME.scene(state, last)
    x, y = centre("l2")
    assert any(
        getattr(shape, "fill", None) is Ink.ALERT
        for token in scene.tokens
        if abs(token.x - x) < 0.5 and abs(token.y - y) < 0.5
        for shape in token.sprite.shapes
    )
    small = man(BLACK, Inlay.NONE, 0.145)
    assert [token.sprite for token in scene.tokens].count(small) == 1


# ---------------------------------------------------------------- what may be played


def test_exactly_the_men_that_can_move_are_framed() -> None:
    state = board("W a4 d3, w f1 l1, b k4", "white 8")
    origins = {GAME.write(move)[:2] for move in GAME.legal_moves(state)}
    assert framed(GAME.scene(state)) == origins


def test_after_the_first_half_of_a_split_the_men_for_the_second_are_framed() -> None:
    state = play(GAME.initial(), "*1")
    split = next(s for s in map(GAME.steps, GAME.legal_moves(state)) if s == ("l1-l2", ",k1-l1"))
    scene = GAME.scene(state, chosen=split[:1])
    assert framed(scene) == {"k1"}
    assert men_on(scene, "l2", WHITE) == [Inlay.OWN]
    assert not men_on(scene, "l1", WHITE)


def test_nothing_is_framed_while_the_sticks_are_thrown() -> None:
    assert not framed(GAME.scene(GAME.initial()))


# ---------------------------------------------------------------- the table


@pytest.mark.parametrize("course", ["alongside", "opposed"])
def test_each_seat_has_an_arrowhead_at_the_way_to_its_next_row(course: str) -> None:
    for seat, ink in ((WHITE, Ink.SEAT_1), (BLACK, Ink.SEAT_2)):
        walk = COURSES[course].squares[seat]
        heads = [
            shape.points
            for shape in ground(course).shapes
            if isinstance(shape, Polygon) and shape.fill is ink and len(shape.points) == 3
        ]
        assert len(heads) == 3
        for row, (left, right, tip) in zip((12, 24, 36), heads, strict=True):
            (x, start), (_, end) = centre(walk[row - 1]), centre(walk[row])
            assert abs(tip[0] - x) < 0.75
            assert min(start, end) < tip[1] < max(start, end)
            assert (tip[1] > left[1] == right[1]) == (end > start)


@pytest.mark.parametrize(
    ("course", "shown"),
    [
        ("alongside", ((Ink.LINE, 0.0), (Ink.LINE, 0.0))),
        ("opposed", ((Ink.SEAT_1, 0.2), (Ink.SEAT_2, -0.2))),
    ],
)
def test_every_square_shows_which_way_each_seat_walks_over_it(
    course: str, shown: tuple[tuple[Ink, float], ...]
) -> None:
    marks = [shape for shape in ground(course).shapes if isinstance(shape, Line)]
    for seat, (ink, below) in zip((WHITE, BLACK), shown, strict=True):
        for here, there in pairwise(COURSES[course].squares[seat]):
            (x, y), (to, _) = centre(here), centre(there)
            if here[1] != there[1]:
                continue
            (mark,) = (
                mark.points
                for mark in marks
                if mark.ink is ink
                and abs(mark.points[1][0] - x) < 0.3
                and abs(mark.points[1][1] - y - below) < 0.01
            )
            assert (mark[1][0] > mark[0][0] == mark[2][0]) == (to > x)


def test_only_the_end_of_a_long_run_is_drawn_and_words_tell_all_of_it() -> None:
    state, last = picture(START, "white 2"), []
    for text in ("k1-l2", "l2-j2", "j2-h2", "h2-f2", "f2-d2", "d2-b2"):
        last.append((state, GAME.read(state, text)))
        state = play(state, text, "*1")
    scene = GAME.scene(state, last)
    numbers = [t.text for one in scene.tokens for t in one.sprite.shapes if isinstance(t, Text)]
    assert numbers == ["1", "2", "3", "4"]
    assert not standing(scene, "l2")
    assert "k1 to l2" in scene.alt


def test_several_moves_are_numbered_and_no_arrowhead_is_hidden_by_a_man() -> None:
    state, last = played(picture(START, "white 2"), "l1-l2,k1-l1")
    scene = GAME.scene(state, last)
    order = [token.sprite for token in scene.tokens]
    numbers = [t.text for s in order for t in s.shapes if isinstance(t, Text)]
    assert numbers == ["1", "2"]
    heads = [
        index
        for index, sprite in enumerate(order)
        if [getattr(shape, "fill", None) for shape in sprite.shapes] == [Ink.LINE, Ink.LAST]
        and isinstance(sprite.shapes[0], Polygon)
    ]
    assert len(heads) == 2
    on_board = [man(seat, inlay) for seat in (WHITE, BLACK) for inlay in Inlay]
    assert min(heads) > max(i for i, sprite in enumerate(order) if sprite in on_board)
    state, last = played(picture(START, "white 8"), "h1-i2")
    assert not [
        t for s in GAME.scene(state, last).tokens for t in s.sprite.shapes if isinstance(t, Text)
    ]


def test_the_two_courses_have_different_boards_each_built_once() -> None:
    assert ground("alongside") != ground("opposed")
    assert GAME.scene(GAME.initial()).board is GAME.scene(play(GAME.initial(), "*1")).board


# ---------------------------------------------------------------- descriptions


@pytest.mark.parametrize("seed", ["one", "two"])
@pytest.mark.parametrize("rules", ["walker", "bell"])
def test_the_description_names_every_man_and_fits_discords_limit(seed: str, rules: str) -> None:
    for state, last in decisions("tablan", seed, {"rules": rules}):
        alt = GAME.scene(state, last).alt
        assert 0 < len(alt) <= 1024
        for seat, name in enumerate(("White men:", "Black men:")):
            sentence = alt[alt.index(name) :].split(".")[0]
            for square in state.squares(WHITE if seat == 0 else BLACK):
                assert square in sentence
        if state.phase is Phase.MOVE:
            assert f"threw {state.score} and is to move" in alt


def test_the_description_mentions_locked_men_men_at_home_the_courses_and_the_last_move() -> None:
    start = picture("bbbbbbbbb.../............/B..........B/.wwwwwwwwwww", "black 2", rules="bell")
    state, last = played(start, "a2-c2")
    alt = GAME.scene(state, last).alt
    assert "Black is to throw." in alt
    assert "White men: locked until a 2 on b1 c1 d1" in alt
    assert "Black men: on c2 l2, locked until a 2 on a4 b4" in alt
    assert "White walks a1 to l1, l2 to a2, a3 to l3, home l4 to a4." in alt
    assert "Black walks a4 to l4, l3 to a3, a2 to l2, home l1 to a1." in alt
    assert "Black a2 to c2" in alt


def test_a_finished_game_says_who_won_and_why() -> None:
    scene = GAME.scene(board("W a4 b4 c4 d4 e4, B a1 b1 c1", "white -"))
    assert scene.alt.startswith("White has won: ")
    assert "wins" in texts(scene)


def test_the_text_board_has_coordinates_rows_of_equal_length_and_all_men() -> None:
    text = GAME.scene(board("W c3 e4 l1, w a1, B b4 c1 i2 j2, b j4", "white 8", rules="bell")).text
    lines = text.splitlines()
    assert lines[0].split() == lines[5].split() == list("abcdefghijkl")
    assert [line.split()[0] for line in lines[1:5]] == ["4", "3", "2", "1"]
    assert "".join(lines[1].split()[1:-1]) == ".B..W....b.."
    assert "".join(lines[4].split()[1:-1]) == "w.B........W"
    assert "White threw 8 and is to move." in text


# ---------------------------------------------------------------- the whole picture


def test_rotating_the_board_for_black_puts_blacks_row_and_panel_at_the_bottom() -> None:
    state = GAME.initial({})
    assert (GAME.quarter_turns(state, WHITE), GAME.quarter_turns(state, BLACK)) == (0, 2)
    scene = turned(GAME.scene(state), GAME.quarter_turns(state, BLACK))
    names = {s.text: s.y for s in scene.above if isinstance(s, Text) and s.seat is not None}
    assert names["Black"] > names["White"]
    lowest = max(token.y for token in scene.tokens)
    assert {t.sprite for t in scene.tokens if t.y == lowest} <= set(black_men())


def black_men() -> list[Sprite]:
    """Return every sprite of a black man."""
    return [man(BLACK, inlay) for inlay in Inlay]
