"""Links to messages, and to the boards of matches."""

from __future__ import annotations

from data.matches import boards
from data.matches.match import THREAD, Match
from data.store.store import Transaction


def message_link(guild_id: int | None, channel_id: int, message_id: int) -> str:
    """Return the link to a message."""
    return f"https://discord.com/channels/{guild_id or '@me'}/{channel_id}/{message_id}"


async def board(tx: Transaction, match: Match) -> str | None:
    """Return the link to a match's latest board, or to its thread, if any."""
    posted = await boards.latest(tx, match.id)
    if posted is not None:
        return message_link(match.guild_id, posted.channel_id, posted.message_id)
    if match.place == THREAD:
        return f"https://discord.com/channels/{match.guild_id}/{match.channel_id}"
    return None
