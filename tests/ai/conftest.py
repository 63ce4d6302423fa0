"""Runs each test that asks for ``game`` once per game, including one without a fast board."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engine import registry
from engine.registry import AnyGame
from tests.toy import SLUG, dropped_in


@pytest.fixture(autouse=True)
def _compiled(kernels: None) -> None:
    """Compile the kernels of all games."""


@pytest.fixture(params=[*registry.games(), SLUG])
def game(request: pytest.FixtureRequest) -> Iterator[AnyGame]:
    """Return a game; the toy is installed as one of the program's games."""
    with dropped_in():
        yield registry.game(request.param)
