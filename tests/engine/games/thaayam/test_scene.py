"""The picture of Thaayam shows and describes everything a player needs."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest
from PIL import Image, ImageChops, ImageStat

from engine.games.thaayam import GAME
from engine.games.thaayam.board import MARKED, PATHS, SQUARES
from engine.games.thaayam.marks import Trail, above, last_turn
from engine.games.thaayam.men import EDGE, FILL, badge, chip, emblem, man, twins
from engine.games.thaayam.state import EAST, NORTH, SOUTH, WEST, Throw
from engine.games.thaayam.table import PANEL_X, SIDE, board, centre, panels
from engine.scene import Board, Disc, Ink, Line, Polygon, Rect, Scene, Sprite, Text, Token
from render import THEMES, Painter
from render.theme import contrast
from tests.engine.acts import decisions
from tests.engine.games.thaayam.boards import played
from tests.render.similarity import difference, rgb

SEATS = (SOUTH, WEST, NORTH, EAST)
NOBODY = "north:-,-,-,-"
every_theme = pytest.mark.parametrize("theme", THEMES)


def on(scene: Scene, square: str) -> list[Token]:
    """Return what is drawn on a square."""
    x, y = centre(square)
    return [t for t in scene.tokens if abs(t.x - x) < SIDE / 2 and abs(t.y - y) < SIDE / 2]


def looks(line: str, square: str) -> list[Sprite]:
    """Return the sprites of the pieces on a square."""
    known = {
        kind(seat, radius, moved=moved)
        for kind in (man, twins)
        for seat in SEATS
        for radius in (0.62, 0.82, 0.43, 0.4, 0.28, 0.27)
        for moved in (False, True)
    } | {
        badge(number, radius, away)
        for number in (2, 3, 4)
        for radius in (0.4, 0.28, 0.27)
        for away in ((-1, -1), (1, -1), (-1, 1), (1, 1))
    }
    scene = GAME.scene(GAME.read_position(line))
    return [token.sprite for token in on(scene, square) if token.sprite in known]


def framed(scene: Scene) -> set[str]:
    """Return the squares framed in the colour for choices."""
    return {
        square
        for square in SQUARES
        for token in on(scene, square)
        if (token.x, token.y) == centre(square)
        and any(
            isinstance(shape, Rect) and shape.edge is Ink.CHOICE and shape.fill is None
            for shape in token.sprite.shapes
        )
    }


def texts(scene: Scene) -> list[str]:
    return [shape.text for shape in scene.above if isinstance(shape, Text)]


# ---------------------------------------------------------------- pieces


def _silhouette(painter: Painter, sprite: Sprite, theme: str) -> Image.Image:
    scene = Scene(Board(2.0, 2.0, ()), (Token(sprite, 1.0, 1.0),))
    return rgb(painter.png(scene, theme=theme, width=240)).convert("L")


@every_theme
def test_the_seats_pieces_differ_without_colour(painter: Painter, theme: str) -> None:
    """In grey, even with the brightness of one inverted."""
    for one, two in combinations(SEATS, 2):
        first = _silhouette(painter, man(one, 0.62), theme)
        second = _silhouette(painter, man(two, 0.62), theme)
        assert ImageStat.Stat(ImageChops.difference(first, second)).mean[0] > 4
        turned = ImageChops.invert(second)
        assert ImageStat.Stat(ImageChops.difference(first, turned)).mean[0] > 4


def test_the_four_seats_have_different_outlines() -> None:
    kinds = [type(man(seat, 0.6).shapes[1]) for seat in SEATS]
    assert kinds == [Disc, Rect, Polygon, Polygon]
    north, east = (man(seat, 0.6).shapes[1] for seat in (NORTH, EAST))
    assert isinstance(north, Polygon)
    assert isinstance(east, Polygon)
    assert (len(north.points), len(east.points)) == (4, 3)


@every_theme
def test_a_piece_that_has_moved_and_twins_look_different(painter: Painter, theme: str) -> None:
    for seat in SEATS:
        sprites = (man(seat, 0.6), man(seat, 0.6, moved=True), twins(seat, 0.6))
        images = [
            rgb(
                painter.png(
                    Scene(Board(2.0, 2.0, ()), (Token(s, 1.0, 1.0),)), theme=theme, width=240
                )
            )
            for s in sprites
        ]
        assert all(difference(one, other) > 1 for one, other in combinations(images, 2))


def test_a_few_pieces_on_a_square_are_drawn_side_by_side() -> None:
    line = "south:3,3,17&17 north:0,11,-,- south 4,2"
    assert looks(line, "e2") == [man(SOUTH, 0.4), man(SOUTH, 0.4), man(NORTH, 0.4)]
    assert looks(line, "b3") == [twins(SOUTH, 0.82)]
    assert looks(line, "c5") == [man(NORTH, 0.62)]


def test_rule_14_many_pieces_on_a_square_are_shown_with_a_count() -> None:
    line = "south:24,24,24,3 west:24,24,0,0 north:24,0,-,- east:24,24,24,24 south 4,2"
    assert looks(line, "c3") == [
        man(SOUTH, 0.4),
        badge(3, 0.4, (-1, -1)),
        man(WEST, 0.4),
        badge(2, 0.4, (1, -1)),
        man(NORTH, 0.4),
        man(EAST, 0.4),
        badge(4, 0.4, (1, 1)),
    ]


@pytest.mark.parametrize("radius", [0.27, 0.28, 0.4])
def test_a_count_leaves_most_of_its_own_piece_and_all_of_its_neighbours_visible(
    radius: float,
) -> None:
    for away in ((-1, -1), (1, -1), (-1, 1), (1, 1)):
        plate, figure = badge(12, radius, away).shapes
        assert isinstance(plate, Rect)
        assert isinstance(figure, Text)
        half = plate.width / 2
        assert plate.height == plate.width
        assert (plate.x + half, plate.y + half) == pytest.approx((figure.x, figure.y))
        assert figure.x * away[0] > half < figure.y * away[1], "the piece's centre shows"
        assert figure.room <= plate.width, "two figures stay on their plate"


def test_how_many_stand_there_does_not_look_like_the_number_of_a_move() -> None:
    """A newcomer took the count in the keep for one of the last turn's moves."""
    trail = Trail(SOUTH, (centre("c3"),))
    numbers = [token.sprite for token in above([trail, trail], Ink.LAST)]
    discs = {type(shape) for sprite in numbers for shape in sprite.shapes}
    count, figure = badge(2, 0.4).shapes
    assert Disc in discs
    assert isinstance(count, Rect)
    assert isinstance(figure, Text)
    assert (count.fill, figure.ink) == (Ink.PAGE_TEXT, Ink.PAGE)


