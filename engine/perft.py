"""Counts the ways a game can go on: the figure by which two implementations are compared."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.game import Game, M, S


def perft(game: Game[S, M], state: S, depth: int) -> int:
    """Return how many sequences of so many moves lead on from a position.

    Luck's outcomes count as moves. A game that has ended leads nowhere: sequences that would be
    longer than the game do not count.
    """
    known: dict[tuple[S, int], int] = {}

    def leaves(state: S, depth: int) -> int:
        moves = game.legal_moves(state)
        if depth == 1:
            return len(moves)
        key = (state, depth)
        if key not in known:
            known[key] = sum(leaves(game.after(state, move), depth - 1) for move in moves)
        return known[key]

    return leaves(state, depth) if depth else 1
