"""When the game has ended, and who has won."""

from __future__ import annotations

from engine.game import Outcome, Seat
from engine.games.tablan.board import GOAL, OUTSIDE
from engine.games.tablan.state import BLACK, WHITE, Settings, State
from engine.games.tablan.walking import Men, stuck
from engine.phrase import capital, plural, say, word

NAMES = (word("seat", "white"), word("seat", "black"))
"""The seats' names, in seat order."""
CALLED = tuple(capital(name) for name in NAMES)
"""The seats' names as used in sentences: White and Black."""


def ended(settings: Settings, men: Men, fresh: Men) -> bool:
    """Return whether play has ended: W17 and what the documents leave open."""
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
    """Return the verdict on a game that has ended."""
    for seat in (WHITE, BLACK):
        if not state.men[seat]:
            taken = say("all men of {seat} are taken", seat=CALLED[seat])
            return Outcome(_won_by(Seat(1 - seat)), taken)
    home = [(men & GOAL).bit_count() for men in state.men]
    done = [seat for seat in (WHITE, BLACK) if state.finished(seat)]
    halted = not done or (state.settings.both_done and len(done) == 1)
    if home[WHITE] != home[BLACK]:
        winner = WHITE if home[WHITE] > home[BLACK] else BLACK
        numbers = winner, home[winner], home[1 - winner]
        how = _halted_ahead(*numbers) if halted else _ahead(done, *numbers)
        return Outcome(_won_by(winner), how)
    earlier = _first_finisher(state, done) if state.settings.first_finisher else None
    if earlier is not None:
        how = _halted() if halted else _finished(done)
        first = say("{how}; {seat} finished first", how=how, seat=CALLED[earlier])
        return Outcome(_won_by(earlier), first)
    return Outcome((1, 1), _halted() if halted else _level(done, home[WHITE]))


def _halted() -> str:
    return say("nobody can move")


def _halted_ahead(winner: Seat, most: int, fewest: int) -> str:
    # Translators: "nobody can move, and White has 5 men home, against 3".
    return plural(
        "{halted}, and {seat} has {n} man home, against {others}",
        "{halted}, and {seat} has {n} men home, against {others}",
        most,
        halted=_halted(),
        seat=CALLED[winner],
        others=fewest,
    )


def _finished(done: list[Seat]) -> str:
    if len(done) == 1:
        return say("{seat} has finished", seat=CALLED[done[0]])
    return say("White and Black have finished")


def _ahead(done: list[Seat], winner: Seat, most: int, fewest: int) -> str:
    """Return who has finished, and that one side has more men home."""
    if done == [winner]:
        # Translators: "White has finished with 5 men home, against 3": the winner's, the loser's.
        return plural(
            "{seat} has finished with {n} man home, against {others}",
            "{seat} has finished with {n} men home, against {others}",
            most,
            seat=CALLED[winner],
            others=fewest,
        )
    if len(done) == 1:
        # Translators: "Black has finished, but White has 5 men home, against 3": n of the winner.
        return plural(
            "{seat} has finished, but {winner} has {n} man home, against {others}",
            "{seat} has finished, but {winner} has {n} men home, against {others}",
            most,
            seat=CALLED[done[0]],
            winner=CALLED[winner],
            others=fewest,
        )
    return plural(
        "White and Black have finished, with {n} man home against {others}",
        "White and Black have finished, with {n} men home against {others}",
        most,
        others=fewest,
    )


def _level(done: list[Seat], each: int) -> str:
    """Return who has finished, and that both sides brought equally many men home."""
    if len(done) == 1:
        return plural(
            "{seat} has finished with {n} man home each",
            "{seat} has finished with {n} men home each",
            each,
            seat=CALLED[done[0]],
        )
    return plural(
        "White and Black have finished with {n} man home each",
        "White and Black have finished with {n} men home each",
        each,
    )


def _first_finisher(state: State, done: list[Seat]) -> Seat | None:
    """Return the seat that finished first in a game that has ended; ``None`` if one move did both.

    If both seats have finished, the one that finished last made the last move, since the other was
    being skipped. Only a move that finishes both leaves no first.
    """
    if len(done) == 1:
        return done[0]
    if not done or state.together or not state.settings.both_done:
        return None
    return Seat(1 - state.seat)


def _won_by(seat: Seat) -> tuple[int, int]:
    return (1, 2) if seat == WHITE else (2, 1)
