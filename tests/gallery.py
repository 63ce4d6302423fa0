"""All pictures on one page, to look at: ``make pictures``, then open var/pictures/index.html.

Every board from its opening to its end, and every card, in every theme, both full size and 400
pixels wide, as on a phone. ``ARGS="thaayam --theme night"`` paints only some of them.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from html import escape
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any, Final

from PIL import Image

from bot.core.i18n.catalogues import folders, read
from bot.play.pictures.rendering import BoardStyle
from engine.game import CHANCE
from engine.overlay import Kind, along, overlaid
from engine.registry import games
from engine.scene import Ink, Scene
from render import THEMES, Painter
from render.charts import painted
from tests.render import charts

OUT: Final = Path("var/pictures")
WIDTH: Final = 800
"""Width of the bot's pictures by default."""
PHONE: Final = 400
SEED: Final = 3

Shot = tuple[str, Scene]


def boards(slug: str) -> Iterator[Shot]:
    """Yield a game's pictures of all it can draw, for each number of players."""
    for players in games()[slug].players:
        for name, scene in _game(slug, players):
            yield f"{name}, {players} players" if len(games()[slug].players) > 1 else name, scene


def _game(slug: str, players: int) -> Iterator[Shot]:
    """Yield the opening, the first capture, the middle with its choices, and the end of a game."""
    rules, luck = games()[slug], Random(SEED)
    state: Any = rules.initial(players=players)
    seen: list[tuple[Any, list[tuple[Any, Any]]]] = []
    last: list[tuple[Any, Any]] = []
    while rules.outcome(state) is None:
        if rules.actor(state) is not CHANCE:
            seen.append((state, last))
            last = []
        odds = rules.odds(state)
        moves = list(odds) or list(rules.legal_moves(state))
        move = luck.choices(moves, [float(odds.get(move, 1)) for move in moves])[0]
        last.append((state, move))
        state = rules.after(state, move)
    yield "opening", rules.scene(*seen[0])
    taking = [scene for scene in (rules.scene(*one) for one in seen) if _takes(scene)]
    if taking:
        yield "capture", taking[len(taking) // 2]
    middle, came = seen[len(seen) // 2]
    yield "middle", rules.scene(middle, came)
    chosen = max((rules.steps(move) for move in rules.legal_moves(middle)), key=len)
    yield "a first step chosen", rules.scene(middle, (), chosen[:1])
    yield "a whole move chosen", rules.scene(middle, (), chosen)
    yield "end", rules.scene(state, last)
    moves = list(rules.legal_moves(middle))
    hint, wrong = luck.choice(moves), luck.choice(moves)
    yield (
        "a hint and a mistake",
        overlaid(
            rules.scene(middle),
            [
                arrow
                for move, kind in ((hint, Kind.HINT), (wrong, Kind.WRONG))
                for arrow in along(rules.routes(middle, move), kind)
            ],
        ),
    )


def _takes(scene: Scene) -> bool:
    return any(
        getattr(shape, "fill", None) is Ink.ALERT
        for token in scene.tokens
        for shape in token.sprite.shapes
    )


def styles(themes: Iterable[str]) -> Iterator[tuple[str, BoardStyle]]:
    """Yield the themes, then the first one rotated and in other languages."""
    themes = tuple(themes)
    for theme in themes:
        yield theme, BoardStyle(theme)
    yield f"{themes[0]}, turned", BoardStyle(themes[0], quarter_turns=2)
    for code, tongue in read(folders()).items():
        yield f"{themes[0]}, {code}", BoardStyle(themes[0], locale=tongue)


def main() -> None:
    """Paint the pictures and write the page."""
    parser = argparse.ArgumentParser(prog="make pictures", description=main.__doc__)
    parser.add_argument("names", nargs="*", help="games, or cards; all if none is named")
    parser.add_argument("--theme", action="append", choices=list(THEMES))
    chosen = parser.parse_args()
    OUT.mkdir(parents=True, exist_ok=True)
    names, themes = chosen.names or [*games(), "cards"], chosen.theme or list(THEMES)
    page = ["<!doctype html><meta charset=utf-8><title>Pictures</title>", _LOOK]
    painter = Painter()
    for name in names:
        if name == "cards":
            for theme in themes:
                shots = [
                    (card, painted(scene, theme=theme, width=WIDTH))
                    for card, scene in charts.SCENES.items()
                ]
                page += _section(f"cards, {theme}", shots)
            continue
        for text, style in styles(themes):
            shots = [
                (shot, painter.png(style.seen(scene), theme=style.theme, width=WIDTH))
                for shot, scene in boards(name)
            ]
            page += _section(f"{name}, {text}", shots)
    index = OUT / "index.html"
    index.write_text("\n".join(page), encoding="utf-8")
    print(index)  # noqa: T201


_LOOK: Final = """<style>
body{background:#313338;color:#dbdee1;font:16px system-ui}body.light{background:#fff;color:#222}
figure{display:inline-block;vertical-align:top;margin:8px}.full{display:none}
.all .full{display:inline-block}</style>
<p><label><input type=checkbox onchange="document.body.classList.toggle('light')"> light</label>
<label><input type=checkbox onchange="document.body.classList.toggle('all')"> full size, too</label>"""


def _section(title: str, shots: Iterable[tuple[str, bytes]]) -> Iterator[str]:
    """Write the pictures of a section, and one sheet with all of them at phone size."""
    yield f"<h2>{escape(title)}</h2>"
    small: list[Image.Image] = []
    for shot, png in shots:
        name = f"{title}, {shot}".replace(", ", "-").replace(" ", "_")
        (OUT / f"{name}.png").write_bytes(png)
        image = Image.open(BytesIO(png)).convert("RGBA")
        small.append(
            image.resize((PHONE, round(image.height * PHONE / image.width)), _LIKE_DISCORD)
        )
        small[-1].save(OUT / f"{name}-{PHONE}.png")
        yield (
            f'<figure><a href="{name}.png"><img src="{name}-{PHONE}.png"></a>'
            f"<figcaption>{escape(shot)}, {len(png) / 1000:.1f} KB</figcaption></figure>"
            f'<figure class=full><img src="{name}.png"></figure>'
        )
    _sheet(small).save(OUT / f"{title.replace(', ', '-')}-sheet.png")


_LIKE_DISCORD: Final = Image.Resampling.LANCZOS


def _sheet(images: list[Image.Image], columns: int = 3) -> Image.Image:
    height = max(image.height for image in images) + 10
    rows = -(-len(images) // columns)
    sheet = Image.new("RGB", (columns * (PHONE + 10) + 10, rows * height + 10), (49, 51, 56))
    for index, image in enumerate(images):
        at = 10 + index % columns * (PHONE + 10), 10 + index // columns * height
        sheet.paste(image, at, image)
    return sheet


if __name__ == "__main__":
    main()
