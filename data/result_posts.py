"""Messages announcing how matches ended: the turning point is added, or the result taken back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from data import key_values

if TYPE_CHECKING:
    from data.transaction import Transaction


@dataclass(frozen=True, slots=True)
class ResultPost:
    """A message that announces how a match ended."""

    match_id: int
    channel_id: int
    message_id: int


async def put(tx: Transaction, post: ResultPost) -> None:
    """Store the post of a match."""
    await key_values.set(tx, _key(post.match_id), f"{post.channel_id} {post.message_id}")


async def of(tx: Transaction, match_id: int) -> ResultPost | None:
    """Return the post of a match, ``None`` if there is none."""
    value = await key_values.get(tx, _key(match_id))
    if value is None:
        return None
    channel_id, message_id = map(int, value.split())
    return ResultPost(match_id, channel_id, message_id)


def _key(match_id: int) -> str:
    return f"result:{match_id}"
