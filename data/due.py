"""Wakes the scheduler for what is to happen at a later moment."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from datetime import datetime

    from data.transaction import Transaction

TOPIC: Final = "due"
"""The topic that announces moments, in whole seconds since 1970."""


def announce(tx: Transaction, moment: datetime | None) -> None:
    """Announce that something in the store comes due at a moment, if it does."""
    if moment is not None:
        tx.announce(TOPIC, int(moment.timestamp()))
