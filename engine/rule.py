"""The numbered rules of a game, and their source documents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.phrase import say


@dataclass(frozen=True, slots=True)
class Document:
    """A source of a game's rules."""

    key: str
    """The letter before its rule numbers, ``W`` in ``W13``; empty if the game has one document."""
    title: str
    when: tuple[str, str] | None = None
    """The option and its value in matches played by it; ``None`` for all."""
    headings: tuple[tuple[str, str], ...] = ()
    """The number of the first rule of each part, and what the part is about: a phrase."""

    def applies(self, options: Mapping[str, str]) -> bool:
        """Return whether a match with these options is played by it."""
        return self.when is None or options.get(self.when[0]) == self.when[1]


@dataclass(frozen=True, slots=True)
class Rule:
    """One numbered rule of one document, in our own words."""

    document: str
    """The key of its :class:`Document`."""
    number: str
    sentence: str
    """A phrase. Written as a plain literal, so that Babel finds it: Rule's third argument."""

    def __post_init__(self) -> None:
        """Make the sentence translatable."""
        object.__setattr__(self, "sentence", say(self.sentence))

    @property
    def name(self) -> str:
        """Its name in answers and tests: ``W13``, or ``5`` if the game has one document."""
        return f"{self.document}{self.number}"
