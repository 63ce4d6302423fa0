"""A test game with unequal sides: matches of two games, and agreed draws.

`dropped_in` installs the folder ``duel`` where the program finds its games.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path

from engine.registry import AnyGame
from tests import toy

SLUG = "duel"
FOLDER = Path(__file__).parent


def dropped_in() -> AbstractContextManager[AnyGame]:
    """Install the game for a while, and return it."""
    return toy.dropped_in(FOLDER, SLUG)
