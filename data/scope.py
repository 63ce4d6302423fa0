"""The part of the matches that one process looks after: those of the servers of its shards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import func, literal_column

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement

_BITS: Final = 22
"""Discord divides servers by the part of their id above these bits."""


def shard_of(guild_id: int | None, count: int) -> int:
    """Return the shard of a server among ``count``; direct messages belong to shard 0."""
    return 0 if guild_id is None else (guild_id >> _BITS) % count


@dataclass(frozen=True, slots=True)
class Scope:
    """Some of all shards. Where a query takes ``None`` instead, it means all of them."""

    count: int
    """How many shards there are."""
    shards: frozenset[int]

    def covers(self, guild_id: ColumnElement[Any]) -> ColumnElement[bool]:
        """Return the condition that a server, or ``NULL`` for direct messages, is in scope."""
        # PostgreSQL shifts by an integer only, and a parameter beside a bigint would be one.
        bits: ColumnElement[int] = literal_column(str(_BITS))
        shard = func.coalesce(guild_id, 0).bitwise_rshift(bits) % self.count
        return shard.in_(sorted(self.shards))
