"""Builds tournaments and their steps."""

from __future__ import annotations

from bot.app.wiring.services import Services
from bot.core.permissions.members import Members
from bot.core.scheduling.scheduler import Scheduler
from bot.features.tournaments import checking, pairing_workers
from bot.features.tournaments.entrants import Entrants
from bot.features.tournaments.importing import TournamentImports
from bot.features.tournaments.progress import Progress
from bot.features.tournaments.service import Tournaments
from bot.features.tournaments.steps import Steps
from bot.play.matches.service import Matches
from data.store.store import Store


def build(services: Services) -> None:
    """Build tournaments, and schedule their steps."""
    store, clock = services.get(Store), services.clock
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
        services.get(Members).departed,
        services.pools["pairings"],
        clock=clock,
    )
    progress = services.add(Progress(store, steps, shards=services.shards, clock=clock))
    services.get(Scheduler).register(progress)
    services.on_close(progress.work.close)
