"""A player's choices: whole moves while they fit, otherwise a piece and then its moves."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final, Generic, NamedTuple, TypeAlias

from engine.game import Game, M, S
from engine.move_label import MoveLabel, Worth
from engine.phrase import Phrase, capital, say

_Groups: TypeAlias = "dict[str, list[tuple[tuple[str, ...], M]]]"
"""Moves with their steps, by their next step."""

MAX_OPTIONS: Final = 25
"""Maximum entries in a Discord menu."""
MAX_MOVE_BUTTONS: Final = 20
"""Buttons that fit in a message beside a board's other controls."""
_MENUS: Final = 5
"""Maximum menus in a message."""
_AT_ONCE: Final = 5
"""How many of the best moves are offered whole beside the pieces."""
_ENDS: Final = frozenset({Worth.WINS, Worth.DRAWS, Worth.LOSES})
_SQUARE: Final = re.compile(r"([a-z])(\d+)")


class Choice(NamedTuple, Generic[M]):
    """One entry of a menu: a tuple, as a dataclass that is frozen takes three times as long to make."""

    steps: tuple[str, ...]
    """All steps chosen so far, this one included."""
    label: str
    """What it does."""
    move: M | None
    """The move it completes; ``None`` if more steps follow."""
    worth: Worth = Worth.PLAIN
    """Its worth; if more steps follow, the best possible outcome."""
    note: str = ""
    """Anything else worth adding."""


@dataclass(slots=True)
class _Way(Generic[M]):
    """A legal move with what it does."""

    steps: tuple[str, ...]
    move: M
    label: MoveLabel
    worth: Worth

    @property
    def order(self) -> tuple[int, int, int, tuple[tuple[str, int], ...], int]:
        """The best come first, of those that end the game too; then moves of one man, in board order."""
        squares = _squares(self.steps)
        return self.worth, self.label.worth, len(squares), squares, self.label.length


def choices(
    game: Game[S, M],
    state: S,
    chosen: tuple[str, ...] = (),
    limit: int = MAX_OPTIONS,
    *,
    advised: bool = True,
) -> tuple[Choice[M], ...]:
    """Return the choices after the steps chosen so far, the best first; empty if there are none.

    Up to ``limit`` moves are offered whole. Beyond that come the next steps, with the few moves that
    win or take in front; a step that leaves a single move becomes that move. If steps are halves of
    moves rather than pieces, or outnumber a message's buttons, whole moves fill several menus.

    Args:
        game: the game.
        state: the position.
        chosen: the steps chosen so far.
        limit: maximum number of whole moves at once.
        advised: whether to mark what wins and what is risky; otherwise moves keep board order.
    """
    depth = len(chosen)
    left = [
        (steps, move)
        for move in game.legal_moves(state)
        if (steps := game.steps(move))[:depth] == chosen and len(steps) > depth
    ]
    groups = _by_step(left, depth)
    if len(left) > _MENUS * limit:  # a very long series of throws
        return tuple(_next(game, state, groups, depth))
    ways = [_way(game, state, *one) for one in left]
    if not advised:
        ways = [replace(way, worth=Worth.PLAIN) for way in ways]
    ways.sort(key=lambda way: way.order)
    largest = max(map(len, groups.values()), default=0)
    of_pieces = all(len(_squares((step,))) < 2 for step in groups)
    if len(left) > limit and of_pieces and max(len(groups), largest) <= MAX_MOVE_BUTTONS:
        return _pieces(game, state, ways, groups, depth, advised=advised)
    return tuple(_whole(game, state, way, depth, advised=advised) for way in ways)


def offered(game: Game[S, M], state: S, moves: Iterable[M]) -> tuple[Choice[M], ...]:
    """Return some legal moves as whole choices, the best first."""
    ways = [_way(game, state, game.steps(move), move) for move in moves]
    return tuple(_whole(game, state, way, 0) for way in sorted(ways, key=lambda way: way.order))


def label(game: Game[S, M], state: S, move: M) -> str:
    """Return what a legal move does, as worded in a menu of all moves."""
    return _label(_way(game, state, game.steps(move), move), 0)


def _way(game: Game[S, M], state: S, steps: tuple[str, ...], move: M) -> _Way[M]:
    label = game.move_label(state, move)
    ends = game.ends(state, move)
    return _Way(steps, move, label, label.worth if ends is None else ends)


def _whole(
    game: Game[S, M], state: S, way: _Way[M], depth: int, *, advised: bool = True
) -> Choice[M]:
    untold = not advised or way.worth in _ENDS
    note = "" if untold else way.label.note or game.risk(state, way.move)
    return Choice(way.steps, _label(way, depth), way.move, way.worth, note)


def _label(way: _Way[M], depth: int) -> str:
    text = way.label.short if depth else way.label.text
    if way.worth is Worth.WINS:
        # Translators: an entry of a menu: a move that wins, such as "Win: king to e9".
        return say("Win: {move}", move=text)
    if way.worth is Worth.DRAWS:
        # Translators: an entry of a menu: a move that ends the game with a draw.
        return say("Draw: {move}", move=text)
    if way.worth is Worth.LOSES:
        # Translators: an entry of a menu: a move that loses the game.
        return say("Lose: {move}", move=text)
    return capital(text)


def _pieces(
    game: Game[S, M],
    state: S,
    ways: list[_Way[M]],
    groups: _Groups[M],
    depth: int,
    *,
    advised: bool,
) -> tuple[Choice[M], ...]:
    """Return the few best moves whole, then the next steps."""
    best = [way for way in ways if way.worth <= Worth.TAKES]
    if len(best) > _AT_ONCE:
        best = [way for way in best if way.worth is Worth.WINS]
    room = min(_AT_ONCE, MAX_MOVE_BUTTONS - len(groups))
    front = [_whole(game, state, way, depth, advised=advised) for way in best[:room]]
    shown = {one.steps for one in front}
    found: list[Choice[M]] = []
    for step in sorted(groups, key=lambda step: _squares((step,))):
        own = [way for way in ways if way.steps[depth] == step]
        if len(own) == 1:
            one = _whole(game, state, own[0], depth, advised=advised)
        else:
            one = _step(game, state, own[0].steps[: depth + 1], own[0].worth)
        if one.steps not in shown:
            found.append(one)
    return (*front, *found)


def _next(game: Game[S, M], state: S, groups: _Groups[M], depth: int) -> Iterator[Choice[M]]:
    for group in groups.values():
        steps, move = group[0]
        if len(group) == 1:
            yield _whole(game, state, _way(game, state, steps, move), depth)
        else:
            yield _step(game, state, steps[: depth + 1], Worth.PLAIN)


def _step(game: Game[S, M], state: S, steps: tuple[str, ...], worth: Worth) -> Choice[M]:
    text = game.steps_label(state, steps).text
    return Choice(steps, capital(text) if isinstance(text, Phrase) else text, None, worth)


def _by_step(left: list[tuple[tuple[str, ...], M]], depth: int) -> _Groups[M]:
    groups: _Groups[M] = {}
    for steps, move in left:
        groups.setdefault(steps[depth], []).append((steps, move))
    return groups


@lru_cache(maxsize=4096)
def _squares(steps: tuple[str, ...]) -> tuple[tuple[str, int], ...]:
    return tuple((file, int(rank)) for file, rank in _SQUARE.findall("".join(steps)))
