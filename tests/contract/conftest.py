"""Runs a test that asks for ``case`` once for every game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.contract.games import cases

if TYPE_CHECKING:
    import pytest


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Give every game to each test that asks for a case."""
    if "case" in metafunc.fixturenames:
        metafunc.parametrize("case", cases(), ids=repr)
