"""``/match note``."""

from __future__ import annotations

from typing import Annotated

from bot.interactions.commands import Option, command
from bot.interactions.reply import Reply
from bot.matches.lookup import numbered
from bot.notes import buttons
from engine.phrase import say


@command("match note", say("Write a note to yourself on a game"))
async def note(
    reply: Reply,
    number: Annotated[
        int | None, Option(say("Match number (this thread's match if empty)"))
    ] = None,
) -> None:
    """Open the user's note on a match."""
    await buttons.ask(reply, await numbered(reply, number))
