"""Settings of servers and players, cached because every board needs them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping
from datetime import datetime
from typing import Any, Final, TypeAlias, TypeVar

import structlog
from cachetools import LRUCache
from pydantic import ValidationError

from bot.core.hooks import Hooks
from bot.core.scheduling.scheduler import WallClock
from bot.core.settings.player_settings import PlayerSettings
from bot.core.settings.server_settings import ServerSettings
from data import locks
from data.people import stored_settings
from data.people.stored_settings import PLAYER_CHANGED, SERVER_CHANGED
from data.store.store import Store, Transaction

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

_S = TypeVar("_S", ServerSettings, PlayerSettings)

OfServer: TypeAlias = "Callable[[Transaction, int, ServerSettings, datetime], Awaitable[object]]"

on_server_changed: Final[Hooks[OfServer]] = Hooks()
"""Called in the transaction that changes a server's settings, before it does, with the next ones."""

_SERVER_DEFAULTS: Final = ServerSettings()
_PLAYER_DEFAULTS: Final = PlayerSettings()
_MAX_CACHED: Final = 4096


class SettingsStore:
    """The settings of all servers and players."""

    def __init__(self, store: Store, *, clock: WallClock) -> None:
        """Read and write a store, with the time of day from ``clock``."""
        self._store = store
        self._clock = clock
        self._servers: LRUCache[int, ServerSettings] = LRUCache(_MAX_CACHED)
        self._players: LRUCache[int, PlayerSettings] = LRUCache(_MAX_CACHED)
        self._changes = 0
        """Bumped by each invalidation: anything read before it may be stale."""
        store.listen(SERVER_CHANGED, self.forget_server)
        store.listen(PLAYER_CHANGED, self.forget)
        store.listen_missed(self.forget_all)

    async def server(self, guild_id: int | None) -> ServerSettings:
        """Return a server's settings; the defaults in direct messages."""
        if guild_id is None:
            return _SERVER_DEFAULTS
        cached = self._servers.get(guild_id)
        if cached is not None:
            return cached
        changes = self._changes
        async with self._store.read() as tx:
            settings = await of_server(tx, guild_id)
        if changes == self._changes:
            self._servers[guild_id] = settings
        return settings

    async def player(self, user_id: int) -> PlayerSettings:
        """Return a player's settings."""
        cached = self._players.get(user_id)
        if cached is not None:
            return cached
        changes = self._changes
        async with self._store.read() as tx:
            settings = await of_player(tx, user_id)
        if changes == self._changes:
            self._players[user_id] = settings
        return settings

    async def player_in(self, tx: Transaction, user_id: int) -> PlayerSettings:
        """Return a player's settings, read in this transaction if not cached."""
        return (await self.players_in(tx, [user_id]))[user_id]

    async def players_in(
        self, tx: Transaction, user_ids: Collection[int]
    ) -> dict[int, PlayerSettings]:
        """Return several players' settings; those not cached are read at once.

        They are not cached then: a transaction may not see a change that was announced since it began.
        """
        found = {one: self._players[one] for one in user_ids if one in self._players}
        unknown = [one for one in user_ids if one not in found]
        if unknown:
            stored = await stored_settings.of_players(tx, unknown)
            found |= {one: _read(_PLAYER_DEFAULTS, stored.get(one) or {}) for one in unknown}
        return found

    async def change_server(self, guild_id: int, changes: Mapping[str, Any], *, by: int) -> None:
        """Change some of a server's settings; raise ValidationError for an invalid value.

        Concurrent changes are all kept.
        """
        async with self._store.write() as tx:
            await locks.lock_id(tx, guild_id)
            settings = _changed(await of_server(tx, guild_id), changes)
            now = self._clock()
            for follow in on_server_changed:
                await follow(tx, guild_id, settings, now)
            await stored_settings.put_server(tx, guild_id, _stored(settings), by=by, at=now)

    async def change_player(self, user_id: int, changes: Mapping[str, Any]) -> None:
        """Change some of a player's settings, as `change_server` does."""
        async with self._store.write() as tx:
            await locks.lock_id(tx, user_id)
            settings = _changed(await of_player(tx, user_id), changes)
            at = self._clock()
            await stored_settings.put_player(tx, user_id, _stored(settings), at=at)

    def forget(self, user_id: int) -> None:
        """Drop a player's cached settings: their data was deleted, or changed elsewhere."""
        self._changes += 1
        self._players.pop(user_id, None)

    def forget_server(self, guild_id: int) -> None:
        """Drop a server's cached settings: they were changed elsewhere."""
        self._changes += 1
        self._servers.pop(guild_id, None)

    def forget_all(self) -> None:
        """Drop the whole cache: anything may have been changed elsewhere."""
        self._changes += 1
        self._servers.clear()
        self._players.clear()


async def of_server(tx: Transaction, guild_id: int) -> ServerSettings:
    """Return a server's settings, read in a transaction."""
    return _read(_SERVER_DEFAULTS, await stored_settings.of_server(tx, guild_id))


async def of_player(tx: Transaction, user_id: int) -> PlayerSettings:
    """Return a player's settings, read in a transaction."""
    return _read(_PLAYER_DEFAULTS, await stored_settings.of_player(tx, user_id))


def _stored(settings: ServerSettings | PlayerSettings) -> dict[str, Any]:
    return settings.model_dump(mode="json", exclude_defaults=True)


def _changed(settings: _S, changes: Mapping[str, Any]) -> _S:
    return settings.__class__.model_validate({**settings.model_dump(), **changes})


def _read(defaults: _S, stored: Mapping[str, Any]) -> _S:
    """Return stored settings, with the default for each invalid value."""
    if not stored:
        return defaults
    kind = defaults.__class__
    try:
        return kind.model_validate(stored)
    except ValidationError as error:
        wrong = {str(one["loc"][0]) for one in error.errors(include_input=False) if one["loc"]}
        log.warning("stored settings cannot be read", fields=sorted(wrong))
        return kind.model_validate({k: v for k, v in stored.items() if k not in wrong})
