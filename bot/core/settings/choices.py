"""Values that settings and commands offer: themes, languages, and days per move."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, Literal, TypeAlias

from bot.core.settings.kinds import Context
from engine.phrase import say

Theme: TypeAlias = Literal["wood", "night", "contrast"]

MAX_DAYS: Final = 14
"""The maximum days per move in a challenge or a server's settings."""
BANKS: Final = (3, 5, 7, 10, MAX_DAYS)
"""Time banks offered in menus, in days at the start."""

THEMES: Final[Mapping[str, str]] = {
    "wood": say("wood"),
    "night": say("night"),
    "contrast": say("high contrast"),
}
"""The name of each theme."""

THEME_OPTIONS: Final = [(one, say("Boards in {theme}", theme=name)) for one, name in THEMES.items()]
"""The menu entries of all themes."""


def languages(unset: str) -> Callable[[str | None, Context], list[tuple[str | None, str]]]:
    """Return a menu of all languages, after one that leaves the setting unset."""
    return lambda _, context: [(None, unset), *context.languages.items()]
