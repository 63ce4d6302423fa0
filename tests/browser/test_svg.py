"""SVG boards: Chromium shows them as the painted pictures, and their squares can be touched."""

from __future__ import annotations

import math
from base64 import b64encode
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest
from font_source_sans_pro import font_files_otf
from PIL import Image, ImageFilter
from playwright.async_api import Page

from engine.registry import games
from engine.scene import Disc, Ink, Polygon, Rect, Scene, Shape, Sprite, Token
from render import THEMES, Painter
from render.charts import painted
from render.draft import labelled
from render.svg import svg
from render.theme import ALL, draft
from tests.browser.harness import Browser
from tests.render import charts, positions
from tests.render.scenes import scene
from tests.render.similarity import difference, rgb, worst

pytestmark = pytest.mark.asyncio(loop_scope="session")

WIDE: Final = 1000
BLUR: Final = 4.0
"""Pixels: letters and edges lie up to two pixels apart, as painted ones lie on whole pixels."""
MEAN: Final = 3.2
"""Maximum mean difference of blurred pictures, of 255; 2.5 was the largest measured."""
WORST: Final = {"wood": 30.0, "night": 33.0, "contrast": 39.0}
"""Maximum mean difference of a square of 16 pixels: a quarter more than measured, in letters."""

FONT: Final = b64encode(Path(font_files_otf["SourceSansProSemibold"]).read_bytes()).decode()
FACE: Final = f"@font-face {{font-family: Board; src: url(data:font/otf;base64,{FONT})}}"
LOAD: Final = """([text, width, page]) => {
    document.body.style.background = page
    document.querySelector("div").innerHTML = text
    document.querySelector("svg").style.cssText = `display: block; width: ${width}px`
    return document.fonts.ready
}"""
WIDTHS: Final = """[...document.querySelectorAll("text[textLength]")].map(
    text => [text.textLength.baseVal.value, text.getBoundingClientRect().width]
)"""
"""The width meant for each text, in board units, and its width on the page, in pixels."""
OTHER: Final = {
    Ink.SEAT_1: Ink.SEAT_2,
    Ink.SEAT_2: Ink.SEAT_1,
    Ink.SEAT_3: Ink.SEAT_1,
    Ink.SEAT_4: Ink.SEAT_1,
    Ink.STICK_PLAIN: Ink.STICK_MARKED,
}
"""The inks of men's bodies, and others."""

every_theme = pytest.mark.parametrize("theme", THEMES)
every_game = pytest.mark.parametrize("slug", games())


@pytest.fixture(scope="module")
def painter() -> Painter:
    return Painter()


async def opened(browser: Browser) -> Page:
    """Return a page with the font of the painted pictures."""
    page = (await browser.window("about:blank", None, size=(1100, 1500))).page
    await page.set_content(f"<style>{FACE} body {{margin: 0; --board-font: Board}}</style><div>")
    return page


def size(shown: Scene) -> tuple[int, int, int]:
    """Return the pixels in a unit, and the width and height of a painted picture."""
    unit = int(WIDE / shown.board.width)
    return unit, math.ceil(shown.board.width * unit), math.ceil(shown.board.height * unit)


async def raster(page: Page, shown: Scene, theme: str) -> Image.Image:
    """Return an SVG as Chromium shows it, blurred."""
    unit, width, height = size(shown)
    ground = "rgb({}, {}, {})".format(*ALL[theme].rgb(Ink.PAGE))
    await page.evaluate(LOAD, [svg(shown, theme=theme), shown.board.width * unit, ground])
    clip = {"x": 0, "y": 0, "width": width, "height": height}
    return blurred(await page.screenshot(clip=clip))  # type: ignore[arg-type]


def blurred(data: bytes) -> Image.Image:
    return rgb(data).filter(ImageFilter.GaussianBlur(BLUR))


async def looks_alike(page: Page, shown: Scene, theme: str, png: bytes, name: str = "") -> None:
    """Check that what a browser shows looks like a picture of it."""
    seen, expected = await raster(page, shown, theme), blurred(png)
    assert difference(seen, expected) <= MEAN, name
    assert worst(seen, expected) <= WORST[theme.partition(",")[0]], name


@every_theme
@every_game
async def test_every_game_looks_as_it_is_painted(
    browser: Browser, painter: Painter, slug: str, theme: str
) -> None:
    page = await opened(browser)
    for name, shown in positions.scenes(slug).items():
        png = painter.png(shown, theme=theme, width=size(shown)[1])
        await looks_alike(page, shown, theme, png, name)


@every_theme
async def test_drafts_look_as_they_are_painted(
    browser: Browser, painter: Painter, theme: str
) -> None:
    page = await opened(browser)
    shown = labelled(positions.played("tablan", 9, players=2), "Not played")
    png = painter.png(shown, theme=draft(theme), width=size(shown)[1])
    await looks_alike(page, shown, draft(theme), png)


