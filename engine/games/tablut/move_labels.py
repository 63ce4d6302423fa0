"""What a move does, in a menu's few words."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Final

from engine.games.tablut.board import KING, MUSCOVITE, MUSCOVITES, NUMBERS, SIGHT, SQUARES, SWEDE
from engine.games.tablut.captures import paths
from engine.games.tablut.playing import (
    ESCAPED,
    NO_ATTACKERS,
    TAKEN,
    UNSTOPPABLE,
    after,
    legal,
)
from engine.games.tablut.sentences import RAICHI, call, shut_in, taken, ways_out
from engine.games.tablut.state import Move, State
from engine.move_label import MoveLabel, StepsLabel, Worth
from engine.phrase import listed, say

_WINS: Final = (ESCAPED, UNSTOPPABLE, NO_ATTACKERS, TAKEN)
_MEN: Final = (sum(SIGHT[MUSCOVITE]), sum(SIGHT[SWEDE]))


def move_label(before: State, move: Move) -> MoveLabel:
    """Return what a legal move does."""
    later = after(before, move)
    origin, target = (SQUARES[number] for number in move)
    if later.ended is ESCAPED:
        # Translators: an entry of a menu, after "Win:": the king walks to the edge.
        out = say("king to {target}", target=target)
        return MoveLabel(out, out, Worth.WINS)
    if later.ended in _WINS:
        words = _winning(before, later, origin, target)
        # Two ways out win by the rules, but a king who walks out is plain to see.
        worth = Worth.TAKES if later.ended is UNSTOPPABLE else Worth.WINS
        return MoveLabel(words, words, worth, unadvised=_label(before, later, move))
    return _label(before, later, move)


def _label(before: State, later: State, move: Move) -> MoveLabel:
    """Return who goes where and whom that takes, apart from whether it wins."""
    origin, target = (SQUARES[number] for number in move)
    if before.kind(move.source) == KING:
        text = say("king {origin} to {target}", origin=origin, target=target)
        return MoveLabel(text, target, note=_note(before, later))
    if any((before.board & men).bit_count() != (later.board & men).bit_count() for men in _MEN):
        squares = listed(taken(before, move))
        # Translators: an entry of a menu: where men are taken, and by which move.
        text = say(
            "capture on {squares}: {origin} to {target}",
            squares=squares,
            origin=origin,
            target=target,
        )
        short = say("capture on {squares}: man to {target}", squares=squares, target=target)
        return MoveLabel(text, short, Worth.TAKES, _note(before, later))
    note = _note(before, later)
    return replace(_walk(origin, target), note=note) if note else _walk(origin, target)


@cache
def _walk(origin: str, target: str) -> MoveLabel:
    """Return a man's plain move, cached: there are few, and a board offers up to a hundred."""
    # Translators: an entry of a menu: a man goes from one square to another.
    text = say("man {origin} to {target}", origin=origin, target=target)
    return MoveLabel(text, target)


def _winning(before: State, later: State, origin: str, target: str) -> str:
    """Return what a move that wins does, and why that wins."""
    if later.ended is TAKEN:
        # Translators: an entry of a menu, after "Win:"; how is "attackers on all four sides of him".
        return say(
            "take the king: {origin} to {target}, {how}",
            origin=origin,
            target=target,
            how=shut_in(before.king),
        )
    if later.ended is NO_ATTACKERS:
        # Translators: an entry of a menu, after "Win:".
        return say("take the last attacker: {origin} to {target}", origin=origin, target=target)
    king = later.king != before.king
    text = say("king {origin} to {target}", origin=origin, target=target) if king else None
    # Translators: an entry of a menu, after "Win:"; move is "man e4 to c4", squares "a5 or i5".
    return say(
        "{move}, then the king gets out at {squares}",
        move=text or _walk(origin, target).text,
        squares=listed(ways_out(later), either=True),
    )


def risk(before: State, move: Move) -> str:
    """Return whether the man that moved could be taken next."""
    later = after(before, move)
    seat, king = later.seat, later.king
    if move.target == king:
        lost = seat == MUSCOVITES and any(after(later, reply).king < 0 for reply in legal(later))
    else:
        man = SIGHT[MUSCOVITE if before.seat == MUSCOVITES else SWEDE][move.target]
        lost = any(
            after(later, reply).board & man == 0 for reply in legal(later) if reply.source != king
        )
    # Translators: beside a move in a menu: the man or king that moves could be taken next.
    return say("can be taken there") if lost else ""


def steps_label(state: State, steps: tuple[str, ...]) -> StepsLabel:
    """Return the chosen man, and the question of where he goes."""
    square = steps[0]
    if state.kind(NUMBERS[square]) == KING:
        question = say("King on {square}: where to?", square=square)
        return StepsLabel(say("king {square}", square=square), question)
    return StepsLabel(square, say("Man on {square}: where to?", square=square))


def _note(before: State, later: State) -> str:
    if before.seat == MUSCOVITES:
        if paths(later.board, later.king):
            # Translators: beside a move of the attackers in a menu, a warning.
            return say("lets the king out")
        return ""
    if call(later) == RAICHI and not paths(before.board, before.king):
        # Translators: beside a move in a menu.
        return say("opens a way out for the king")
    return ""
