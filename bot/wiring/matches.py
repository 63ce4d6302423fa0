"""Builds the services of matches, of replays and moderation, and of leaderboards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.conditional_moves.service import ConditionalMoves
from bot.leaderboards.profiles import Profiles
from bot.leaderboards.seasons import SeasonTables
from bot.leaderboards.service import Leaderboards
from bot.matches.claims import Claims
from bot.matches.notes import Notes
from bot.matches.offers import Offers
from bot.matches.service import Matches
from bot.matches.takebacks import Takebacks
from bot.moderation.rated_play import RatedPlay
from bot.moderation.service import Moderation
from bot.records.import_export import ImportExport
from bot.replays.service import Replays
from bot.scheduling.deadlines import Deadlines
from bot.settings.service import SettingsStore
from bot.watching.service import Watching
from bot.workers.task_queue import TaskQueue
from data.store import Store

if TYPE_CHECKING:
    from bot.wiring.services import Services


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
