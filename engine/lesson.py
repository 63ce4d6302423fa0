"""Lessons: pages that show how a game works, then positions in which a newcomer picks a move.

A lesson is data of its game. Its replies are moves in notation, some of them illegal: those are
answered with the game's own refusal, which quotes the rule. What is wrong with a reply is also
drawn on the board. A lesson without replies is a page to look at.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.overlay import Mark
from engine.phrase import capital


@dataclass(frozen=True, slots=True)
class Reply:
    """A move offered by a lesson."""

    move: str
    """In notation."""
    answer: str = ""
    """The answer to it; empty for an illegal move, which gets its refusal."""
    marks: tuple[Mark, ...] = ()
    """What its answer points at on the board, apart from the move itself."""
    words: str = ""
    """What its button says if the notation says little: what is moved, not what comes of it."""

    @property
    def label(self) -> str:
        """What its button says."""
        return capital(self.words) if self.words else self.move


@dataclass(frozen=True, slots=True)
class Lesson:
    """A position with a task and an answer to each reply, or with something to look at."""

    title: str
    position: str
    """A line for the game's ``read_position``; if it has a task, a seat is to move."""
    task: str
    """What is asked or explained, in one to three short sentences."""
    rule: str = ""
    """The name of the rule it teaches, as in ``Game.rule``; empty on a page."""
    right: Reply | None = None
    """The move to find; ``None`` on a page."""
    wrong: tuple[Reply, ...] = ()
    marks: tuple[Mark, ...] = ()
    """What a page points at."""
    options: Mapping[str, str] = field(default_factory=dict, hash=False)
    """The game's options that differ from the defaults."""

    @property
    def replies(self) -> tuple[Reply, ...]:
        """All replies, in an order that does not reveal the right one."""
        given = self.wrong if self.right is None else (self.right, *self.wrong)
        return tuple(sorted(given, key=lambda reply: reply.move))
