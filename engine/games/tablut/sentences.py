"""What happened, in plain sentences."""

from __future__ import annotations

from typing import Final

from engine.games.tablut.board import BESIDE, CASTLE, KING, MUSCOVITE, SQUARES, SWEDE
from engine.games.tablut.captures import paths
from engine.games.tablut.playing import UNSTOPPABLE, after
from engine.games.tablut.state import Move, State
from engine.phrase import listed, say

RAICHI: Final = "raichi"
TUICHU: Final = "tuichu"


def taken(before: State, move: Move) -> tuple[str, ...]:
    """Return the squares of the men that a legal move takes, the king's last."""
    later = after(before, move)
    men = [
        number
        for kind in (MUSCOVITE, SWEDE)
        for number in before.men(kind)
        if number != move.source and later.kind(number) is None
    ]
    return tuple(SQUARES[number] for number in (*men, *((before.king,) if later.king < 0 else ())))


def call(state: State) -> str:
    """Return the Swedes' call after the move that led to a position, or empty.

    `RAICHI` by rule 11, `TUICHU` by rule 12.
    """
    if state.ended is UNSTOPPABLE:
        return TUICHU
    return RAICHI if state.seat and state.ended is None and paths(state.board, state.king) else ""


def sentence(before: State, move: Move) -> str:
    """Return a sentence without its subject and full stop."""
    later = after(before, move)
    source, target = (SQUARES[number] for number in move)
    victims = taken(before, move)
    text = _gone(source, target, king=before.kind(move.source) == KING)
    if later.king < 0:
        *men, king = victims
        # Translators: the last part of a list of those who are taken, such as "a2 and the king on b2".
        victims = (*men, say("the king on {square}", square=king))
    if victims:
        # Translators: move is "e1 to e4"; men are the squares of those who are taken.
        text = say("{move}, takes {men}", move=text, men=listed(victims))
    if later.king < 0:
        # Translators: move ends with those who are taken, the king last; how says why he is.
        return say("{move}: {how}", move=text, how=shut_in(before.king))
    called, squares = call(later), ways_out(later)
    if called == TUICHU:
        # Translators: the Swedes call "tuichu" when nothing can stop their king; keep the word.
        # Squares is two or more: "a5 or i5".
        return say(
            "{move}: nothing can stop the king, who gets out at {squares} (“tuichu”)",
            move=text,
            squares=listed(squares, either=True),
        )
    if called == RAICHI:
        # Translators: the Swedes call "raichi" when their king has a way out; keep the word.
        return say(
            "{move}: the king has a way out, to {squares} (“raichi”)",
            move=text,
            squares=listed(squares, either=True),
        )
    return text


def shut_in(king: int) -> str:
    """Return why the king on a square is taken (rules 7 and 8)."""
    if king in BESIDE[CASTLE]:
        return say("attackers on three sides and his empty castle")
    return say("attackers on all four sides of him")


def ways_out(state: State) -> tuple[str, ...]:
    """Return the edge squares to which the king has a free line."""
    return tuple(SQUARES[end] for end in paths(state.board, state.king))


def _gone(source: str, target: str, *, king: bool) -> str:
    if king:
        # Translators: the king moves from one square to another, such as "king e5 to e9".
        return say("king {origin} to {target}", origin=source, target=target)
    return say("{origin} to {target}", origin=source, target=target)
