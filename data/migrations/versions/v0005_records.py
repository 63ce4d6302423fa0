"""Records can be looked at like matches; what was found out before is found out anew."""

from __future__ import annotations

from typing import Any, Final

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

DOCUMENT: Final[sa.types.TypeEngine[Any]] = sa.JSON().with_variant(sa.Text(), "sqlite")


def upgrade() -> None:
    """Make room for what is found out about records, and forget what may be wrong."""
    op.add_column("imports", sa.Column("found", DOCUMENT))
    # Near an end that can be counted out, equities were nonsense. Whoever asks gets them anew.
    op.execute(sa.delete(sa.table("analyses")))
