"""What a move does, in a menu's few words."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum


class Worth(IntEnum):
    """A move's value at first sight: menus show the best first and mark them."""

    WINS = 0
    TAKES = 1
    """An enemy leaves the board."""
    GAINS = 2
    """A piece enters, comes home or is made."""
    PLAIN = 3
    DRAWS = 4
    LOSES = 5

    # Menus look it up often, and Enum's own hash is slow.
    __hash__ = int.__hash__


@dataclass(frozen=True, slots=True)
class MoveLabel:
    """What a move does, apart from its effect on the result."""

    text: str
    """A short command in lower case: "king e5 to e9", "enter a piece"."""
    short: str
    """The same once the first step has been chosen: "e9"."""
    worth: Worth = Worth.PLAIN
    note: str = ""
    """Anything worth adding: its risk, or the players' name for it."""
    length: int = 0
    """How far it goes, where one piece has several moves ahead."""
    kind: str = ""
    """What it has in common with others, as the name of a menu: "Home"; empty for a usual move."""
    unadvised: MoveLabel | None = None
    """Its label for who is to find out what it leads to, if the text tells that."""


@dataclass(frozen=True, slots=True)
class StepsLabel:
    """The first steps of a move that can continue in several ways."""

    text: str
    """What they choose, in lower case: "king e5"."""
    question: str
    """The next question, a sentence: "King on e5: where to?"."""
