"""What happened, in a plain sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.games.tablut.board import KING, MUSCOVITE, SQUARES, SWEDE
from engine.games.tablut.captures import paths
from engine.games.tablut.playing import UNSTOPPABLE, after

if TYPE_CHECKING:
    from engine.games.tablut.state import Move, State


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
    """Return what the Swedes call after the move that led to a position: rules 11 and 12."""
    if state.ended is UNSTOPPABLE:
        return "tuichu"
    return "raichi" if state.seat and state.ended is None and paths(state.board, state.king) else ""


def sentence(before: State, move: Move) -> str:
    """Return a sentence without its subject and full stop."""
    later = after(before, move)
    source, target = (SQUARES[number] for number in move)
    victims = taken(before, move)
    text = f"{'king ' if before.kind(move.source) == KING else ''}{source} to {target}"
    if later.king < 0:
        *men, king = victims
        text += ", takes " + listed((*men, f"the king on {king}"))
    elif victims:
        text += f", takes {listed(victims)}"
    called = call(later)
    return f"{text}: {called}!" if called else text


def listed(names: tuple[str, ...], last: str = "and") -> str:
    """Return names as they are listed in a sentence: “a2, b3 and c4”."""
    return f" {last} ".join(filter(None, (", ".join(names[:-1]), names[-1])))
