"""Puzzles: positions from other matches in which one move is clearly best.

The match stays anonymous. A puzzle is graded by the share of right first answers. Puzzles shipped
with games come up once a player has seen all others. The puzzle of the day of any server
(`bot.features.daily`) is posed nowhere else, and its solution is hidden from everyone.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from typing import Any, Final

from ai.puzzle_sets import shipped
from bot.core.errors import NotAllowed, Refusal
from bot.core.scheduling.scheduler import WallClock
from bot.play.matches import advice
from bot.play.matches.advice import CERTAIN, fingerprint, percent
from bot.play.matches.match_text import options_line
from data.puzzles import daily_puzzles, puzzles
from data.puzzles.daily_puzzles import DailyAnswer, Tally
from data.puzzles.puzzles import Puzzle, Score
from data.sql import key_values
from data.store.store import Store
from engine import registry
from engine.game import CHANCE
from engine.phrase import Phrase, capital, concat, lines, plural, say, word
from engine.registry import AnyGame


@dataclass(frozen=True, slots=True)
class PuzzlePosition:
    """A puzzle with its position."""

    puzzle: Puzzle
    game: AnyGame
    state: Any
    answered: bool = False
    """Whether this user has already answered it."""
    of_the_day: bool = False
    """Whether it is the puzzle of the day on any server."""


@dataclass(frozen=True, slots=True)
class Answered:
    """The result of an answer."""

    posed: PuzzlePosition
    right: bool
    first: bool
    """Whether this was the user's first answer to the puzzle, the one that counts."""
    score: Score
    today: tuple[DailyAnswer, Tally] | None = None
    """How the user and their server are doing on it, if it is the puzzle of the day there."""


@dataclass(eq=False, repr=False)
class Puzzles:
    """The puzzles in a store."""

    store: Store
    clock: WallClock

    async def next(
        self, user_id: int, slug: str | None, *, avoid: int | None = None
    ) -> PuzzlePosition:
        """Return a user's next puzzle of a game, or any; none repeats until all have been seen.

        It is another than ``avoid`` if there is one. Raise Refusal without any, and BadOption
        without such a game.
        """
        games = registry.games() if slug is None else (registry.game(slug).slug,)
        posed = await self._next(user_id, games, avoid)
        if (posed is None or posed.answered) and await add_shipped_puzzles(
            self.store, games, self.clock()
        ):
            posed = await self._next(user_id, games, avoid)
        if posed is not None:
            return posed
        if slug is None:
            raise Refusal(
                say("No puzzles yet. They come from finished games, so play one and ask again.")
            )
        raise Refusal(
            say(
                "No {game} puzzles yet. They come from finished games. Try another game, or play "
                "and ask again.",
                game=registry.title(slug),
            )
        )

    async def _next(
        self, user_id: int, games: Collection[str], avoid: int | None
    ) -> PuzzlePosition | None:
        async with self.store.write() as tx:
            puzzle = await puzzles.next_for(tx, user_id, games, avoid=avoid)
            if puzzle is None:
                return None
            answered = await puzzles.first_answer(tx, user_id, puzzle.id) is not None
            await puzzles.mark_seen(tx, user_id, puzzle.id, self.clock())
        return _position(puzzle, answered=answered)

    async def preview(self, puzzle_id: int) -> PuzzlePosition:
        """Return a puzzle for display without its solution; raise Refusal if it does not exist."""
        async with self.store.read() as tx:
            puzzle = await puzzles.get(tx, puzzle_id)
        if puzzle is None or puzzle.game not in registry.games():
            raise Refusal(say("There's no puzzle #{number}.", number=puzzle_id))
        return _position(puzzle)

    async def get(self, puzzle_id: int, *, user_id: int | None = None) -> PuzzlePosition:
        """Return a puzzle, and whether a user has already answered it.

        Raises:
            NotAllowed: its position is in play, and it is not the puzzle of the day.
            Refusal: there is no puzzle with that number.

        """
        posed = await self.preview(puzzle_id)
        async with self.store.read() as tx:
            found = [posed.puzzle.fingerprint]
            of_the_day = await puzzles.any_of_the_day(tx, found)
            # When one of the day is chosen, nobody is playing it: who gets there later does so on
            # purpose, and must not keep everyone from solving it.
            if not of_the_day and await puzzles.any_of(tx, found):
                raise NotAllowed(advice.puzzle_refusal())
            known = None if user_id is None else await puzzles.first_answer(tx, user_id, puzzle_id)
        return replace(posed, of_the_day=of_the_day, answered=known is not None)

    async def answer(
        self, puzzle_id: int, user_id: int, notation: str | None, *, guild_id: int | None = None
    ) -> Answered:
        """Check a user's move; ``None`` gives up. It may be the puzzle of the day in their server.

        Raises:
            RulesError: the move is illegal.
            NotAllowed: it is the puzzle of the day somewhere, so its solution stays hidden; or its
                position is in play.
            Refusal: there is no puzzle with that number.

        """
        asked = await self.get(puzzle_id)
        if notation is None and asked.of_the_day:
            raise NotAllowed(
                say(
                    "This is the puzzle of the day. I can show its solution once the next one "
                    "is out. Until then, try as often as you like."
                )
            )
        right = False
        if notation is not None:
            move = asked.game.read(asked.state, notation)
            right = asked.game.write(move) == asked.puzzle.solution
        now, today = self.clock(), None
        async with self.store.write() as tx:
            first = await puzzles.record_answer(tx, user_id, puzzle_id, right=right, at=now)
            score = await puzzles.score(tx, user_id)
            daily = await daily_puzzles.counting(tx, guild_id or 0, puzzle_id)
            if daily is not None:
                standing = await daily_puzzles.record_answer(
                    tx, daily, user_id, right=right, first=first, at=now
                )
                today = standing, await daily_puzzles.tally(tx, daily.id)
        return Answered(await self.get(puzzle_id), right, first, score, today)


