"""Compares migrations with their checksums in ``migrations.txt``, which is in sha256sum's format."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Final

RECORDED: Final = Path(__file__).with_name("migrations.txt")


def missing(versions: Path, recorded: Path = RECORDED) -> list[str]:
    """Return the lines to add: those of migrations in a folder that have none."""
    known = _names(recorded)
    return [
        f"{_checksum(path)}  {path.name}"
        for path in sorted(versions.glob("v*.py"))
        if path.name not in known
    ]


def changed(versions: Path, recorded: Path = RECORDED) -> list[str]:
    """Return the names of recorded migrations that are missing or differ, in order."""
    return [
        name
        for name, checksum in _names(recorded).items()
        if not (versions / name).exists() or _checksum(versions / name) != checksum
    ]


def _names(recorded: Path) -> dict[str, str]:
    lines = (line.split() for line in recorded.read_text(encoding="utf-8").splitlines())
    return {name: checksum for checksum, name in lines}


def _checksum(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
