"""Runs each test that asks for ``game`` once per game, including one without a fast board."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from engine import registry
from tests.toy import SLUG, dropped_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.registry import AnyGame


@pytest.fixture(autouse=True)
def _compiled(kernels: None) -> None:
    """Compile the kernels of all games."""


@pytest.fixture(params=[*registry.games(), SLUG])
def game(request: pytest.FixtureRequest) -> Iterator[AnyGame]:
    """Return a game; the toy is installed as one of the program's games."""
    with dropped_in():
        yield registry.game(request.param)
