"""Builds ladders, their steps and posts."""

from __future__ import annotations

from collections.abc import Iterable

from bot.app.wiring.services import Services
from bot.core.i18n.locales import Locales
from bot.core.permissions.members import Members
from bot.core.posts.kinds import PostKind
from bot.core.posts.poster import Poster
from bot.core.scheduling.scheduler import Scheduler
from bot.core.settings.service import SettingsStore
from bot.features.ladder.answering import LadderAnswers
from bot.features.ladder.posts import (
    ChallengePost,
    LadderPost,
    LostPost,
    MovedPost,
    OutcomePost,
    ReminderPost,
)
from bot.features.ladder.service import Ladders
from bot.features.ladder.source import LadderSource
from bot.features.ladder.steps import LadderSteps
from bot.play.delivery.permission_posts import PermissionAlerts
from bot.play.matches.service import Matches
from data.store.store import Store


def build(services: Services) -> None:
    """Build ladders, and schedule their steps and posts."""
    store, gone = services.get(Store), services.get(Members).departed
    settings = services.get(SettingsStore)

    def is_here(guild_id: int) -> bool:
        guild = services.client.get_guild(guild_id)
        return guild is not None and not guild.unavailable

    services.add(Ladders(store, settings, gone, clock=services.clock))
    deadlines = services.get(Matches).deadlines
    services.add(LadderAnswers(store, deadlines, gone, clock=services.clock))
    steps = LadderSteps(store, gone, is_here)
    services.get(Scheduler).register(LadderSource(store, steps, shards=services.shards))
    services.get(Poster).declare(_kinds(services))


def _kinds(services: Services) -> Iterable[PostKind]:
    """Yield the kinds of posts about ladders."""
    store, locales, clock = services.get(Store), services.get(Locales), services.clock
    alerts = services.get(PermissionAlerts)
    for kind in (LadderPost, ChallengePost, ReminderPost, OutcomePost):
        yield kind(store, locales, alerts, clock=clock)
    yield MovedPost(store, locales)
    yield LostPost(services.client, store, locales, clock=clock)
