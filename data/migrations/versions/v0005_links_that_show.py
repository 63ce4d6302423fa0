"""Links that show a finished match, its analysis, or a tournament's table."""

from __future__ import annotations

from typing import Final

from alembic import op

revision = "0005"
down_revision = "0004"
WORKS_WITH = "0001"

_SQLITE: Final = (
    "CREATE TABLE share_links ("
    "id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, user_id INTEGER NOT NULL, "
    "secret_hash TEXT NOT NULL, kind TEXT NOT NULL, subject INTEGER NOT NULL, ply INTEGER, "
    "locale TEXT NOT NULL, since TEXT NOT NULL, "
    "CONSTRAINT ck_share_links_kind CHECK (kind IN ('match', 'analysis', 'tournament'))) STRICT"
)
_POSTGRESQL: Final = (
    "CREATE TABLE share_links ("
    "id BIGSERIAL NOT NULL, user_id BIGINT NOT NULL, secret_hash TEXT NOT NULL, "
    "kind TEXT NOT NULL, subject BIGINT NOT NULL, ply INTEGER, locale TEXT NOT NULL, "
    "since TIMESTAMPTZ NOT NULL, CONSTRAINT pk_share_links PRIMARY KEY (id), "
    "CONSTRAINT ck_share_links_kind CHECK (kind IN ('match', 'analysis', 'tournament')))"
)
_INDEXES: Final = (
    "CREATE UNIQUE INDEX ix_share_links_secret_hash ON share_links (secret_hash)",
    "CREATE INDEX ix_share_links_user_id ON share_links (user_id)",
    "CREATE INDEX ix_share_links_subject ON share_links (subject)",
)


def upgrade() -> None:
    """Add a table."""
    connection = op.get_bind()
    sqlite = connection.dialect.name == "sqlite"
    for statement in (_SQLITE if sqlite else _POSTGRESQL, *_INDEXES):
        connection.exec_driver_sql(statement)
