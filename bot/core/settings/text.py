"""The words of a server's channel settings."""

from __future__ import annotations

from collections.abc import Sequence

from bot.core.settings.kinds import Context
from engine.phrase import listed, plural, say


def channels(chosen: Sequence[int], context: Context) -> str:
    """Return where games may be played."""
    if not chosen:
        return say("**Channels:** games may be played in all of them")
    gone = [one for one in chosen if context.is_deleted(one)]
    named = [f"<#{one}>" for one in chosen if one not in gone]
    if gone:
        named.append(
            plural("{n} channel that was deleted", "{n} channels that were deleted", len(gone))
        )
    return say("**Channels:** games may be played in {channels}", channels=listed(named))


def log_channel(channel: int | None, context: Context) -> str:
    """Return where moderator decisions are posted."""
    if channel is None:
        return say("**Moderator actions:** only in `/server audit`")
    if context.is_deleted(channel):
        return say("**Moderator actions:** their channel was deleted. Pick another one")
    return say("**Moderator actions:** also posted in {channel}", channel=f"<#{channel}>")


def puzzle_channel(channel: int | None, context: Context) -> str:
    """Return where the puzzle of the day is posted."""
    if channel is None:
        return say("**Puzzle of the day:** none")
    if context.is_deleted(channel):
        return say("**Puzzle of the day:** its channel was deleted. Pick another one")
    return say("**Puzzle of the day:** in {channel}", channel=f"<#{channel}>")
