"""Reports what a process that lost its shards may have written to Discord afterwards.

A process asks before each request whether it still owns its shards. But it may be suspended in the
middle of one: the rest goes out when it resumes, perhaps over what the new owner has written
meanwhile. So once it has a place again, it asks the owner to write these messages once more.
"""

from __future__ import annotations

import secrets
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import structlog

from bot.core.shards.ownership import Shards
from bot.play.delivery.requests import Post
from bot.play.matches.jobs import REWRITE_JOB
from data.matches import matches, outbox
from data.store.store import Store

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


@dataclass(eq=False, repr=False)
class LateRequests:
    """The requests about matches that ended while this process may not have owned their shard."""

    shards: Shards
    _messages: defaultdict[int, set[int]] = field(
        default_factory=lambda: defaultdict(set), init=False
    )
    _posts: defaultdict[int, dict[int, Post]] = field(
        default_factory=lambda: defaultdict(dict), init=False
    )

    def ended(self, match_id: int, request: int | Post) -> None:
        """Note that the edit of a message, or a post, has ended or was cancelled."""
        if not self.shards.in_doubt:  # then it was not in doubt before either
            self._messages.clear()
            self._posts.clear()
        elif isinstance(request, Post):
            self._posts[match_id][request.mark] = request
        else:
            self._messages[match_id].add(request)

    @property
    def found(self) -> Sequence[int]:
        """The matches these requests are about, in order."""
        return sorted(self._messages.keys() | self._posts.keys())

    async def report(self, store: Store, at: datetime) -> None:
        """Ask the owners of the shards to write these messages once more.

        Raises:
            StoreError: nothing was reported.

        """
        found = self.found
        async with store.write() as tx:
            for match_id in found:
                if await matches.get(tx, match_id) is not None:
                    await outbox.put(
                        tx,
                        match_id=match_id,
                        kind=REWRITE_JOB,
                        payload=self._payload(match_id),
                        # Nothing names the job: the same messages may be concerned again.
                        nonce=secrets.token_hex(8),
                        at=at,
                    )
        if found:
            log.warning("messages are written once more after a silence", matches=found)
        self._messages.clear()
        self._posts.clear()

    def _payload(self, match_id: int) -> dict[str, Any]:
        posts = self._posts[match_id].values()
        return {
            "messages": sorted(self._messages[match_id]),
            "posts": [[post.mark, post.channel_id, post.ply] for post in posts],
        }
