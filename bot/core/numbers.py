"""Bounds on the numbers in addresses and options: larger ones are turned away here.

What Discord passes on was chosen by a client, which need not be Discord's own.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Annotated, Final, TypeAlias

from bot.core.errors import Refusal
from engine.phrase import say

_NUMBER: Final = re.compile(r"-?[0-9]{1,19}")

GONE: Final = say("This button no longer works. Use the command again for a new one.")


@dataclass(frozen=True, slots=True)
class Bounds:
    """The smallest and largest number allowed."""

    minimum: int
    maximum: int

    def read(self, text: str) -> int:
        """Return the number in a text; raise ValueError if it is not one within the bounds."""
        if not _NUMBER.fullmatch(text) or not self.minimum <= int(text) <= self.maximum:
            raise ValueError(text[:40])
        return int(text)


COUNT: Final = Bounds(0, 2**31 - 1)
"""Numbers of matches, turns, pages and days: every column holds them, and their sums."""
ID: Final = Bounds(1 - 2**63, 2**63 - 1)
"""Ids of users, negative for those whose data was deleted."""

Id: TypeAlias = Annotated[int, ID]
"""An address field that holds a user's id; every other ``int`` is a count."""


def picked(value: str) -> int:
    """Return the count that a menu option stands for; raise Refusal if it is not one."""
    try:
        return COUNT.read(value)
    except ValueError:
        raise Refusal(GONE) from None
