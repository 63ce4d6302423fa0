"""The slash commands: one group a game, made from the registry, and the commands of all games."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from discord.app_commands import AppCommandContext, AppInstallationType

from bot.commands.block import block, blocked, unblock
from bot.commands.game import group
from bot.commands.games import games_command
from bot.commands.help import help_command
from bot.commands.leaderboard import leaderboard
from bot.commands.match import match_group
from bot.commands.me import me_group
from bot.commands.person import challenge_person
from bot.commands.privacy import privacy_group
from bot.commands.profile import profile, profile_of_person
from bot.commands.rivals import rivals
from bot.commands.seek import seek_all
from bot.commands.server import server_group
from bot.commands.time import back_command, vacation_command
from engine import registry

if TYPE_CHECKING:
    from discord import app_commands

__all__ = ["install"]

_OF_SERVERS = frozenset({"seek", "server"})
"""Commands that mean nothing outside a server."""


def install(tree: app_commands.CommandTree[Any]) -> None:
    """Add every command to a tree, offered wherever it makes sense."""
    add(tree)
    for command in tree.get_commands():
        if command.name not in _OF_SERVERS:
            command.allowed_installs = AppInstallationType(guild=True, user=True)
            command.allowed_contexts = AppCommandContext(
                guild=True, dm_channel=True, private_channel=True
            )


def add(tree: app_commands.CommandTree[Any]) -> None:
    """Add every command to a tree."""
    for game in registry.games().values():
        tree.add_command(group(game))
    tree.add_command(match_group())
    tree.add_command(help_command())
    tree.add_command(leaderboard())
    tree.add_command(profile())
    tree.add_command(rivals())
    tree.add_command(games_command())
    tree.add_command(seek_all())
    for command in (block(), unblock(), blocked()):
        tree.add_command(command)
    tree.add_command(challenge_person())
    tree.add_command(profile_of_person())
    me = me_group()
    me.add_command(vacation_command())
    me.add_command(back_command())
    tree.add_command(me)
    tree.add_command(privacy_group())
    tree.add_command(server_group())
