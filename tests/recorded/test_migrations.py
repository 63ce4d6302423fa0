"""Databases have run the recorded migrations: these never change again."""

from __future__ import annotations

from pathlib import Path

from data.store.upgrade import MIGRATIONS
from tests.recorded import migrations

VERSIONS = MIGRATIONS / "versions"


def test_each_migration_has_its_checksum() -> None:
    """One without a line could change after the first developer's database has run it."""
    lines = migrations.missing(VERSIONS)
    assert not lines, "add to tests/recorded/migrations.txt:\n" + "\n".join(lines)


def test_no_recorded_migration_has_changed() -> None:
    found = migrations.changed(VERSIONS)
    assert not found, f"restore {found} and write a new migration: CONTRIBUTING, Change a table"


def test_a_changed_or_missing_migration_is_noticed(tmp_path: Path) -> None:
    first = min(VERSIONS.glob("v*.py"))
    assert first.name in migrations.changed(tmp_path)
    (tmp_path / first.name).write_bytes(first.read_bytes() + b"\n")
    assert first.name in migrations.changed(tmp_path)
    (tmp_path / first.name).write_bytes(first.read_bytes())
    assert first.name not in migrations.changed(tmp_path)


def test_a_new_migration_without_a_checksum_is_noticed_with_its_line(tmp_path: Path) -> None:
    assert migrations.missing(tmp_path) == []
    (tmp_path / "v9999_later.py").write_bytes(b"revision = '9999'\n")
    (line,) = migrations.missing(tmp_path)
    checksum, name = line.split("  ")
    assert name == "v9999_later.py"
    assert len(checksum) == 64
