"""The parts of the bot and how they know each other: what the client is made of."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, cast

import discord
import svcs

from bot.analysis.puzzles import Puzzles
from bot.analysis.queue import AnalysisQueue
from bot.analysis.records import Records
from bot.challenges.blocks import Blocks
from bot.challenges.buttons import ChallengeMessages
from bot.challenges.expiry import Expiry
from bot.challenges.open_challenges import OpenChallenges
from bot.challenges.rematches import Rematches
from bot.challenges.service import Challenges
from bot.delivery.board_messages import BoardMessages
from bot.delivery.direct_messages import DirectMessages
from bot.delivery.outbox_worker import OutboxWorker
from bot.delivery.places import Places
from bot.delivery.transport import ChannelTransport
from bot.delivery.writer import Writer
from bot.i18n.locales import Locales
from bot.interactions.dispatch import Dispatcher
from bot.interactions.reply import PATIENCE
from bot.leaderboards.profiles import Profiles
from bot.leaderboards.service import Leaderboards
from bot.leaderboards.visibility import Visibility
from bot.matches.board_views import Table
from bot.matches.claims import Claims
from bot.matches.games import OpenGames
from bot.matches.move_buttons import MoveHandler
from bot.matches.service import Matches
from bot.matches.takebacks import Takebacks
from bot.moderation.rated_play import RatedPlay
from bot.moderation.service import Moderation
from bot.permissions.alerts import PermissionAlerts
from bot.permissions.members import Members
from bot.practice.hints import Hints
from bot.practice.opponents import Opponents
from bot.practice.service import Practice
from bot.ratings.eligibility import Eligibility
from bot.ratings.recomputing_task import RecomputingTask
from bot.replays.import_export import ImportExport
from bot.replays.service import Replays
from bot.scheduling.match_clocks import MatchClocks
from bot.scheduling.scheduler import Scheduler
from bot.scheduling.vacations import Vacations
from bot.settings.privacy import Privacy
from bot.settings.service import Choices
from bot.workers.pool import WorkerPool
from data import challenges

if TYPE_CHECKING:
    from bot.client import Bot
    from bot.pictures.rendering import Renderer
    from bot.scheduling.wall_clock import Clock
    from data.store import Store


class Wired(discord.Client):
    """A client with all parts of the bot, which work once it is connected.

    It needs no privileged intent: commands and presses bring all it must know.
    """

    def __init__(
        self,
        store: Store,
        studio: Renderer,
        *,
        clock: Clock,
        patience: float = PATIENCE,
        workers: WorkerPool | None = None,
        analysis_workers: WorkerPool | None = None,
    ) -> None:
        """Make the parts; see `bot.client.Bot` for what they are made with."""
        # Nobody here speaks, so nobody needs to hear that the voice libraries are missing.
        discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False
        super().__init__(
            intents=discord.Intents(guilds=True),
            max_messages=None,
            allowed_mentions=discord.AllowedMentions.none(),
        )
        self.store = store
        self.studio = studio
        self.patience = patience
        self._clock = clock
        self._bot = cast("Bot", self)  # which alone is ever made
        self.choices = Choices(store, clock=clock)
        self.tongues = Locales(self.choices, self._locale_of)
        self._poster = ChannelTransport(self._bot, self.choices)
        self._play()
        self._meet()
        self._rate()
        self._deliver()
        self._practise(workers, analysis_workers)
        self._keep_time()
        self.services = svcs.Container(self._registry())
        self.dispatcher = Dispatcher(self.services, patience=patience)

    def _registry(self) -> svcs.Registry:
        """Return every part by its type."""
        registry = svcs.Registry()
        registry.register_value(discord.Client, self)
        for name, part in list(vars(self).items()):
            if not name.startswith("_") and type(part).__module__.startswith(("bot.", "data.")):
                registry.register_factory(type(part), partial(getattr, self, name))
        registry.register_value(MoveHandler, self.table)
        return registry

    def _play(self) -> None:
        """Let matches be played, looked back at, and decided upon by moderators."""
        store, clock = self.store, self._clock
        self.matches = Matches(store, clock=clock, choices=self.choices)
        self.games = OpenGames(store, self.matches)
        self.reels = Replays(store)
        self.exchange = ImportExport(store, clock=clock)
        self.takebacks = Takebacks(store, self.matches, clock=clock)
        self.claims = Claims(store, self.matches, clock=clock)
        self.privacy = Privacy(store, self.matches, self.choices, clock=clock)
        self.recomputing = RecomputingTask(store, clock=clock)
        self.exclusion = RatedPlay(store, clock=clock)
        self.moderation = Moderation(store, self.matches, clock=clock)

    def _meet(self) -> None:
        """Let players find each other."""
        store, clock = self.store, self._clock
        self.challenges = Challenges(store, self.matches, clock=clock)
        self.rematches = Rematches(store, self.challenges, clock=clock)
        self.open_challenges = OpenChallenges(store, clock=clock)
        self.blocks = Blocks(store, clock=clock)
        self.members = Members(self._bot, clock=clock, wait=self.patience)
        self.eligibility = Eligibility(store)
        self.challenge_messages = ChallengeMessages(
            self._bot, self.challenges, self.eligibility, self.tongues
        )
        self.expiry = Expiry(store, self.challenge_messages.show, clock=clock)

    def _rate(self) -> None:
        """Let players see how they stand."""
        self.boards = Leaderboards(self.store, clock=self._clock)
        self.visibility = Visibility(self.choices)
        self.profiles = Profiles(self.store, clock=self._clock)

    def _deliver(self) -> None:
        """Bring boards to Discord, and let them be played on."""
        self.places = Places(
            self._bot,
            self._poster,
            self.store,
            self.matches,
            choices=self.choices,
            tongues=self.tongues,
            clock=self._clock,
            show_challenge=self.challenge_messages.show,
        )
        store, clock = self.store, self._clock
        writer = Writer(
            self._poster,
            store,
            self.matches,
            BoardMessages(store, self.matches, self.studio, choices=self.choices, clock=clock),
            self.places,
            choices=self.choices,
            locales=self.tongues,
            clock=clock,
        )
        self.courier = OutboxWorker(
            store,
            self.matches,
            writer,
            self.places,
            PermissionAlerts(self._bot, store, tongues=self.tongues, clock=clock),
            choices=self.choices,
            clock=clock,
        )
        self.table = Table(self.matches, self.studio, self.courier, choices=self.choices)

    def _practise(self, workers: WorkerPool | None, analysis_workers: WorkerPool | None) -> None:
        """Computer opponents, hints, analysis and puzzles."""
        store, clock = self.store, self._clock
        self.beginning = Practice(store, self.challenges, clock=clock)
        self.workers = workers or WorkerPool()
        self.analysis_workers = analysis_workers or WorkerPool(niceness=19)
        self.analysis_queue = AnalysisQueue(store, self.matches, self.analysis_workers, clock=clock)
        self.records = Records(store, self.analysis_workers)
        self.opponents = Opponents(store, self.matches, self.workers, clock=clock)
        self.hints = Hints(store, self.matches, self.workers)
        self.puzzles = Puzzles(store, clock=clock)

    def _keep_time(self) -> None:
        """Let the timekeeper look after everything that has moments of its own."""
        store, clock = self.store, self._clock
        self.vacations = Vacations(store, self.matches.deadlines, clock=clock)
        self.alarms = MatchClocks(store, self.matches, self.choices, self.vacations, clock=clock)
        letters = DirectMessages(self._bot, store, self._poster, self.tongues, clock=clock)
        self.timekeeper = Scheduler(store, clock=clock)
        for source in (self.courier, self.expiry, self.alarms, letters):
            self.timekeeper.register(source)
        store.listen(challenges.CHANGED, lambda _: self.timekeeper.wake())
        self.matches.deadlines.wake = self.timekeeper.wake

    def _locale_of(self, guild_id: int) -> str | None:
        guild = self.get_guild(guild_id)
        return None if guild is None else guild.preferred_locale.value
