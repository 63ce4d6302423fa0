"""Imports modules by what their names say; what they declare, they register themselves."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from typing import Final

import bot

INTERFACE: Final = ("commands", "buttons", "views", "posts")
"""Endings of the names of modules that declare commands, controls and kinds of posts."""


@cache
def load(*endings: str) -> None:
    """Import every module of the bot whose name ends with one of these."""
    for module in pkgutil.walk_packages(bot.__path__, "bot."):
        if module.name.endswith(endings):
            importlib.import_module(module.name)
