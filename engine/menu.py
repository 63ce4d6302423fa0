"""A player's choices: whole moves while they fit, otherwise a piece and then its moves."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator, Sequence
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
_FEW: Final = 12
"""How many moves one menu may mix."""
_SAFE: Final = say("Safe moves")
_OTHER: Final = say("Other moves")
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
    """Its worth; if more steps follow, the best possible outcome but for wins, which stand in front."""
    note: str = ""
    """Anything else worth adding."""
    kind: str = ""
    """What it has in common with others, as the name of a menu; empty for a usual move."""


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
    captures: bool = True,
) -> tuple[Choice[M], ...]:
    """Return the choices after the steps chosen so far, the best first; empty if there are none.

    Of moves with the same effect only one is offered. Up to ``limit`` moves are offered whole. Beyond that come the next steps, with the few moves that
    win or take in front; a step that leaves a single move becomes that move. If steps are halves of
    moves rather than pieces, or outnumber a message's buttons, whole moves fill several menus.

    Args:
        game: the game.
        state: the position.
        chosen: the steps chosen so far.
        limit: maximum number of whole moves at once.
        advised: whether to mark what wins and what is risky; otherwise moves keep board order.
        captures: whether captures come first even so.
    """
    depth = len(chosen)
    left = [
        (steps, move)
        for move in game.legal_moves(state)
        if (steps := game.steps(move))[:depth] == chosen and len(steps) > depth
    ]
    left = _with_different_effects(game, state, left)
    groups = _by_step(left, depth)
    if len(left) > _MENUS * limit:  # a very long series of throws
        return tuple(_next(game, state, groups, depth))
    ways = _plainest_wins([_way(game, state, *one) for one in left])
    if not advised:
        ways = [_unadvised(way, captures=captures) for way in ways]
    ways.sort(key=lambda way: way.order)
    largest = max(map(len, groups.values()), default=0)
    of_pieces = all(len(_squares((step,))) < 2 for step in groups)
    if len(left) > limit and of_pieces and max(len(groups), largest) <= MAX_MOVE_BUTTONS:
        return _pieces(game, state, ways, groups, depth, advised=advised)
    return tuple(_whole(game, state, way, depth, advised=advised) for way in ways)


def menus(entries: Sequence[Choice[M]]) -> list[tuple[str, Sequence[Choice[M]]]]:
    """Divide whole moves into a few menus of at most `MAX_OPTIONS` each, and name them.

    A long list is divided by what its moves do: they win, capture, are of a kind that the game
    names, are safe, or none of these.
    """
    named = all(one.kind for one in entries)
    if named or len(entries) > _FEW:
        for cautious in (any(one.note for one in entries if not one.kind), False):
            kinds = _by_kind(entries, cautious=cautious)
            parts = [(_named(kind, part, own), part) for kind, own in kinds for part in _parts(own)]
            if (named or len(kinds) > 1) and len(parts) <= _MENUS:
                return parts
    found = _parts(entries)
    return [(say("Pick a move") if len(found) == 1 else _span(part), part) for part in found]


def _by_kind(
    entries: Sequence[Choice[M]], *, cautious: bool
) -> list[tuple[str, Sequence[Choice[M]]]]:
    """Return moves by their kind, the usual ones last: those without a note first if cautious."""
    kinds: dict[str, list[Choice[M]]] = {}
    for one in entries:
        safe = cautious and not one.note and one.worth not in _ENDS
        kinds.setdefault(one.kind or (_SAFE if safe else _OTHER), []).append(one)
    last: dict[str, int] = {_SAFE: 1, _OTHER: 2}
    return sorted(kinds.items(), key=lambda kind: last.get(kind[0], 0))


def _parts(entries: Sequence[Choice[M]]) -> list[Sequence[Choice[M]]]:
    return [entries[n : n + MAX_OPTIONS] for n in range(0, len(entries), MAX_OPTIONS)]


def _named(kind: str, part: Sequence[Choice[M]], own: Sequence[Choice[M]]) -> str:
    if len(part) == len(own):
        # Translators: a menu of moves of one kind, and how many: "Capture (3)".
        return say("{kind} ({n})", kind=kind, n=len(own))
    first, last = part[0], part[-1]
    # Translators: one of several menus of moves of one kind: its first and its last move.
    return say("{kind}: {first} … {last}", kind=kind, first=_typed(first), last=_typed(last))


def _span(part: Sequence[Choice[M]]) -> str:
    # Translators: the placeholder of one of several menus: its first and its last move.
    return say("Pick a move: {first} … {last}", first=_typed(part[0]), last=_typed(part[-1]))


def _typed(one: Choice[M]) -> str:
    return "".join(one.steps)


def offered(game: Game[S, M], state: S, moves: Iterable[M]) -> tuple[Choice[M], ...]:
    """Return some legal moves as whole choices, the best first."""
    ways = [_way(game, state, game.steps(move), move) for move in moves]
    return tuple(_whole(game, state, way, 0) for way in sorted(ways, key=lambda way: way.order))


def label(game: Game[S, M], state: S, move: M, *, advised: bool = True) -> str:
    """Return what a legal move does, as worded in a menu of all moves.

    ``advised``: whether to say that it wins, draws or loses.
    """
    way = _way(game, state, game.steps(move), move)
    if not advised:
        way = _unadvised(way, captures=True)
    return _label(way, 0)


def _way(game: Game[S, M], state: S, steps: tuple[str, ...], move: M) -> _Way[M]:
    label = game.move_label(state, move)
    ends = game.ends(state, move)
    return _Way(steps, move, label, label.worth if ends is None else ends)


def _plainest_wins(ways: list[_Way[M]]) -> list[_Way[M]]:
    """Return the moves with only those marked as wins that win at sight, where there are any.

    Beside a king who can walk out, a move that leaves him two ways out is a detour.
    """
    if not any(way.worth is way.label.worth is Worth.WINS for way in ways):
        return ways
    return [
        replace(way, worth=Worth.PLAIN)
        if way.worth is Worth.WINS and way.label.worth is not Worth.WINS
        else way
        for way in ways
    ]


def _whole(
    game: Game[S, M], state: S, way: _Way[M], depth: int, *, advised: bool = True
) -> Choice[M]:
    untold = not advised or way.worth in _ENDS
    note = "" if untold else way.label.note or game.risk(state, way.move)
    return Choice(way.steps, _label(way, depth), way.move, way.worth, note, _kind(way))


def _kind(way: _Way[M]) -> str:
    if way.worth is Worth.WINS:
        # Translators: the name of a menu: moves that win the game.
        return say("Win")
    if way.worth is Worth.TAKES:
        # Translators: the name of a menu: moves that take men.
        return say("Capture")
    return "" if way.worth in _ENDS else way.label.kind


def _unadvised(way: _Way[M], *, captures: bool) -> _Way[M]:
    label = way.label.unadvised or way.label
    takes = captures and label.worth is Worth.TAKES
    return replace(way, label=label, worth=Worth.TAKES if takes else Worth.PLAIN)


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
    return _capital(text)


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
    front = [_whole(game, state, way, depth, advised=advised) for way in best[:MAX_OPTIONS]]
    shown = {one.steps for one in front}
    found: list[Choice[M]] = []
    for step in sorted(groups, key=lambda step: _squares((step,))):
        own = [way for way in ways if way.steps[depth] == step]
        if len(own) == 1:
            one = _whole(game, state, own[0], depth, advised=advised)
        else:
            # A win stands in front already: marking its first step would look like another.
            worth = next((way.worth for way in own if way.worth is not Worth.WINS), Worth.PLAIN)
            one = _step(game, state, own[0].steps[: depth + 1], worth)
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
    return Choice(steps, _capital(game.steps_label(state, steps).text), None, worth)


def _capital(text: str) -> str:
    """Return a label with a capital, unless it is only a square."""
    return capital(text) if isinstance(text, Phrase) else text


def _with_different_effects(
    game: Game[S, M], state: S, left: list[tuple[tuple[str, ...], M]]
) -> list[tuple[tuple[str, ...], M]]:
    """Return the first move of each effect."""
    found: dict[Hashable, tuple[tuple[str, ...], M]] = {}
    for one in left:
        found.setdefault(game.effect(state, one[1]), one)
    return list(found.values())


def _by_step(left: list[tuple[tuple[str, ...], M]], depth: int) -> _Groups[M]:
    groups: _Groups[M] = {}
    for steps, move in left:
        groups.setdefault(steps[depth], []).append((steps, move))
    return groups


@lru_cache(maxsize=4096)
def _squares(steps: tuple[str, ...]) -> tuple[tuple[str, int], ...]:
    return tuple((file, int(rank)) for file, rank in _SQUARE.findall("".join(steps)))
