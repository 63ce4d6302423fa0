"""Why a move is illegal: the document's rule, and the squares."""

from __future__ import annotations

from collections.abc import Iterable

from engine.errors import BadNotation, IllegalMove
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
    CALLED,
    HAND,
    PAIR,
    Act,
    Advance,
    Move,
    Phase,
    Series,
    Side,
    State,
    Throw,
    pieces,
)
from engine.games.thaayam.words import due
from engine.phrase import lines, listed, plural, say


def reason(state: State, move: Move) -> IllegalMove | None:
    """Return why a move is illegal, or ``None`` if it is legal. The game must not have ended."""
    if state.phase is not Phase.MOVE:
        return _to_throw(state, move)
    match move:
        case Throw():
            message = say(
                "{seat} has {throws} to use before the next throw.",
                seat=_name(state),
                throws=_numbers(state.throws),
            )
            return _refused("13", message)
        case Advance():
            return _advance(state, move)
        case Act.ENTER:
            return _enter(state)
        case Act.OFF:
            return _bear_off(state)
        case Act.TWINS:
            return _twins(state)


def unreadable(state: State, error: BadNotation) -> BadNotation:
    """Return the refusal of what is no move, with what is to do now: the throws a move could use."""
    if state.phase is Phase.OVER:
        return error
    return BadNotation(lines([error.sentence, due(state)], " "))


def _to_throw(state: State, move: Move) -> IllegalMove | None:
    if isinstance(move, Throw):
        return None
    squares = (move.square,) if isinstance(move, Advance) else ()
    name = _name(state)
    if state.phase is Phase.START:
        message = say("Nobody moves yet: the seats throw for the start, {seat} next.", seat=name)
        return _refused("3", message, *squares)
    if not state.throws:
        return _refused("4", say("{seat} must throw before a piece moves.", seat=name), *squares)
    message = say(
        "{seat} throws on: the series {throws} ends only with a 2 or 3.",
        seat=name,
        throws=_numbers(state.throws),
    )
    return _refused("5", message, *squares)


# ------------------------------------------------------------------ moves without a square


def _enter(state: State) -> IllegalMove | None:
    palace = PATHS[state.seat][0]
    if HAND not in state.side:
        message = say("{seat} has no piece in hand to enter.", seat=_name(state))
        return _refused("6", message, palace)
    if 1 not in state.throws:
        message = say(
            "A piece enters only with a 1, and {seat} has {throws}.",
            seat=_name(state),
            throws=_numbers(state.throws),
        )
        return _refused("6", message, palace)
    return None  # entering uses a throw and makes room for others, so it never wastes one


def _bear_off(state: State) -> IllegalMove | None:
    side = state.side
    keep = PATHS[state.seat][KEEP]
    away = tuple(dict.fromkeys(PATHS[state.seat][p.place] for p in pieces(side) if p.place != KEEP))
    if away or HAND in side:
        where = [say("on {square}", square=square) for square in away]
        if HAND in side:
            # Translators: where some pieces are: not on the board yet.
            where.append(say("in hand"))
        # Translators: places is a list such as "on e2, on c5 and in hand".
        message = say(
            "{seat} may bring pieces home once all are in the keep, but has some {places}.",
            seat=_name(state),
            places=listed(where),
        )
        return _refused("27", message, keep, *away)
    return None  # with all in the keep only a 1 can be used, so there is one


def _twins(state: State) -> IllegalMove | None:
    if not may_declare(state.side):
        palace = PATHS[state.seat][OPPOSITE]
        message = say(
            "Twins need two single pieces of {seat}'s on {square}, the opposite palace.",
            seat=_name(state),
            square=palace,
        )
        return _refused("15", message, palace)
    return _wasteful(state, Act.TWINS, declared(state.side), state.throws)


# ------------------------------------------------------------------ a piece that moves


def _advance(state: State, move: Advance) -> IllegalMove | None:
    return _unable(state, move) or _unthrown(state, move) or _misplaced(state, move)


def _unable(state: State, move: Advance) -> IllegalMove | None:
    """Return why no piece on the square may make this move."""
    seat, side, square, name = state.seat, state.side, move.square, _name(state)
    place = PLACES[seat][square]
    single, pair = 2 * place, 2 * place + PAIR
    wanted, other = (pair, single) if move.twins else (single, pair)
    if wanted in side:
        return None
    if wanted + 1 in side:
        return _refused("10", _moved(square, twins=move.twins), square)
    if other in side or other + 1 in side:
        if not move.twins:
            # Translators: square& is how the move of twins begins when it is typed.
            message = say(
                "The pieces on {square} are twins and move together: write {square}&.",
                square=square,
            )
            return _refused("16", message, square)
        if place == KEEP:
            message = say("In the keep on {square} all pieces are single ones.", square=square)
            return _refused("26", message, square)
        message = say(
            "{seat} has no twins on {square}: pieces are twins only once they are declared.",
            seat=name,
            square=square,
        )
        return _refused("15", message, square)
    return _nobody(state, square)


