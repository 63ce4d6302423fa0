"""Lessons: pages that show how a game works, then positions in which a newcomer picks a move.

A lesson is data of its game. Its replies are moves in notation, some of them illegal: those are
answered with the game's own refusal, which quotes the rule. What is wrong with a reply is also
drawn on the board. A lesson without replies is a page to look at.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from engine.errors import IllegalMove
from engine.overlay import Kind, Mark, Ring, along
from engine.rule import Rule

if TYPE_CHECKING:
    from engine.game import Game


@dataclass(frozen=True, slots=True)
class Reply:
    """A move offered by a lesson."""

    move: str
    """In notation."""
    answer: str = ""
    """The answer to it; empty for an illegal move, which gets its refusal."""
    marks: tuple[Mark, ...] = ()
    """What its answer points at on the board, apart from the move itself."""


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


@dataclass(frozen=True, slots=True)
class Marked:
    """A lesson's answer to a reply."""

    kind: Literal["right", "wrong", "refused"]
    """``wrong`` is a legal move, but not the one asked for."""
    words: str
    rule: Rule
    """The rule that the answer quotes: the lesson's own, or the one that the move breaks."""
    state: Any
    """The position after the right move, otherwise that of the lesson."""
    last: tuple[tuple[Any, Any], ...]
    """The right move with the position it was made in, for drawing; otherwise empty."""
    marks: tuple[Mark, ...]
    """A wrong move and its problem; empty for the right one."""


def begin(game: Game[Any, Any], lesson: Lesson) -> Any:
    """Return the position of a lesson."""
    return game.read_position(lesson.position, lesson.options)


def mark(game: Game[Any, Any], lesson: Lesson, reply: Reply) -> Marked:
    """Return the answer to a reply."""
    state = begin(game, lesson)
    rule = game.rule(lesson.rule)
    if reply != lesson.right:
        try:
            game.read(state, reply.move)
        except IllegalMove as illegal:
            marks = (*_ways(game, state, reply), *_rings(illegal.squares, game, state, reply))
            return Marked("refused", illegal.sentence, illegal.rule, state, (), marks)
        marks = (*_ways(game, state, reply), *reply.marks)
        return Marked("wrong", reply.answer, rule, state, (), marks)
    move = game.read(state, reply.move)
    return Marked("right", reply.answer, rule, game.after(state, move), ((state, move),), ())


def _ways(game: Game[Any, Any], state: Any, reply: Reply) -> tuple[Mark, ...]:
    """Return a wrong move as arrows."""
    return along(game.ways(state, game.parse(state, reply.move)), Kind.WRONG)


def _rings(
    squares: Iterable[str], game: Game[Any, Any], state: Any, reply: Reply
) -> Iterator[Mark]:
    """Yield rings round what a refusal names, such as a man in the way."""
    ends = {square for way in game.ways(state, game.parse(state, reply.move)) for square in way}
    yield from (Ring(square) for square in squares if square not in ends)
