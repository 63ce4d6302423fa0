"""``/match analysis``."""

from __future__ import annotations

from typing import Annotated

from bot.core.interactions.commands import Option, command
from bot.core.interactions.reply import Reply
from bot.features.analysis import buttons
from bot.play.controls.lookup import NUMBER, named, suggest_ended
from bot.play.replays.names import is_record
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
