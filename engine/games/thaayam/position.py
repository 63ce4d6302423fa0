"""A position as one line: a field per seat, the seat to act, the throws in hand.

``south:3,24,-,8&8 north:7!,12,-,* north 4,2 again``: places on the seat's own path, ``!`` after a
piece that has moved in this series, ``-`` a piece in hand, ``*`` one borne off, ``8&8`` twins. Then
the throws in hand in the order thrown, ``4,-`` while the series goes on, ``-`` before its first
throw and after the end. ``again`` says that a capture has earned another turn. While the seats
throw for the start the last word is ``start``, or ``start:3,-,x`` after the first throw.
"""

from __future__ import annotations

import re
from typing import Final

from engine.errors import BadPosition
from engine.games.thaayam.board import ACROSS, KEEP, MARKED, OPPOSITE
from engine.games.thaayam.packing import most
from engine.games.thaayam.state import (
    ALL_IN_HAND,
    ALL_OFF,
    CLOSING,
    HAND,
    IN_KEEP,
    NAMES,
    OFF,
    OUT,
    PAIR,
    PIECES,
    SEATS,
    TO_THROW,
    WHITE_SIDES,
    Phase,
    Piece,
    Series,
    Side,
    State,
    piece,
    pieces,
)

_EXAMPLE: Final = "south:3,24,-,- north:8&8,-,- south 4,2"
_SEATINGS: Final = {tuple(NAMES[seat] for seat in seats): n for n, seats in SEATS.items()}
_SINGLE: Final = re.compile(r"(\d{1,2})(!?)")
_TWINS: Final = re.compile(r"(\d{1,2})&(\d{1,2})(!?)")
_START: Final = "start"
_AGAIN: Final = "again"


def write(state: State) -> str:
    """Return a position as a line that `read` reads back."""
    fields = [
        f"{NAMES[seat]}:{','.join(_written(code) for code in side)}"
        for seat, side in zip(state.seats, state.sides, strict=True)
    ]
    words = [*fields, NAMES[state.seat], _hand(state)]
    return " ".join([*words, _AGAIN] if state.again else words)


def equivalence_key(state: State) -> str:
    """Return one line for all positions that differ only in seat names or the order of throws.

    The seats are in turn order from the one to act. With three players this merges a little too
    much: positions distinguished only by a gap between other seats share a line too.
    """
    sides = (*state.sides[state.turn :], *state.sides[: state.turn])
    fields = [",".join(_written(code) for code in side) for side in sides]
    throws = ",".join(map(str, sorted(state.throws)))
    return " ".join([*fields, state.phase.value, throws, str(state.again)])


def _written(code: int) -> str:
    found = piece(code)
    if found is None:
        return "-" if code == HAND else "*"
    text = f"{found.place}&{found.place}" if found.twins else str(found.place)
    return f"{text}!" if found.moved else text


def _hand(state: State) -> str:
    match state.phase:
        case Phase.START if any(state.opening):
            signs = {TO_THROW: "-", OUT: "x"}
            thrown = ",".join(signs.get(score, str(score)) for score in state.opening)
            return f"{_START}:{thrown}"
        case Phase.START:
            return _START
        case Phase.MOVE:
            return ",".join(map(str, state.throws))
        case Phase.THROW | Phase.OVER:
            return ",".join([*map(str, state.throws), "-"])


