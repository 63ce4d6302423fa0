"""Finds the games. There is no list: a folder under ``engine/games`` with a ``GAME`` is one."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, TypeAlias

import engine.games
from engine.errors import BadOption
from engine.game import Game
from engine.phrase import say

AnyGame: TypeAlias = Game[Any, Any]
"""A game whose position and move types the caller need not know."""


def games() -> Mapping[str, AnyGame]:
    """Return every game by its slug, in alphabetical order."""
    return _games(tuple(engine.games.__path__))


def game(slug: str) -> AnyGame:
    """Return one game.

    Raises:
        BadOption: no game of that name.

    """
    found = games().get(slug)
    if found is None:
        raise BadOption(
            say(
                "There's no game “{name}”. The games are {games}.",
                name=slug,
                games=", ".join(games()),
            )
        )
    return found


def title(slug: str) -> str:
    """Return the title of a game, or the slug of one that was removed."""
    found = games().get(slug)
    return slug if found is None else found.title


@cache
def _games(path: tuple[str, ...]) -> Mapping[str, AnyGame]:
    found: dict[str, AnyGame] = {}
    for module in sorted(pkgutil.iter_modules(path), key=lambda module: module.name):
        candidate = getattr(importlib.import_module(f"engine.games.{module.name}"), "GAME", None)
        if not isinstance(candidate, Game):
            raise TypeError(f"engine/games/{module.name} has no GAME")
        if candidate.slug in found:
            raise TypeError(f"two games are called {candidate.slug}")
        found[candidate.slug] = candidate
    return MappingProxyType(found)