def test_nine_kinds_fit_on_one_square() -> None:
    line = "south:8,8!,8&8 west:12,12,12&12 north:0,0,0,0 east:4,4,4,- south 2"
    assert len(on(GAME.scene(GAME.read_position(line)), "c5")) >= 7
    for token in on(GAME.scene(GAME.read_position(line)), "c5"):
        x, y = centre("c5")
        assert abs(token.x - x) <= SIDE / 2
        assert abs(token.y - y) <= SIDE / 2


def test_a_panel_counts_the_pieces_waiting_on_the_rings_in_the_keep_and_home() -> None:
    state = GAME.read_position("south:24,24,*,* west:3,3,-,- north:-,-,-,- south 1,2")
    scene = GAME.scene(state)
    for seat, text in ((SOUTH, "0022"), (WEST, "2200"), (NORTH, "4000")):
        written = {(t.x, t.y): t.text for t in scene.above if isinstance(t, Text)}
        assert "".join(written[place] for place in panels(3)[seat].figures) == text


def test_nothing_stands_beside_a_seat_that_has_not_thrown_for_the_start() -> None:
    first = GAME.initial(None, 2)
    assert "-" not in {shape.text for shape in GAME.scene(first).above if isinstance(shape, Text)}
    thrown = GAME.scene(GAME.after(first, GAME.read(first, "*3")))
    (figure,) = [s for s in thrown.above if isinstance(s, Text) and s.size == 0.6]
    assert figure.text == "3"


def test_only_the_last_turns_arrows_are_shown() -> None:
    state = GAME.read_position("south:3,8,-,- north:0,11,-,- south 4,2")
    other = replace(state, turn=1 - state.turn)
    first, second = GAME.parse(state, "e2+4"), GAME.parse(state, "c5+2")
    theirs = GAME.parse(other, "c5+4")
    turn = [(state, first), (state, second)]
    assert [trail.way[0] for trail in last_turn(turn)] == [centre("e2"), centre("c5")]
    again = [*turn, (state, Throw(2)), (state, first)]
    assert [trail.way[0] for trail in last_turn(again)] == [centre("e2")], "another turn"
    assert [trail.seat for trail in last_turn([*turn, (other, theirs)])] == [NORTH]
    lost = [*turn, (other, Throw(2))]
    assert len(last_turn(lost)) == 2, "a throw that moves nobody hides no arrow"


