"""The tables of processes that share a database: heartbeats, and the owners of shards."""

from __future__ import annotations

from sqlalchemy import Column, Index, Integer, Table, Text, false

from data.sql.columns import KEYED, Document, Flag, Instant, metadata

processes = Table(
    "processes",
    metadata,
    Column("id", Text, primary_key=True),
    Column("role", Text, nullable=False),
    Column("version", Text, nullable=False),
    Column("started_at", Instant, nullable=False),
    Column("heartbeat_at", Instant, nullable=False),
    Column("draining", Flag, nullable=False, server_default=false()),
    Column("replaces", Flag, nullable=False, server_default=false()),
    **KEYED,
)
"""The processes that work on this database, each with the time of its last heartbeat."""

shards = Table(
    "shards",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("epoch", Integer, nullable=False, server_default="0"),
    Column("owner", Text),
    Column("wanted_by", Text),
    Column("connected", Flag, nullable=False, server_default=false()),
    Column("handled", Document),
    Index("ix_shards_owner", "owner"),
    **KEYED,
)
"""Each shard with its owner, and the process taking it over, if any."""

identifies = Table(
    "identifies",
    metadata,
    Column("bucket", Integer, primary_key=True, autoincrement=False),
    Column("next_at", Instant, nullable=False),
    **KEYED,
)
"""When the next shard of each bucket may identify with Discord."""
