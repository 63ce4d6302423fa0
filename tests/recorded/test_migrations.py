"""Databases have run the recorded migrations: these never change again."""

from __future__ import annotations

import hashlib
from pathlib import Path

from data.store.upgrade import MIGRATIONS

RECORDED = Path(__file__).with_name("migrations.txt")


def changed(versions: Path) -> list[str]:
    """Return the names of recorded migrations that are missing or differ, in order."""
    lines = (line.split() for line in RECORDED.read_text(encoding="utf-8").splitlines())
    return [
        name
        for checksum, name in lines
        if not (versions / name).exists()
        or hashlib.sha256((versions / name).read_bytes()).hexdigest() != checksum
    ]


def test_no_recorded_migration_has_changed() -> None:
    found = changed(MIGRATIONS / "versions")
    assert not found, f"restore {found} and write a new migration: CONTRIBUTING, Change a table"


def test_a_changed_or_missing_migration_is_noticed(tmp_path: Path) -> None:
    first = min((MIGRATIONS / "versions").glob("v*.py"))
    assert first.name in changed(tmp_path)
    (tmp_path / first.name).write_bytes(first.read_bytes() + b"\n")
    assert first.name in changed(tmp_path)
    (tmp_path / first.name).write_bytes(first.read_bytes())
    assert first.name not in changed(tmp_path)
