"""All commands: every feature declares its own, and is found by the names of its modules."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

import bot


@cache
def load() -> None:
    """Import every module of commands and controls, which register themselves."""
    for module in pkgutil.walk_packages(bot.__path__, "bot."):
        if module.name.endswith(("commands", "buttons", "views")):
            importlib.import_module(module.name)
