"""What the channel of a match is told once it has ended: its result, and its thread's name."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from data.challenges import challenges
from data.matches.match import CHANNEL, THREAD, Match
from data.posts import posts
from data.sql.transaction import Transaction

RESULT: Final = "result"
"""The kind of post that tells how a match ended, by its number."""
THREAD_NAME: Final = "thread name"
"""The kind of post that names the thread of a match, by the match's number."""


async def want(tx: Transaction, match: Match, at: datetime) -> None:
    """Have a match's channel and its challenge show how it ended, or that it was voided since.

    A match played in the channel itself shows that on its last board. Until a match has a place, it
    may get a thread.
    """
    challenge = await challenges.of_match(tx, match.id)
    if challenge is not None and challenge.message_id is not None:
        await challenges.show(tx, challenge, at)
    if match.place in {THREAD, None}:
        await posts.want(tx, RESULT, match.id, at=at, guild_id=match.guild_id)
        await want_name(tx, match, at)


async def want_turning_point(tx: Transaction, match: Match, at: datetime) -> None:
    """Have the message that tells the result tell the turning point, too."""
    if match.place in {THREAD, CHANNEL}:
        await posts.want(tx, RESULT, match.id, at=at, guild_id=match.guild_id)


async def want_name(tx: Transaction, match: Match, at: datetime) -> None:
    """Have the thread of a match named anew."""
    await posts.want(tx, THREAD_NAME, match.id, at=at, guild_id=match.guild_id)
