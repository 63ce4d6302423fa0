"""How far a task is: it reports, and who waits for it learns of it.

A task calls `report` as often as it likes, wherever it runs; where nobody listens nothing happens.
"""

from __future__ import annotations

from contextvars import ContextVar
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable

    Report: TypeAlias = "Callable[[float], None]"

LISTENER: ContextVar[Report | None] = ContextVar("LISTENER", default=None)
"""Who listens to the task that runs in this context."""


def report(share: float) -> None:
    """Tell that a task is done to this part, from 0 to 1."""
    listener = LISTENER.get()
    if listener is not None:
        listener(share)
