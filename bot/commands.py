"""All commands: every feature declares its own, and is found by the names of its modules."""

from __future__ import annotations

import importlib
import pkgutil
from typing import TYPE_CHECKING, Any

import bot
from bot.interactions import commands

if TYPE_CHECKING:
    from discord import app_commands

    from bot.interactions.dispatch import Dispatcher

__all__ = ["install", "load"]


def load() -> None:
    """Import every module of commands and controls, which register themselves."""
    for module in pkgutil.walk_packages(bot.__path__, "bot."):
        if module.name.endswith(("commands", "buttons", "views")):
            importlib.import_module(module.name)


def install(tree: app_commands.CommandTree[Any], dispatcher: Dispatcher) -> None:
    """Add the commands of all features to a tree."""
    load()
    commands.install(tree, dispatcher)
