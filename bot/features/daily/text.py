"""The words of daily puzzles."""

from __future__ import annotations

from collections.abc import Container

from bot.core.i18n.mentions import named
from bot.features.daily.service import Announced
from bot.features.puzzles import puzzle_text
from engine.phrase import Phrase, glued, lines, listed, plural, say


def title(announced: Announced) -> Phrase:
    """Return the message's heading: the game and the difficulty."""
    posed = announced.posed
    head = say("### Puzzle of the day · {game}", game=posed.game.title)
    return lines((head, puzzle_text.facts(posed)))


def body(announced: Announced, departed: Container[int]) -> Phrase:
    """Return the words below the picture: the question, and the previous puzzle's results."""
    found = [puzzle_text.question(announced.posed)]
    before = announced.before
    if before is not None and before.tried:
        found.append(
            plural(
                # Translators: about the previous daily puzzle; at_once is a number of people.
                "-# Last time: solved by {solved} of {n} person, {at_once} first time",
                "-# Last time: solved by {solved} of {n} people, {at_once} first time",
                before.tried,
                solved=before.solved,
                at_once=before.first_try,
            )
        )
    if announced.streaks:
        each = (
            glued(named(user_id, departed), " ", str(streak))
            for user_id, streak in announced.streaks
        )
        # Translators: days in a row on the daily puzzle; streaks is like "@Ann 12, @Ben 7".
        found.append(say("-# Streaks: {streaks}", streaks=listed(each)))
    return lines(found)


def late() -> Phrase:
    """Return that answers to a puzzle no longer count."""
    return say("-# There's a newer puzzle of the day, so this one is just for fun.")


def cannot_post(channel: int, needed: str) -> Phrase:
    """Return that the puzzle cannot be posted, and a remedy."""
    return say(
        "I can't post the puzzle of the day in {channel}. I need {permissions}. I'll try again "
        "every hour. To stop it, use `/server settings`.",
        channel=f"<#{channel}>",
        permissions=needed,
    )


def refused(channel: int) -> Phrase:
    """Return that Discord refuses puzzles in a channel, without saying why."""
    return say(
        "Discord won't let me post the puzzle of the day in {channel}. Check my permissions "
        "there, or pick another channel with `/server settings`.",
        channel=f"<#{channel}>",
    )


def channel_gone() -> Phrase:
    """Return that the puzzle's channel was deleted."""
    return say(
        "The channel of the puzzle of the day was deleted, so there are no more puzzles. To get "
        "them back, pick another channel with `/server settings`."
    )
