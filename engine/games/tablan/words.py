"""A position in words and as lines of characters: all that a picture shows, without seeing it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.game import Seat
from engine.games.tablan.board import FILES, GOAL_START, LENGTH, RANKS, ROW
from engine.games.tablan.state import BLACK, WHITE, Phase, State
from engine.games.tablan.telling import sentence
from engine.games.tablan.verdict import NAMES, judged

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.games.tablan.state import Move

ALT_LIMIT: Final = 1024
"""The longest description that Discord takes for a picture."""


def alt_text(state: State, last: Sequence[tuple[State, Move]] = ()) -> str:
    """Return the position in words, at most `ALT_LIMIT` characters.

    The position is always complete. Where room is short, the oldest of the last moves are left
    out.
    """
    facts = " ".join(
        [
            turn(state),
            *(_side(state, seat) for seat in (WHITE, BLACK)),
            *(_walk(state, seat) for seat in (WHITE, BLACK)),
        ]
    )
    afters = [*(before for before, _ in last[1:]), state][: len(last)]
    told = [
        _signed(before, sentence(before, move, after))
        for (before, move), after in zip(last, afters, strict=True)
    ]
    while told and len(f"{facts} Last: {'; '.join(told)}.") > ALT_LIMIT:
        del told[0]
    return f"{facts} Last: {'; '.join(told)}." if told else facts


def board_text(state: State) -> str:
    """Return the position as lines of equal characters, with what the letters mean.

    Capitals are men; small letters are men that wait for a 2, where there are such.
    """
    letters: dict[str, str] = {}
    for seat, letter in ((WHITE, "W"), (BLACK, "B")):
        letters |= dict.fromkeys(state.squares(seat), letter)
        if state.settings.unlock:
            letters |= dict.fromkeys(state.unmoved(seat), letter.lower())
    head = "   " + " ".join(FILES)
    rows = [
        f"{rank}  {' '.join(letters.get(f'{file}{rank}', '.') for file in FILES)}  {rank}"
        for rank in reversed(RANKS)
    ]
    counts = [
        f"{NAMES[seat].capitalize()}: {len(state.arrived(seat))} home,"
        f" {state.captured(Seat(1 - seat))} taken"
        for seat in (WHITE, BLACK)
    ]
    legend = ["Small letters: men that wait for a 2."] if state.settings.unlock else []
    return "\n".join([head, *rows, head, "", turn(state), *counts, *legend])


def turn(state: State) -> str:
    """Return a sentence that says who has to do what, or how the game ended."""
    name = NAMES[state.seat].capitalize()
    match state.phase:
        case Phase.START:
            return f"{name} is to throw for the start."
        case Phase.THROW:
            return f"{name} is to throw."
        case Phase.MOVE:
            return f"{name} threw {state.score} and is to move."
        case Phase.OVER:
            outcome = judged(state)
            if outcome.drawn:
                return f"The game is drawn: {outcome.reason}."
            winner = NAMES[outcome.ranks.index(1)].capitalize()
            return f"{winner} has won: {outcome.reason}."


def _side(state: State, seat: Seat) -> str:
    """Return where a seat's men stand, in the order of its course, and how many it lost."""
    arrived = state.arrived(seat)
    locked = state.unmoved(seat) if state.settings.unlock else ()
    free = [s for s in state.squares(seat) if s not in arrived and s not in locked]
    parts = [
        f"{label} {' '.join(squares)}"
        for label, squares in (("on", free), ("locked until a 2 on", locked), ("home on", arrived))
        if squares
    ]
    parts.append(f"{state.captured(seat)} taken")
    return f"{NAMES[seat].capitalize()} men: {', '.join(parts)}."


def _walk(state: State, seat: Seat) -> str:
    course = state.course(seat)
    rows = [f"{course[i]} to {course[i + ROW - 1]}" for i in range(0, LENGTH, ROW)]
    last = rows.pop(GOAL_START // ROW)
    return f"{NAMES[seat].capitalize()} walks {', '.join(rows)}, home {last}."


def _signed(before: State, told: str) -> str:
    """Return a telling that begins with who did it; tellings of throws do already."""
    name = NAMES[before.seat].capitalize()
    return told if told.startswith(name) else f"{name} {told}"
