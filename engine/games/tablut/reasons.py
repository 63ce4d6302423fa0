"""What a move gains (stops, threatens or saves), and what it gives up."""

from __future__ import annotations

from engine.games.tablut.board import KING, MUSCOVITE, MUSCOVITES, SQUARES, SWEDE, SWEDES, TURN
from engine.games.tablut.captures import paths
from engine.games.tablut.lines import moves
from engine.games.tablut.playing import (
    ESCAPED,
    NO_ATTACKERS,
    UNSTOPPABLE,
    after,
    legal,
    placed,
)
from engine.games.tablut.state import Move, State
from engine.phrase import listed, plural, say


def reason(before: State, move: Move) -> str:
    """Return a sentence on what a legal move gains; empty if not obvious."""
    later = after(before, move)
    if later.ended is not None:
        return ""
    found = _attack(before, later) if before.seat == MUSCOVITES else _defence(before, later)
    return found or _men(before, move, later)


def price(before: State, move: Move) -> str:
    """Return a sentence on what a legal move gives up; empty if not obvious."""
    later = after(before, move)
    if later.ended is not None:
        return ""
    if before.seat == MUSCOVITES and any(
        after(later, reply).ended in {ESCAPED, UNSTOPPABLE, NO_ATTACKERS} for reply in legal(later)
    ):
        return say("Then the Swedes can win at once.")
    if before.seat == SWEDES and _taken(later):
        return say("Then the king can be taken at once.")
    own = MUSCOVITE if before.seat == MUSCOVITES else SWEDE
    lost = _prey(later, own) - _prey(_passed(before), own)
    if not lost:
        return ""
    squares = listed(SQUARES[square] for square in sorted(lost))
    return plural(
        "Then the man on {squares} can be taken.",
        "Then the men on {squares} can be taken.",
        len(lost),
        squares=squares,
    )


def _attack(before: State, later: State) -> str:
    if _escapes(_passed(before)) and not _escapes(later):
        return say("It stops the king's escape.")
    if _taken(_passed(later)):
        return say("It threatens to take the king.")
    lost = _roads(before) - _roads(later)
    if lost > 0:
        return plural(
            "It takes {n} square from the king.", "It takes {n} squares from the king.", lost
        )
    return ""


def _defence(before: State, later: State) -> str:
    if _taken(_passed(before)) and not _taken(later):
        return say("It saves the king.")
    if paths(later.board, later.king) and not paths(before.board, before.king):
        return say("It opens a way out for the king.")
    if _escapes(_passed(later)) and not _escapes(before):
        return say("It threatens to bring the king out.")
    return ""


def _men(before: State, move: Move, later: State) -> str:
    """Return the men a move saves or threatens."""
    own = MUSCOVITE if before.seat == MUSCOVITES else SWEDE
    saved = _prey(_passed(before), own)
    if saved and not _prey(later, own):
        squares = listed(SQUARES[square] for square in sorted(saved))
        return plural(
            "It saves the man on {squares}.",
            "It saves the men on {squares}.",
            len(saved),
            squares=squares,
        )
    enemy = SWEDE if own == MUSCOVITE else MUSCOVITE
    hunted = _prey(_passed(later), enemy) - _prey(before, enemy)
    if hunted and before.kind(move.source) != KING:
        squares = listed(SQUARES[square] for square in sorted(hunted))
        return plural(
            "It threatens the man on {squares}.",
            "It threatens the men on {squares}.",
            len(hunted),
            squares=squares,
        )
    return ""


def _passed(state: State) -> State:
    """Return the position as if the side to move had passed."""
    return placed(state.board ^ TURN, state.king)


def _escapes(state: State) -> bool:
    """Return whether the Swedes, to move, win at once."""
    return any(after(state, move).ended is not None for move in legal(state))


def _taken(state: State) -> bool:
    """Return whether the Muscovites, to move, take the king at once."""
    return any(after(state, move).king < 0 for move in legal(state))


def _prey(state: State, kind: int) -> set[int]:
    """Return the men of a kind that the side to move can take at once."""
    there = set(state.men(kind))
    return {
        square
        for move in legal(state)
        for later in (after(state, move),)
        if later.king >= 0
        for square in there - set(later.men(kind))
    }


def _roads(state: State) -> int:
    """Return how many squares the king can go to."""
    return sum(move.source == state.king for move in moves(state.board & ~TURN, SWEDES))
