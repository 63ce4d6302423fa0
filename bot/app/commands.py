"""Finds all commands: each feature declares its own in modules with telling names."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

import bot


@cache
def load() -> None:
    """Import every module of commands and controls; they register themselves."""
    for module in pkgutil.walk_packages(bot.__path__, "bot."):
        if module.name.endswith(("commands", "buttons", "views")):
            importlib.import_module(module.name)
