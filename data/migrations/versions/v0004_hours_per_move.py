"""Hours per move, in matches and in what leads to them."""

from __future__ import annotations

from typing import Final

from alembic import op

revision = "0004"
down_revision = "0003"
WORKS_WITH = "0001"

_TABLES: Final = ("matches", "challenges", "tournaments")


def upgrade() -> None:
    """Add a column to three tables: null where the days are enough."""
    for table in _TABLES:
        op.get_bind().exec_driver_sql(f"ALTER TABLE {table} ADD COLUMN hours INTEGER")