def test_each_palace_has_its_seats_border_and_symbol_even_when_occupied() -> None:
    scene = GAME.scene(GAME.read_position("south:0,0,-,- north:8,8,-,- south 1,2"))
    for seat, fill in ((SOUTH, Ink.SEAT_1), (NORTH, Ink.SEAT_3)):
        square = PATHS[seat][0]
        assert emblem(seat, 0.2) in [token.sprite for token in on(scene, square)]
        x, y = centre(square)
        borders = [
            shape
            for shape in board(2).shapes
            if isinstance(shape, Rect) and shape.edge is fill and shape.fill is None
        ]
        assert [(b.x + b.width / 2, b.y + b.height / 2) for b in borders] == [pytest.approx((x, y))]


# ---------------------------------------------------------------- last moves and choices


def test_each_throw_in_hand_is_a_chip_with_its_score() -> None:
    scene = GAME.scene(GAME.read_position(f"south:3,-,-,- {NOBODY} south 8,1,2"))
    lying = [token.sprite for token in scene.tokens]
    assert [sprite for sprite in lying if sprite in {chip(n) for n in (1, 2, 3, 4, 8)}] == [
        chip(8),
        chip(1),
        chip(2),
    ]


def test_many_throws_are_shown_with_counts() -> None:
    state = GAME.read_position(f"south:3,-,-,- {NOBODY} south 1,4,1,8,1,1,8,2")
    scene = GAME.scene(state)
    assert {"x2", "x4"} <= set(texts(scene))
    lying = [token.sprite for token in scene.tokens]
    assert all(lying.count(chip(score)) == 1 for score in (1, 2, 4, 8))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_finished_or_abandoned_game_says_so_and_prompts_no_seat(players: int) -> None:
    state = GAME.initial(players=players)
    assert "Game over" in texts(GAME.scene(state, over=True))
    won = GAME.read_position("south:*,*,*,* north:-,-,-,- south -")
    assert "South has won" in texts(GAME.scene(won))


@every_theme
def test_every_seats_paths_and_symbols_are_visible_on_every_ground(theme: str) -> None:
    """Either a seat's ink or the rim next to it has a contrast of 3 on every square."""
    colours = THEMES[theme]
    for seat in SEATS:
        for ground in (Ink.SQUARE_HOME, Ink.SQUARE_AWAY, Ink.SPECIAL):
            inks = (FILL[seat], EDGE[seat])
            assert max(contrast(colours.rgb(ink), colours.rgb(ground)) for ink in inks) >= 3


def test_the_last_move_is_a_trail_along_the_path_from_a_ring_to_a_highlighted_square() -> None:
    state, last = played(GAME.read_position(f"south:3,-,-,- {NOBODY} south 4,2"), "e2+4+2")
    added = [t for t in GAME.scene(state, last).tokens if t not in GAME.scene(state).tokens]
    places = {(token.x, token.y) for token in added}
    for square in ("e2", "e3", "e5", "d5", "b5"):
        assert centre(square) in places, square


def test_rule_18_a_capture_is_marked_on_its_square() -> None:
    state, last = played(GAME.read_position("south:5,-,-,- north:15,-,-,- south 2"), "e4+2")
    marks = [t for t in GAME.scene(state, last).tokens if t not in GAME.scene(state).tokens]
    assert any(
        isinstance(shape, Disc) and shape.fill is Ink.ALERT
        for token in marks
        for shape in token.sprite.shapes
        if token in on(GAME.scene(state, last), "d5")
    )


def test_exactly_the_squares_where_a_move_starts_are_framed() -> None:
    state = GAME.read_position("south:3,8,8,- north:4,-,-,- south 1,4,2")
    assert framed(GAME.scene(state)) == {"c1", "e2", "c5"}


def test_once_a_piece_is_chosen_its_targets_are_framed_and_show_their_throws() -> None:
    state = GAME.read_position(f"south:3,9,-,- {NOBODY} south 4,2")
    scene = GAME.scene(state, chosen=("e2",))
    assert framed(scene) == {"e4", "d5", "b5"}
    assert any(
        isinstance(shape, Rect) and shape.fill is Ink.CHOICE
        for token in on(scene, "e2")
        for shape in token.sprite.shapes
    )
    prices = {
        shape.text: token
        for token in scene.tokens
        for shape in token.sprite.shapes
        if isinstance(shape, Text) and token.x < PANEL_X
    }
    assert set(prices) == {"2", "4", "4+2"}
    assert prices["4"] in on(scene, "d5")


def test_nothing_is_framed_while_the_dice_are_thrown() -> None:
    assert not framed(GAME.scene(GAME.initial()))


