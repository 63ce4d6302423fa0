"""Text of puzzles."""

from __future__ import annotations

from typing import Final

from bot.features.puzzles.puzzles import Answered, PuzzlePosition
from bot.play.matches.advice import CERTAIN, percent
from bot.play.matches.match_text import options_line
from data.puzzles.daily_puzzles import DailyAnswer, Tally
from data.puzzles.puzzles import Puzzle
from engine.game import CHANCE
from engine.phrase import Phrase, capital, glued, lines, plural, say, word

_MIN_ANSWERS: Final = 3
"""First answers needed for a grade."""
_EASY, _HARD = 0.7, 0.35
"""A puzzle is easy from this share of right first answers, and hard up to this share."""


def title(posed: PuzzlePosition) -> Phrase:
    """Return the heading: number, game, difficulty and rules."""
    head = say(
        "### Puzzle #{number} · {game}",
        number=posed.puzzle.id,
        game=posed.game.title,
    )
    return lines((head, facts(posed)))


def facts(posed: PuzzlePosition) -> Phrase:
    """Return the small line below the heading: difficulty and rules."""
    rules = options_line(posed.game, posed.game.settle(posed.puzzle.options))
    small = lines(filter(None, (_grade(posed.puzzle), rules)), " · ")
    return glued("-# ", small)


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
    """Return the question."""
    actor = posed.game.actor(posed.state)
    assert actor is not CHANCE
    asked = say(
        # Translators: side is a side in a game, often in the plural: "Swedes".
        "**{side}** to move. One move is clearly best. Which one?",
        side=capital(posed.game.side(posed.state, actor)),
    )
    if not posed.answered:
        return asked
    before = say("You've tried this one before, so it won't count again.")
    return lines((asked, glued("-# ", before)))


def wrong(given: Answered, notation: str) -> Phrase:
    """Return the reply to a wrong answer."""
    if given.first:
        return say(
            "Not {notation}. There's something better. Keep trying, only your first answer counts.",
            notation=notation,
        )
    return say("Not {notation} either. Look again.", notation=notation)


def solved(given: Answered) -> Phrase:
    """Return the text of a solution, found or shown."""
    posed = given.posed
    evaluation, solution = posed.puzzle.evaluation, posed.puzzle.solution
    move = posed.game.tell(posed.state, posed.game.read(posed.state, solution))
    if given.right:
        head = say("✓ **{notation}** is right: {move}.", notation=solution, move=move)
    else:
        head = say("The best move is **{notation}**: {move}.", notation=solution, move=move)
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
    return lines((head, reason, *here, glued("-# ", many, " ", own)))


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
    return glued(streak, " ", solved)


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
        return say(
            "It wins. Every other move has a {less} % win chance or less.", less=percent(rest)
        )
    return say("It wins. Every other move loses.")
