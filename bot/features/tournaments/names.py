"""The names of tournaments, as organisers type them and as files have them."""

from __future__ import annotations

import re
from typing import Final

from engine.plain_text import one_line

MAX_NAME: Final = 60
_MAX_READ: Final = 1000
"""How many characters of a longer text are read."""
_MARKS: Final = re.compile(r"[`*_~|<>\[\]\\]")
"""Discord's formatting characters, removed so that a name shows as plain text."""
_LINKS: Final = re.compile(r"(:|\.\w+)(//?)")
"""The parts that turn text into a link. The bot may post links where the name's author may not."""
_IDS: Final = re.compile(r"\d{15,}")
"""Ids of users, as of a mention: a name would keep them when their owner deletes their data."""


def named(typed: str) -> str:
    """Return a typed tournament name cleaned for display; empty if nothing remains."""
    plain = _IDS.sub(" ", _MARKS.sub(" ", one_line(typed[:_MAX_READ])))
    return one_line(_LINKS.sub(r"\1 \2", plain)[: 2 * MAX_NAME])[:MAX_NAME].rstrip()
