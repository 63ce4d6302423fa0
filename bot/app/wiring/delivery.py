"""Builds the delivery of committed changes to Discord."""

from __future__ import annotations

from bot.app.wiring.services import Services
from bot.core.i18n.locales import Locales
from bot.core.permissions.members import Members
from bot.core.posts.failing_routes import FailingRoutes
from bot.core.posts.pings import Pings
from bot.core.posts.poster import Poster
from bot.core.settings.service import SettingsStore
from bot.features.guide.welcome_views import Welcomes
from bot.features.settings.privacy import Privacy
from bot.play.boards.board_message_views import MoveHandler
from bot.play.controls.board_views import BoardController
from bot.play.delivery.blocked_matches import BlockedMatches
from bot.play.delivery.board_messages import BoardContents
from bot.play.delivery.boards import Boards
from bot.play.delivery.deliverer import Deliverer
from bot.play.delivery.match_requests import LateRequests
from bot.play.delivery.outbox_worker import OutboxWorker, UnannouncedJobs
from bot.play.delivery.permission_posts import PermissionAlerts
from bot.play.delivery.places import Places, ThreadNames
from bot.play.delivery.transport import ChannelTransport, OpenInteractions
from bot.play.delivery.writer import Writer
from bot.play.matches.service import Matches
from bot.play.pictures.rendering import Renderer
from data.store.store import Store


def build(services: Services) -> None:
    """Build what posts, and what it needs to know."""
    store, clock, matches = services.get(Store), services.clock, services.get(Matches)
    settings, locales = services.get(SettingsStore), services.get(Locales)
    failing = services.add(FailingRoutes(clock))
    services.on_close(failing.close)
    transport = services.add(ChannelTransport(services.client, services.get(Pings)))
    poster = services.add(
        Poster(
            services.client,
            store,
            services.get(Pings),
            failing=failing,
            shards=services.shards,
            clock=clock,
        )
    )
    names = services.add(ThreadNames(services.get(Members), locales))
    places = services.add(
        Places(
            services.client,
            transport,
            store,
            matches,
            settings=settings,
            locales=locales,
            names=names,
            shards=services.shards,
            post_first=poster.post_first,
            clock=clock,
        )
    )
    contents = services.add(BoardContents(store, matches, services.get(Renderer), settings))
    alerts = services.add(PermissionAlerts(services.client, store, clock=clock))
    interactions = services.add(OpenInteractions(services.get(Pings), clock))
    blocked = BlockedMatches(
        store, matches, places, alerts, interactions=interactions, failing=failing, clock=clock
    )
    writer = Writer(
        transport,
        store,
        matches,
        contents,
        places,
        blocked=blocked,
        interactions=interactions,
        locales=locales,
        settings=settings,
        clock=clock,
    )
    deliverer = services.add(
        Deliverer(
            store,
            matches,
            writer,
            blocked,
            interactions=interactions,
            failing=failing,
            shards=services.shards,
        )
    )
    late = services.add(LateRequests(services.shards))
    services.add(
        Welcomes(
            services.client, store, services.get(Renderer), poster, locales=locales, clock=clock
        )
    )
    outbox = services.add(
        OutboxWorker(
            store,
            deliverer,
            blocked,
            interactions,
            late,
            failing=failing,
            retry_posts=poster.retry,
            clock=clock,
        )
    )
    services.add(UnannouncedJobs(store, outbox, shards=services.shards, clock=clock))
    services.add(Privacy(store, matches, settings, clock=clock, hold=deliverer.alone))
    services.on_close(services.client.close)
    services.on_close(poster.work.close)
    services.on_close(outbox.close)
    boards = services.add(
        Boards(store, matches, transport, deliverer, outbox, interactions=interactions, clock=clock)
    )
    controller = BoardController(matches, boards, interactions, settings=settings)
    services.add(services.add(controller), MoveHandler)
