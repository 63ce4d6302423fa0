"""A position in words and as lines of characters: everything a picture shows."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from engine.description import described
from engine.game import Outcome, Seat
from engine.games.tablan.board import FILES, GOAL_START, LENGTH, RANKS, ROW, Course
from engine.games.tablan.sentences import signed
from engine.games.tablan.state import BLACK, WHITE, Move, Phase, State
from engine.games.tablan.verdict import CALLED, judged
from engine.phrase import lines, plural, say


def alt_text(
    state: State,
    last: Sequence[tuple[State, Move]] = (),
    *,
    over: bool = False,
    result: Outcome | None = None,
) -> str:
    """Return the position in words; see `described`."""
    facts = [
        *turn(state, over=over, result=result),
        *(_side(state, seat) for seat in (WHITE, BLACK)),
        *(_walk(state.settings.course, seat) for seat in (WHITE, BLACK)),
    ]
    afters = [*(before for before, _ in last[1:]), state][: len(last)]
    return described(
        facts,
        [signed(before, move, after) for (before, move), after in zip(last, afters, strict=True)],
    )


def board_text(state: State, *, over: bool = False, result: Outcome | None = None) -> str:
    """Return the position as lines of equal length, with a legend.

    Capitals are men; small letters are men that wait for a 2, if there are any.
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
        # Translators: how many men a side has brought home, and how many it has taken.
        say(
            "{seat}: {home} home, {taken} taken",
            seat=CALLED[seat],
            home=len(state.arrived(seat)),
            taken=state.captured(Seat(1 - seat)),
        )
        for seat in (WHITE, BLACK)
    ]
    legend = [say("Small letters: men that wait for a 2.")] if state.settings.unlock else []
    return lines([head, *rows, head, "", *turn(state, over=over, result=result), *counts, *legend])


def turn(state: State, *, over: bool = False, result: Outcome | None = None) -> list[str]:
    """Return a sentence on whose turn it is and what to do, or how the game ended.

    Empty when play has stopped without a result although the rules would let it continue.
    """
    name = CALLED[state.seat]
    outcome = result or (judged(state) if state.phase is Phase.OVER else None)
    if outcome is not None:
        return _verdict(outcome)
    if over:
        return []
    if state.phase is Phase.START:
        return [say("{seat} is to throw for the start.", seat=name)]
    if state.phase is Phase.THROW:
        return [say("{seat} is to throw.", seat=name)]
    return [say("{seat} threw {score} and is to move.", seat=name, score=state.score)]


def _verdict(outcome: Outcome) -> list[str]:
    if outcome.void:
        return []
    if outcome.drawn:
        return [say("The game is drawn: {reason}.", reason=outcome.reason)]
    winner = CALLED[outcome.ranks.index(1)]
    return [say("{seat} has won: {reason}.", seat=winner, reason=outcome.reason)]


def _side(state: State, seat: Seat) -> str:
    """Return where a seat's men stand, in the order of its course, and how many it has lost."""
    arrived = state.arrived(seat)
    locked = state.unmoved(seat) if state.settings.unlock else ()
    free = [s for s in state.squares(seat) if s not in arrived and s not in locked]
    parts: list[str] = []
    if free:
        parts.append(say("on {squares}", squares=" ".join(free)))
    if locked:
        # Translators: men that may not move before a throw of 2.
        parts.append(say("locked until a 2 on {squares}", squares=" ".join(locked)))
    if arrived:
        # Translators: men that have reached the last row, their home.
        parts.append(say("home on {squares}", squares=" ".join(arrived)))
    # Translators: so many men of a side have been taken by the other.
    parts.append(plural("{n} taken", "{n} taken", state.captured(seat)))
    # Translators: places is a list such as "on e1 f1, home on a4, 3 taken".
    return say("{seat} men: {places}.", seat=CALLED[seat], places=lines(parts, ", "))


@cache
def _walk(course: Course, seat: Seat) -> str:
    walk = course.squares[seat]
    rows = [
        say("{origin} to {target}", origin=walk[i], target=walk[i + ROW - 1])
        for i in range(0, LENGTH, ROW)
    ]
    last = rows.pop(GOAL_START // ROW)
    # Translators: the way a side walks, row by row: "White walks a1 to l1, ..., home l4 to a4."
    return say(
        "{seat} walks {rows}, home {last}.", seat=CALLED[seat], rows=lines(rows, ", "), last=last
    )
