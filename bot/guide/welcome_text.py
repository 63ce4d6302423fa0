"""The words of the welcome to new servers, and the reply to mentions and direct messages."""

from __future__ import annotations

from bot.i18n.slash import slash
from engine.phrase import lines, say


def welcome() -> str:
    """Return the welcome."""
    return lines(
        [
            say("### Old board games, played turn by turn"),
            say(
                "Play a friend or the computer, right here, hours or days apart. "
                "Never played? Two minutes of lessons are enough."
            ),
            say("-# {play} starts a game any time. {help} has the rest.", **_commands()),
        ]
    )


def learn() -> str:
    """Return the question of which game to learn."""
    return say(
        "### Learn a game\nHow the pieces move, then a few small questions. You can stop and go on any time."
    )


def _commands() -> dict[str, str]:
    return {"play": slash("play"), "help": slash("help")}
