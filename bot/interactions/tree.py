"""All commands as one tree: guarded as the buttons are, and registered with Discord."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

import discord
import structlog
from discord import app_commands

from bot.i18n.command_names import CommandWords
from data import key_values

if TYPE_CHECKING:
    from bot.i18n.locales import Locales
    from bot.interactions.dispatch import Dispatcher
    from data.store import Store

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class Tree(app_commands.CommandTree[discord.Client]):
    """All commands."""

    def __init__(self, client: discord.Client, dispatcher: Dispatcher) -> None:
        """Answer errors through a dispatcher."""
        super().__init__(client)
        self._dispatcher = dispatcher

    async def register(self, store: Store, locales: Locales, *, always: bool = False) -> None:
        """Send the commands to Discord, in every language.

        Discord allows 200 new commands a day, so they are sent only when they have changed.

        Args:
            store: where the hash of what was sent is kept.
            locales: the languages of the commands.
            always: send them in any case, to a Discord that forgets them.

        """
        translator = CommandWords(locales)
        await self.set_translator(translator)
        payload = [
            await command.get_translated_payload(self, translator)
            for command in self.get_commands(type=None)
        ]
        digest = hashlib.sha256(json.dumps(payload, sort_keys=True).encode()).hexdigest()
        key = f"commands of {self.client.application_id}"
        async with store.read() as tx:
            known = await key_values.get(tx, key)
        if known == digest and not always:
            return
        await self.sync()
        async with store.write() as tx:
            await key_values.set(tx, key, digest)
        log.info("commands synced", commands=len(payload))

    async def on_error(
        self, interaction: discord.Interaction[Any], error: app_commands.AppCommandError
    ) -> None:
        """Answer what went wrong before a callback began, such as a wrong kind of option."""
        if interaction.type is discord.InteractionType.autocomplete:
            log.info("nothing to suggest", why=str(error))
            return

        async def fail() -> None:
            cause: BaseException = error
            if isinstance(error, app_commands.CommandInvokeError):
                cause = error.original
            raise cause

        await self._dispatcher.run(interaction, lambda _: fail())
