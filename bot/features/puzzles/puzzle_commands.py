"""``/puzzle``."""

from __future__ import annotations

from typing import Annotated

from bot.core.interactions.commands import command
from bot.core.interactions.game_options import game_option
from bot.core.interactions.reply import Reply
from bot.features.puzzles import puzzle_buttons
from bot.features.puzzles.puzzles import Puzzles
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
