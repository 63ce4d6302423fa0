"""Reads from English texts who won: the only place that knows their sentences."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from bot.core.computers import is_computer
from bot.core.i18n.mentions import mention
from bot.play.matches.positions import Position
from engine.game import Seat
from engine.phrase import capital

Winners = frozenset[int] | None
"""Those who came first: everyone for a draw, ``None`` for a match without a result."""

_NONE: Final = re.compile(r"\*\*No result\*\* between ")
_DRAW: Final = re.compile(r"\*\*A draw\*\* between (.+?): ")
_WON: Final = re.compile(r"\*\*(?P<first>.+?) won\*\* against (?P<others>.+?): ")
_SHARED: Final = re.compile(r"\*\*(?P<first>.+?) share first place\*\*, ahead of (?P<others>.+?): ")
_ON_BOARD: Final = re.compile(r"(?:^|\. |\n)(?P<first>[^.:\n]+?) (?:has|have) won: ")
_ON_BOARD_SHARED: Final = re.compile(r"(?:^|\. |\n)(?P<first>[^.:\n]+?) share first place: ")
_SCORE: Final = re.compile(r"(\d+) won · (\d+) drawn · (\d+) lost")


class Unclear(AssertionError):
    """A text that says nothing about a result, or contradicts itself."""


def in_sentence(text: str, users: Iterable[int]) -> Winners:
    """Return who won by the sentence of `bot.play.matches.match_text`, which names everyone once."""
    users = tuple(users)
    found: list[Winners] = [None for _ in _NONE.finditer(text)]
    for match in _DRAW.finditer(text):
        assert named(match[1], users) == set(users), text
        found.append(frozenset(users))
    for match in (*_WON.finditer(text), *_SHARED.finditer(text)):
        first, others = named(match["first"], users), named(match["others"], users)
        assert first | others == set(users), text
        assert not first & others, text
        found.append(first)
    if len(found) != 1:
        raise Unclear(text)
    return found[0]


def on_board(text: str, position: Position) -> Winners:
    """Return the users who won by the description of a picture."""
    places = places_on_board(text, position)
    users = [player.user_id for player in position.match.players]
    return None if places is None else frozenset(users[place] for place in places)


def places_on_board(text: str, position: Position) -> frozenset[int] | None:
    """Return who won by the description of a picture, which names sides, by place."""
    sides = {
        place: capital(position.game.side(position.state, Seat(player.seat)))
        for place, player in enumerate(position.match.players)
    }
    found: list[frozenset[int] | None] = [None] * text.count("The match is over: ")
    found += [frozenset(sides)] * text.count("The game is drawn: ")
    for match in (*_ON_BOARD.finditer(text), *_ON_BOARD_SHARED.finditer(text)):
        first = match["first"]
        found.append(frozenset(p for p, side in sides.items() if re.search(rf"\b{side}\b", first)))
    if len(found) != 1:
        raise Unclear(text)
    return found[0]


def in_headline(text: str, names: Mapping[int, str]) -> Winners:
    """Return who won by the name of a thread."""
    head = text.split(" · ", maxsplit=1)[0]
    if head == "No result":
        return None
    if head == "Draw":
        return frozenset(names)
    for verb in (" beat ", " ahead of "):
        who, found, others = head.partition(verb)
        if found:
            first = frozenset(user for user, name in names.items() if name in who)
            assert (len(first) == 1) == (verb == " beat "), text
            left = set(names) - first
            told = {user for user in left if names[user] in others}
            counted = {user for user in left if is_computer(user)} - told
            assert told | counted == left, text
            assert (f"{len(counted)} computers" in others) == (len(counted) > 1), text
            assert len(counted) != 1, text
            return first
    raise Unclear(text)


def named(text: str, users: Iterable[int]) -> frozenset[int]:
    """Return which users a text mentions."""
    return frozenset(user for user in users if mention(user) in text)


def score(text: str) -> tuple[int, int, int]:
    """Return the only score in a text: won, drawn, lost."""
    (found,) = _SCORE.findall(text)
    won, drawn, lost = map(int, found)
    return won, drawn, lost
