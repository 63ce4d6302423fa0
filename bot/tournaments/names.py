"""The names of tournaments, as organisers type them and as files have them."""

from __future__ import annotations

import re
from typing import Final
from unicodedata import category

MAX_NAME: Final = 60
_MAX_READ: Final = 1000
"""How many characters of a longer text are read."""
_MARKS: Final = re.compile(r"[`*_~|<>\[\]\\]")
"""Discord's formatting characters, removed so that a name shows as plain text."""
_LINKS: Final = re.compile(r"(:|\.\w+)(//?)")
"""The parts that turn text into a link. The bot may post links where the name's author may not."""
_JOINERS: Final = "\u200c\u200d"
"""Invisible characters needed in words and emojis, unlike those that reverse or hide text."""


def named(typed: str) -> str:
    """Return a typed tournament name cleaned for display; empty if nothing remains."""
    kept = "".join(
        one
        for one in typed[:_MAX_READ]
        if one in _JOINERS or one.isspace() or category(one)[0] != "C"
    )
    name = " ".join(_LINKS.sub(r"\1 \2", _MARKS.sub(" ", kept)).split())[:MAX_NAME].rstrip()
    return name if name.strip(_JOINERS + " ") else ""
