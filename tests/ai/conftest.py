"""Runs a test that asks for ``game`` once for every game, one without a fast board too."""

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
    """Have the kernels of all games compiled."""


@pytest.fixture(params=[*registry.games(), SLUG])
def game(request: pytest.FixtureRequest) -> Iterator[AnyGame]:
    """Return a game; the toy is dropped in where the program finds its games."""
    with dropped_in():
        yield registry.game(request.param)
