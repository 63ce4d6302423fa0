"""What tests do with any game: set up boards by the squares of the men, play, and ask."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Generic

import pytest

from engine import registry
from engine.errors import IllegalMove
from engine.game import CHANCE, Game, M, S
from tests.contract.games import whole_game


def placed(men: str, empty: str) -> str:
    """Return the board of a position line, with men on it: ``k e5, m a1 b2``."""
    rows = [list(row) for row in empty.split("/")]
    for group in filter(None, men.split(", ")):
        letter, *squares = group.split()
        for square in squares:
            rows[-int(square[1])]["abcdefghijkl".index(square[0])] = letter
    return "/".join(map("".join, rows))


def decisions(
    slug: str,
    seed: str,
    options: dict[str, str] | None = None,
    players: int = 2,
    most: int | None = None,
) -> Iterator[tuple[Any, list[tuple[Any, Any]]]]:
    """Yield every position of a random game that a player sees, and the moves just before it."""
    game = registry.game(slug)
    steps, end = whole_game(game, seed, game.settle(options), players, most)
    last: list[tuple[Any, Any]] = []
    for state, move in steps:
        if game.actor(state) is not CHANCE:
            yield state, last
            last = []
        last.append((state, move))
    yield end, last


@dataclass(frozen=True)
class Acts(Generic[S, M]):
    """Moves in notation, and what comes of them."""

    game: Game[S, M]

    def moves(self, state: S) -> set[str]:
        """Return all legal moves."""
        return {self.game.write(move) for move in self.game.legal_moves(state)}

    def play(self, state: S, *texts: str) -> S:
        """Return the position after some moves and throws."""
        return self.played(state, *texts)[0]

    def played(self, state: S, *texts: str) -> tuple[S, list[tuple[S, M]]]:
        """Return the position after some moves, and the moves in `scene`'s format."""
        last: list[tuple[S, M]] = []
        for text in texts:
            last.append((state, self.game.read(state, text)))
            state = self.game.apply(*last[-1])
        return state, last

    def description(self, state: S, text: str) -> str:
        """Return the log's description of a move."""
        return self.game.tell(state, self.game.read(state, text))

    def refused(self, state: S, text: str) -> IllegalMove:
        """Return the error raised for an illegal move."""
        with pytest.raises(IllegalMove) as caught:
            self.game.read(state, text)
        return caught.value

    def forbidden(self, state: S, text: str) -> tuple[str, tuple[str, ...]]:
        """Return the rule that forbids a move, and the squares it names."""
        refusal = self.refused(state, text)
        return refusal.rule.name, refusal.squares

    def result(self, state: S) -> str | None:
        """Return the winner of a game for two, ``draw``, or ``None``."""
        ended = self.game.outcome(state)
        if ended is None:
            return None
        return "draw" if ended.drawn else self.game.seat_names[ended.ranks.index(1)]

    def ended(self, state: S) -> tuple[tuple[int, ...], str]:
        """Return the ranks of a finished game, and why it is over."""
        outcome = self.game.outcome(state)
        assert outcome is not None
        return outcome.ranks, outcome.reason

    def reason(self, state: S) -> str:
        """Return why a game is over."""
        return self.ended(state)[1]
