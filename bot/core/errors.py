"""The bot's refusals, each with one kind sentence that says what to do instead; bounds on numbers.

Only refusals that code distinguishes have their own class. What Discord passes on was chosen by a
client, which need not be Discord's own: larger numbers in addresses and options are turned away here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Final, TypeAlias

from engine.phrase import say


class Refusal(Exception):
    """The base class: the sentence is what the player reads."""

    def __init__(
        self, sentence: str, *, match_id: int | None = None, withdrawable: int | None = None
    ) -> None:
        """Keep what the player reads; the match whose board is shown; the challenge to withdraw."""
        super().__init__(sentence)
        self.sentence = sentence
        self.match_id = match_id
        self.withdrawable = withdrawable


class NotForYou(Refusal):
    """Another player's button or match."""


class NotYourTurn(Refusal):
    """A player of the match, but not their turn."""


class OldBoard(Refusal):
    """A button of an earlier turn."""


class MatchOver(Refusal):
    """The match is over."""


class BadImport(Refusal):
    """A record that cannot be imported."""


class NoSuchMatch(Refusal):
    """No match with that number, or none that fits."""


class SeveralMatches(Refusal):
    """More than one match fits; the answer lets the player choose."""

    def __init__(self, sentence: str, choices: Mapping[str, str]) -> None:
        """Keep the labels of the matches, by number or name."""
        super().__init__(sentence)
        self.choices = choices


class BadOpponent(Refusal):
    """A bot, oneself, or a user without access to the channel."""


class ChallengedBot(BadOpponent):
    """The bot itself; the answer offers the computer."""

    def __init__(self, sentence: str, game: str) -> None:
        """Keep the game to play, empty for any."""
        super().__init__(sentence)
        self.game = game


class ChallengeGone(Refusal):
    """Declined, withdrawn, expired or already a match."""


class TooMany(Refusal):
    """More at once, or within an hour, than a user may have."""


class Unwelcome(Refusal):
    """One of the two has blocked the other."""


class NotAllowed(Refusal):
    """A missing permission, or the wrong place."""


class BadInput(Refusal):
    """Typed input that cannot be read."""


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
