"""A test game with unequal sides: matches of two games, and agreed draws.

`dropped_in` installs the folder ``duel`` where the program finds its games.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tests import toy

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from engine.registry import AnyGame

SLUG = "duel"
FOLDER = Path(__file__).parent


def dropped_in() -> AbstractContextManager[AnyGame]:
    """Install the game for a while, and return it."""
    return toy.dropped_in(FOLDER, SLUG)
