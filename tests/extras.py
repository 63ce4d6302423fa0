"""Nothing to tidy up, for tests of requests alone."""

from __future__ import annotations

from bot.core.posts.failing_routes import Extras, FailingRoutes
from bot.core.scheduling.scheduler import WallClock


def no_extras() -> Extras:
    """Return extras that wake nothing."""
    return Extras(WallClock(), lambda: None, FailingRoutes(WallClock()))
