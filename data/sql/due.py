"""Wakes the scheduler for future events."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from data.sql.transaction import Transaction

TOPIC: Final = "due"
"""The topic that announces times, in whole seconds since 1970."""


def announce(tx: Transaction, moment: datetime | None) -> None:
    """Announce when something in the store falls due; ``None`` announces nothing."""
    if moment is not None:
        tx.announce(TOPIC, int(moment.timestamp()))
