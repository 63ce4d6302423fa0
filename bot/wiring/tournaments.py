"""Builds tournaments, their steps and posts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.challenges.service import Challenges
from bot.delivery.transport import ChannelTransport
from bot.i18n.locales import Locales
from bot.matches.service import Matches
from bot.permissions.alerts import PermissionAlerts
from bot.permissions.members import Members
from bot.pictures.rendering import Renderer
from bot.scheduling.scheduler import Scheduler
from bot.settings.service import SettingsStore
from bot.tournaments import checking, pairing_workers
from bot.tournaments.entrants import Entrants
from bot.tournaments.importing import TournamentImports
from bot.tournaments.posting_views import TournamentMessages
from bot.tournaments.posts_views import TournamentPosts
from bot.tournaments.progress import Progress
from bot.tournaments.service import Tournaments
from bot.tournaments.steps import Steps
from data.store import Store

if TYPE_CHECKING:
    from bot.wiring.services import Services


def build(services: Services) -> None:
    """Build tournaments, and schedule their steps and posts."""
    store, clock, shards = services.get(Store), services.clock, services.shards
    services.add(Tournaments(store, clock=clock))
    services.add(Entrants(store, clock=clock))
    services.pools["pairings"] = pairing_workers.workers()
    services.pools["imports"] = checking.workers()
    for name in ("pairings", "imports"):
        services.on_close(services.pools[name].close)
    services.add(TournamentImports(store, services.pools["imports"], clock=clock))
    steps = Steps(
        store,
        services.get(Matches),
        services.get(Challenges),
        services.get(Members).departed,
        services.pools["pairings"],
        clock=clock,
    )
    posts = services.add(
        TournamentPosts(
            services.client,
            store,
            TournamentMessages(
                services.client,
                services.get(ChannelTransport),
                services.get(Renderer),
                locales=services.get(Locales),
                settings=services.get(SettingsStore),
            ),
            services.get(PermissionAlerts),
            shards=shards,
            clock=clock,
        )
    )
    progress = services.add(Progress(store, steps, shards=shards, clock=clock))
    for part in (progress, posts):
        services.get(Scheduler).register(part)
        services.on_close(part.work.close)
