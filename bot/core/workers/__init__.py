"""Worker processes and their tasks, which report their progress to a listener.

A task calls `report` as often as it likes, wherever it runs; without a listener nothing happens.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from typing import TypeAlias

Report: TypeAlias = "Callable[[float], None]"

LISTENER: ContextVar[Report | None] = ContextVar("LISTENER", default=None)
"""The listener of the task running in this context."""


def report(share: float) -> None:
    """Report that this share of a task is done, from 0 to 1."""
    listener = LISTENER.get()
    if listener is not None:
        listener(share)
