"""Pictures: like the plain reference drawings, small, and always the same."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import pairwise
from struct import unpack

import pytest
from PIL import Image

import render.brush
from engine.scene import Board, Ink, Rect, Scene, Text, Texture
from render import THEMES, Painter, draw_afresh
from render.palette import palette
from tests.render.scenes import ROUND, SQUARE, scene
from tests.render.similarity import assert_similar, difference, opened, rgb

every_theme = pytest.mark.parametrize("theme", THEMES)
MOST = {400: 6.0, 1000: 3.0}
"""By width, the maximum mean difference of a picture from the plain one, of 255.

Men are placed on whole pixels and letters set at their own size: that weighs more with fewer
pixels.
"""


@pytest.fixture(scope="module")
def painter() -> Painter:
    return Painter()


def chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = 8
    while at < len(data):
        (length,) = unpack(">I", data[at : at + 4])
        name, body = data[at + 4 : at + 8], data[at + 8 : at + 8 + length]
        assert unpack(">I", data[at + 8 + length : at + 12 + length])[0] == zlib.crc32(name + body)
        yield name, body
        at += 12 + length


# ---------------------------------------------------------------- like the plain drawings


@every_theme
@pytest.mark.parametrize("width", MOST)
def test_a_picture_from_the_caches_looks_like_a_fresh_one(
    painter: Painter, theme: str, width: int
) -> None:
    painter.png(scene(2), theme=theme, width=width)  # the caches are warm for the next one
    painted = rgb(painter.png(scene(3), theme=theme, width=width))
    afresh = draw_afresh(scene(3), theme=theme, width=width)
    assert_similar(painted, afresh, MOST[width], f"scene-{theme}-{width}")


def test_the_similarity_measure_notices_a_single_missing_man(painter: Painter) -> None:
    whole = scene(3)
    robbed = replace(whole, tokens=whole.tokens[:-1])
    one, other = rgb(painter.png(whole)), draw_afresh(robbed)
    assert difference(one, other) > difference(one, draw_afresh(whole)) + 0.3


def test_men_on_squares_of_every_colour_have_clean_edges(painter: Painter) -> None:
    """Around each man's border the picture is as close to the plain one as anywhere."""
    picture = scene(4, men=40)
    painted, afresh = rgb(painter.png(picture)), draw_afresh(picture)
    unit = 1000 // 14
    for token in picture.tokens[2:]:
        x, y = round((1000 - 14 * unit) / 2 + token.x * unit), round(token.y * unit)
        box = (x - 34, y - 34, x + 34, y + 34)
        assert difference(painted.crop(box), afresh.crop(box)) < 14


def test_text_on_a_sprite_and_on_the_board_is_drawn(painter: Painter) -> None:
    bare = Scene(Board(10, 5, ()), ())
    written = replace(bare, above=(Text(5, 2.5, "8", 1.0, Ink.PAGE_TEXT),))
    assert painter.png(bare) != painter.png(written)


# ---------------------------------------------------------------- files


@every_theme
def test_a_png_is_complete_and_uses_its_themes_palette(painter: Painter, theme: str) -> None:
    data = painter.png(scene(1), theme=theme)
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    parts = list(chunks(data))
    assert [name for name, _ in parts] == [b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"IEND"]
    assert dict(parts)[b"PLTE"] == palette(THEMES[theme]).table
    image = opened(data)
    assert (image.format, image.mode) == ("PNG", "P")
    assert max(image.tobytes()) < len(palette(THEMES[theme]).colours)


@pytest.mark.parametrize("width", [200, 400, 777, 1000, 2000])
def test_a_picture_has_exactly_the_requested_width(painter: Painter, width: int) -> None:
    image = opened(painter.png(scene(1), width=width))
    assert image.width == width
    assert image.height == pytest.approx(width * 7.1 / 14, rel=0.08)


@every_theme
def test_a_full_board_at_1000_pixels_takes_at_most_30_kilobytes(
    painter: Painter, theme: str
) -> None:
    assert len(painter.png(scene(1, men=24), theme=theme, width=1000)) <= 30_000


def test_only_the_corners_are_transparent(painter: Painter) -> None:
    alpha = opened(painter.png(scene(1))).convert("RGBA").getchannel("A")
    width, height = alpha.size
    for x in (0, width - 1):
        for y in (0, height - 1):
            assert alpha.getpixel((x, y)) == 0
    assert alpha.crop((30, 0, width - 30, height)).getextrema() == (255, 255)
    assert alpha.crop((0, 30, width, height - 30)).getextrema() == (255, 255)


@pytest.mark.parametrize("width", [0, -5, 199, 2001])
def test_a_picture_too_narrow_or_too_wide_is_refused(painter: Painter, width: int) -> None:
    with pytest.raises(ValueError, match="pixels"):
        painter.png(scene(1), width=width)
    with pytest.raises(ValueError, match="pixels"):
        draw_afresh(scene(1), width=width)


def test_an_unknown_theme_is_a_key_error(painter: Painter) -> None:
    with pytest.raises(KeyError):
        painter.png(scene(1), theme="marble")


# ---------------------------------------------------------------- always the same


def test_the_same_scene_gives_the_same_bytes_from_any_painter_in_any_order() -> None:
    one, other = Painter(), Painter()
    first = [one.png(scene(seed)) for seed in (1, 2, 3)]
    second = [other.png(scene(seed)) for seed in (3, 2, 1)]
    assert first == second[::-1]
    assert first == [one.png(scene(seed)) for seed in (1, 2, 3)]


