"""What happened, in plain sentences: what throws meant, where men went, whom they took."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import groupby
from typing import Final

from engine.game import Seat
from engine.games.tablan.state import SCORES, Move, Phase, Split, State, Throw, Walk
from engine.games.tablan.verdict import CALLED
from engine.phrase import listed, plural, say

_NAMED: Final = 4
"""Throws in a row at most of which each one's thrower is named."""
_FEW: Final = 3
"""Men of one side at most, of which each that is lost is told with what follows."""


def sentence(before: State, move: Move, after: State) -> str:
    """Return a sentence without a full stop; a throw's names the thrower."""
    match move:
        case Throw():
            return thrown(before, move, after)
        case Walk() | Split():
            return moved(before, move, after)


def thrown(before: State, throw: Throw, after: State) -> str:
    """Return who threw what, and what it meant."""
    if before.phase is Phase.START:
        return _thrown_for_the_start(CALLED[before.seat], _sides(throw.plain), after)
    return _thrown(before.seat, throw.plain, after.seat, usable=after.phase is Phase.MOVE)


def throws(
    told: Sequence[tuple[State, Move]], tell: Callable[[State, Move], str], *, moved: bool
) -> tuple[str, ...]:
    """Return sentences for throws in a row, of which only the last led to anything.

    It is left out if ``moved``: the move that played it has its points.
    """
    *wasted, last = told
    words: list[str] = []
    for kind, group in groupby(wasted, _kind):
        entries = list(group)
        if kind is None or len(entries) == 1:
            words += (tell(*throw) for throw in entries)
        else:
            words.append(_wasted(kind, [CALLED[before.seat] for before, _ in entries]))
    return tuple(words if moved else [*words, tell(*last)])


def _kind(thrown: tuple[State, Move]) -> Phase | None:
    """Return the phase of a throw that brought nothing; ``None`` if it brought points."""
    before, move = thrown
    if before.phase is not Phase.START and isinstance(move, Throw) and SCORES[move.plain]:
        return None
    return before.phase


def _wasted(phase: Phase, names: Sequence[str]) -> str:
    if phase is Phase.START:
        return plural(
            "{n} throw did not start the game: only exactly 1 plain side does",
            "{n} throws did not start the game: only exactly 1 plain side does",
            len(names),
        )
    if len(names) > _NAMED:
        return plural("{n} throw brought nothing", "{n} throws brought nothing", len(names))
    # Translators: names is a list of sides, such as "White, Black and White".
    return say("{names} threw nothing", names=listed(names))


@cache
def _thrown(seat: Seat, plain: int, following: Seat, *, usable: bool) -> str:
    name, other, sides, score = CALLED[seat], CALLED[1 - seat], _sides(plain), SCORES[plain]
    if usable:
        # Translators: sides is "3 plain sides": how the four sticks fell.
        return plural(
            "{seat} threw {sides}: {n} point",
            "{seat} threw {sides}: {n} points",
            score,
            seat=name,
            sides=sides,
        )
    if score:
        return plural(
            "{seat} threw {sides}: {n} point, which cannot be used, and throws again",
            "{seat} threw {sides}: {n} points, which cannot be used, and throws again",
            score,
            seat=name,
            sides=sides,
        )
    if following == seat:
        return say(
            "{seat} threw {sides}: nothing; {other} has finished, so {seat} throws again",
            seat=name,
            sides=sides,
            other=other,
        )
    return say(
        "{seat} threw {sides}: nothing, the sticks pass to {other}",
        seat=name,
        sides=sides,
        other=other,
    )


def moved(before: State, move: Walk | Split, after: State) -> str:
    """Return where men went for how much, and whom they took, and when few are left.

    Without the mover.
    """
    went: str
    match move:
        case Walk():
            went = _walked(before, move)
        case Split(first, second):
            # Translators: two men walk half of a throw each, such as "e1 to f1, then g1 to h1".
            went = say(
                "{first}, then {second}",
                first=_walked(before, first),
                second=_walked(before, second),
            )
    # Translators: a move, and the points of the throw that it plays: "e1 to f1 (2 points)".
    text = plural("{move} ({n} point)", "{move} ({n} points)", before.score, move=went)
    enemy = Seat(1 - before.seat)
    left = after.men[enemy].bit_count()
    if after.phase is Phase.OVER or left > _FEW or left == before.men[enemy].bit_count():
        return text
    # Translators: move ends with "takes a man"; n men of a side are left.
    return plural(
        "{move}; {seat} has only {n} man left and loses if it is taken",
        "{move}; {seat} has only {n} men left and loses if all are taken",
        left,
        move=text,
        seat=CALLED[enemy],
    )


def signed(before: State, move: Move, after: State) -> str:
    """Return a sentence without a full stop, its player first."""
    text = sentence(before, move, after)
    if isinstance(move, Throw):
        return text
    # Translators: who moved and what, such as "White e1 to l2, takes a man".
    return say("{seat} {move}", seat=CALLED[before.seat], move=text)


def _thrown_for_the_start(name: str, sides: str, after: State) -> str:
    if after.phase is Phase.MOVE:
        return say("{seat} threw {sides} and starts the game with 2 points", seat=name, sides=sides)
    return say(
        "{seat} threw {sides}: only 1 starts, so {other} throws next",
        seat=name,
        sides=sides,
        other=CALLED[after.seat],
    )


@cache
def _sides(plain: int) -> str:
    if not plain:
        # Translators: none of the four sticks fell plain side up; the object of "threw".
        return say("no plain side")
    # Translators: so many of the four sticks fell plain side up; the object of "threw".
    return plural("{n} plain side", "{n} plain sides", plain)


def _walked(before: State, walk: Walk) -> str:
    return _went(walk.origin, walk.target, takes=before.holds(Seat(1 - before.seat), walk.target))


@cache
def _went(origin: str, target: str, *, takes: bool) -> str:
    if takes:
        return say("{origin} to {target}, takes a man", origin=origin, target=target)
    # Translators: two squares, from and to, such as "e1 to l2".
    return say("{origin} to {target}", origin=origin, target=target)
