"""Draws the pictures of README.md with the current program: ``make readme-pictures``.

A board of each game, and a turn against the computer, filmed on the chat page in Chromium.
"""

from __future__ import annotations

import asyncio
from io import BytesIO
from pathlib import Path
from typing import Final

from PIL import Image
from playwright.async_api import expect

from engine.registry import games
from render import DEFAULT, Painter
from render.names import named
from tests.browser.bot import running_program
from tests.browser.harness import Window, chromium
from tests.gallery import boards

OUT: Final = Path(__file__).parents[1] / "docs" / "pictures"
PEOPLE: Final = ("Ann", "Ben", "Carol", "Dan")
WIDTH: Final = 640
SIZE: Final = (600, 900)
COLOURS: Final = 96
LOOK: Final = 1600
"""Milliseconds each frame of the film lasts."""


def paint_boards() -> None:
    """Write a board of each game, after a capture if there is one."""
    painter = Painter()
    for slug in games():
        shots = dict(boards(slug))
        scene = next((shots[name] for name in shots if name.startswith("capture")), None)
        scene = scene or next(shots[name] for name in shots if name.startswith("middle"))
        shown = named(scene, tuple(enumerate(PEOPLE)))
        (OUT / f"{slug}.png").write_bytes(painter.png(shown, theme=DEFAULT, width=WIDTH))


async def film() -> list[Image.Image]:
    """Play a turn as Ann and return the frames."""
    async with running_program(demo=True) as url, chromium() as browser:
        ann = await browser.window(url, None, size=SIZE)
        await ann.go("games")
        await expect(ann.messages.last).to_contain_text("Computer")
        await ann.page.locator("#hint, .top, .writing").evaluate_all(
            "parts => parts.forEach(part => part.remove())"
        )
        images = [await _picture(ann)]
        await ann.press("d3")
        await expect(ann.messages.last).to_contain_text("Only you can see this")
        images.append(await _picture(ann))
        await ann.press("e3")
        await expect(ann.messages.filter(has_text="Move 21").last).to_be_visible()
        images.append(await _picture(ann))
        return images


async def _picture(window: Window) -> Image.Image:
    await window.page.locator("#pane").evaluate("pane => pane.scrollTo(0, pane.scrollHeight)")
    return Image.open(BytesIO(await window.page.screenshot()))


def main() -> None:
    """Write all pictures."""
    paint_boards()
    first, *rest = [
        picture.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
        for picture in asyncio.run(film())
    ]
    first.save(
        OUT / "turn.gif", save_all=True, append_images=rest, duration=LOOK, loop=0, optimize=True
    )


if __name__ == "__main__":
    main()