def read(text: str) -> State:
    """Return the position that a line describes.

    Only the position itself is checked, not whether a game could have led there.

    Raises:
        BadPosition: not a position that can occur; the sentence says why.
    """
    words = text.lower().split()
    again = bool(words) and words[-1] == _AGAIN
    if again:
        del words[-1]
    fields = [word for word in words if ":" in word and not word.startswith(_START)]
    match words[len(fields) :]:
        case [seat_name, hand] if words[: len(fields)] == fields:
            pass
        case _:
            raise BadPosition(
                "A position has a field for each seat, then the seat to act and its throws in "
                f"hand, as in “{_EXAMPLE}”."
            )
    names = tuple(field.split(":")[0] for field in fields)
    if names not in _SEATINGS:
        raise BadPosition(
            f"“{' '.join(names)}” are not the seats of a game: write south north, or south west "
            "north, or south west north east, in this order."
        )
    if seat_name not in names:
        raise BadPosition(f"“{seat_name}” is not a seat here: write {' or '.join(names)}.")
    sides = tuple(
        _side(name, field.split(":", 1)[1]) for name, field in zip(names, fields, strict=True)
    )
    state = _state(sides, names.index(seat_name), hand, again=again)
    _check(state)
    return state


# ------------------------------------------------------------------ the fields of the seats


def _side(name: str, field: str) -> Side:
    side = tuple(sorted(_code(name, written) for written in field.split(",")))
    number = len(side) + sum(code >= PAIR for code in side)
    if number != PIECES:
        raise BadPosition(
            f"{name.capitalize()} has {PIECES} pieces, not {number}: write - for one in hand and "
            "* for one borne off."
        )
    if OFF in side and any(code < IN_KEEP or code == HAND or code >= PAIR for code in side):
        raise BadPosition(
            f"{name.capitalize()} has borne a piece off, so all the others are in the keep, "
            f"place {KEEP}, or off, too."
        )
    return side


def _code(name: str, written: str) -> int:
    if written in {"-", "*"}:
        return HAND if written == "-" else OFF
    if single := _SINGLE.fullmatch(written):
        place, moved, twins = _place(single[1]), bool(single[2]), False
        lowest, highest = int(moved), KEEP
    elif (pair := _TWINS.fullmatch(written)) and pair[1] == pair[2]:
        place, moved, twins = _place(pair[1]), bool(pair[3]), True
        lowest, highest = OPPOSITE, KEEP - 1
    else:
        raise BadPosition(
            f"“{written}” is not a piece of {name.capitalize()}: write a place from 0 to {KEEP}, "
            "7! for a piece that has moved, 8&8 for twins, - in hand, * borne off."
        )
    if not lowest <= place <= highest:
        what = "twins" if twins else "a piece that has moved" if moved else "a piece"
        raise BadPosition(
            f"{name.capitalize()} cannot have {what} on place {place} (“{written}”): the place is "
            f"{lowest} to {highest}."
        )
    return 2 * place + PAIR * twins + moved


def _place(digits: str) -> int:
    if digits != str(int(digits)):
        raise BadPosition(f"“{digits}” is not a place: write {int(digits)}.")
    return int(digits)


# ------------------------------------------------------------------ the words after them


def _state(sides: tuple[Side, ...], turn: int, hand: str, *, again: bool) -> State:
    if hand.split(":", maxsplit=1)[0] == _START:
        opening = _opening(hand, len(sides))
        return State(sides, turn, Phase.START, again=again, opening=opening)
    if hand == "-":
        over = ALL_OFF in sides
        return State(sides, turn, Phase.OVER if over else Phase.THROW, again=again)
    *words, last = hand.split(",")
    under_way = last == "-"
    throws = Series(_score(word) for word in (words if under_way else [*words, last]))
    return State(sides, turn, Phase.THROW if under_way else Phase.MOVE, throws, again)


def _score(word: str) -> int:
    scores = {str(score): score for score in WHITE_SIDES}
    if word not in scores:
        raise BadPosition(
            f"“{word}” is not a throw in hand: write 1, 2, 3, 4 or 8, or - at the end of a series "
            "that goes on."
        )
    return scores[word]


