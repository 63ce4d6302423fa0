"""Builds the bot's services and wires them together; starts and closes them in order."""

from __future__ import annotations

from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Final, TypeVar

import discord
import svcs

from bot import commands
from bot.analysis.puzzles import Puzzles
from bot.analysis.service import Analyses
from bot.challenges import buttons as challenge_buttons
from bot.challenges.blocks import Blocks
from bot.challenges.expiry import Expiry
from bot.challenges.message_views import ChallengeMessages
from bot.challenges.service import Challenges
from bot.client import Client
from bot.conditional_moves.service import ConditionalMoves
from bot.daily.service import DailyPuzzles
from bot.daily.source import DailySource
from bot.daily.views import DailyPosts
from bot.delivery.blocked_matches import BlockedMatches
from bot.delivery.board_messages import BoardMessages
from bot.delivery.deleted_boards import DeletedBoards
from bot.delivery.deliverer import Deliverer
from bot.delivery.direct_messages import DirectMessages
from bot.delivery.live_board import LiveBoard
from bot.delivery.open_interactions import OpenInteractions
from bot.delivery.outbox_worker import OutboxWorker
from bot.delivery.pings import Pings
from bot.delivery.places import Places
from bot.delivery.pruning import Pruning
from bot.delivery.request_budget import RequestBudget
from bot.delivery.results import Results
from bot.delivery.thread_names import ThreadNames
from bot.delivery.transport import ChannelTransport
from bot.delivery.unannounced_jobs import UnannouncedJobs
from bot.delivery.writer import Writer
from bot.guide.courses import Courses
from bot.guide.welcome_views import Welcomes
from bot.i18n.locales import Locales
from bot.interactions.dispatch import Dispatcher
from bot.interactions.reply import PATIENCE
from bot.interactions.tree import Tree
from bot.ladder.answering import LadderAnswers
from bot.ladder.posts_views import LadderPosts
from bot.ladder.service import Ladders
from bot.ladder.source import LadderSource
from bot.ladder.steps import LadderSteps
from bot.leaderboards.profiles import Profiles
from bot.leaderboards.seasons import SeasonTables
from bot.leaderboards.service import Leaderboards
from bot.matches.absences import Absences
from bot.matches.board_message_views import MoveHandler
from bot.matches.board_views import BoardController
from bot.matches.claims import Claims
from bot.matches.offers import Offers
from bot.matches.service import Matches
from bot.matches.takebacks import Takebacks
from bot.moderation.rated_play import RatedPlay
from bot.moderation.service import Moderation
from bot.monitoring.metrics import Metrics
from bot.notes.service import Notes
from bot.permissions.alerts import PermissionAlerts
from bot.permissions.members import Members
from bot.pictures.rendering import Renderer
from bot.practice.hints import Hints
from bot.practice.service import Practice
from bot.ratings.eligibility import Eligibility
from bot.replays.import_export import ImportExport
from bot.replays.service import Replays
from bot.roles.thinking import Thinking
from bot.scheduling.deadlines import Deadlines
from bot.scheduling.match_clocks import MatchClocks
from bot.scheduling.reachability import Reachability
from bot.scheduling.scheduler import Scheduler
from bot.scheduling.vacations import Vacations
from bot.settings.expired_limits import ExpiredLimits
from bot.settings.privacy import Privacy
from bot.settings.service import SettingsStore
from bot.shards.audience import Audience
from bot.shards.ownership import AllShards, Shards
from bot.shards.work import ShardWork
from bot.tournaments import pairing_workers
from bot.tournaments.importing import TournamentImports
from bot.tournaments.posting_views import TournamentMessages
from bot.tournaments.posts_views import TournamentPosts
from bot.tournaments.progress import Progress
from bot.tournaments.service import Tournaments
from bot.tournaments.steps import Steps
from bot.watching.service import Watching
from bot.watching.source import WatchSource
from bot.watching.views import EndMessages
from bot.workers.pool import WorkerPool
from bot.workers.task_queue import TaskQueue
from data.challenges import CHANGED
from data.store import Store

if TYPE_CHECKING:
    import asyncio

    from bot.scheduling.wall_clock import WallClock


T = TypeVar("T")

_HANDOVER: Final = 5.0
"""Seconds for other processes to take over shards when the bot closes."""
_GRACE: Final = 2.5
"""Seconds that callbacks in progress then have to finish."""


