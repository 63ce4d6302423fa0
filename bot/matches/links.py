"""Links to the boards of matches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.matches.text import message_link
from data import boards
from data.match import THREAD

if TYPE_CHECKING:
    from data.match import Match
    from data.store import Transaction


async def board(tx: Transaction, match: Match) -> str | None:
    """Return the link to a match's latest board, or to its thread, if any."""
    posted = await boards.latest(tx, match.id)
    if posted is not None:
        return message_link(match.guild_id, posted.channel_id, posted.message_id)
    if match.place == THREAD:
        return f"https://discord.com/channels/{match.guild_id}/{match.channel_id}"
    return None
