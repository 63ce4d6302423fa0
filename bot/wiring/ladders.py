"""Builds ladders, their steps and posts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.challenges.service import Challenges
from bot.delivery.transport import ChannelTransport
from bot.i18n.locales import Locales
from bot.ladder.answering import LadderAnswers
from bot.ladder.posts_views import LadderPosts
from bot.ladder.service import Ladders
from bot.ladder.source import LadderSource
from bot.ladder.steps import LadderSteps
from bot.permissions.alerts import PermissionAlerts
from bot.permissions.members import Members
from bot.scheduling.scheduler import Scheduler
from bot.settings.service import SettingsStore
from data.store import Store

if TYPE_CHECKING:
    from bot.wiring.services import Services


def build(services: Services) -> None:
    """Build ladders, and schedule their steps and posts."""
    store, gone = services.get(Store), services.get(Members).departed
    settings = services.get(SettingsStore)
    services.add(Ladders(store, settings, gone, clock=services.clock))
    services.add(LadderAnswers(store, services.get(Challenges), gone, clock=services.clock))
    transport, locales = services.get(ChannelTransport), services.get(Locales)
    alerts = services.get(PermissionAlerts)
    posts = LadderPosts(services.client, store, transport, locales, alerts)
    steps = LadderSteps(store, gone, posts.is_here)
    source = services.add(
        LadderSource(
            store,
            steps,
            posts.post,
            posts.notify_lost,
            shards=services.shards,
            clock=services.clock,
        )
    )
    services.get(Scheduler).register(source)
    services.on_close(source.work.close)
