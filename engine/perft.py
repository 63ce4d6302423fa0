"""Counts the continuations of a position, to compare two implementations."""

from __future__ import annotations

from engine.game import Game, M, S


def perft(game: Game[S, M], state: S, depth: int) -> int:
    """Return the number of move sequences of length ``depth`` from a position.

    Luck's outcomes count as moves. Sequences cut short by the end of the game do not count.
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
