"""Ports for programs that are told theirs, before they open it or while they are started again."""

from __future__ import annotations

import random
import socket
from contextlib import suppress
from typing import Final

_PORTS: Final = range(15_000, 32_000)
"""Below those that the system chooses: whatever other tests open meanwhile gets none of these."""


def free_port() -> int:
    """Return a port that nobody has."""
    while True:
        port = random.SystemRandom().choice(_PORTS)
        with socket.socket() as tried, suppress(OSError):
            tried.bind(("127.0.0.1", port))
            return port