def _opening(hand: str, players: int) -> tuple[int, ...]:
    if hand == _START:
        return (TO_THROW,) * players
    signs = {"-": TO_THROW, "x": OUT} | {str(score): score for score in WHITE_SIDES}
    words = hand.removeprefix(f"{_START}:").split(",")
    if len(words) != players or not set(words) <= set(signs):
        raise BadPosition(
            f"“{hand}” does not say of {players} seats what each threw for the start: write "
            "start:3,- with a score, - or x for each."
        )
    opening = tuple(signs[word] for word in words)
    throwing = [score for score in opening if score != OUT]
    thrown = [score for score in throwing if score != TO_THROW]
    if TO_THROW not in throwing or len(throwing) < 2 or throwing[: len(thrown)] != thrown:
        raise BadPosition(
            f"“{hand}” cannot be: the seats throw in turn, two at least, and one is still to throw."
        )
    return opening


# ------------------------------------------------------------------ whether it can occur


def _check(state: State) -> None:
    _check_others(state)
    _check_twins(state)
    match state.phase:
        case Phase.START:
            if any(side != ALL_IN_HAND for side in state.sides):
                raise BadPosition(
                    "The seats throw for the start only while all pieces are in hand."
                )
            if state.turn != state.opening.index(TO_THROW):
                due = NAMES[state.seats[state.opening.index(TO_THROW)]]
                raise BadPosition(f"{due.capitalize()} is the next to throw for the start.")
        case Phase.THROW:
            for score in CLOSING.intersection(state.throws):
                raise BadPosition(f"The {score} ends the series: write no - after it.")
        case Phase.MOVE:
            _check_hand(state)
        case Phase.OVER:
            if state.side != ALL_OFF:
                raise BadPosition("The game is over: the seat to act is the one that has won.")
    if state.again and not _captured(state):
        raise BadPosition(
            f"“{_AGAIN}” is said only while throws are left after a capture in the same series: "
            "a piece that has moved stands on an unmarked square, and an enemy has one in hand."
        )


def _check_others(state: State) -> None:
    over = [side == ALL_OFF for side in state.sides]
    if over.count(True) > 1 or (any(over) and state.phase is not Phase.OVER):
        raise BadPosition("The game ends when the first player has borne off all pieces.")
    for index, side in enumerate(state.sides):
        if _any_moved(side) and (index != state.turn or state.phase is not Phase.MOVE):
            raise BadPosition(
                "Only the seat that is using its throws can have pieces that have moved (“!”)."
            )


def _check_twins(state: State) -> None:
    held: dict[int, int] = {}
    for index, (seat, side) in enumerate(zip(state.seats, state.sides, strict=True)):
        for found in pieces(side):
            if found.twins and found.place not in MARKED:
                at = ACROSS[seat][0][found.place]
                if held.setdefault(at, index) != index:
                    raise BadPosition(
                        "Twins of two seats cannot stand on one unmarked square: the later "
                        "capture the earlier."
                    )


def _check_hand(state: State) -> None:
    name, throws = NAMES[state.seat].capitalize(), tuple(state.throws)
    closing = [score for score in throws if score in CLOSING]
    if len(closing) > 1 or (closing and throws[-1] not in CLOSING):
        raise BadPosition("A series ends with its first 2 or 3: nothing is thrown after that.")
    if not closing and not _any_moved(state.side):
        raise BadPosition(
            "Every series ends in a 2 or 3, and only a move uses it: without one in hand a piece "
            "has moved (“!”)."
        )
    if state.side == ALL_IN_HAND and throws[0] != 1:
        raise BadPosition(
            f"{name} has no piece on the board, so what was thrown before the first 1 is lost."
        )
    if not most(state.side, throws):
        raise BadPosition(
            f"{name} cannot use any of these throws, so the turn has passed already: write the "
            "next seat and -."
        )


def _captured(state: State) -> bool:
    """Return whether a capture in this series can have happened."""
    return (
        state.phase is Phase.MOVE
        and any(_has_landed(found) for found in pieces(state.side))
        and any(HAND in side for index, side in enumerate(state.sides) if index != state.turn)
    )


def _has_landed(found: Piece) -> bool:
    return found.moved and found.place not in MARKED


def _any_moved(side: Side) -> bool:
    return any(code & 1 for code in side)
