"""The table of players' feats, of which the first and the best are milestones."""

from __future__ import annotations

from sqlalchemy import Column, ForeignKey, Index, Integer, Table, Text

from data.sql.columns import Id
from data.sql.schema import KEYED, metadata

feats = Table(
    "feats",
    metadata,
    Column("user_id", Id, primary_key=True),
    Column("kind", Text, primary_key=True),
    Column("game", Text, primary_key=True),
    Column("rules", Text, primary_key=True),
    Column("result_id", Id, ForeignKey("results.id", ondelete="CASCADE"), primary_key=True),
    Column("amount", Integer, nullable=False),
    Index("ix_feats_result_id", "result_id"),
    **KEYED,
)
"""Deleted with the result of its match; see `data.ratings.feats.Feat`."""
