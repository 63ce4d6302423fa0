"""Throws that anyone can verify.

Before a match is accepted the bot draws a secret seed and shows its SHA-256, the *commitment*, with
the number of the challenge. Each player may add a word. Every draw is

    HMAC-SHA256(key = seed, message = challenge, counter, attempt and all words, a line each)

read as a 256-bit number and reduced to one of the outcomes by their exact odds. Numbers at the top
that would favour some outcome are rejected and drawn again with the next attempt. Nothing else
enters: no time, and no number made after the acceptance. The seed is revealed when the match ends;
then anyone can recompute every throw.

The games of a tournament have a common seed, committed to before anyone signs up. Each game's own
seed derives from it and from which game it is (`derived`).

docs/security.md says what this proves and what it does not.
"""

from __future__ import annotations

import hashlib
import hmac
import itertools
import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final, TypeVar

from engine.plain_text import one_line

T = TypeVar("T", bound="Hashable")

SEED_BYTES = 32
MAX_WORD: Final = 32
"""Maximum length of a player's word, in characters."""
FINGERPRINT: Final = 32
"""Hexadecimal digits of a commitment shown by a challenge: 128 bits."""
_SPAN = 1 << 256


def commitment(seed: bytes) -> str:
    """Return the SHA-256 of a seed in hexadecimal, shown before the match is accepted."""
    return hashlib.sha256(seed).hexdigest()


def fingerprint(seed: bytes) -> str:
    """Return the start of a commitment: short enough for one line and still binding.

    docs/security.md explains its length.
    """
    return commitment(seed)[:FINGERPRINT]


def derived(seed: bytes, name: str) -> bytes:
    """Return the seed of one of several matches with a common seed, which it does not reveal."""
    return hmac.digest(seed, name.encode(), "sha256")


def word_of(typed: str) -> str:
    """Return a typed word as it enters the draws and is shown.

    It is one line of at most `MAX_WORD` characters, without invisible characters and without
    backticks, between which Discord shows it verbatim.
    """
    word = one_line(typed).replace("`", "")[:MAX_WORD]
    while (again := one_line(word)) != word:  # what was cut or left out may have held it together
        word = again[:MAX_WORD]
    return word


@dataclass(frozen=True, slots=True)
class Luck:
    """The source of all draws of one match. Its ``repr`` hides the seed."""

    seed: bytes = field(repr=False)
    """Secret until the match has ended; 32 bytes."""
    challenge: str
    """The number of the challenge, or what else the draws are for, fixed beforehand."""
    words: tuple[str, ...]
    """One per player, empty if none was added. No word has a line break."""

    def draw(self, counter: str, odds: Mapping[T, Fraction]) -> T:
        """Return one outcome, each with exactly its odds.

        Args:
            counter: what is drawn, unique in a match: a ply, ``seats``.
            odds: the chance of each outcome, in the order of the rules; they sum to 1.

        Raises:
            ValueError: the odds do not sum to 1.
        """
        parts = math.lcm(*(chance.denominator for chance in odds.values()))
        shares = {
            outcome: chance.numerator * (parts // chance.denominator)
            for outcome, chance in odds.items()
        }
        if sum(shares.values()) != parts:
            raise ValueError("odds must sum to 1")
        number = self._below(counter, parts)
        for outcome, share in shares.items():
            number -= share
            if number < 0:
                return outcome
        raise AssertionError("unreachable: the odds sum to 1")

    def shuffle(self, counter: str, items: Sequence[T]) -> tuple[T, ...]:
        """Return the items in a fairly drawn order: all orders are equally likely."""
        orders = list(itertools.permutations(range(len(items))))
        order = orders[self._below(counter, len(orders))]
        return tuple(items[index] for index in order)

    def _below(self, counter: str, bound: int) -> int:
        limit = _SPAN - _SPAN % bound
        for attempt in itertools.count():
            message = "\n".join((self.challenge, counter, str(attempt), *self.words))
            digest = hmac.digest(self.seed, message.encode(), "sha256")
            number = int.from_bytes(digest)
            if number < limit:
                return number % bound
        raise AssertionError("unreachable: count() never ends")
