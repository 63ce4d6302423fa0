"""Fast boards beside the engine: their moves, and whether both agree."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from ai.kernels import Board
from ai.position import CHANCE, OVER, Fast, fast, inner, shares
from engine import game as interface
from engine import registry
from engine.registry import AnyGame

SLUGS = [slug for slug in registry.games() if fast(slug) is not None]
WAYS = (1, 4, 6, 4, 1)
"""How many of 16 throws show 0 to 4 plain sides."""


@dataclass(frozen=True)
class Boards:
    """The fast boards of a game."""

    game: AnyGame
    fast: Fast

    @classmethod
    def of(cls, slug: str) -> Boards:
        """Return those of a game that has them."""
        found = fast(slug)
        assert found is not None
        return cls(registry.game(slug), found)

    def combinations(self) -> list[dict[str, str]]:
        """Return every combination of a single game's options."""
        options = [o for o in self.game.options if not o.presets and o.name != "match"]
        every = product(*(option.values for option in options))
        return [dict(zip((o.name for o in options), values, strict=True)) for values in every]

    def read(self, line: str, options: dict[str, str] | None = None) -> Board:
        """Read a position line."""
        return self.fast.encode(inner(self.game.read_position(line, options)))

    def legal(self, board: Board) -> list[int]:
        """Return the legal moves."""
        out = np.zeros(self.fast.most_moves, np.int64)
        return [int(move) for move in out[: self.fast.kernels.moves(board, out)]]

    def after(self, board: Board, step: int) -> Board:
        """Return the board after a move or, if chance acts, after a throw."""
        kernels, into = self.fast.kernels, self.fast.board()
        (kernels.throw if kernels.actor(board) == CHANCE else kernels.play)(board, step, into)
        return into

    def perft(self, board: Board, depth: int) -> int:
        """Count sequences of moves as `engine.perft` does."""
        actor = self.fast.kernels.actor(board)
        if actor == OVER:
            return 0
        steps = list(range(5)) if actor == CHANCE else self.legal(board)
        if depth == 1:
            return len(steps)
        return sum(self.perft(self.after(board, step), depth - 1) for step in steps)

    def assert_same(self, state: Any, board: Board, players: int = 2) -> None:
        """Check that a position and a board are equal, and so are actor, legal moves and result."""
        kernels = self.fast.kernels
        np.testing.assert_array_equal(self.fast.encode(inner(state)), board)
        ended = self.game.outcome(state)
        if ended is not None:
            assert kernels.actor(board) == OVER
            results = np.zeros(self.fast.seats)
            kernels.result(board, results)
            assert tuple(results[:players]) == shares(ended)
            return
        actor = self.game.actor(state)
        if actor is interface.CHANCE:
            assert kernels.actor(board) == CHANCE
            return
        assert kernels.actor(board) == self.game.seats(players).index(actor)
        legal = self.legal(board)
        written = [self.fast.notation(board, move) for move in legal]
        assert sorted(written) == sorted(map(self.game.write, self.game.legal_moves(state)))
        assert [self.fast.read(board, text) for text in written] == legal
