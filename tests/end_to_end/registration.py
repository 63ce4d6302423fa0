"""The commands of the bot, registered by the first bot of a run and known to Discord from then on.

Registering them takes longer than most tests: they are many, in every language.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from data import key_values

if TYPE_CHECKING:
    from data.store import Store
    from playground.app import Playground

ROUTE = "PUT /applications/{application_id}/commands"


@dataclass
class Registration:
    """What the first bot registered, and the note in its store that it did."""

    definitions: list[Any] | None = None
    note: str | None = None

    async def keep(self, playground: Playground, store: Store) -> None:
        """Keep what a bot has just registered, once for all tests."""
        sent = [request for request in playground.requests if request.route == ROUTE]
        if self.definitions is None and sent:
            async with store.read() as tx:
                self.note = await key_values.get(tx, _key(playground))
            self.definitions = sent[-1].json

    async def restore(self, playground: Playground, store: Store) -> None:
        """Let a bot and its Discord find the commands registered, if they have been before.

        A bot with other commands, for there is one more game, sends them all the same.
        """
        if self.definitions is None or self.note is None:
            return
        playground.world.commands.sync(None, self.definitions)
        async with store.write() as tx:
            await key_values.set(tx, _key(playground), self.note)


def _key(playground: Playground) -> str:
    return f"commands of {playground.world.application.id}"