@pytest.mark.parametrize("seat", ["south", "west", "north", "east"])
def test_the_path_of_the_player_to_move_is_drawn(seat: str) -> None:
    line = "south:3,-,-,- west:3,-,-,- north:3,-,-,- east:3,-,-,-"
    scene = GAME.scene(GAME.read_position(f"{line} {seat} 2"))
    own = SEATS[GAME.seat_names.index(seat)]
    lines = [
        token
        for token in scene.tokens
        for shape in token.sprite.shapes
        if isinstance(shape, Line) and shape.ink is FILL[own] and token.sprite.turns
    ]
    assert [(token.x, token.y) for token in lines] == [centre(square) for square in PATHS[own][:-1]]


# ---------------------------------------------------------------- the table


def test_only_palaces_and_the_keep_have_a_cross() -> None:
    marked = {PATHS[SOUTH][place] for place in MARKED}
    for square in SQUARES:
        x, y = centre(square)
        strokes = [
            shape
            for shape in board(2).shapes
            if isinstance(shape, Line)
            and all(abs(px - x) < 1 and abs(py - y) < 1 for px, py in shape.points)
        ]
        assert len(strokes) == (4 if square in marked else 0)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_each_seat_in_play_has_a_panel(players: int) -> None:
    scene = GAME.scene(GAME.initial(players=players))
    names = [s.text for s in scene.above if isinstance(s, Text) and s.seat is not None]
    for seat in SEATS:
        name = GAME.seat_names[seat].capitalize()
        assert (name in names) == (seat in GAME.seats(players))


# ---------------------------------------------------------------- descriptions


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_description_names_every_piece_and_fits_discords_limit(players: int) -> None:
    for state, last in decisions("thaayam", "alt", None, players):
        alt = GAME.scene(state, last).alt
        assert 0 < len(alt) <= 1024
        for seat, side in zip(state.seats, state.sides, strict=True):
            name = GAME.seat_names[seat].capitalize()
            sentence = alt[alt.index(f"{name}: ") :].split(".")[0]
            for code in side:
                if code < 48:
                    assert PATHS[seat][code // 2] in sentence


def test_the_description_mentions_everything_drawn() -> None:
    state, last = played(GAME.read_position("south:3,3,8&8 north:15,24,24,- south 4,2"), "e2+4")
    alt = GAME.scene(state, last).alt
    assert alt.startswith("South has 2 to use, with another turn to come. ")
    assert "South: e2, d5 (moved), twins on c5." in alt
    assert "North: in the keep twice, 2 in hand." in alt
    assert "South c1, b1-b2; North c5, d5-d4." in alt
    assert alt.endswith("Last: South moves e2 to d5 with 4, captures a piece of North.")


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("south:-,-,-,- north:-,-,-,- south start", "South is to throw for the start."),
        (
            "south:-,-,-,- north:-,-,-,- north start:3,-",
            "South threw 3; North is to throw for the start.",
        ),
        ("south:3,-,-,- north:-,-,-,- south -", "South is to throw."),
        ("south:3,-,-,- north:-,-,-,- south 4,1,-", "South has thrown 4 and 1 and throws on."),
        ("south:3,-,-,- north:-,-,-,- south 4,1,2", "South has 4, 1 and 2 to use."),
        (
            "south:0,0,0,0 north:-,-,-,- south 1,1,1,1,1,1,1,1,4,2",
            "South has 1 times 4, 1 times 2 and 8 times 1 to use.",
        ),
        ("south:*,*,*,* north:-,-,-,- south -", "South has won: all four pieces are home."),
    ],
)
def test_the_first_sentence_says_whose_turn_it_is_and_what_to_do(line: str, sentence: str) -> None:
    scene = GAME.scene(GAME.read_position(line))
    assert scene.alt.startswith(sentence)
    assert sentence in scene.text


def test_the_text_board_has_coordinates_rows_of_equal_length_and_all_pieces() -> None:
    state = GAME.read_position("south:3,7!,8&8 north:0,0,24,- south 1,4")
    lines = GAME.scene(state).text.splitlines()
    assert lines[0].split() == lines[6].split() == list("abcde")
    assert [line.split()[0] for line in lines[1:6]] == ["5", "4", "3", "2", "1"]
    assert len({len(line) for line in lines[:7]}) == 1
    assert lines[1].split()[1:-1] == [".", ".", "S&N2x", "S!", "."]
    assert lines[3].split()[1:-1] == ["x", ".", "Nx", ".", "x"]
    assert "N North: 1 in hand, 1 in the keep, 0 of 4 home" in lines
    assert lines[-1] == "x palace or keep, & twins, ! moved"
