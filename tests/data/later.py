"""Migrations of a later version of the program."""

from __future__ import annotations

import shutil
from pathlib import Path

from data.store.upgrade import MIGRATIONS

LATER = '''
"""A revision of some later day."""

import sqlalchemy as sa
from alembic import op

revision = "9999"
down_revision = "{newest}"
WORKS_WITH = "{works_with}"


def upgrade():
    op.add_column("key_values", sa.Column("later", sa.Text()))
    {more}
'''


def newest_revision() -> str:
    """Return the newest revision by file name."""
    return max(path.name[1:5] for path in (MIGRATIONS / "versions").glob("v*.py"))


def copied_migrations(folder: Path) -> Path:
    """Return a copy of the migrations."""
    ignored = shutil.ignore_patterns("__pycache__")
    return Path(shutil.copytree(MIGRATIONS, folder / "migrations", ignore=ignored))


def later_migrations(folder: Path, more: str = "", works_with: str = "9999") -> Path:
    """Return the migrations of a later version of the program."""
    later = copied_migrations(folder)
    (later / "versions" / "v9999_later.py").write_text(
        LATER.format(newest=newest_revision(), more=more, works_with=works_with)
    )
    return later
