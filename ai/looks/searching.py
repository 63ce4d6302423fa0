"""Looks back with the search of a game's fast board."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ai.looks import Choice, Looks, Results, Seen
from ai.looks.counting import counted
from ai.position import inner, shares
from ai.search.comparison import compare
from ai.search.everyone import Everyone
from ai.search.searcher import Searcher
from engine.game import CHANCE

if TYPE_CHECKING:
    from ai.kernels import Board
    from ai.position import Fast
    from ai.search.comparison import Compared
    from engine.registry import AnyGame

_AHEAD: Final = 1
"""How many throws are looked beyond a decision: all throws of a whole match are looked at so."""
_DEEPEST: Final = 40
_CLOSELY: Final = 8
"""How many times as many positions a close look may take, or one that counts to the end."""


class SearchingLooks(Looks):
    """Looks with a searcher."""

    def __init__(self, game: AnyGame, board: Fast, players: int, nodes: int) -> None:
        """Look at so many positions for each entry of a log, give or take."""
        self._game = game
        self._board = board
        self._players = players
        self._nodes = nodes
        make = Searcher if players == 2 else Everyone
        self._searcher = make(board, players)
        self._searcher.compile()

    def decided(self, state: Any, move: Any, *, closely: bool = False) -> Seen:
        """Look at a decision."""
        position = inner(state)
        board = self._board.encode(position)
        number = self._board.read(board, self._game.write(move))
        found = self._compared(position, number, closely=closely)
        best = self._board.notation(board, found.best)
        return Seen(found.top, found.less, best, found.margin, found.choices)

    def choice(self, state: Any, *, closely: bool = False) -> Choice:
        """Look at the best move and the second best."""
        position = inner(state)
        board = self._board.encode(position)
        found = self._compared(position, None, closely=closely)
        place = self._board.kernels.actor(board)
        best = self._board.notation(board, found.best)
        return Choice(best, found.top[place], found.margin, found.choices)

    def thrown(self, state: Any, throw: Any) -> Seen:
        """Look at a throw and at all others that could have come."""
        odds = self._game.odds(state)
        throws = list(odds)
        children = [self._game.after(state, one) for one in throws]
        # All equally deep: as deep as the budget allows for every one of them
        for depth in (_AHEAD, 0):
            worths = [self._valued(child, depth) for child in children]
            if all(worths):
                break
        else:
            worths = [self._glanced(child) for child in children]
        found = dict(zip(throws, worths, strict=True))
        before = tuple(
            sum(float(odds[one]) * result[place] for one, result in found.items() if result)
            for place in range(self._players)
        )
        after = found[throw]
        assert after is not None
        return Seen(before, after)

    def worth(self, state: Any) -> Results:
        """Return what is expected in a position in which somebody acts."""
        if self._game.actor(state) is CHANCE:
            return self.thrown(state, next(iter(self._game.odds(state)))).before
        return self._compared(inner(state), None, closely=False).top

    def _compared(self, position: Any, move: int | None, *, closely: bool) -> Compared:
        board = self._board.encode(position)
        found = counted(self._board, board, move, self._nodes * _CLOSELY)
        if found is not None:
            return found
        return compare(
            self._searcher,
            board,
            self._board.past(position),
            move,
            nodes=self._nodes * (_CLOSELY if closely else 1),
            depth=self._depth(board, closely=closely),
        )

    def _depth(self, board: Board, *, closely: bool) -> int:
        """Return how deep decisions are looked at, at most."""
        if self._board.throws:
            return _AHEAD + closely
        if self._board.exact is None:
            return _DEEPEST
        # Evaluations know nothing of an end that is counted: stay half of the way above it.
        room = np.zeros(self._board.most_moves, np.int64)
        return int(self._board.kernels.moves(board, room)) // 2 + 1

    def _valued(self, state: Any, depth: int) -> Results | None:
        """Return what a position is worth, or ``None`` where the budget does not suffice."""
        ended = self._game.outcome(state)
        if ended is not None:
            return shares(ended)
        position = inner(state)
        board, past = self._board.encode(position), self._board.past(position)
        return self._searcher.weigh(board, past, depth, self._nodes)

    def _glanced(self, state: Any) -> Results:
        ended = self._game.outcome(state)
        if ended is not None:
            return shares(ended)
        out = np.zeros(self._board.seats)
        board = self._board.encode(inner(state))
        self._board.kernels.evaluate(board, self._board.weights(), out)
        return tuple(map(float, out[: self._players]))
