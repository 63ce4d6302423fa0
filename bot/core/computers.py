"""Computer players: their ids and levels.

They have user ids like people, but below every id Discord has issued. The last digit is the level;
the one before it distinguishes computers in the same match.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from data.matches.match import Match
from engine.phrase import Phrase, say

LEVELS: Final = range(1, 6)
"""From beginner to strongest."""
LEVEL_NAMES: Final[Mapping[int, Phrase]] = {
    # Translators: the five levels of computers, chosen in a menu; at most 100 characters each.
    1: say("1 · Beginner"),
    2: say("2 · Knows the rules, takes what it sees"),
    3: say("3 · Club player, slips now and then"),
    4: say("4 · Strong, seldom slips"),
    5: say("5 · Full strength"),
}
"""What menus call the levels."""
STRONGEST: Final = LEVELS[-1]
_FIRST: Final = 4_000_000
_ALIKE: Final = 10
"""Maximum computers of one level in a match."""

COMPUTERS: Final[frozenset[int]] = frozenset(
    _FIRST + 10 * copy + level for copy in range(_ALIKE) for level in LEVELS
)
"""All user ids of computers."""


def computers(level: int, number: int) -> tuple[int, ...]:
    """Return the ids of several computers of one level."""
    assert level in LEVELS
    assert number <= _ALIKE
    return tuple(_FIRST + 10 * copy + level for copy in range(number))


def is_computer(user_id: int) -> bool:
    """Return whether a user id is a computer's."""
    return user_id in COMPUTERS


def level_of(user_id: int) -> int:
    """Return the level of a computer."""
    assert is_computer(user_id)
    return user_id % 10


def place_of(user_id: int) -> int:
    """Return which of the computers in a match this is, from 1."""
    return (user_id - _FIRST) // 10 + 1


def is_practice(match: Match) -> bool:
    """Return whether a match has a computer as a player."""
    return any(player.user_id in COMPUTERS for player in match.players)


def is_person(user_id: int) -> bool:
    """Return whether an id is a Discord user's, rather than a computer's or a deleted player's."""
    return user_id > 0 and user_id not in COMPUTERS
