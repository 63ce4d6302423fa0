"""Names of replays, used in custom ids and typed by players.

The name of a match is its number, that of an imported record ``i`` and its number.
"""

from __future__ import annotations

import re
from typing import Final

from bot.core.errors import NoSuchMatch
from engine.phrase import say

_NAME: Final = re.compile(r"(i?)0*([1-9]\d{0,17})")


def is_record(name: str) -> bool:
    """Return whether a name refers to an imported record."""
    match = _read(name)
    return match is not None and bool(match[1])


def parsed(name: str) -> tuple[bool, int]:
    """Return whether a name refers to a record, and its number; raise NoSuchMatch if invalid."""
    match = _read(name)
    if match is None:
        raise NoSuchMatch(
            say(
                "“{name}” isn't a match number. Try a number like 12, or i3 for an imported "
                "record.",
                name=name[:20],
            )
        )
    return bool(match[1]), int(match[2])


def _read(name: str) -> re.Match[str] | None:
    return _NAME.fullmatch(name.strip().lower().removeprefix("#"))