def test_a_cached_strip_fits_a_picture_that_differs_elsewhere() -> None:
    """The picture equals one from a fresh painter, however a man crosses rows or edges."""
    shared = Painter()
    first = scene(1)
    man = first.tokens[0]
    places = [
        (man.x, man.y),
        (man.x, man.y + 0.5),
        (0, 3),
        (14, 3),
        (7, 0),
        (7, 7.1),
        (-5, -5),
        (7, 20),
    ]
    scenes = [replace(first, tokens=(*first.tokens[1:], replace(man, x=x, y=y))) for x, y in places]
    fresh = [Painter().png(changed) for changed in scenes]
    for changed, expected in zip([*scenes, *scenes], [*fresh, *fresh], strict=True):
        data = shared.png(changed)
        assert data == expected
        assert rgb(data).tobytes() == rgb(shared.gif([changed], durations=[100])).tobytes()


def test_painting_does_not_affect_the_next_picture(painter: Painter) -> None:
    bare = replace(scene(1), tokens=(), below=(), above=())
    before = painter.png(bare)
    painter.png(scene(5))
    assert painter.png(bare) == before


def test_wood_alternates_between_neighbouring_squares(painter: Painter) -> None:
    pieces = tuple(Rect(x, 1, 1, 1, Ink.SQUARE, texture=Texture.WOOD) for x in range(1, 5))
    image = rgb(painter.png(Scene(Board(6, 3, pieces), ()), width=600))
    tiles = [image.crop((100 * x, 100, 100 * x + 100, 200)).tobytes() for x in range(1, 5)]
    assert all(one != other for one, other in pairwise(tiles))
    assert tiles[0] == tiles[2]


def test_eight_threads_sharing_a_painter_get_the_same_pictures_as_one() -> None:
    jobs = [(seed, theme) for seed in range(4) for theme in THEMES] * 2
    alone = Painter()
    expected = [alone.png(scene(seed), theme=theme, width=600) for seed, theme in jobs]
    shared = Painter()  # cold: the threads fill its caches together
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda job: shared.png(scene(job[0]), theme=job[1], width=600), jobs))
    assert found == expected


# ---------------------------------------------------------------- caches


def test_caches_stay_within_their_limits_however_much_is_painted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("render.painter._BOARDS", 300_000)
    monkeypatch.setattr("render.painter._SPRITES", 100_000)
    monkeypatch.setattr("render.painter._PATCHES", 200_000)
    monkeypatch.setattr("render.painter._STRIPS", 50_000)
    monkeypatch.setattr("render.painter._NAMED", 20_000)
    small = Painter()
    pictures = [small.png(scene(seed), width=width) for seed in range(5) for width in (400, 500)]
    for cache in (small._boards, small._tiles, small._pixels, small._patches, small._strips):
        assert 0 < cache.weight <= cache.limit
    assert pictures == [
        Painter().png(scene(seed), width=width) for seed in range(5) for width in (400, 500)
    ]


def test_a_repeated_picture_draws_no_shape_again(
    painter: Painter, monkeypatch: pytest.MonkeyPatch
) -> None:
    painter.png(scene(1))

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("drawn again")

    monkeypatch.setattr(render.brush.Brush, "draw", refuse)
    monkeypatch.setattr("render.palette.Palette.quantised", refuse)
    painter.png(scene(1))


# ---------------------------------------------------------------- GIF


def test_a_gif_has_one_frame_per_scene_its_durations_and_loops_forever(painter: Painter) -> None:
    scenes = [scene(seed) for seed in (1, 2, 3, 4)]
    durations = [400, 800, 1200, 2500]
    image = opened(painter.gif(scenes, width=500, durations=durations))
    assert image.format == "GIF"
    assert image.info["loop"] == 0
    assert getattr(image, "n_frames", 0) == 4
    for number, (shown, duration) in enumerate(zip(scenes, durations, strict=True)):
        image.seek(number)
        assert image.info["duration"] == duration
        painted = rgb(painter.png(shown, width=500))
        assert_similar(image.convert("RGB"), painted, 0.01, f"gif-{number}")


def test_equal_consecutive_frames_are_merged_with_their_durations(painter: Painter) -> None:
    image = opened(
        painter.gif([scene(1), scene(1), scene(2)], width=400, durations=[300, 500, 700])
    )
    assert getattr(image, "n_frames", 0) == 2
    assert image.info["duration"] == 800


def test_a_gif_of_one_scene_is_a_still_picture(painter: Painter) -> None:
    image = opened(painter.gif([scene(1)], width=400, durations=[500]))
    assert getattr(image, "n_frames", 0) == 1


def test_a_gif_without_scenes_or_with_mismatched_durations_or_sizes_is_refused(
    painter: Painter,
) -> None:
    taller = replace(scene(1), board=replace(scene(1).board, height=9))
    for scenes, durations in (([], []), ([scene(1)], []), ([scene(1), taller], [1, 1])):
        with pytest.raises(ValueError, match=r"GIF"):
            painter.gif(scenes, width=400, durations=durations)


# ---------------------------------------------------------------- the test sprites


def test_the_test_sprites_differ_in_grey(painter: Painter) -> None:
    images: list[Image.Image] = []
    for sprite in (ROUND, SQUARE):
        shown = replace(scene(1), tokens=(replace(scene(1).tokens[0], sprite=sprite),))
        images.append(
            rgb(painter.png(replace(shown, below=(), above=()))).convert("L").convert("RGB")
        )
    assert difference(*images) > 0.3
