"""Why a move is not legal: the rule of the document, and the squares."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.errors import IllegalMove
from engine.games.thaayam import notation
from engine.games.thaayam.board import ACROSS, KEEP, OPPOSITE, PATHS, PLACES
from engine.games.thaayam.documents import BY_NAME
from engine.games.thaayam.packing import most
from engine.games.thaayam.series import (
    advanced,
    declared,
    may_declare,
    plays,
    without,
)
from engine.games.thaayam.state import (
    HAND,
    NAMES,
    PAIR,
    Act,
    Advance,
    Move,
    Phase,
    State,
    Throw,
    pieces,
)

if TYPE_CHECKING:
    from engine.games.thaayam.state import Side, Throws


def reason(state: State, move: Move) -> IllegalMove | None:
    """Return why a move is not legal, or ``None`` where it is. The game has not ended."""
    if state.phase is not Phase.MOVE:
        return _to_throw(state, move)
    match move:
        case Throw():
            told = f"{_name(state)} has {_listed(state.throws)} to use before the next throw."
            return _refused("13", told)
        case Advance():
            return _advance(state, move)
        case Act.ENTER:
            return _enter(state)
        case Act.OFF:
            return _bear_off(state)
        case Act.TWINS:
            return _twins(state)


def _to_throw(state: State, move: Move) -> IllegalMove | None:
    if isinstance(move, Throw):
        return None
    squares = (move.square,) if isinstance(move, Advance) else ()
    name = _name(state)
    if state.phase is Phase.START:
        told = f"Nobody moves yet: the seats throw for the start, {name} next."
        return _refused("3", told, *squares)
    if not state.throws:
        return _refused("4", f"{name} must throw before a piece moves.", *squares)
    told = f"{name} throws on: the series {_listed(state.throws)} ends only with a 2 or 3."
    return _refused("5", told, *squares)


# ------------------------------------------------------------------ moves that name no square


def _enter(state: State) -> IllegalMove | None:
    palace = PATHS[state.seat][0]
    if HAND not in state.side:
        return _refused("6", f"{_name(state)} has no piece in hand to enter.", palace)
    if 1 not in state.throws:
        told = f"A piece enters only with a 1, and {_name(state)} has {_listed(state.throws)}."
        return _refused("6", told, palace)
    return None  # entering uses a throw and makes room for others: it never wastes one


def _bear_off(state: State) -> IllegalMove | None:
    side, name = state.side, _name(state)
    keep = PATHS[state.seat][KEEP]
    away = tuple(dict.fromkeys(PATHS[state.seat][p.place] for p in pieces(side) if p.place != KEEP))
    if away or HAND in side:
        where = [*(f"on {square}" for square in away), *(["in hand"] if HAND in side else [])]
        told = f"{name} may bear off once all pieces are in the keep, but has some {_and(where)}."
        return _refused("27", told, keep, *away)
    return None  # with all in the keep only a 1 can be used, so there is one


def _twins(state: State) -> IllegalMove | None:
    if not may_declare(state.side):
        palace = PATHS[state.seat][OPPOSITE]
        told = f"Twins need two single pieces of {_name(state)}'s on {palace}, the opposite palace."
        return _refused("15", told, palace)
    return _wasteful(state, Act.TWINS, declared(state.side), state.throws)


# ------------------------------------------------------------------ a piece that moves


def _advance(state: State, move: Advance) -> IllegalMove | None:
    return _unable(state, move) or _unthrown(state, move) or _misplaced(state, move)


def _unable(state: State, move: Advance) -> IllegalMove | None:
    """Return why no piece on the square may move as the text says."""
    seat, side, square, name = state.seat, state.side, move.square, _name(state)
    place = PLACES[seat][square]
    single, pair = 2 * place, 2 * place + PAIR
    wanted, other = (pair, single) if move.twins else (single, pair)
    if wanted in side:
        return None
    what = "twins" if move.twins else "piece"
    if wanted + 1 in side:
        told = f"The {what} on {square} {'have' if move.twins else 'has'} made the move of this series."
        return _refused("10", told, square)
    if other in side or other + 1 in side:
        if not move.twins:
            told = f"The pieces on {square} are twins and move together: write {square}&."
            return _refused("16", told, square)
        if place == KEEP:
            return _refused("26", f"In the keep on {square} all pieces are single ones.", square)
        told = f"{name} has no twins on {square}: pieces are twins only once they are declared."
        return _refused("15", told, square)
    return _nobody(state, square)


def _nobody(state: State, square: str) -> IllegalMove:
    """Return that no piece of the seat stands on a square, and who does."""
    seat, name = state.seat, _name(state)
    place = PLACES[seat][square]
    if place == 0 and HAND in state.side:
        told = f"{name} has no piece on {square} yet: a 1 enters one first, with “in”."
        return _refused("6", told, square)
    for index, enemy in enumerate(state.seats):
        at = 2 * ACROSS[seat][enemy][place]
        if index != state.turn and not {at, at + PAIR}.isdisjoint(state.sides[index]):
            told = f"The piece on {square} is {NAMES[enemy].capitalize()}'s; it is {name}'s turn."
            return _refused("8", told, square)
    return _refused("8", f"{name} has no piece on {square}.", square)


def _unthrown(state: State, move: Advance) -> IllegalMove | None:
    """Return which throw is not in hand."""
    for score in dict.fromkeys(move.throws):
        wanted, there = move.throws.count(score), state.throws.count(score)
        if wanted > there:
            lack = (
                f"no {score}" if not there else f"only {there} throw{'s' * (there > 1)} of {score}"
            )
            told = f"{_name(state)} has {lack} in hand, but {_listed(state.throws)}."
            return _refused("8", told, move.square)
    return None


def _misplaced(state: State, move: Advance) -> IllegalMove | None:
    """Return why the piece cannot move by so many points."""
    place, points = PLACES[state.seat][move.square], sum(move.throws)
    squares = points // 2 if move.twins else points
    ahead, keep = KEEP - place, PATHS[state.seat][KEEP]
    if place == KEEP:
        told = f"The path ends in the keep: from {keep} a piece is only borne off, with “off”."
        return _refused("25", told, keep)
    if not squares:
        told = f"Half of {points}, rounded down, moves the twins on {move.square} nowhere."
        return _refused("16", told, move.square)
    if squares > ahead:
        told = (
            f"From {move.square} it is {ahead} to the keep, and {squares} is more: only an exact "
            "count enters it."
        )
        return _refused("25", told, move.square, keep)
    code = 2 * place + PAIR * move.twins
    rest = without(state.throws, move.throws)
    return _wasteful(state, move, advanced(state.side, code, squares), rest)


def _wasteful(state: State, move: Move, after: Side, rest: Throws) -> IllegalMove | None:
    """Return how many throws a move would waste, ``None`` where it wastes none."""
    throws = _by_size(state.throws)
    best, used = most(state.side, throws), len(throws) - len(rest) + most(after, _by_size(rest))
    if used == best:
        return None
    better = "".join(notation.steps(plays(state.seat, state.side, throws)[0]))
    how = f"only {used} of the throws" if used else "no throw"
    told = f"This way {how} could be used, and {best} can be, for example after {better}."
    squares = (move.square,) if isinstance(move, Advance) else ()
    return _refused("13", told, *squares)


def _refused(rule: str, sentence: str, *squares: str) -> IllegalMove:
    return IllegalMove(BY_NAME[rule], sentence, squares)


def _by_size(throws: Throws) -> Throws:
    return tuple(sorted(throws, reverse=True))


def _name(state: State) -> str:
    return NAMES[state.seat].capitalize()


def _listed(throws: Throws) -> str:
    return _and([str(score) for score in throws])


def _and(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
