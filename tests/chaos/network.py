"""The network between the bot and Discord: every request takes time, and some fail."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Final

from playground.faults import Fault, Faults
from playground.request_log import Request

LATENCY: Final = 0.03
"""Maximum seconds for a request to arrive, for its answer, and for a commit."""


class Network(Faults):
    """Injected faults, a random latency for all other requests, and moments to kill at."""

    def __init__(self, dice: random.Random) -> None:
        """Draw latencies from dice."""
        super().__init__()
        self._dice = dice
        self.slow = True
        """Whether requests take time at all."""
        self.moment: Callable[[str], bool] = _never
        """Called at each moment before and after a request; if true, the connection breaks."""

    def match(self, request: Request) -> Fault | None:
        """Return the fault for a request."""
        if self.moment(f"before {request.route}"):
            return Fault(request.route, drop=True)
        if self.moment(f"after {request.route}"):
            return Fault(request.route, drop=True, after=True)
        found = super().match(request)
        if found is not None:
            return found
        half = self.latency()
        return Fault(request.route, delay=half, hold=half)

    def latency(self) -> float:
        """Return a random latency in seconds."""
        return self._dice.uniform(0.0, LATENCY) if self.slow else 0.0


def _never(_: str) -> bool:
    return False
