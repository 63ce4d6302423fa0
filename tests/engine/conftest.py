"""What paints the pictures of all games."""

from __future__ import annotations

import pytest

from render import Painter


@pytest.fixture(scope="session")
def painter() -> Painter:
    """One painter, as it keeps the boards it has painted."""
    return Painter()
