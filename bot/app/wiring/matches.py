"""Builds the services of matches, of replays and moderation, and of leaderboards."""

from __future__ import annotations

from bot.app.wiring.services import Services
from bot.core.settings.service import SettingsStore
from bot.core.workers.task_queue import TaskQueue
from bot.features.conditional_moves.service import ConditionalMoves
from bot.features.leaderboards.profiles import Profiles
from bot.features.leaderboards.service import Leaderboards, SeasonTables
from bot.features.moderation.service import Moderation, RatedPlay
from bot.features.records.import_export import ImportExport
from bot.features.watching.service import Watching
from bot.play.clocks.service import Claims
from bot.play.matches.deadlines import Deadlines
from bot.play.matches.notes import Notes
from bot.play.matches.offers import Offers, Takebacks
from bot.play.matches.service import Matches
from bot.play.replays.service import Replays
from data.store.store import Store


def build(services: Services) -> None:
    """Build what plays, replays and moderates matches, and counts their results."""
    store, clock, settings = services.get(Store), services.clock, services.get(SettingsStore)
    matches = services.add(Matches(store, Deadlines(settings), clock=clock))
    services.add(Replays(store))
    tasks = services.add(TaskQueue(store, clock=clock))
    services.add(ImportExport(store, tasks, clock=clock))
    services.add(Takebacks(store, matches, clock=clock))
    services.add(ConditionalMoves(store, matches))
    services.add(Notes(store, matches))
    services.add(Offers(store, matches, clock=clock))
    services.add(Claims(store, matches, clock=clock))
    services.add(RatedPlay(store, clock=clock))
    services.add(Moderation(store, matches, clock=clock))
    services.add(Leaderboards(store, clock=clock))
    services.add(SeasonTables(store, clock=clock))
    services.add(Profiles(store, clock=clock))
    services.add(Watching(store, matches, settings, clock=clock))