@every_theme
async def test_every_kind_of_shape_looks_as_it_is_painted(
    browser: Browser, painter: Painter, theme: str
) -> None:
    page = await opened(browser)
    png = painter.png(scene(2), theme=theme, width=size(scene(2))[1])
    await looks_alike(page, scene(2), theme, png)


@every_theme
async def test_charts_look_as_they_are_painted(browser: Browser, theme: str) -> None:
    page = await opened(browser)
    for name in ("history, long", "equity, mistakes in a row", "equity, four", "table, begun"):
        shown = charts.SCENES[name]
        png = painted(shown, theme=theme, width=size(shown)[1])
        await looks_alike(page, shown, theme, png, name)


@every_theme
@every_game
async def test_the_measure_notices_one_man_and_one_arrow(
    browser: Browser, painter: Painter, slug: str, theme: str
) -> None:
    page = await opened(browser)
    shown = positions.scenes(slug)["marks"]
    expected = blurred(painter.png(shown, theme=theme, width=size(shown)[1]))
    for name, wrong in mistaken(shown):
        assert worst(await raster(page, wrong, theme), expected) > WORST[theme], name


def mistaken(shown: Scene) -> Iterator[tuple[str, Scene]]:
    """Yield pictures with one mistake each."""
    men = [(at, token) for at, token in enumerate(shown.tokens) if is_man(shown, token)]
    assert len(men) >= 3
    for at, man in (men[0], men[len(men) // 2], men[-1]):
        fewer = positions.without(shown, at)
        yield f"without {at}", fewer
        yield f"{at} on the next square", replace(fewer, tokens=(*fewer.tokens, beside(shown, man)))
        other = replace(man, sprite=recoloured(man.sprite))
        yield f"{at} in another colour", replace(fewer, tokens=(*fewer.tokens, other))
    arrows = [at for at, shape in enumerate(shown.above) if is_arrow(shape)]
    first, last = arrows[0], arrows[2]
    above = (*shown.above[:first], *shown.above[last + 1 :])
    yield "without an arrow", replace(shown, above=above)


def is_man(shown: Scene, token: Token) -> bool:
    """Return whether a token is a man in full size on a square."""
    reach = shown.board.side * 0.25
    large = any(
        shape.fill in OTHER
        and (
            (isinstance(shape, Disc) and shape.radius > reach)
            or (isinstance(shape, Polygon) and max(x for x, _ in shape.points) > reach)
            or (isinstance(shape, Rect) and shape.width > 2 * reach)
        )
        for shape in token.sprite.shapes
        if isinstance(shape, (Rect, Disc, Polygon))
    )
    near = shown.board.side / 3
    return large and any(
        abs(token.x - x) < near and abs(token.y - y) < near for _, x, y in shown.board.squares
    )


def beside(shown: Scene, man: Token) -> Token:
    """Return a man moved to a free neighbouring square."""
    side = shown.board.side
    taken = {(round(token.x, 2), round(token.y, 2)) for token in shown.tokens if token is not man}
    free = (
        (x, y)
        for _, x, y in shown.board.squares
        if (round(x, 2), round(y, 2)) not in taken
        and 0.5 * side < math.hypot(x - man.x, y - man.y) < 2.9 * side
    )
    x, y = min(free, key=lambda at: math.hypot(at[0] - man.x, at[1] - man.y))
    return replace(man, x=x, y=y)


def recoloured(sprite: Sprite) -> Sprite:
    shapes: list[Shape] = []
    for shape in sprite.shapes:
        if isinstance(shape, (Rect, Disc, Polygon)) and shape.fill in OTHER:
            shapes.append(replace(shape, fill=OTHER[shape.fill]))
        else:
            shapes.append(shape)
    return Sprite(tuple(shapes))


def is_arrow(shape: Shape) -> bool:
    return isinstance(shape, Polygon) and len(shape.points) == 7


@every_game
async def test_each_square_is_touched_at_its_centre_and_found_by_its_name(
    browser: Browser, slug: str
) -> None:
    page = await opened(browser)
    shown = positions.played(slug, 9, players=max(games()[slug].players))
    await raster(page, shown, "wood")
    unit = size(shown)[0]
    for name, x, y in shown.board.squares:
        hit = f"document.elementFromPoint({x * unit}, {y * unit}).dataset.square"
        assert await page.evaluate(hit) == name
    buttons = page.get_by_role("button")
    assert await buttons.count() == len(shown.board.squares)
    name = shown.board.squares[-1][0]
    one = page.get_by_role("button", name=name, exact=True)
    await one.focus()
    assert await page.evaluate("document.activeElement.dataset.square") == name
    assert await page.get_by_role("group", name=shown.alt[:60]).count() == 1


async def test_words_keep_to_their_room_in_any_font(browser: Browser) -> None:
    page = await opened(browser)
    await page.evaluate("document.body.style.setProperty('--board-font', 'DejaVu Serif, serif')")
    shown = positions.scenes("thaayam")["names"]
    await raster(page, shown, "wood")
    unit = size(shown)[0]
    found = await page.evaluate(WIDTHS)
    assert len(found) > 10
    assert all(seen <= given * unit + 6 for given, seen in found)