def _position(puzzle: Puzzle, *, answered: bool = False) -> PuzzlePosition:
    """Return a puzzle with its position."""
    game = registry.game(puzzle.game)
    state = game.read_position(puzzle.position, puzzle.options)
    return PuzzlePosition(puzzle, game, state, answered)


async def add_shipped_puzzles(store: Store, games: Iterable[str], at: datetime) -> bool:
    """Store the shipped puzzles of some games; return whether there were any new ones."""
    new = False
    for slug in games:
        sets = shipped(slug)
        name = hashlib.sha256(repr(sets).encode()).hexdigest()[:16]
        async with store.read() as tx:
            known = await key_values.get(tx, f"puzzles:{slug}")
        if not sets or known == name:
            continue
        rows = await asyncio.to_thread(_rows, slug)
        async with store.write() as tx:
            for row in rows:
                await puzzles.add(tx, row, at)
            await key_values.set(tx, f"puzzles:{slug}", name)
        new = True
    return new


@cache
def _rows(slug: str) -> tuple[Puzzle, ...]:
    game = registry.game(slug)
    rows = []
    for one in shipped(slug):
        options = game.settle(dict(one.options))
        number = fingerprint(game, game.read_position(one.position, options))
        assert number is not None, "somebody decides in every puzzle"
        found = {"expected": one.expected, "margin": one.margin}
        facts = (options, one.position, one.solution, found, number)
        rows.append(Puzzle(0, slug, *facts, level=one.level))
    return tuple(rows)


_MIN_ANSWERS: Final = 3
"""First answers needed for a grade."""
_EASY, _HARD = 0.7, 0.35
"""A puzzle is easy from this share of right first answers, and hard up to this share."""


def title(posed: PuzzlePosition) -> Phrase:
    """Return the heading: number, game, difficulty and rules."""
    head = say("### Puzzle #{number} · {game}", number=posed.puzzle.id, game=posed.game.title)
    return lines((head, facts(posed)))


def facts(posed: PuzzlePosition) -> Phrase:
    """Return the small line below the heading: difficulty and rules."""
    rules = options_line(posed.game, posed.game.settle(posed.puzzle.options))
    small = lines(filter(None, (_grade(posed.puzzle), rules)), " · ")
    return concat("-# ", small)


_BY_LEVEL: Final = {
    1: word("how hard a puzzle is", "easy"),
    2: word("how hard a puzzle is", "easy"),
    3: word("how hard a puzzle is", "medium"),
    4: word("how hard a puzzle is", "hard"),
    5: word("how hard a puzzle is", "hard"),
}
"""Difficulty by the lowest level of computer that solves it, until people have tried it."""


