"""The matches one process is responsible for: those in its shards' servers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import ColumnElement, func, literal_column

_BITS: Final = 22
"""Discord assigns servers to shards by the part of their id above these bits."""


def shard_of(guild_id: int | None, count: int) -> int:
    """Return the shard of a server among ``count``; direct messages belong to shard 0."""
    return 0 if guild_id is None else (guild_id >> _BITS) % count


@dataclass(frozen=True, slots=True)
class Scope:
    """A subset of the shards. Queries take ``None`` for all of them."""

    count: int
    """The total number of shards."""
    shards: frozenset[int]

    def covers(self, guild_id: ColumnElement[Any]) -> ColumnElement[bool]:
        """Return the condition that a server, or ``NULL`` for direct messages, is in scope."""
        # PostgreSQL shifts only by an integer, and a parameter beside a bigint would be a bigint.
        bits: ColumnElement[int] = literal_column(str(_BITS))
        shard = func.coalesce(guild_id, 0).bitwise_rshift(bits) % self.count
        return shard.in_(sorted(self.shards))


def within(guild_id: ColumnElement[Any], scope: Scope | None) -> tuple[ColumnElement[bool], ...]:
    """Return the conditions that a server is in scope: none for all shards."""
    return () if scope is None else (scope.covers(guild_id),)
