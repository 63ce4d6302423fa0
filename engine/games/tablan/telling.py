"""What happened, in a plain sentence: what a throw meant, where men went, whom they took."""

from __future__ import annotations

from typing import Final

from engine.game import Seat
from engine.games.tablan.state import SCORES, Move, Phase, Split, State, Throw, Walk
from engine.games.tablan.verdict import NAMES

_SIDES: Final = {0: "no plain side", 1: "1 plain side"}


def sentence(before: State, move: Move, after: State) -> str:
    """Return a sentence without a full stop; of a throw it names the thrower."""
    match move:
        case Throw():
            return thrown(before, move, after)
        case Walk() | Split():
            return moved(before, move)


def thrown(before: State, throw: Throw, after: State) -> str:
    """Return who threw what, and what it meant."""
    return f"{_name(before.seat)} threw {_thrown(before, throw.plain, after)}"


def moved(before: State, move: Walk | Split) -> str:
    """Return where men went and whom they took, without the mover."""
    match move:
        case Walk():
            return _walked(before, move)
        case Split(first, second):
            return f"{_walked(before, first)}, then {_walked(before, second)} (half each)"


def _thrown(before: State, plain: int, after: State) -> str:
    sides = _SIDES.get(plain, f"{plain} plain sides")
    if before.phase is Phase.START:
        if after.phase is Phase.MOVE:
            return f"{sides} and starts the game with 2 points"
        return f"{sides}: only 1 starts, so {_name(after.seat)} throws next"
    score = SCORES[plain]
    if after.phase is Phase.MOVE:
        return f"{sides}: {score} points"
    if score:
        return f"{sides}: {score} points, which cannot be used, and throws again"
    other = _name(Seat(1 - before.seat))
    if after.seat == before.seat:
        return f"{sides}: nothing; {other} has finished, so {_name(before.seat)} throws again"
    return f"{sides}: nothing, the sticks pass to {other}"


def _walked(before: State, walk: Walk) -> str:
    takes = ", takes a man" if before.holds(Seat(1 - before.seat), walk.target) else ""
    return f"{walk.origin} to {walk.target}{takes}"


def _name(seat: Seat) -> str:
    return NAMES[seat].capitalize()
