"""Builds the scheduler and what it runs: deadlines, reminders, vacations, daily puzzles."""

from __future__ import annotations

from collections.abc import Iterable

from bot.app.wiring.services import Services
from bot.core.hourly_limits import ExpiredLimits
from bot.core.i18n.locales import Locales
from bot.core.permissions.members import Members
from bot.core.posts.kinds import PostKind
from bot.core.posts.pings import Pings
from bot.core.posts.poster import Poster
from bot.core.scheduling.reachability import Reachability, ServerOutages
from bot.core.scheduling.scheduler import Scheduler
from bot.core.settings.service import SettingsStore
from bot.features.challenges.expiry import Expiry
from bot.features.challenges.message_views import ChallengeMessages
from bot.features.challenges.posts import ChallengePost
from bot.features.conditional_moves.buttons import MovePlayedPost
from bot.features.daily.buttons import DailyPost, TroublePost
from bot.features.daily.service import DailyPuzzles, DailySource
from bot.features.guide.welcome_views import WelcomePost
from bot.features.moderation.audit_buttons import DecisionPost
from bot.features.tournaments import posts as tournament_posts
from bot.features.watching.buttons import EndPost
from bot.features.watching.service import Watching
from bot.play.clocks.match_clocks import Absences, MatchClocks
from bot.play.clocks.posts import VacationEndingPost
from bot.play.clocks.service import Vacations
from bot.play.delivery.board_messages import BoardContents
from bot.play.delivery.deliverer import Deliverer
from bot.play.delivery.notices import (
    FirstNoticePost,
    NoticePost,
    OfferPost,
    ResultPost,
)
from bot.play.delivery.outbox_worker import Pruning, UnannouncedJobs
from bot.play.delivery.permission_posts import LostChannelPost, PermissionAlerts, PermissionPost
from bot.play.delivery.places import ThreadNamePost, ThreadNames
from bot.play.delivery.transport import OpenInteractions
from bot.play.matches.service import Matches
from bot.play.pictures.rendering import Renderer
from data.challenges.challenges import CHANGED
from data.store.store import Store


def build(services: Services) -> None:
    """Build the scheduler and register what it runs."""
    store, clock, matches = services.get(Store), services.clock, services.get(Matches)
    scheduler = services.add(Scheduler(store, clock=clock))
    vacations = services.add(Vacations(store, matches.deadlines, clock=clock))
    reachability = services.add(
        Reachability(
            store,
            clock=clock,
            ask=services.client.questions,
            count=lambda: services.shards.count,
        )
    )
    reachability.listen(scheduler.wake)
    outages = services.add(
        ServerOutages(store, services.client.is_available, shards=services.shards, clock=clock)
    )
    settings = services.get(SettingsStore)
    match_clocks = services.add(
        MatchClocks(
            store,
            matches,
            settings,
            vacations,
            reachability,
            absences=services.get(Absences),
            shards=services.shards,
            clock=clock,
        )
    )
    unannounced = services.get(UnannouncedJobs)
    scheduler.register(unannounced, before_next=unannounced.catch_up)
    scheduler.register(match_clocks, before_next=match_clocks.check_outages)
    scheduler.register(Pruning(store, services.shards))
    scheduler.register(ExpiredLimits(store, services.shards))
    posting = (
        services.get(Expiry),
        DailySource(store, services.get(DailyPuzzles), shards=services.shards),
    )
    for source in posting:
        scheduler.register_in_background(source)
    poster = services.get(Poster)
    poster.declare(_kinds(services))
    scheduler.register(poster, before_next=poster.before_next)
    store.listen(CHANGED, lambda _: scheduler.wake())
    for end in (outages.work.close, reachability.close, scheduler.close):
        services.on_close(end)


def _kinds(services: Services) -> Iterable[PostKind]:
    """Yield the kinds of posts."""
    store, settings, clock = services.get(Store), services.get(SettingsStore), services.clock
    client, locales = services.client, services.get(Locales)
    yield EndPost(client, services.get(Watching), settings, locales, clock=clock)
    yield DailyPost(
        client,
        store,
        services.get(Renderer),
        puzzles=services.get(DailyPuzzles),
        members=services.get(Members),
        settings=settings,
        locales=locales,
        clock=clock,
    )
    yield TroublePost(client, settings, locales)
    yield DecisionPost(store, settings, locales)
    yield VacationEndingPost(store, locales, clock=clock)
    yield MovePlayedPost(store, services.get(Matches), locales)
    yield PermissionPost(client, locales, clock=clock)
    yield LostChannelPost(services.get(Matches), locales)
    yield WelcomePost(client, services.get(Renderer), locales, clock=clock)
    yield ChallengePost(
        client,
        store,
        services.get(Matches),
        services.get(ChallengeMessages),
        locales,
        clock=clock,
    )
    matches, hold = services.get(Matches), services.get(Deliverer).alone
    yield ResultPost(store, matches, services.get(BoardContents), locales, hold=hold)
    yield ThreadNamePost(client, matches, services.get(ThreadNames), hold=hold)
    yield OfferPost(store, matches, services.get(OpenInteractions), locales)
    for notice in (NoticePost, FirstNoticePost):
        yield notice(
            store,
            matches,
            services.get(Pings),
            locales,
            services.get(PermissionAlerts),
            hold=hold,
            clock=clock,
        )
    yield tournament_posts.LostPost(client, store, locales, clock=clock)
    for kind in tournament_posts.POSTS:
        yield kind(
            client,
            store,
            services.get(Renderer),
            services.get(PermissionAlerts),
            locales=locales,
            settings=settings,
            clock=clock,
        )