def _moved(square: str, *, twins: bool) -> str:
    if twins:
        return say("The twins on {square} have made the move of this series.", square=square)
    return say("The piece on {square} has made the move of this series.", square=square)


def _nobody(state: State, square: str) -> IllegalMove:
    """Return that the seat has no piece on a square, and who does."""
    seat, name = state.seat, _name(state)
    place = PLACES[seat][square]
    if place == 0 and HAND in state.side:
        # Translators: “in” is what is typed to enter a piece; leave it as it is.
        message = say(
            "{seat} has no piece on {square} yet: a 1 enters one first, with “in”.",
            seat=name,
            square=square,
        )
        return _refused("6", message, square)
    for index, enemy in enumerate(state.seats):
        at = 2 * ACROSS[seat][enemy][place]
        if index != state.turn and not {at, at + PAIR}.isdisjoint(state.sides[index]):
            message = say(
                "The piece on {square} is {other}'s; it is {seat}'s turn.",
                square=square,
                other=CALLED[enemy],
                seat=name,
            )
            return _refused("8", message, square)
    message = say("{seat} has no piece on {square}.", seat=name, square=square)
    return _refused("8", message, square)


def _unthrown(state: State, move: Advance) -> IllegalMove | None:
    """Return the throw that is not in hand."""
    for score in dict.fromkeys(move.throws):
        wanted, there = move.throws.count(score), state.throws.count(score)
        if wanted > there:
            return _refused("8", _lacking(state, score, there), move.square)
    return None


def _lacking(state: State, score: int, there: int) -> str:
    """Return that a score is not in hand, or not often enough."""
    name, throws = _name(state), _numbers(state.throws)
    if not there:
        # Translators: throws is a list such as "4, 1 and 2".
        return say(
            "{seat} has no {score} in hand, but {throws}.", seat=name, score=score, throws=throws
        )
    # Translators: throws is a list such as "4, 1 and 2".
    return plural(
        "{seat} has only {n} throw of {score} in hand, but {throws}.",
        "{seat} has only {n} throws of {score} in hand, but {throws}.",
        there,
        seat=name,
        score=score,
        throws=throws,
    )


def _misplaced(state: State, move: Advance) -> IllegalMove | None:
    """Return why the piece cannot move by this many points."""
    place, points = PLACES[state.seat][move.square], sum(move.throws)
    squares = points // 2 if move.twins else points
    ahead, keep = KEEP - place, PATHS[state.seat][KEEP]
    if place == KEEP:
        # Translators: “off” is what is typed to bear a piece off; leave it as it is.
        message = say(
            "The path ends in the keep: from {square} a piece only goes home, with “off”.",
            square=keep,
        )
        return _refused("25", message, keep)
    if not squares:
        message = say(
            "Half of {points}, rounded down, doesn't move the twins on {square}.",
            points=points,
            square=move.square,
        )
        return _refused("16", message, move.square)
    if squares > ahead:
        # Translators: both numbers count squares.
        message = say(
            "From {square} it is {distance} to the keep, and {points} is more: only an exact count "
            "enters it.",
            square=move.square,
            distance=ahead,
            points=squares,
        )
        return _refused("25", message, move.square, keep)
    code = 2 * place + PAIR * move.twins
    rest = without(state.throws, move.throws)
    return _wasteful(state, move, advanced(state.side, code, squares), rest)


def _wasteful(state: State, move: Move, after: Side, rest: Series) -> IllegalMove | None:
    """Return how many throws a move would waste, or ``None`` if none."""
    throws = state.throws
    best, used = most(state.side, throws), len(throws) - len(rest) + most(after, rest)
    if used == best:
        return None
    better = "".join(notation.steps(plays(state.seat, state.side, throws)[0]))
    if used:
        # Translators: move is a move as it is typed, after which more throws can be used.
        message = plural(
            "This way only {n} of the throws could be used, and {best} can be, for example after "
            "{move}.",
            "This way only {n} of the throws could be used, and {best} can be, for example after "
            "{move}.",
            used,
            best=best,
            move=better,
        )
    else:
        message = say(
            "This way no throw could be used, and {best} can be, for example after {move}.",
            best=best,
            move=better,
        )
    squares = (move.square,) if isinstance(move, Advance) else ()
    return _refused("13", message, *squares)


def _refused(rule: str, sentence: str, *squares: str) -> IllegalMove:
    return IllegalMove(BY_NAME[rule], sentence, squares)


def _name(state: State) -> str:
    return CALLED[state.seat]


def _numbers(throws: Iterable[int]) -> str:
    return listed(str(score) for score in throws)
