"""The time of day comes from outside, so that tests can let days pass."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import TypeAlias

Clock: TypeAlias = Callable[[], datetime]
"""Returns the present moment, aware and in UTC."""


def now() -> datetime:
    """Return the present moment by the machine's clock."""
    return datetime.now(UTC)