def _grade(puzzle: Puzzle) -> Phrase:
    if puzzle.tried < _MIN_ANSWERS:
        if puzzle.level is not None:
            return _BY_LEVEL[puzzle.level]
        return say("new, not rated yet")
    if puzzle.solved >= _EASY * puzzle.tried:
        return word("how hard a puzzle is", "easy")
    if puzzle.solved <= _HARD * puzzle.tried:
        return word("how hard a puzzle is", "hard")
    return word("how hard a puzzle is", "medium")


def question(posed: PuzzlePosition) -> Phrase:
    """Return the question, with how the side to move wins its game."""
    actor = posed.game.actor(posed.state)
    assert actor is not CHANCE
    asked = say(
        # Translators: side is a side in a game, often in the plural: "Swedes".
        "**{side}** to move. One move is clearly best. Which one?",
        side=capital(posed.game.side(posed.state, actor)),
    )
    goal = say("-# Goal: {goal}", goal=posed.game.goal(posed.state, actor))
    if not posed.answered:
        return lines((asked, goal))
    before = say("You've tried this one before, so it won't count again.")
    return lines((asked, goal, concat("-# ", before)))


def wrong(given: Answered) -> Phrase:
    """Return the reply to a wrong answer."""
    if given.first:
        return say(
            "Not that one. There's something better. Keep trying, only your first answer counts."
        )
    return say("Not that one either. Look again.")


def solution(posed: PuzzlePosition) -> Phrase:
    """Return the best move of a puzzle."""
    move = posed.game.tell(posed.state, posed.game.read(posed.state, posed.puzzle.solution))
    return say("**The best move:** {move}.", move=move)


def not_to_share(*, of_the_day: bool) -> Phrase:
    """Return why a person cannot share the solution of a puzzle."""
    if of_the_day:
        return say("This is the puzzle of the day. Its solution can be shared after the next one.")
    return say("Solve this puzzle first, then share it.")


def solved(given: Answered) -> Phrase:
    """Return the text of a solution, found or shown."""
    posed = given.posed
    evaluation, best = posed.puzzle.evaluation, posed.puzzle.solution
    move = posed.game.tell(posed.state, posed.game.read(posed.state, best))
    head = solution(posed)
    if given.right:
        head = say("✓ **Right:** {move}.", move=move)
    reason = _why(float(evaluation["expected"]), float(evaluation["margin"]))
    many = plural(
        "Solved first time by {percent} % ({n} try).",
        "Solved first time by {percent} % ({n} tries).",
        posed.puzzle.tried,
        percent=round(100 * posed.puzzle.solved / max(posed.puzzle.tried, 1)),
    )
    own = plural(
        "You: {solved} of {n}, first time.",
        "You: {solved} of {n}, first time.",
        given.score.tried,
        solved=given.score.solved,
    )
    here = () if given.today is None else (today(*given.today),)
    return lines((head, reason, *here, concat("-# ", many, " ", own)))


def today(standing: DailyAnswer, tally: Tally) -> Phrase:
    """Return how a player and their server are doing on the puzzle of the day, once solved."""
    streak = plural(
        # Translators: days in a row on which the reader solved the daily puzzle.
        "Your streak: {n} day.",
        "Your streak: {n} days.",
        standing.streak,
    )
    solved = plural(
        # Translators: about the puzzle of the day on this server; at_once is a number of people.
        "**{n}** has solved it here so far, {at_once} first time.",
        "**{n}** have solved it here so far, {at_once} first time.",
        tally.solved,
        at_once=tally.first_try,
    )
    return concat(streak, " ", solved)


def _why(expected: float, margin: float) -> Phrase:
    """Return why a move is best; every other is worse by at least ``margin``."""
    rest = max(expected - margin, 0.0)
    if expected < CERTAIN:
        return say(
            "{expected} % win chance. Every other move has {less} % or less.",
            expected=percent(expected),
            less=percent(rest),
        )
    if rest > 1 - CERTAIN:
        return say("It wins. No other move has more than {less} %.", less=percent(rest))
    return say("It wins. Every other move loses.")
