"""What happened, in a plain sentence: what a throw meant, where pieces went, whom they captured."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.games.thaayam.board import ACROSS, KEEP, MARKED, OPPOSITE, PATHS, PLACES
from engine.games.thaayam.series import struck
from engine.games.thaayam.state import (
    CLOSING,
    HAND,
    NAMES,
    PAIR,
    SCORES,
    TO_THROW,
    Act,
    Advance,
    Move,
    Phase,
    State,
    Throw,
)

if TYPE_CHECKING:
    from engine.games.thaayam.state import Throws

_COUNTS: Final = ("no", "a", "two", "three", "four")


def sentence(before: State, move: Move, after: State) -> str:
    """Return a sentence without a full stop; of a throw it names the thrower."""
    match move:
        case Throw(white):
            score = SCORES[white]
            what = f"{_name(before)} threw {score}"
            told = _opened(before, after) if before.opening else _thrown(before, score, after)
            return f"{what}{told}"
        case Act.ENTER:
            told = f"enters a piece on {PATHS[before.seat][0]}"
        case Act.OFF:
            told = "bears a piece off"
        case Act.TWINS:
            told = f"declares twins on {PATHS[before.seat][OPPOSITE]}"
        case Advance():
            told = _advanced(before, move, after)
    return f"{told}{_lost(before, move, after)}"


def captured(before: State, after: State) -> tuple[tuple[int, int], ...]:
    """Return whom a piece that moved sent back: indices of `State.sides`, and how many of each."""
    sent = (
        new.count(HAND) - old.count(HAND)
        for old, new in zip(before.sides, after.sides, strict=True)
    )
    return tuple((index, number) for index, number in enumerate(sent) if number)


def landing(before: State, move: Advance) -> int:
    """Return the place on which a piece that moves will stand."""
    points = sum(move.throws)
    return PLACES[before.seat][move.square] + (points // 2 if move.twins else points)


def _opened(before: State, after: State) -> str:
    if not after.opening:
        who = _name(after)
        return (
            " for the start: the highest, and begins"
            if who == _name(before)
            else (f" for the start: {who} threw the highest and begins")
        )
    if all(score <= TO_THROW for score in after.opening):
        tied = _and(
            [
                NAMES[seat].capitalize()
                for seat, score in zip(after.seats, after.opening, strict=True)
                if score == TO_THROW
            ]
        )
        return f" for the start: {tied} are level and throw again"
    return " for the start"


def _thrown(before: State, score: int, after: State) -> str:
    throws = (*before.throws, score)
    if score not in CLOSING:
        return " and throws on"
    kept = struck(before.side, throws)
    lost = throws[: len(throws) - len(kept)]
    if after.phase is Phase.MOVE:
        if lost:
            return (
                f": {_numbers(lost)} before the first 1 {_is(lost)} lost, {_numbers(kept)} to use"
            )
        return f": {_numbers(kept)} to use"
    why = ", no 1 to enter with" if lost and not kept else f": {_numbers(kept)} cannot be used"
    return f"{why}; the turn passes to {_name(after)}"


def _advanced(before: State, move: Advance, after: State) -> str:
    place = landing(before, move)
    how = "moves twins" if move.twins else "moves"
    told = f"{how} {move.square} to {PATHS[before.seat][place]} with {_numbers(move.throws)}"
    sent = [
        f"{_COUNTS[number]}{' piece' if number == 1 else ''} of {NAMES[before.seats[index]].capitalize()}"
        for index, number in captured(before, after)
    ]
    if sent:
        return f"{told}, captures {_and(sent)}"
    if place == KEEP:
        return f"{told}, into the keep" if not move.twins else f"{told}, two pieces in the keep"
    if place not in MARKED and _sheltered(before, move, place):
        return f"{told}, beside enemy twins"
    return told


def _sheltered(before: State, move: Advance, place: int) -> bool:
    """Return whether enemies stand where a piece comes to without capturing them."""
    return not move.twins and any(
        2 * ACROSS[before.seat][seat][place] + PAIR in side
        for index, (seat, side) in enumerate(zip(before.seats, before.sides, strict=True))
        if index != before.turn
    )


def _lost(before: State, move: Move, after: State) -> str:
    """Return what follows the end of a series: lost throws, a further turn."""
    if after.phase is Phase.MOVE:
        return ""
    used: Throws = move.throws if isinstance(move, Advance) else (1,)
    left = list(before.throws)
    for score in used:
        left.remove(score)
    told = (
        f"; {_numbers(tuple(left))} cannot be used" if left and after.phase is Phase.THROW else ""
    )
    if after.phase is Phase.THROW and after.turn == before.turn:
        told += "; has a further turn for the capture"
    return told


def _is(throws: Throws) -> str:
    return "is" if len(throws) == 1 else "are"


def _numbers(throws: Throws) -> str:
    return _and([str(score) for score in throws])


def _and(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def _name(state: State) -> str:
    return NAMES[state.seat].capitalize()
