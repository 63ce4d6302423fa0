"""All declared commands as one tree of discord.py, guarded like the buttons."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any, Final, TypeVar

import discord
import structlog
from discord import app_commands
from discord.app_commands import AppCommandContext, AppInstallationType

from bot.core.i18n.command_names import CommandWords
from bot.core.interactions import discord_commands
from bot.core.interactions.commands import COMMANDS, CONTEXT_MENUS, GAME_COMMANDS, GROUPS
from engine import registry
from engine.phrase import say, shortened

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bot.core.i18n.locales import Locales
    from bot.core.interactions.commands import Declared
    from bot.core.interactions.dispatch import Dispatcher
    from engine.registry import AnyGame

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

_MAX_LABEL: Final = 100
_LEADING: Final = ("play", "help")
"""The commands that lead everywhere, listed before those of the games."""
_FIRST: Final = (*_LEADING, "challenge", "practice", "learn", "move", "board")
"""What newcomers need, listed first."""

Offered = TypeVar(
    "Offered",
    app_commands.Command[Any, Any, None],
    app_commands.Group,
    app_commands.ContextMenu,
)


class Tree(app_commands.CommandTree[discord.Client]):
    """All commands."""

    def __init__(self, client: discord.Client, dispatcher: Dispatcher) -> None:
        """Add every declared command, offered wherever it makes sense, run by a dispatcher."""
        super().__init__(client)
        self._dispatcher = dispatcher
        self._add_declared(d for d in COMMANDS if d.path[0] in _LEADING)
        for game in registry.games().values():
            for declared in sorted(GAME_COMMANDS, key=_rank):
                if declared.when(game):
                    self._game_group(game).add_command(
                        discord_commands.slash_command(declared, self._dispatcher, game)
                    )
        self._add_declared(d for d in COMMANDS if d.path[0] not in _LEADING)
        for declared in CONTEXT_MENUS:
            self.add_command(_everywhere(discord_commands.context_menu(declared, self._dispatcher)))

    async def described(self, locales: Locales) -> tuple[str, str, list[dict[str, Any]]]:
        """Return the key of the stored hash, the hash, and the commands in Discord's format."""
        translator = CommandWords(locales)
        await self.set_translator(translator)
        payload = [
            await command.get_translated_payload(self, translator)
            for command in self.get_commands(type=None)
        ]
        digest = hashlib.sha256(json.dumps(payload, sort_keys=True).encode()).hexdigest()
        return f"commands of {self.client.application_id}", digest, payload

    async def on_error(
        self, interaction: discord.Interaction[Any], error: app_commands.AppCommandError
    ) -> None:
        """Answer an error before a callback started, such as an option of the wrong kind."""
        if interaction.type is discord.InteractionType.autocomplete:
            log.info("nothing to suggest", reason=str(error))
            return

        async def fail() -> None:
            cause: BaseException = error
            if isinstance(error, app_commands.CommandInvokeError):
                cause = error.original
            raise cause

        await self._dispatcher.run(interaction, lambda _: fail())

    def _add_declared(self, found: Iterable[Declared]) -> None:
        for declared in sorted(found, key=_rank):
            command = discord_commands.slash_command(declared, self._dispatcher, None)
            if len(declared.path) == 1:
                self.add_command(command if declared.server_only else _everywhere(command))
            else:
                self._group(declared.path[0]).add_command(command)

    def _game_group(self, game: AnyGame) -> app_commands.Group:
        known = self.get_command(game.slug)
        if isinstance(known, app_commands.Group):
            return known
        # Translators: what a game is, in one line.
        summary = say("{game}: {summary}", game=game.title, summary=game.summary)
        group = app_commands.Group(name=game.slug, description=shortened(summary, _MAX_LABEL))
        self.add_command(_everywhere(group))
        return group

    def _group(self, name: str) -> app_commands.Group:
        known = self.get_command(name)
        if isinstance(known, app_commands.Group):
            return known
        declared = GROUPS[name]
        group = app_commands.Group(
            name=name,
            description=declared.description,
            guild_only=declared.managers,
            default_permissions=discord.Permissions(manage_guild=True)
            if declared.managers
            else None,
        )
        self.add_command(group if declared.managers else _everywhere(group))
        return group


def _rank(declared: Declared) -> int:
    name = declared.path[-1]
    return _FIRST.index(name) if name in _FIRST else len(_FIRST)


def _everywhere(command: Offered) -> Offered:
    """Offer a command in servers, direct messages and groups."""
    command.allowed_installs = AppInstallationType(guild=True, user=True)
    command.allowed_contexts = AppCommandContext(guild=True, dm_channel=True, private_channel=True)
    return command
