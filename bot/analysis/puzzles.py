"""Puzzles: positions from other matches in which one move is clearly best.

The match stays anonymous. A puzzle is graded by the share of first answers that solve it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bot.errors import Refusal
from bot.matches import advice
from data import puzzles
from engine import registry
from engine.phrase import say

if TYPE_CHECKING:
    from bot.scheduling.wall_clock import WallClock
    from data.puzzles import Puzzle, Score
    from data.store import Store
    from engine.registry import AnyGame


@dataclass(frozen=True, slots=True)
class PuzzlePosition:
    """A puzzle with its position."""

    puzzle: Puzzle
    game: AnyGame
    state: Any
    answered: bool = False
    """Whether this user has answered it before."""


@dataclass(frozen=True, slots=True)
class Answered:
    """The result of an answer."""

    posed: PuzzlePosition
    right: bool
    first: bool
    """Whether it was this user's first answer to this puzzle, the one that counts."""
    score: Score


class Puzzles:
    """The puzzles in a store."""

    def __init__(self, store: Store, *, clock: WallClock) -> None:
        """Work on a store, with the time of day from ``clock``."""
        self._store = store
        self._clock = clock

    async def next(
        self, user_id: int, slug: str | None, *, but: int | None = None
    ) -> PuzzlePosition:
        """Return a user's next puzzle of a game or any; none repeats until all were seen.

        Args:
            user_id: the user.
            slug: the game; ``None`` for any.
            but: a puzzle to avoid if there is another.

        Raises:
            Refusal: there is none yet.
            BadOption: there is no such game.

        """
        games = registry.games() if slug is None else (registry.game(slug).slug,)
        async with self._store.write() as tx:
            found = await puzzles.next_for(tx, user_id, games, but=but)
            if found is not None:
                answered = await puzzles.known(tx, user_id, found.id) is not None
                await puzzles.seen(tx, user_id, found.id, self._clock())
                return _position(found, answered=answered)
        if slug is None:
            raise Refusal(
                say("No puzzles yet. They come from finished games, so play one and ask again.")
            )
        raise Refusal(
            say(
                "No {game} puzzles yet. They come from finished games. Try another game, or play "
                "and ask again.",
                game=registry.game(slug).title,
            )
        )

    async def get(self, puzzle_id: int) -> PuzzlePosition:
        """Return a puzzle.

        Raises:
            NotAllowed: its position is in play.
            Refusal: there is none of that number.

        """
        async with self._store.read() as tx:
            found = await puzzles.get(tx, puzzle_id)
        if found is None or found.game not in registry.games():
            raise Refusal(say("There is no puzzle #{number}.", number=puzzle_id))
        async with self._store.read() as tx:
            await advice.require_none(tx, [found.fingerprint], advice.puzzle_refusal())
        return _position(found)

    async def answer(self, puzzle_id: int, user_id: int, notation: str | None) -> Answered:
        """Check an answer, ``None`` to give up; raise RulesError for an illegal move."""
        asked = await self.get(puzzle_id)
        right = False
        if notation is not None:
            move = asked.game.read(asked.state, notation)
            right = asked.game.write(move) == asked.puzzle.solution
        async with self._store.write() as tx:
            first = await puzzles.answered(tx, user_id, puzzle_id, right=right, at=self._clock())
            score = await puzzles.score(tx, user_id)
        return Answered(await self.get(puzzle_id), right, first, score)


def _position(puzzle: Puzzle, *, answered: bool = False) -> PuzzlePosition:
    """Return a puzzle with its position."""
    game = registry.game(puzzle.game)
    state = game.read_position(puzzle.position, puzzle.options)
    return PuzzlePosition(puzzle, game, state, answered)
