"""The command that opens the page inside Discord, from its list of Activities."""

from __future__ import annotations

from bot.core.interactions.entry_point import entry_point
from bot.core.interactions.reply import Reply
from bot.features.web.buttons import open_page
from engine.phrase import say


@entry_point(say("Your games on a board you can touch"))
async def launch(reply: Reply) -> None:
    """Open the page at what its reader plays here."""
    await open_page(reply, None)