class App:
    """The bot in one process. Its services are found by type: ``app.get(Challenges)``."""

    def __init__(
        self,
        store: Store,
        renderer: Renderer,
        *,
        clock: WallClock,
        always_sync: bool = False,
        patience: float = PATIENCE,
        workers: WorkerPool | None = None,
        analysis_workers: WorkerPool | None = None,
        record_workers: WorkerPool | None = None,
        analyse_after: float | None = None,
        metrics: Metrics | None = None,
        shards: Shards | None = None,
        budget: RequestBudget | None = None,
        thinks: bool = True,
    ) -> None:
        """Build the bot on a store and a renderer.

        Args:
            store: open; closed by its owner.
            renderer: as above.
            clock: the time of day.
            always_sync: register the commands at every start, for a Discord that forgets them.
            patience: seconds before an interaction is acknowledged ahead of its answer.
            workers: choose the computers' moves; one process by default. Closed with the bot.
            analysis_workers: analyse finished matches; as above.
            record_workers: check imported records; as above.
            analyse_after: seconds before matches are analysed in the background; ``None`` analyses
                only those that users ask about.
            thinks: whether this process works on the task queue rather than leaving it to others.
            metrics: counts what happens; its own by default.
            shards: knows which shards this process owns; all by default.
            budget: limits requests; this process's share of Discord's limit by default.

        """
        self._registry = svcs.Registry()
        self._services = svcs.Container(self._registry)
        self._closing = AsyncExitStack()
        self._clock = clock
        self._always_sync = always_sync
        self._draining = False
        self.client = Client(self._services, self._begin)
        self._registry.register_value(discord.Client, self.client)
        self._shards = shards or AllShards()
        self._registry.register_value(Shards, self._shards)
        self._add(budget or RequestBudget(lambda: self._shards.processes))
        self._registry.register_value(Store, store)
        self._registry.register_value(Renderer, renderer)
        self._add(metrics or Metrics())
        settings = self._add(SettingsStore(store, clock=clock))
        self._add(Pings(store, settings, clock=clock))
        self._add(Locales(settings, self.client.locale_of))
        self._build_matches()
        self._build_challenges(patience)
        self._build_leaderboards()
        self._build_delivery()
        self._build_computers()
        self.pools: dict[str, WorkerPool] = {}
        """The worker pools of this process, by what they think about."""
        if thinks:
            self._build_thinking(
                Thinking(
                    store,
                    self.get(Matches),
                    clock=clock,
                    workers=workers,
                    analysis_workers=analysis_workers,
                    record_workers=record_workers,
                )
            )
        self._build_scheduling()
        self._build_tournaments()
        self._build_ladders()
        dispatcher = self._add(Dispatcher(self._services, patience=patience))
        self._closing.push_async_callback(dispatcher.drained, _GRACE)
        commands.load()
        self._tree = self._add(Tree(self.client, dispatcher))
        self._work = self._add(
            ShardWork(self._services, self._shards, thinks=thinks, analyse_after=analyse_after)
        )
        if self._shards.scope is not None:
            store.travels = Audience(self._shards, self.get(Matches).positions)
        self._closing.push_async_callback(self._work.close)
        self._closing.push_async_callback(self._shards.close)

    @property
    def resumed(self) -> asyncio.Event:
        """Set once the work of an earlier run has resumed."""
        return self._work.resumed

    def get(self, kind: type[T]) -> T:
        """Return a service by its type."""
        return self._services.get(kind)

    async def run(self, token: str) -> None:
        """Join Discord and serve until closed.

        Raises:
            discord.LoginFailure: Discord rejects the token.
            discord.DiscordException, OSError, aiohttp.ClientError: Discord cannot be reached.

        """
        await self.client.start(token)

    @property
    def ready(self) -> bool:
        """Whether players get answers: shards are connected and not being handed over."""
        return self._shards.complete and not self._draining

    async def drain(self) -> None:
        """Hand shards over to other processes, if there are any."""
        self._draining = True
        await self._shards.drain(_HANDOVER)

    async def close(self) -> None:
        """Finish callbacks in progress, then disconnect."""
        await self._closing.aclose()

    async def _begin(self) -> None:
        """Register the commands; heavier work waits until presses arrive."""
        await self.get(Locales).load()
        await self._tree.register(self.get(Store), self.get(Locales), always=self._always_sync)

    def _add(self, part: T) -> T:
        self._registry.register_value(type(part), part)
        return part

    def _build_matches(self) -> None:
        """Playing, replays and moderation."""
        store, clock, settings = self.get(Store), self._clock, self.get(SettingsStore)
        matches = self._add(Matches(store, Deadlines(settings), clock=clock))
        self._add(Replays(store))
        tasks = self._add(TaskQueue(store, clock=clock))
        self._add(ImportExport(store, tasks, clock=clock))
        self._add(Takebacks(store, matches, clock=clock))
        self._add(ConditionalMoves(store, matches))
        self._add(Notes(store, matches))
        self._add(Offers(store, matches, clock=clock))
        self._add(Claims(store, matches, clock=clock))
        self._add(RatedPlay(store, settings, clock=clock))
        self._add(Moderation(store, matches, clock=clock))

    def _build_challenges(self, patience: float) -> None:
        """Challenges, rematches and blocks."""
        store, clock = self.get(Store), self._clock
        deadlines = self.get(Matches).deadlines
        members = self._add(Members(self.client, clock=clock, wait=patience))
        challenges = self._add(Challenges(store, deadlines, members.departed, clock=clock))
        self._add(Blocks(store, clock=clock))
        absences = self._add(
            Absences(store, self.get(Matches), members.departed, shards=self._shards)
        )
        self._closing.push_async_callback(absences.close)
        eligibility = self._add(Eligibility(store))
        messages = self._add(
            ChallengeMessages(
                self.client,
                challenges,
                eligibility,
                self.get(Locales),
                self.get(Pings),
                renderer=self.get(Renderer),
                settings=self.get(SettingsStore),
                buttons=challenge_buttons.message_buttons,
            )
        )
        self._add(Expiry(store, messages.show, shards=self._shards, clock=clock))

    def _build_leaderboards(self) -> None:
        """Leaderboards and profiles."""
        store, clock = self.get(Store), self._clock
        self._add(Leaderboards(store, clock=clock))
        self._add(SeasonTables(store, clock=clock))
        self._add(Profiles(store, clock=clock))
        self._add(Watching(store, self.get(Matches), self.get(SettingsStore), clock=clock))

    def _build_delivery(self) -> None:
        """Delivery of committed changes to Discord."""
        store, clock, matches = self.get(Store), self._clock, self.get(Matches)
        settings, locales = self.get(SettingsStore), self.get(Locales)
        transport = self._add(ChannelTransport(self.client, self.get(Pings)))
        names = ThreadNames(self.get(Members), locales)
        challenge_messages = self.get(ChallengeMessages)
        places = self._add(
            Places(
                self.client,
                transport,
                store,
                matches,
                settings=settings,
                locales=locales,
                names=names,
                shards=self._shards,
                clock=clock,
                show_challenge=challenge_messages.show,
            )
        )
        board_messages = BoardMessages(
            store, matches, self.get(Renderer), settings=settings, clock=clock
        )
        writer = Writer(
            transport,
            store,
            matches,
            LiveBoard(board_messages, settings),
            places,
            results=Results(self.client, store, board_messages, names, challenge_messages.message),
            locales=locales,
            clock=clock,
        )
        self._add(Welcomes(self.client, store, self.get(Renderer), locales=locales, clock=clock))
        alerts = self._add(
            PermissionAlerts(
                self.client, store, locales=locales, pings=self.get(Pings), clock=clock
            )
        )
        interactions = self._add(OpenInteractions(self.get(Pings), clock))
        blocked = BlockedMatches(
            store, matches, places, alerts, interactions=interactions, clock=clock
        )
        deliverer = self._add(
            Deliverer(
                store,
                matches,
                writer,
                DeletedBoards(transport, store, matches, clock=clock),
                blocked,
                interactions=interactions,
                shards=self._shards,
            )
        )
        outbox = self._add(OutboxWorker(store, deliverer, blocked, interactions))
        self._add(UnannouncedJobs(store, outbox, shards=self._shards, clock=clock))
        self._add(Privacy(store, matches, settings, clock=clock, hold=deliverer.alone))
        self._closing.push_async_callback(self.client.close)
        self._closing.push_async_callback(outbox.close)
        boards = BoardController(
            matches, self.get(Renderer), outbox, interactions, settings=settings
        )
        self._registry.register_value(MoveHandler, self._add(boards))

    def _build_tournaments(self) -> None:
        """Tournaments, their steps and posts."""
        store, clock, shards = self.get(Store), self._clock, self._shards
        self._add(Tournaments(store, clock=clock))
        self._add(TournamentImports(store, clock=clock))
        self.pools["pairings"] = pairing_workers.workers()
        self._closing.push_async_callback(self.pools["pairings"].close)
        steps = Steps(
            store,
            self.get(Matches),
            self.get(Challenges),
            self.get(Members).departed,
            self.pools["pairings"],
            clock=clock,
        )
        posts = self._add(
            TournamentPosts(
                self.client,
                store,
                TournamentMessages(
                    self.client,
                    self.get(ChannelTransport),
                    self.get(Renderer),
                    locales=self.get(Locales),
                    settings=self.get(SettingsStore),
                ),
                self.get(PermissionAlerts),
                shards=shards,
                clock=clock,
            )
        )
        progress = self._add(Progress(store, steps, shards=shards, clock=clock))
        for part in (progress, posts):
            self.get(Scheduler).register(part)
            self._closing.push_async_callback(part.work.close)

    def _build_ladders(self) -> None:
        """Ladders, their steps and posts."""
        store, gone = self.get(Store), self.get(Members).departed
        settings = self.get(SettingsStore)
        self._add(Ladders(store, settings, gone, clock=self._clock))
        self._add(LadderAnswers(store, self.get(Challenges), gone, clock=self._clock))
        transport, locales = self.get(ChannelTransport), self.get(Locales)
        alerts = self.get(PermissionAlerts)
        posts = LadderPosts(self.client, store, transport, locales, alerts)
        steps = LadderSteps(store, gone, posts.is_here)
        source = self._add(
            LadderSource(
                store,
                steps,
                posts.post,
                posts.notify_lost,
                shards=self._shards,
                clock=self._clock,
            )
        )
        self.get(Scheduler).register(source)
        self._closing.push_async_callback(source.work.close)

    def _build_computers(self) -> None:
        """Practice, and what workers compute: hints, analyses, puzzles."""
        store, clock, matches = self.get(Store), self._clock, self.get(Matches)
        tasks = self.get(TaskQueue)
        self._add(Courses(store))
        self._add(Practice(store, self.get(Challenges), clock=clock))
        self._add(Analyses(store, tasks))
        self._add(Hints(store, matches, tasks))
        puzzles = self._add(Puzzles(store, clock=clock))
        self._add(DailyPuzzles(store, puzzles, self.get(SettingsStore), clock=clock))

    def _build_thinking(self, thinking: Thinking) -> None:
        """The thinking done in this process."""
        self._add(thinking)
        self._add(thinking.runner)
        self.pools |= thinking.pools
        self._registry.register_value(WorkerPool, thinking.workers)
        self._closing.push_async_callback(thinking.close)

    def _build_scheduling(self) -> None:
        """Deadlines, reminders, vacations and expiring challenges."""
        store, clock, matches = self.get(Store), self._clock, self.get(Matches)
        scheduler = self._add(Scheduler(store, clock=clock))
        vacations = self._add(Vacations(store, matches.deadlines, clock=clock))
        reachability = self._add(
            Reachability(
                store,
                clock=clock,
                ask=self.client.application_info,
                count=lambda: self._shards.count,
            )
        )
        reachability.listen(scheduler.wake)
        settings = self.get(SettingsStore)
        match_clocks = self._add(
            MatchClocks(
                store, matches, settings, vacations, reachability, shards=self._shards, clock=clock
            )
        )
        direct_messages = DirectMessages(
            self.client,
            store,
            self.get(ChannelTransport),
            self.get(Locales),
            matches,
            shards=self._shards,
            clock=clock,
        )
        unannounced = self.get(UnannouncedJobs)
        scheduler.register(unannounced, before_next=unannounced.catch_up)
        scheduler.register(self.get(Expiry))
        scheduler.register(match_clocks, before_next=match_clocks.check_outages)
        old = (Pruning(store, self._shards), ExpiredLimits(store, self._shards))
        more = (self._daily_puzzles(), self._watching(), *old)
        for source in (direct_messages, *more):
            scheduler.register(source)
        store.listen(CHANGED, lambda _: scheduler.wake())
        for end in (reachability.close, scheduler.close):
            self._closing.push_async_callback(end)

    def _daily_puzzles(self) -> DailySource:
        """Return the source that chooses and posts the daily puzzle."""
        store, puzzles = self.get(Store), self.get(DailyPuzzles)
        posts = DailyPosts(
            self.client,
            store,
            self.get(ChannelTransport),
            self.get(Renderer),
            puzzles=puzzles,
            members=self.get(Members),
            settings=self.get(SettingsStore),
            locales=self.get(Locales),
        )
        return DailySource(store, puzzles, posts.post, posts.stop, shards=self._shards)

    def _watching(self) -> WatchSource:
        """Return the source that notifies followers when a match ends."""
        store, settings = self.get(Store), self.get(SettingsStore)
        messages = EndMessages(
            self.client,
            self.get(Watching),
            self.get(ChannelTransport),
            settings=settings,
            locales=self.get(Locales),
            clock=self._clock,
        )
        return WatchSource(store, messages.send, settings=settings, shards=self._shards)
