"""The numbered rules of a game, and the documents they come from."""

from __future__ import annotations

from dataclasses import dataclass

from engine.phrase import say


@dataclass(frozen=True, slots=True)
class Document:
    """A text that the rules of a game come from."""

    key: str
    """The letter before its rule numbers, ``W`` in ``W13``; empty where a game has one document."""
    title: str


@dataclass(frozen=True, slots=True)
class Rule:
    """One numbered rule of one document, told in our own words."""

    document: str
    """The key of its :class:`Document`."""
    number: str
    sentence: str
    """A phrase. Written as a plain literal, so that Babel finds it: the third argument of Rule."""

    def __post_init__(self) -> None:
        """Make the sentence one that can be said in other languages."""
        object.__setattr__(self, "sentence", say(self.sentence))

    @property
    def name(self) -> str:
        """How answers and tests quote it: ``W13``, or ``5`` where a game has one document."""
        return f"{self.document}{self.number}"
