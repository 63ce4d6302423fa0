"""Nothing to tidy up, for tests of requests alone."""

from __future__ import annotations

from bot.core.posts.failing_routes import FailingRoutes
from bot.core.scheduling.wall_clock import SystemClock
from bot.play.delivery.extras import Extras


def no_extras() -> Extras:
    """Return extras that wake nothing."""
    return Extras(SystemClock(), lambda: None, FailingRoutes(SystemClock()))
