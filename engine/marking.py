"""How a lesson begins and how its replies are answered."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from engine.errors import IllegalMove
from engine.game import Game
from engine.lesson import Lesson, Reply
from engine.overlay import Kind, Mark, Ring, along
from engine.rule import Rule


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
    return along(game.routes(state, game.parse(state, reply.move)), Kind.WRONG)


def _rings(
    squares: Iterable[str], game: Game[Any, Any], state: Any, reply: Reply
) -> Iterator[Mark]:
    """Yield rings round what a refusal names, such as a man in the way."""
    ends = {square for way in game.ways(state, game.parse(state, reply.move)) for square in way}
    yield from (Ring(square) for square in squares if square not in ends)
