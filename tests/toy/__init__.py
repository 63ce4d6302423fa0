"""A test game proving that a game is one folder.

`dropped_in` installs the folder ``dash`` where the program finds its games; every layer then plays
it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import engine.games
from engine import registry
from engine.registry import AnyGame

SLUG = "dash"
FOLDER = Path(__file__).parent


@contextmanager
def dropped_in(folder: Path = FOLDER, slug: str = SLUG) -> Iterator[AnyGame]:
    """Install a folder's games for a while, and return one of them."""
    path = str(folder)
    engine.games.__path__.append(path)
    try:
        yield registry.game(slug)
    finally:
        engine.games.__path__.remove(path)
