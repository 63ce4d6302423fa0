"""Gives the seats of players who leave the server, in matches of three or four, to computers.

Discord reports departures only when asked. We ask after every change to such a match, when another
player looks at its board, and when a player's time runs short. Answers are cached (`bot.core.permissions.members`); without an
answer, a player counts as present.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from contextvars import Context
from typing import Protocol

import structlog

from bot.core.computers import is_person
from bot.core.errors import Refusal
from bot.core.shards.ownership import Shards
from bot.play.matches.service import Matches
from bot.play.matches.stand_ins import playing
from data.matches import outbox
from data.sql.errors import StoreError
from data.store.store import Store

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class FindDeparted(Protocol):
    """Finds which of some users have left a server; see `bot.core.permissions.members`."""

    async def __call__(
        self, guild_id: int | None, user_ids: Iterable[int], /, *, afresh: bool = False
    ) -> frozenset[int]:
        """Return them; ask Discord ``afresh`` rather than rely on an earlier answer."""


class Absences:
    """Gives the seats of players who have left to computers."""

    def __init__(
        self, store: Store, matches: Matches, find_departed: FindDeparted, *, shards: Shards
    ) -> None:
        """Watch the matches of a store; ``find_departed`` returns which users have left a server."""
        self._matches = matches
        self._shards = shards
        self._find_departed = find_departed
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._closed = False
        store.listen(outbox.TOPIC, self.check)

    def check(self, match_id: int) -> None:
        """Check in the background whether players of a match have left."""
        cached = self._matches.positions.cached(match_id)
        of_two = cached is not None and len(cached.match.players) <= 2
        if not match_id or of_two or match_id in self._tasks or self._closed:
            return
        # A separate context: this is not part of answering the press that triggered it.
        work = self._check(match_id)
        task = asyncio.create_task(work, name=f"absences-{match_id}", context=Context())
        self._tasks[match_id] = task
        task.add_done_callback(lambda _: self._tasks.pop(match_id, None))

    @property
    def busy(self) -> bool:
        """Whether a check is running."""
        return bool(self._tasks)

    async def idle(self) -> None:
        """Wait until no check is running."""
        while self._tasks:
            await asyncio.wait(set(self._tasks.values()))
            await asyncio.sleep(0)

    async def close(self) -> None:
        """Stop; the next change to a match finds the departures missed here."""
        self._closed = True
        for task in self._tasks.values():
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    async def _check(self, match_id: int) -> None:
        try:
            view = await self._matches.view(match_id)
            if view.match.finished or view.practice or len(view.match.players) <= 2:
                return
            if not self._shards.owns(view.match.guild_id):
                return
            people = [one.user_id for one in playing(view.match) if is_person(one.user_id)]
            departed = await self._find_departed(view.match.guild_id, people)
            for user_id in people:
                if user_id in departed:
                    await self._matches.leave(match_id, user_id)
        except (Refusal, StoreError) as error:
            log.info(
                "a player who has left stays in the match for now",
                match=match_id,
                reason=str(error),
            )
        except Exception:
            log.exception("could not check who has left", match=match_id)
