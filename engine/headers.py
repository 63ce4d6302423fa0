"""The allowed values of a record's headers: each is checked, and refused with what it should be.

Refusals raise `BadRecord`, whose sentence quotes the value.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

from engine.errors import BadRecord
from engine.luck import word_of
from engine.phrase import say

_DATE: Final = re.compile(r"\d{4}-\d{2}-\d{2}")
_NAME: Final = re.compile(r"[^\s=]+")
_GAVE_UP: Final = re.compile(r"([^\s=]+)=(\d{1,9}) (resigned|forfeited|left)", re.ASCII)


class GaveUp(NamedTuple):
    """A seat that its player gave up: a computer played it from then on."""

    seat: str
    ply: int
    """The number of entries before it."""
    how: str
    """resigned, forfeited or left."""


def version(text: str) -> int:
    """Return the version of the rules."""
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise BadRecord(
            say("“{text}” is not a version of the rules: it should be a whole number.", text=text)
        )
    return int(text)


def day(header: str, once: dict[str, str]) -> str:
    """Return the day under a header, or empty if absent."""
    text = once.get(header, "")
    if header in once and not _DATE.fullmatch(text):
        raise BadRecord(
            say(
                "“{text}” under {header} should be a day like 2026-11-20.", text=text, header=header
            )
        )
    return text


def number(text: str | None) -> int:
    """Return how many decisions were taken back."""
    if text is not None and not (text.isascii() and text.isdigit() and len(text) < 10):
        raise BadRecord(say("“{text}” under Takebacks should be a whole number.", text=text))
    return int(text or 0)


def seats_of(text: str) -> tuple[str, ...]:
    """Return the seats taken."""
    seats = tuple(text.split())
    if not seats or len(set(seats)) != len(seats) or not all(map(_NAME.fullmatch, seats)):
        raise BadRecord(say("“{text}” does not name every seat once.", text=text))
    return seats


def drawn_of(text: str | None, seats: tuple[str, ...]) -> tuple[str, ...]:
    """Return the seats that were drawn."""
    drawn = tuple((text or "").split())
    if text is not None and (not drawn or drawn != tuple(s for s in seats if s in drawn)):
        message = say(
            "“{text}” should name drawn seats in their order, {seats}.",
            text=text,
            seats=" ".join(seats),
        )
        raise BadRecord(message)
    return drawn


def order_of(text: str | None, seats: tuple[str, ...]) -> tuple[str, ...]:
    """Return the seats in the order in which their players enter a draw."""
    order = tuple((text or "").split())
    if text is not None and sorted(order) != sorted(seats):
        raise BadRecord(say("“{text}” under Order does not name every seat once.", text=text))
    return order


def words_of(values: Iterable[str], seats: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Return the words that players added to the draws."""
    words = pairs("Word", values, seats, every=False)
    for _, word in words:
        if not word or word != word_of(word):
            raise BadRecord(say("“{text}” isn't a word that a player can add.", text=word))
    return words


def pairs(
    header: str,
    values: Iterable[str],
    seats: tuple[str, ...] | None = None,
    *,
    every: bool = True,
) -> tuple[tuple[str, str], ...]:
    """Return the names and values under a header that may occur several times.

    If it is about seats, it occurs for ``every`` one or none, or otherwise for any of them.
    """
    pairs: dict[str, str] = {}
    for text in values:
        name, equals, value = text.partition("=")
        if not equals or not _NAME.fullmatch(name) or (seats is not None and name not in seats):
            raise BadRecord(_no_pair(header, text, seats))
        if name in pairs:
            message = say("{header} is given twice for {name}.", header=header, name=name)
            raise BadRecord(message)
        pairs[name] = value
    if every and pairs and seats is not None and len(pairs) != len(seats):
        raise BadRecord(say("{header} is not given for every seat.", header=header))
    return tuple(pairs.items())


def _no_pair(header: str, text: str, seats: tuple[str, ...] | None) -> str:
    if seats is None:
        return say(
            "“{text}” under {header} should be an option, = and a value.", text=text, header=header
        )
    return say(
        "“{text}” under {header} should be one of the seats, = and a value.",
        text=text,
        header=header,
    )


def hexadecimal(header: str, text: str | None, pattern: re.Pattern[str]) -> str | None:
    """Return the digits under a header, or ``None`` if absent."""
    if text is not None and not pattern.fullmatch(text):
        raise BadRecord(
            say("{header} should be 64 hexadecimal digits in lower case.", header=header)
        )
    return text


def ranks_of(once: dict[str, str], seats: tuple[str, ...]) -> tuple[int, ...]:
    """Return the rank of each seat, or empty without a result."""
    if ("Result" in once) != ("Reason" in once):
        # Translators: Result and Reason are headers of a record; leave them as they are.
        raise BadRecord(say("Result and Reason belong together."))
    if "Result" not in once:
        return ()
    ranked = [part.rpartition(":") for part in once["Result"].split()]
    ranks = tuple(int(rank) for _, _, rank in ranked if rank in {"1", "2", "3", "4"})
    if tuple(seat for seat, _, _ in ranked) != seats or len(ranks) != len(seats):
        message = say(
            "“{text}” should give each seat its rank, like {example}.",
            text=once["Result"],
            example=f"{seats[0]}:1",
        )
        raise BadRecord(message)
    return ranks


def gave_up_of(values: Iterable[str], seats: tuple[str, ...], plies: int) -> tuple[GaveUp, ...]:
    """Return the seats given up, in that order."""
    given: list[GaveUp] = []
    for text in values:
        found = _GAVE_UP.fullmatch(text)
        one = GaveUp(found[1], int(found[2]), found[3]) if found else None
        last = given[-1].ply if given else 0
        if (
            one is None
            or one.seat not in seats
            or one.seat in {before.seat for before in given}
            or not last <= one.ply <= plies
        ):
            message = say(
                "“{text}” under {header} should look like {example}: a seat, the entry after "
                "which its player gave up, and how.",
                text=text,
                header="GaveUp",
                example=f"{seats[0]}=12 resigned",
            )
            raise BadRecord(message)
        given.append(one)
    if given and len(given) == len(seats):
        raise BadRecord(say("If players give up, someone has to play on."))
    return tuple(given)
