"""Runs each test that asks for ``case`` once per game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.contract.games import cases

if TYPE_CHECKING:
    import pytest


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Parametrise tests that ask for a case with every game."""
    if "case" in metafunc.fixturenames:
        metafunc.parametrize("case", cases(), ids=repr)
