"""The network between the bot and Discord: every request takes its time, and some fail."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from playground.faults import Fault, Faults

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

    from playground.request_log import Request

LATENCY: Final = 0.03
"""How many seconds a request takes there at most, its answer back, and a commit."""


class Network(Faults):
    """Faults on purpose, a random latency for every other request, and moments to kill at."""

    def __init__(self, dice: random.Random) -> None:
        """Let requests take as long as dice say."""
        super().__init__()
        self._dice = dice
        self.slow = True
        """Whether requests take time at all."""
        self.moment: Callable[[str], bool] = _never
        """Is told of each moment before and after a request; the line breaks if it says so."""

    def match(self, request: Request) -> Fault | None:
        """Return what befalls a request."""
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
        """Tell how long something takes that is neither quick nor slow."""
        return self._dice.uniform(0.0, LATENCY) if self.slow else 0.0


def _never(_: str) -> bool:
    return False
