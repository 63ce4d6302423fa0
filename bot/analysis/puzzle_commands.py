"""``/puzzle``."""

from __future__ import annotations

from typing import Annotated

from bot.analysis import puzzle_buttons
from bot.analysis.puzzles import Puzzles
from bot.interactions.commands import command
from bot.interactions.game_options import game_option
from bot.interactions.reply import Reply
from engine.phrase import say


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
