"""A position in words and as lines of characters: all that a picture shows, without seeing it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.games.thaayam.board import FILES, INNER, KEEP, PATHS, RANKS
from engine.games.thaayam.state import (
    HAND,
    IN_KEEP,
    NAMES,
    OFF,
    OUT,
    PIECES,
    TO_THROW,
    Phase,
    Side,
    State,
    pieces,
)
from engine.games.thaayam.telling import sentence

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.game import Seat
    from engine.games.thaayam.state import Move, Throws

ALT_LIMIT: Final = 1024
"""The longest description that Discord takes for a picture."""
_TIMES: Final = ("", "", " twice", " three times", " four times")


def alt_text(state: State, last: Sequence[tuple[State, Move]] = ()) -> str:
    """Return the position in words, at most `ALT_LIMIT` characters.

    The position is always complete. Where room is short, the oldest of the last moves are left
    out.
    """
    sides = zip(state.seats, state.sides, strict=True)
    facts = " ".join([turn(state), *(_side(seat, side) for seat, side in sides), _paths(state)])
    afters = [*(before for before, _ in last[1:]), state][: len(last)]
    told = [
        _signed(before, sentence(before, move, after))
        for (before, move), after in zip(last, afters, strict=True)
    ]
    while told and len(f"{facts} Last: {'; '.join(told)}.") > ALT_LIMIT:
        del told[0]
    return f"{facts} Last: {'; '.join(told)}." if told else facts


def turn(state: State) -> str:
    """Return a sentence that says who has to do what, or how the game ended."""
    name = NAMES[state.seat].capitalize()
    match state.phase:
        case Phase.START:
            thrown = [
                f"{NAMES[seat].capitalize()} threw {score}"
                for seat, score in zip(state.seats, state.opening, strict=True)
                if score not in {TO_THROW, OUT}
            ]
            return f"{'; '.join([*thrown, f'{name} is to throw for the start'])}."
        case Phase.THROW:
            on = f" has thrown {listed(state.throws)} and throws on." if state.throws else ""
            return f"{name}{on or ' is to throw.'}"
        case Phase.MOVE:
            again = ", with a further turn to come" if state.again else ""
            return f"{name} has {listed(state.throws)} to use{again}."
        case Phase.OVER:
            return f"{name} has won: all four pieces are borne off."


def listed(throws: Throws) -> str:
    """Return throws in words, equal ones counted where there are many."""
    if len(throws) <= 8:
        words = [str(score) for score in throws]
    else:
        scores = dict.fromkeys(sorted(throws, reverse=True))
        words = [f"{throws.count(score)} times {score}" for score in scores]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def _side(seat: Seat, side: Side) -> str:
    """Return where a seat's pieces stand, in the order of its path."""
    path = PATHS[seat]
    parts = []
    for code in dict.fromkeys(side):
        if code in {HAND, OFF}:
            continue
        (found,) = pieces((code,))
        what = "twins on " if found.twins else ""
        where = "in the keep" if found.place == KEEP else path[found.place]
        moved = " (moved)" if found.moved else ""
        parts.append(f"{what}{where}{_TIMES[side.count(code)]}{moved}")
    if in_hand := side.count(HAND):
        parts.append(f"{in_hand} in hand")
    if off := side.count(OFF):
        parts.append(f"{off} borne off")
    return f"{NAMES[seat].capitalize()}: {', '.join(parts)}."


def _paths(state: State) -> str:
    """Return how all walk: the same way, a quarter turn apart."""
    own = " ".join(
        f"{NAMES[seat].capitalize()} {PATHS[seat][0]}, {PATHS[seat][INNER - 1]}-{PATHS[seat][INNER]}"
        for seat in state.seats
    )
    path = PATHS[state.seats[0]]
    return (
        f"Paths: anticlockwise round the edge ({' '.join(path[:4])}...), inward, clockwise round the "
        f"inner ring, keep {path[KEEP]}. Start and turn inward: {own}."
    )


def _signed(before: State, told: str) -> str:
    """Return a telling that begins with who did it; tellings of throws do already."""
    name = NAMES[before.seat].capitalize()
    return told if told.startswith(name) else f"{name} {told}"


# ------------------------------------------------------------------ lines of characters


def board_text(state: State) -> str:
    """Return the position as lines of equal width, with what the letters mean."""
    cells: dict[str, str] = {}
    for seat, side in zip(state.seats, state.sides, strict=True):
        for code in dict.fromkeys(side):
            if code in {HAND, OFF}:
                continue
            (found,) = pieces((code,))
            square = PATHS[seat][found.place]
            number = side.count(code)
            letter = NAMES[seat][0].upper()
            count = str(number) if number > 1 else ""
            marks = ("&" if found.twins else "") + ("!" if found.moved else "")
            cells[square] = cells.get(square, "") + letter + count + marks
    marked = {PATHS[0][place] for place in (0, 4, 8, 12, KEEP)}
    width = max([3, *(len(cell) + (square in marked) for square, cell in cells.items())])
    lines = [_row(cells, marked, rank, width) for rank in reversed(RANKS)]
    head = "  " + " ".join(file.center(width) for file in FILES) + "  "
    rows = [head, *lines, head, "", turn(state)]
    for seat, side in zip(state.seats, state.sides, strict=True):
        name = NAMES[seat].capitalize()
        home = side.count(IN_KEEP) + side.count(IN_KEEP + 1)
        rows.append(
            f"{name[0]} {name}: {side.count(HAND)} in hand, {home} in the keep, "
            f"{side.count(OFF)} of {PIECES} borne off"
        )
    legend = "x palace or keep" + (", & twins" if "&" in "".join(cells.values()) else "")
    return "\n".join([*rows, legend + (", ! moved" if "!" in "".join(cells.values()) else "")])


def _row(cells: dict[str, str], marked: set[str], rank: str, width: int) -> str:
    words = []
    for file in FILES:
        square = file + rank
        sign = "x" if square in marked else ""
        words.append((cells.get(square, "" if sign else ".") + sign).center(width))
    return f"{rank} {' '.join(words)} {rank}"
