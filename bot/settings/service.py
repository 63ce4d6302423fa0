"""Settings of servers and players, cached as every board needs them."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import TYPE_CHECKING, Any, TypeVar

import structlog
from pydantic import ValidationError

from bot.settings.declarations import PlayerSettings, ServerSettings
from data import stored_settings

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bot.scheduling.wall_clock import WallClock
    from data.store import Store, Transaction

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

_T = TypeVar("_T")
_S = TypeVar("_S", ServerSettings, PlayerSettings)

_NOTHING_CHOSEN = ServerSettings()
_USUAL = PlayerSettings()


class SettingsStore:
    """The settings of all servers and players."""

    def __init__(self, store: Store, *, clock: WallClock, keep: int = 4096) -> None:
        """Read and write a store, with the time of day from ``clock``; cache the last ``keep`` of each."""
        self._store = store
        self._clock = clock
        self._keep = keep
        self._servers: OrderedDict[int, ServerSettings] = OrderedDict()
        self._players: OrderedDict[int, PlayerSettings] = OrderedDict()
        self._changing = asyncio.Lock()

    async def server(self, guild_id: int | None) -> ServerSettings:
        """Return a server's settings; the defaults for direct messages."""
        if guild_id is None:
            return _NOTHING_CHOSEN
        held = self._servers.get(guild_id)
        if held is None:
            async with self._store.read() as tx:
                stored = await stored_settings.of_server(tx, guild_id)
            held = _read(_NOTHING_CHOSEN, stored)
            _hold(self._servers, guild_id, held, self._keep)
        return held

    async def player(self, user_id: int) -> PlayerSettings:
        """Return a player's settings."""
        held = self._players.get(user_id)
        if held is None:
            async with self._store.read() as tx:
                held = await self.player_in(tx, user_id)
        return held

    async def player_in(self, tx: Transaction, user_id: int) -> PlayerSettings:
        """Return a player's settings, read in this transaction if not cached."""
        held = self._players.get(user_id)
        if held is None:
            stored = await stored_settings.of_player(tx, user_id)
            held = _read(_USUAL, stored)
            _hold(self._players, user_id, held, self._keep)
        return held

    async def set_server(self, guild_id: int, settings: ServerSettings, *, by: int) -> None:
        """Replace a server's settings."""
        stored = settings.model_dump(mode="json", exclude_defaults=True)
        async with self._store.write() as tx:
            await stored_settings.put_server(tx, guild_id, stored, by=by, at=self._clock())
        _hold(self._servers, guild_id, settings, self._keep)

    async def set_player(self, user_id: int, settings: PlayerSettings) -> None:
        """Replace a player's settings."""
        stored = settings.model_dump(mode="json", exclude_defaults=True)
        async with self._store.write() as tx:
            await stored_settings.put_player(tx, user_id, stored, at=self._clock())
        _hold(self._players, user_id, settings, self._keep)

    async def change_server(
        self, guild_id: int, changed: Mapping[str, Any], *, by: int
    ) -> ServerSettings:
        """Change some settings of a server and return all.

        Concurrent changes are serialised, so none is lost.

        Raises:
            ValidationError: an invalid value.

        """
        async with self._changing:
            settings = _changed(await self.server(guild_id), changed)
            await self.set_server(guild_id, settings, by=by)
        return settings

    async def change_player(self, user_id: int, changed: Mapping[str, Any]) -> PlayerSettings:
        """Change some settings of a player and return all.

        Concurrent changes are serialised, so none is lost.

        Raises:
            ValidationError: an invalid value.

        """
        async with self._changing:
            settings = _changed(await self.player(user_id), changed)
            await self.set_player(user_id, settings)
        return settings

    def forget(self, user_id: int) -> None:
        """Drop a player's cached settings after their data was deleted."""
        self._players.pop(user_id, None)


async def of_server(tx: Transaction, guild_id: int) -> ServerSettings:
    """Return a server's settings as of a transaction."""
    return _read(_NOTHING_CHOSEN, await stored_settings.of_server(tx, guild_id))


def _changed(settings: _S, changed: Mapping[str, Any]) -> _S:
    return settings.__class__.model_validate({**settings.model_dump(), **changed})


def _read(usual: _S, stored: Mapping[str, Any]) -> _S:
    """Return stored settings, with the default for each invalid value."""
    if not stored:
        return usual
    kind = usual.__class__
    try:
        return kind.model_validate(stored)
    except ValidationError as error:
        wrong = {str(one["loc"][0]) for one in error.errors(include_input=False) if one["loc"]}
        log.warning("stored settings cannot be read", fields=sorted(wrong))
        return kind.model_validate({k: v for k, v in stored.items() if k not in wrong})


def _hold(held: OrderedDict[int, _T], key: int, value: _T, keep: int) -> None:
    held[key] = value
    held.move_to_end(key)
    while len(held) > keep:
        held.popitem(last=False)
