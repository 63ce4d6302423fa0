"""Players of a match of three or four who have left its server: a computer takes their seats.

Discord tells nobody that a player leaves unless asked. It is asked whenever there is news of such a
match, and when another player looks at its board; answers are kept for a while
(`bot.permissions.members`), and where there is none nobody has left.
"""

from __future__ import annotations

import asyncio
from contextvars import Context
from typing import TYPE_CHECKING, TypeAlias

import structlog

from bot.errors import Refusal
from bot.matches.computers import is_person
from bot.matches.stand_ins import playing
from data import outbox
from data.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable

    from bot.matches.service import Matches
    from bot.shards.ownership import Shards
    from data.store import Store

Gone: TypeAlias = "Callable[[int | None, Iterable[int]], Awaitable[frozenset[int]]]"
"""Tells which of some users have left a server, see `bot.permissions.members`."""

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class Absences:
    """Gives the seats of players who have left to computers."""

    def __init__(self, store: Store, matches: Matches, gone: Gone, *, shards: Shards) -> None:
        """Look after the matches of a store; ``gone`` tells who of some users has left a server."""
        self._matches = matches
        self._shards = shards
        self._gone = gone
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._closed = False
        store.listen(outbox.TOPIC, self.look)

    def look(self, match_id: int) -> None:
        """Look whether players of a match have left, soon and in the background."""
        held = self._matches.positions.held(match_id)
        of_two = held is not None and len(held.match.players) <= 2
        if not match_id or of_two or match_id in self._tasks or self._closed:
            return
        # A context of its own: this is no part of answering the press that is news here.
        work = self._look(match_id)
        task = asyncio.create_task(work, name=f"absences-{match_id}", context=Context())
        self._tasks[match_id] = task
        task.add_done_callback(lambda _: self._tasks.pop(match_id, None))

    @property
    def busy(self) -> bool:
        """Whether somebody is looked for."""
        return bool(self._tasks)

    async def idle(self) -> None:
        """Wait until nobody is looked for."""
        while self._tasks:
            await asyncio.wait(set(self._tasks.values()))
            await asyncio.sleep(0)

    async def close(self) -> None:
        """Stop; who has left is found with the next news of the match."""
        self._closed = True
        for task in self._tasks.values():
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    async def _look(self, match_id: int) -> None:
        try:
            view = await self._matches.view(match_id)
            if view.match.finished or view.practice or len(view.match.players) <= 2:
                return
            if not self._shards.owns(view.match.guild_id):
                return
            people = [one.user_id for one in playing(view.match) if is_person(one.user_id)]
            gone = await self._gone(view.match.guild_id, people)
            for user_id in people:
                if user_id in gone:
                    await self._matches.leave(match_id, user_id)
        except (Refusal, StoreError) as error:
            log.info("who has left stays for now", match=match_id, why=str(error))
        except Exception:
            log.exception("cannot look who has left", match=match_id)
