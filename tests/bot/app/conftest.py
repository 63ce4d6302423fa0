"""What tests of backups share."""

from __future__ import annotations

import os

import pytest

from tests.databases import client_programs


@pytest.fixture
def programs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use the pg_dump that belongs to the test server."""
    monkeypatch.setenv("PATH", f"{client_programs()}{os.pathsep}{os.environ['PATH']}")
