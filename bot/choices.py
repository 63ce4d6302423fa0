"""Finds what servers and players have chosen, and remembers it: each board asks for it."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, TypeVar

from bot.settings import PlayerSettings, ServerSettings
from data import choices

if TYPE_CHECKING:
    from bot.clock import Clock
    from data.store import Store, Transaction

_T = TypeVar("_T")

_NOTHING_CHOSEN = ServerSettings()
_USUAL = PlayerSettings()


class Choices:
    """The settings of all servers and players."""

    def __init__(self, store: Store, *, clock: Clock, keep: int = 4096) -> None:
        """Read and write a store, with the time of day from ``clock``; remember the last ones."""
        self._store = store
        self._clock = clock
        self._keep = keep
        self._servers: OrderedDict[int, ServerSettings] = OrderedDict()
        self._players: OrderedDict[int, PlayerSettings] = OrderedDict()

    async def server(self, guild_id: int | None) -> ServerSettings:
        """Return what a server has chosen; the defaults for direct messages."""
        if guild_id is None:
            return _NOTHING_CHOSEN
        held = self._servers.get(guild_id)
        if held is None:
            async with self._store.read() as tx:
                stored = await choices.of_server(tx, guild_id)
            held = ServerSettings.model_validate(stored) if stored else _NOTHING_CHOSEN
            _hold(self._servers, guild_id, held, self._keep)
        return held

    async def player(self, user_id: int) -> PlayerSettings:
        """Return what a player has chosen."""
        held = self._players.get(user_id)
        if held is None:
            async with self._store.read() as tx:
                held = await self.player_in(tx, user_id)
        return held

    async def player_in(self, tx: Transaction, user_id: int) -> PlayerSettings:
        """Return what a player has chosen, asking in a transaction where that is not known."""
        held = self._players.get(user_id)
        if held is None:
            stored = await choices.of_player(tx, user_id)
            held = PlayerSettings.model_validate(stored) if stored else _USUAL
            _hold(self._players, user_id, held, self._keep)
        return held

    async def set_server(self, guild_id: int, settings: ServerSettings, *, by: int) -> None:
        """Record what a server chooses from now on."""
        stored = settings.model_dump(mode="json", exclude_defaults=True)
        async with self._store.write() as tx:
            await choices.put_server(tx, guild_id, stored, by=by, at=self._clock())
        _hold(self._servers, guild_id, settings, self._keep)

    async def set_player(self, user_id: int, settings: PlayerSettings) -> None:
        """Record what a player chooses from now on."""
        stored = settings.model_dump(mode="json", exclude_defaults=True)
        async with self._store.write() as tx:
            await choices.put_player(tx, user_id, stored, at=self._clock())
        _hold(self._players, user_id, settings, self._keep)

    def forget(self, user_id: int) -> None:
        """Forget a player whose data was deleted."""
        self._players.pop(user_id, None)


def _hold(held: OrderedDict[int, _T], key: int, value: _T, keep: int) -> None:
    held[key] = value
    held.move_to_end(key)
    while len(held) > keep:
        held.popitem(last=False)
