"""The slash commands: one group a game, made from the registry, and the commands of all games."""

from __future__ import annotations

import importlib
import pkgutil
from typing import TYPE_CHECKING, Any

from discord import app_commands
from discord.app_commands import AppCommandContext, AppInstallationType

import bot
from bot.analysis.commands import analysis_command
from bot.analysis.puzzle_commands import puzzle_command
from bot.interactions import commands
from bot.matches.lookup import suggest_matches
from bot.practice.hint_commands import hint_command
from bot.replays.commands import look_commands
from bot.replays.since_commands import since_command
from engine import registry
from engine.phrase import say, shortened

if TYPE_CHECKING:
    from bot.interactions.dispatch import Dispatcher
    from engine.registry import AnyGame

__all__ = ["install"]

_OF_SERVERS = frozenset({"seek", "server"})
"""Commands that mean nothing outside a server."""


def install(tree: app_commands.CommandTree[Any], dispatcher: Dispatcher) -> None:
    """Add every command to a tree, offered wherever it makes sense."""
    load_features()
    add(tree)
    commands.install(tree, dispatcher)
    for command in tree.get_commands():
        if command.name not in _OF_SERVERS:
            command.allowed_installs = AppInstallationType(guild=True, user=True)
            command.allowed_contexts = AppCommandContext(
                guild=True, dm_channel=True, private_channel=True
            )


def load_features() -> None:
    """Import every module of commands and controls: each declares what it has."""
    for module in pkgutil.walk_packages(bot.__path__, "bot."):
        if module.name.endswith(("commands", "buttons", "views")):
            importlib.import_module(module.name)


def add(tree: app_commands.CommandTree[Any]) -> None:
    """Add every command to a tree."""
    for game in registry.games().values():
        # Translators: what a game is, in one line.
        summary = say("{game}: {summary}", game=game.title, summary=game.summary)
        made = app_commands.Group(name=game.slug, description=shortened(summary, 100))
        for command in (_suggesting(since_command(game), game),):
            made.add_command(command)
        tree.add_command(made)
    match = app_commands.Group(name="match", description=say("Look into a match"))
    for command in (*look_commands(), hint_command(), analysis_command()):
        match.add_command(command)
    tree.add_command(match)
    tree.add_command(puzzle_command())


def _suggesting(
    command: app_commands.Command[Any, Any, None], game: AnyGame
) -> app_commands.Command[Any, Any, None]:
    command.autocomplete("match")(commands.completing(suggest_matches, game))
    return command
