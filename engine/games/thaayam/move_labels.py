"""What a move does, in a menu's few words."""

from __future__ import annotations

from engine.games.thaayam.board import KEEP, MARKED, OPPOSITE, PATHS
from engine.games.thaayam.sentences import captured, landing
from engine.games.thaayam.state import Act, Advance, State
from engine.games.thaayam.words import FEW, counted
from engine.move_label import MoveLabel, StepsLabel, Worth
from engine.phrase import say


def move_label(before: State, move: Act | Advance, after: State) -> MoveLabel:
    """Return what a legal move does; once its piece is chosen, only where that goes."""
    match move:
        case Act.ENTER:
            # Translators: an entry of a menu, a command.
            return _same(say("enter a piece"), Worth.GAINS)
        case Act.OFF:
            # Translators: an entry of a menu, a command.
            return _same(say("bring a piece home"), Worth.GAINS)
        case Act.TWINS:
            square = PATHS[before.seat][OPPOSITE]
            # Translators: an entry of a menu, a command: two pieces on a square become twins.
            return _same(say("make twins on {square}", square=square), Worth.GAINS)
        case Advance():
            return _advance(before, move, after)


def steps_label(steps: tuple[str, ...]) -> StepsLabel:
    """Return the chosen piece, and the question of where it goes."""
    square = steps[0].removesuffix("&")
    if square != steps[0]:
        # Translators: a button that chooses the twins on a square.
        text = say("twins {square}", square=square)
        return StepsLabel(text, say("Twins on {square}: where to?", square=square))
    # Translators: a button that chooses the piece on a square.
    text = say("piece {square}", square=square)
    if len(steps) == 1:
        return StepsLabel(text, say("Piece on {square}: where to?", square=square))
    chosen = "".join(steps[1:]).removesuffix("+")
    # Translators: throws is such as "+4+2": the throws that were chosen for the piece so far.
    question = say("Piece on {square} {throws}: which throw next?", square=square, throws=chosen)
    return StepsLabel(chosen, question)


def _same(text: str, worth: Worth) -> MoveLabel:
    return MoveLabel(text, text, worth, kind=_progress())


def _advance(before: State, move: Advance, after: State) -> MoveLabel:
    place = landing(before, move)
    values = {
        "origin": move.square,
        "target": PATHS[before.seat][place],
        "throws": counted(move.throws),
    }
    if captured(before, after):
        # Translators: an entry of a menu: where somebody is captured, who goes there, with which throws.
        text = say("capture on {target}: {origin} with {throws}", **values)
        return MoveLabel(
            text, say("capture on {target} with {throws}", **values), Worth.TAKES, length=place
        )
    if place == KEEP:
        # Translators: an entry of a menu: a piece reaches the keep.
        text = say("piece {origin} into the keep with {throws}", **values)
        short = say("into the keep with {throws}", **values)
        return MoveLabel(text, short, Worth.GAINS, length=place, kind=_progress())
    # Translators: beside a move in a menu: nobody is captured on such a square.
    note = say("safe on a palace") if place in MARKED else ""
    # Translators: the name of a menu: moves to squares where nobody is captured.
    kind = say("To a palace, safe") if note else ""
    if move.twins:
        # Translators: an entry of a menu.
        text = say("twins {origin} to {target} with {throws}", **values)
    else:
        # Translators: an entry of a menu.
        text = say("piece {origin} to {target} with {throws}", **values)
    # The question above says which piece it is; three of these fit across a phone.
    sums = f"{values['target']} · {'+'.join(map(str, move.throws))}"
    few = len(move.throws) <= FEW
    return MoveLabel(text, sums if few else text, note=note, length=place, kind=kind)


def _progress() -> str:
    # Translators: the name of a menu: a piece enters, is borne off or reaches the keep, or two become twins.
    return say("Enter, pair or finish")
