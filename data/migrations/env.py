"""Alembic's environment, on the connection and in the transaction of ``data.store.upgrade``."""

from __future__ import annotations

from alembic import context

from data.sql.columns import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,  # SQLite makes most alterations by copying the table
)
context.run_migrations()
