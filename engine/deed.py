"""What a move does, in the few words of a menu."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum


class Worth(IntEnum):
    """What a move is worth at first sight: menus show the best first and mark them."""

    WINS = 0
    TAKES = 1
    """An enemy leaves the board."""
    GAINS = 2
    """A piece enters, comes home or is made."""
    PLAIN = 3
    DRAWS = 4
    LOSES = 5

    # Menus look many things up by it, and an Enum's own hash is slow.
    __hash__ = int.__hash__


@dataclass(frozen=True, slots=True)
class Deed:
    """What a move does, without what it means for the result."""

    text: str
    """A short command that begins with a small letter: "king e5 to e9", "enter a piece"."""
    short: str
    """The same where the first step of the move has been chosen: "king to e9"."""
    worth: Worth = Worth.PLAIN
    note: str = ""
    """What else there is to know, such as what it risks or what the players call it."""
    length: int = 0
    """How far it goes, where one piece has several ways ahead."""


@dataclass(frozen=True, slots=True)
class Begun:
    """The first steps of a move that can go on in several ways."""

    text: str
    """What they choose, beginning with a small letter: "king e5"."""
    question: str
    """What is asked next, a sentence: "King on e5: where to?"."""
