"""``/match analysis`` and ``/puzzle``."""

from __future__ import annotations

from typing import Annotated

from bot.analysis import buttons, puzzle_buttons
from bot.analysis.puzzles import Puzzles
from bot.interactions.commands import Option, command
from bot.interactions.game_options import game_option
from bot.interactions.reply import Reply
from bot.matches.lookup import named, suggest_ended
from bot.replays.commands import NUMBER
from bot.replays.names import is_record
from engine.phrase import say


@command(
    "match analysis",
    say("Show what decided a finished game, and the better moves"),
    public=lambda given: given["number"] is None or not is_record(given["number"]),
)
async def analysis(
    reply: Reply, number: Annotated[str | None, Option(NUMBER, suggest=suggest_ended)] = None
) -> None:
    """Show the analysis of a match, or of a record to its owner."""
    await buttons.show(reply, await named(reply, number, over=True))


@command("puzzle", say("Find the best move in a position from a real game"))
async def puzzle(
    reply: Reply,
    game: Annotated[
        str | None,
        game_option(say("Game (any if empty)")),
    ] = None,
) -> None:
    """Pose a puzzle."""
    posed = await reply.get(Puzzles).next(reply.user_id, game)
    await puzzle_buttons.pose(reply, posed, mixed=game is None, new=True)
