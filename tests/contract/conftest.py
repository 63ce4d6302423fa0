"""Runs each test that asks for ``case`` once per game."""

from __future__ import annotations

import pytest

from tests.contract.games import cases


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Parametrise tests that ask for a case with every game."""
    if "case" in metafunc.fixturenames:
        metafunc.parametrize("case", cases(), ids=repr)
