"""Every kind of shape: its position and movement, and that it is never clipped."""

from __future__ import annotations

import pytest
from PIL import Image

from engine.scene import Disc, Ink, Line, Polygon, Rect, Shape, Text, Texture, moved
from render.brush import Brush
from render.fonts import writable
from render.geometry import bounds, origin
from render.texture import TONES, VARIANTS, tones
from render.theme import THEMES

UNIT = 40
SIZE = 400
MIDDLE = (200, 200)

SHAPES = {
    "rect": Rect(-1, -0.5, 2, 1, Ink.SQUARE, Ink.LINE, 0.1, 0.2),
    "wooden rect": Rect(-1, -0.5, 2, 1, Ink.SQUARE, texture=Texture.WOOD),
    "cloth rect": Rect(-1, -0.5, 2, 1, Ink.SQUARE, texture=Texture.CLOTH),
    "disc": Disc(0.3, 0.2, 0.7, Ink.SEAT_1, Ink.SEAT_1_EDGE, 0.1),
    "ring": Disc(0.3, 0.2, 0.7, edge=Ink.LAST, edge_width=0.1),
    "polygon": Polygon(((0, -1), (1, 1), (-1, 1)), Ink.SEAT_2, Ink.SEAT_2_EDGE, 0.2),
    "line": Line(((-1, -1), (1, -1), (1, 1)), Ink.LAST, 0.2),
    "arrow": Line(((-1, 0), (1, 0.5)), Ink.LAST, 0.2, arrow=True),
    "dashes": Line(((-2, 0), (1, 0), (1, 2)), Ink.CHOICE, 0.1, dashed=True),
    "text": Text(0, 0, "gÅj8", 1.0, Ink.PAGE_TEXT),
    "bold text": Text(0, 0, "gÅj8", 1.0, Ink.PAGE_TEXT, "rs", bold=True),
    "text with little room": Text(0, 0, "gÅj8 gÅj8", 1.0, Ink.PAGE_TEXT, "lm", room=1.5),
    "two lines": Text(0, 0, "gÅj8\nÅ", 1.0, Ink.PAGE_TEXT, "lm"),
    "shadow": Disc(0, 0, 0.5, Ink.SHADOW),
}
every_shape = pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)


def drawn(shape: Shape) -> Image.Image:
    image = Image.new("RGBA", (SIZE, SIZE), (0, 0, 0, 0))
    Brush(image, THEMES["wood"], UNIT, MIDDLE, oversize=1).draw([shape])
    return image


def visible_box(shape: Shape) -> tuple[int, int, int, int]:
    """Return the box, relative to the centre, of the pixels that the shape colours."""
    box = drawn(shape).getchannel("A").getbbox()
    assert box is not None
    return box[0] - 200, box[1] - 200, box[2] - 200, box[3] - 200


@every_shape
def test_a_shape_colours_nothing_outside_its_bounds(shape: Shape) -> None:
    left, top, right, bottom = visible_box(shape)
    box = bounds([shape], UNIT)
    assert box.left <= left
    assert box.top <= top
    assert box.right >= right
    assert box.bottom >= bottom


@every_shape
def test_bounds_are_not_much_larger_than_the_visible_shape(shape: Shape) -> None:
    left, top, right, bottom = visible_box(shape)
    width, height = bounds([shape], UNIT).size
    assert width * height <= 3 * (right - left + 8) * (bottom - top + 8)


@every_shape
def test_a_moved_shape_keeps_its_form(shape: Shape) -> None:
    there = moved(shape, 1.0, -1.5)
    x, y = origin(shape)
    assert origin(there) == pytest.approx((x + 1.0, y - 1.5))
    assert moved(there, -1.0, 1.5) == shape
    assert visible_box(there) == tuple(
        side + shift for side, shift in zip(visible_box(shape), (40, -60, 40, -60), strict=True)
    )


def test_a_text_shrinks_to_fit_its_room_and_no_further() -> None:
    left, top, right, bottom = visible_box(Text(0, 0, "Muscovites", 1.0, Ink.PAGE_TEXT, room=2.0))
    assert 2.0 * UNIT * 0.85 <= right - left <= 2.0 * UNIT + 2
    free = visible_box(Text(0, 0, "Muscovites", 1.0, Ink.PAGE_TEXT))
    assert bottom - top < free[3] - free[1]
    assert visible_box(Text(0, 0, "Muscovites", 1.0, Ink.PAGE_TEXT, room=9.0)) == free


@pytest.mark.parametrize(
    "words",
    ["White", "8+1", "spaces\nleft", "“x” …", "", "पश्चिम की चाल", "3 मारे गए", "白 3", "Oğuz محمد"],
)
def test_text_with_glyphs_in_the_font_can_be_written(words: str) -> None:
    assert writable(words)


@pytest.mark.parametrize("words", ["𓂀", "सफ़ेद 𓂀", "to \U0010fffe"])
def test_text_without_glyphs_in_the_font_cannot_be_written(words: str) -> None:
    assert not writable(words)


def test_hindi_letters_are_joined() -> None:
    """Unjoined they would be unreadable; without a shaping library the text is in English."""
    left, _, right, _ = visible_box(Text(0, 0, "श्चि", 1.0, Ink.PAGE_TEXT))
    apart = [visible_box(Text(0, 0, letter, 1.0, Ink.PAGE_TEXT)) for letter in "श्चि"]
    assert right - left < 0.8 * sum(box[2] - box[0] for box in apart)


def test_each_line_of_a_text_has_its_own_position() -> None:
    _, top, _, bottom = visible_box(Text(0, 0, "I", 1.0, Ink.PAGE_TEXT))
    _, first, _, last = visible_box(Text(0, 0, "I\nI", 1.0, Ink.PAGE_TEXT))
    assert first == pytest.approx(top - 0.525 * UNIT, abs=1)
    assert last == pytest.approx(bottom + 0.525 * UNIT, abs=1)


def test_an_arrow_ends_at_its_tip() -> None:
    _, _, right, _ = visible_box(Line(((-1, 0), (1, 0)), Ink.LAST, 0.1, arrow=True))
    assert right == pytest.approx(40, abs=2)


def test_a_dashed_line_has_gaps_and_a_plain_one_has_none() -> None:
    for dashed in (True, False):
        image = drawn(Line(((-3, 0), (3, 0)), Ink.LAST, 0.1, dashed=dashed))
        row = image.getchannel("A").crop((90, 200, 310, 201)).tobytes()
        assert (0 in row) is dashed


def test_adjacent_squares_have_equal_size_and_do_not_overlap() -> None:
    one, other = Rect(0, 0, 1, 1, Ink.SQUARE), Rect(1, 0, 1, 1, Ink.SQUARE)
    assert visible_box(one) == (0, 0, 40, 40)
    assert visible_box(other) == (40, 0, 80, 40)


@pytest.mark.parametrize("texture", [Texture.WOOD, Texture.CLOTH])
def test_a_texture_is_repeatable_and_stays_within_its_tones(texture: Texture) -> None:
    first = tones(texture, 70, 70, 70, 0).tobytes()
    tones.cache_clear()
    assert tones(texture, 70, 70, 70, 0).tobytes() == first
    assert set(first) == set(range(2 * TONES + 1))


def test_pieces_of_wood_differ() -> None:
    pieces = {tones(Texture.WOOD, 70, 70, 70, variant).tobytes() for variant in range(VARIANTS)}
    assert len(pieces) == VARIANTS
