"""A position as one line: rows from the top, the seat to act, the score in hand.

``bbbbbbbbbbbb/............/............/wwwwwwwwwwww white 2``: small letters are men that have
never moved, capitals men that have. The last word is the score in hand, ``-`` before a throw and
after the end, ``start`` while the seats throw for the start. A final ``together`` appears only if
one move has finished both seats and the tie would otherwise go to the first finisher.
"""

from __future__ import annotations

from typing import Final

from engine.errors import BadPosition
from engine.game import Seat
from engine.games.tablan.board import FILES, GOAL, HOME, OUTSIDE, RANKS, ROW
from engine.games.tablan.state import BLACK, PLAIN_SIDES, WHITE, Phase, Settings, State
from engine.games.tablan.verdict import NAMES, ended
from engine.games.tablan.walking import Men, usable

_LETTERS: Final = ("w", "b")
_EXCHANGED: Final = str.maketrans("wb", "bw")
_TOGETHER: Final = "together"
_EXAMPLE: Final = "bbbbbbbbbbbb/............/............/wwwwwwwwwwww white 2"


def write(state: State) -> str:
    """Return a position as a line that `read` reads back."""
    letters: dict[str, str] = {}
    for seat in (WHITE, BLACK):
        letters |= dict.fromkeys(state.squares(seat), _LETTERS[seat].upper())
        letters |= dict.fromkeys(state.unmoved(seat), _LETTERS[seat])
    rows = ("".join(letters.get(file + rank, ".") for file in FILES) for rank in reversed(RANKS))
    hand = {Phase.START: "start", Phase.MOVE: str(state.score)}.get(state.phase, "-")
    line = f"{'/'.join(rows)} {NAMES[state.seat]} {hand}"
    return f"{line} {_TOGETHER}" if state.together else line


def equivalence_key(state: State) -> str:
    """Return one line for a position and its equals with the sides exchanged, on either course.

    Whether a man has moved matters under some options only, so it is left out.
    """
    line, name, *rest = write(state).lower().split()
    rows, exchanged = line.split("/"), line.translate(_EXCHANGED).split("/")[::-1]
    boards = [(rows, name), (exchanged, NAMES[1 - NAMES.index(name)])]
    boards += [([row[::-1] for row in board], seat) for board, seat in boards]
    board, name = min(boards)
    return " ".join(["/".join(board), name, *rest])


def read(text: str, settings: Settings) -> State:
    """Return the position that a line describes.

    Only the position itself is checked, not whether a game could have led there.

    Raises:
        BadPosition: not a position that can occur; the sentence says why.
    """
    match text.split():
        case [board, seat_name, hand]:
            together = False
        case [board, seat_name, hand, last] if last == _TOGETHER:
            together = True
        case _:
            raise BadPosition(
                "A position has three parts: the board, the seat to act and its score in hand, "
                f"as in “{_EXAMPLE}”."
            )
    if seat_name.lower() not in NAMES:
        raise BadPosition(f"“{seat_name}” is not a seat: write white or black.")
    men, fresh = _men(board, settings)
    state = State(
        settings,
        men,
        fresh,
        Seat(NAMES.index(seat_name.lower())),
        *_hand(hand, over=ended(settings, men, fresh)),
        together=together,
    )
    _check(state)
    return state


def _men(board: str, settings: Settings) -> tuple[Men, Men]:
    rows = board.split("/")
    if len(rows) != len(RANKS) or any(len(row) != ROW for row in rows):
        raise BadPosition(
            "The board has 4 rows of 12 squares, from the top down, joined by /: "
            f"“{board}” does not."
        )
    men, fresh = [0, 0], [0, 0]
    for rank, row in zip(reversed(RANKS), rows, strict=True):
        for file, letter in zip(FILES, row, strict=True):
            if letter == ".":
                continue
            if letter.lower() not in _LETTERS:
                raise BadPosition(
                    f"“{letter}” on {file}{rank} is not a man: w, b never moved, W, B have moved, "
                    ". is an empty square."
                )
            seat = Seat(_LETTERS.index(letter.lower()))
            place = settings.course.places[seat][file + rank]
            men[seat] |= 1 << place
            if letter.islower():
                fresh[seat] |= 1 << place
                if place >= ROW:
                    raise BadPosition(
                        f"The man on {file}{rank} cannot be one that never moved (“{letter}”): "
                        "it is not in its home row."
                    )
    return (men[0], men[1]), (fresh[0], fresh[1])


def _hand(hand: str, *, over: bool) -> tuple[Phase, int]:
    if hand == "-":
        return (Phase.OVER if over else Phase.THROW), 0
    if over:
        raise BadPosition(f"The game is over in this position: write - instead of “{hand}”.")
    if hand == "start":
        return Phase.START, 0
    scores = {str(score): score for score in PLAIN_SIDES}
    if hand not in scores:
        raise BadPosition(f"“{hand}” is not a score in hand: write 2, 8, 12, - or start.")
    return Phase.MOVE, scores[hand]


def _check(state: State) -> None:
    name = NAMES[state.seat].capitalize()
    for seat in (WHITE, BLACK):
        if state.men[seat].bit_count() > ROW:
            raise BadPosition(f"{NAMES[seat].capitalize()} has more than {ROW} men.")
    if not any(state.men):
        raise BadPosition("There is no man on the board.")
    if state.phase is Phase.START and (state.men, state.fresh) != ((HOME, HOME), (HOME, HOME)):
        raise BadPosition("The seats throw for the start only while no man has moved.")
    if state.together and not _can_be_together(state):
        raise BadPosition(
            f"“{_TOGETHER}” is said only where both seats have finished with as many men home "
            "and the first finisher would win."
        )
    if state.phase in {Phase.THROW, Phase.MOVE} and state.finished(state.seat):
        raise BadPosition(f"{name} has finished and acts no more.")
    if state.phase is Phase.MOVE and not usable(
        state.settings, state.seat, state.men, state.fresh, state.score
    ):
        raise BadPosition(
            f"{name} cannot use the {state.score} points, so they are lost already: write -."
        )


def _can_be_together(state: State) -> bool:
    white, black = state.men
    return (
        state.settings.both_done
        and state.settings.first_finisher
        and not (white | black) & OUTSIDE
        and (white & GOAL).bit_count() == (black & GOAL).bit_count()
    )
