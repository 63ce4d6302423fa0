"""Notices another program that answers with the same token, from another database.

Discord sends each interaction to both. Whichever answers later learns that the interaction has been
acknowledged, and each gets presses on boards of matches that only the other knows. One such sign may
have another cause, such as a gateway that was replaced a moment ago. Several within minutes have not.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final, Literal

import structlog

from bot.core.metrics import Metrics
from bot.core.scheduling.scheduler import WallClock
from data.matches import matches
from data.sql import key_values
from data.sql.errors import StoreError
from data.store.store import Store

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

NOTICED: Final = "same_token"
"""The key of the time when signs of one were last noticed."""
SIGNS: Final = 3
"""Number of signs that make it certain."""
WITHIN: Final = timedelta(minutes=10)
"""The time within which they count, and between two reports."""


@dataclass(eq=False, repr=False)
class SameToken:
    """Counts the signs of another program, and reports them."""

    store: Store
    metrics: Metrics
    clock: WallClock
    _signs: deque[datetime] = field(default_factory=lambda: deque(maxlen=SIGNS), init=False)
    _reported: datetime | None = field(default=None, init=False)

    async def unknown_match(
        self, match_id: int, pressed: Mapping[str, Any], components: Sequence[Any]
    ) -> None:
        """Count a press on a match that is not in the store, if the message has what was pressed.

        Numbers that the store has given out are no sign: their matches may be gone.
        """
        if not _carries(components, str(pressed.get("custom_id"))):
            return  # a client can claim any
        with suppress(StoreError):
            async with self.store.read() as tx:
                last = await matches.last_number(tx)
            if match_id > last:
                await self.count("match")

    async def count(self, sign: Literal["acknowledged", "match"]) -> None:
        """Count a sign."""
        now = self.clock()
        self.metrics.same_token(sign)
        self._signs.append(now)
        if len(self._signs) < SIGNS or now - self._signs[0] > WITHIN:
            return
        if self._reported is not None and now - self._reported < WITHIN:
            return
        self._reported = now
        log.error(
            "another program answers with this bot's token",
            advice="Stop it, or reset the token. If there is none, `python -m bot doctor` says more.",
        )
        with suppress(StoreError):
            async with self.store.write() as tx:
                await key_values.set(tx, NOTICED, now.isoformat())


def _carries(components: Iterable[Any], custom_id: str) -> bool:
    return any(
        getattr(one, "custom_id", None) == custom_id
        or _carries(getattr(one, "children", ()), custom_id)
        or _carries(filter(None, [getattr(one, "accessory", None)]), custom_id)
        for one in components
    )
