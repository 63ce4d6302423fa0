"""Boards as the page gets them: scenes as parts of an SVG, and the turns that led to one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from bot.core.interactions.layout import MAX_TEXT, say_in
from bot.play.matches.positions import Position
from bot.play.pictures.rendering import BoardStyle
from engine.game import CHANCE
from engine.phrase import Tongue, lines
from engine.scene import Scene, standing, without_choices
from render.svg import moving_part, static_part

MAX_FRAMES: Final = 12
"""Entries of the log that are shown one after the other: the last ones."""
JSON = dict[str, Any]


def drawn(scene: Scene, style: BoardStyle) -> JSON:
    """Return a scene as a reader sees it, in parts of an SVG, and what stands on its squares."""
    seen = style.seen(scene)
    part = static_part(seen.board)
    return {
        "view": part.view,
        "board": part.board,
        "squares": part.squares,
        "moving": moving_part(seen),
        "men": _men(standing(scene), style.locale),
    }


def frames(position: Position, since: int, style: BoardStyle) -> list[JSON]:
    """Return what moved on the boards from a ply on, one for each entry of the log but the last.

    There are at most `MAX_FRAMES`, and only of entries in memory.
    """
    first, tail = position.ply - len(position.tail), position.tail
    found = []
    for ply in range(max(since, first, position.ply - MAX_FRAMES), position.ply):
        led = tail[max(ply - first - 1, 0) : ply - first]
        last = [(one.before, one.move) for one in led]
        scene = without_choices(position.game.scene(tail[ply - first].before, last))
        thrown = any(position.game.actor(one.before) is CHANCE for one in led)
        found.append({"ply": ply, "moving": moving_part(style.seen(scene)), "thrown": thrown})
    return found


def _men(standing_: Mapping[str, tuple[str, ...]], locale: Tongue) -> dict[str, str]:
    return {
        square: say_in(locale, lines(names, ", "), MAX_TEXT) for square, names in standing_.items()
    }
