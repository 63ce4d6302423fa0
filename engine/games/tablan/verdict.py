"""When the game has ended, and who has won."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.game import Outcome, Seat
from engine.games.tablan.board import GOAL, OUTSIDE
from engine.games.tablan.state import BLACK, WHITE, State
from engine.games.tablan.walking import Men, stuck

if TYPE_CHECKING:
    from engine.games.tablan.state import Settings

NAMES = ("white", "black")
"""The seats' names, in seat order."""


def ended(settings: Settings, men: Men, fresh: Men) -> bool:
    """Return whether nothing more is played: W17 and what the documents leave open."""
    white, black = men
    if not (white and black):
        return True
    white_done, black_done = not white & OUTSIDE, not black & OUTSIDE
    if white_done and black_done:
        return True
    if (white_done or black_done) and not settings.both_done:
        return True
    return stuck(settings, WHITE, men, fresh) and stuck(settings, BLACK, men, fresh)


def judged(state: State) -> Outcome:
    """Return how a game that has ended is to be judged."""
    for seat in (WHITE, BLACK):
        if not state.men[seat]:
            return Outcome(_won_by(Seat(1 - seat)), "all men taken")
    home = [(men & GOAL).bit_count() for men in state.men]
    done = [seat for seat in (WHITE, BLACK) if state.finished(seat)]
    halted = not done or (state.settings.both_done and len(done) == 1)
    names = " and ".join(NAMES[seat].capitalize() for seat in done)
    how = "nobody can move" if halted else f"{names} {'has' if len(done) == 1 else 'have'} finished"
    if home[WHITE] != home[BLACK]:
        winner = WHITE if home[WHITE] > home[BLACK] else BLACK
        score = f" with {_men(home[winner])} home to {home[1 - winner]}"
        return Outcome(_won_by(winner), how if halted else how + score)
    earlier = _first_finisher(state, done) if state.settings.first_finisher else None
    if earlier is not None:
        return Outcome(_won_by(earlier), f"{how}; {NAMES[earlier].capitalize()} finished first")
    return Outcome((1, 1), how if halted else f"{how} with {_men(home[WHITE])} home each")


def _first_finisher(state: State, done: list[Seat]) -> Seat | None:
    """Return who finished before the other in a game that has ended; nobody if in one move.

    Where both seats have finished, the last move was made by the one that finished last, for
    the other was skipped since. Only a move that finishes both leaves nobody first.
    """
    if len(done) == 1:
        return done[0]
    if not done or state.together or not state.settings.both_done:
        return None
    return Seat(1 - state.seat)


def _men(number: int) -> str:
    return "1 man" if number == 1 else f"{number} men"


def _won_by(seat: Seat) -> tuple[int, int]:
    return (1, 2) if seat == WHITE else (2, 1)
