"""Lessons: small positions in which a newcomer picks the right move, and learns the rule by it.

A lesson is data of its game. Its replies are moves in notation, some of them not legal: what is
said to those is the game's own refusal, which quotes the rule.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from engine.errors import IllegalMove

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.game import Game
    from engine.rule import Rule


@dataclass(frozen=True, slots=True)
class Reply:
    """One of the moves that a lesson offers."""

    move: str
    """In notation."""
    answer: str = ""
    """What is said to it; empty for a move that is not legal: its refusal is said."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """A position, a task, and what is said to each reply."""

    title: str
    position: str
    """A line that the game's ``read_position`` understands; a seat is to move in it."""
    task: str
    """What is asked, in one or two sentences."""
    rule: str
    """The name of the rule that it teaches, as in ``Game.rule``."""
    right: Reply
    wrong: tuple[Reply, ...]
    options: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Options of the game that differ from the usual ones."""

    @property
    def replies(self) -> tuple[Reply, ...]:
        """All replies, in an order that does not tell which one is right."""
        return tuple(sorted((self.right, *self.wrong), key=lambda reply: reply.move))


@dataclass(frozen=True, slots=True)
class Marked:
    """What a lesson says to a reply."""

    kind: Literal["right", "wrong", "refused"]
    """``wrong`` is a legal move that is not what was asked for."""
    words: str
    rule: Rule
    """The rule that the answer quotes: the lesson's own, or the one that the move breaks."""
    state: Any
    """The position after the right move, else that of the lesson."""
    last: tuple[tuple[Any, Any], ...]
    """The right move with the position it was made in, to draw it; else nothing."""


def begin(game: Game[Any, Any], lesson: Lesson) -> Any:
    """Return the position of a lesson."""
    return game.read_position(lesson.position, lesson.options)


def mark(game: Game[Any, Any], lesson: Lesson, reply: Reply) -> Marked:
    """Return what is said to a reply."""
    state = begin(game, lesson)
    rule = game.rule(lesson.rule)
    if reply != lesson.right:
        try:
            game.read(state, reply.move)
        except IllegalMove as illegal:
            return Marked("refused", illegal.sentence, illegal.rule, state, ())
        return Marked("wrong", reply.answer, rule, state, ())
    move = game.read(state, reply.move)
    return Marked("right", reply.answer, rule, game.after(state, move), ((state, move),))
