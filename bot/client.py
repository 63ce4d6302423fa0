"""The Discord client: wires the parts together and opens and closes them in order."""

from __future__ import annotations

import asyncio
import hashlib
import json
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import discord
import structlog
from discord import app_commands

from bot.answer import PATIENCE, Answer, guarded
from bot.clocks.alarms import Alarms
from bot.clocks.timekeeper import Timekeeper
from bot.clocks.vacation import Vacations
from bot.commands import install
from bot.commands.translator import CommandWords
from bot.delivery.appeals import Appeals
from bot.delivery.courier import Courier
from bot.delivery.letters import Letters
from bot.delivery.places import Places
from bot.delivery.poster import Poster
from bot.explain import explain
from bot.meet.blocks import Blocks
from bot.meet.challenges import Challenges
from bot.meet.expiry import Expiry
from bot.meet.lobby import Lobby
from bot.meet.members import Members
from bot.meet.rematches import Rematches
from bot.play.claims import Claims
from bot.play.exchange import Exchange
from bot.play.exclusion import Exclusion
from bot.play.matches import Matches
from bot.play.moderation import Moderation
from bot.play.replay import Reels
from bot.play.takeback import Takebacks
from bot.practice.beginning import Beginning
from bot.practice.hints import Hints
from bot.practice.opponents import Opponents
from bot.practice.workers import Workers
from bot.ratings.admission import Admission
from bot.ratings.boards import Boards
from bot.ratings.profiles import Profiles
from bot.ratings.recomputing import Recomputing
from bot.settings.choices import Choices
from bot.settings.privacy import Privacy
from bot.table import Table
from bot.views import forms
from bot.views.audit import AuditButton
from bot.views.blocked import BlockedButton
from bot.views.challenge import ChallengeButton
from bot.views.claim import TimeButton
from bot.views.confirm import ConfirmButton
from bot.views.draw import DrawButton
from bot.views.exclusion import RatedButton
from bot.views.games import GamesButton
from bot.views.help import HelpButton
from bot.views.leaderboard import RatingsButton
from bot.views.learn import LessonButton
from bot.views.lobby import LobbyButton
from bot.views.me_settings import MyButton, MyMenu, MyTime
from bot.views.moderation import DecideButton
from bot.views.moves import MoveButton, MoveMenu
from bot.views.pages import PageButton
from bot.views.picker import PickerButton, PickerMenu
from bot.views.privacy import DeleteButton
from bot.views.profile import AskButton, ProfileButton, ProfileMenu
from bot.views.rematch import RematchButton
from bot.views.replay import FilmButton, JumpMenu, StepButton
from bot.views.resign import ResignButton
from bot.views.rivals import RivalsButton
from bot.views.server_settings import ChannelMenu, ServerButton, ServerMenu
from bot.views.since import SinceButton
from bot.views.takeback import TakebackButton
from bot.words.tongues import Tongues
from data import notes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bot.clocks.clock import Clock
    from bot.pictures.studio import Studio
    from data.store import Store

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

BUTTONS = (
    MoveButton,
    MoveMenu,
    ChallengeButton,
    DrawButton,
    ResignButton,
    PageButton,
    RatingsButton,
    RatedButton,
    ProfileButton,
    ProfileMenu,
    AskButton,
    RivalsButton,
    TakebackButton,
    StepButton,
    JumpMenu,
    FilmButton,
    SinceButton,
    ConfirmButton,
    RematchButton,
    LobbyButton,
    PickerMenu,
    PickerButton,
    BlockedButton,
    LessonButton,
    HelpButton,
    ServerButton,
    ServerMenu,
    ChannelMenu,
    MyButton,
    MyMenu,
    MyTime,
    DecideButton,
    AuditButton,
    GamesButton,
    DeleteButton,
    TimeButton,
)
"""Every kind of button; their addresses never overlap."""


class Bot(discord.Client):
    """The bot. It needs no privileged intent: commands and presses bring all it must know."""

    def __init__(
        self,
        store: Store,
        studio: Studio,
        *,
        clock: Clock,
        always_sync: bool = False,
        patience: float = PATIENCE,
        workers: Workers | None = None,
    ) -> None:
        """Work on a store, with pictures from a studio.

        Args:
            store: open; closed by its owner.
            studio: likewise.
            clock: the time of day.
            patience: seconds until an interaction is acknowledged before its answer is ready.
            workers: where computers think; without them in one process. Closed at the end.
            always_sync: register the commands at each start, for a Discord that forgets them.

        """
        # Nobody here speaks, so nobody needs to hear that the voice libraries are missing.
        discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False
        super().__init__(
            intents=discord.Intents(guilds=True),
            max_messages=None,
            allowed_mentions=discord.AllowedMentions.none(),
        )
        self.store = store
        self.studio = studio
        self.choices = Choices(store, clock=clock)
        self.tongues = Tongues(self.choices, self._locale_of)
        self.matches = Matches(store, clock=clock, choices=self.choices)
        self.studio = studio
        self.reels = Reels(store)
        self.exchange = Exchange(store, clock=clock)
        self.takebacks = Takebacks(store, self.matches, clock=clock)
        self.privacy = Privacy(store, self.matches, self.choices, clock=clock)
        self.recomputing = Recomputing(store, clock=clock)
        self.moderation = Moderation(
            store, self.matches, clock=clock, recompute=self.recomputing.wake
        )
        self.challenges = Challenges(store, self.matches, clock=clock)
        self.rematches = Rematches(store, clock=clock)
        self.lobby = Lobby(store, clock=clock)
        self.boards = Boards(store, clock=clock)
        self.admission = Admission(store)
        self.exclusion = Exclusion(store, clock=clock)
        self.profiles = Profiles(store, clock=clock)
        self.blocks = Blocks(store, clock=clock)
        self.members = Members(self, clock=clock, wait=patience)
        self.expiry = Expiry(self, store, clock=clock)
        poster = Poster(self, self.choices)
        self.places = Places(
            self,
            poster,
            store,
            self.matches,
            choices=self.choices,
            tongues=self.tongues,
            clock=clock,
        )
        self.courier = Courier(
            poster,
            store,
            self.matches,
            studio,
            self.places,
            choices=self.choices,
            appeals=Appeals(self, store, tongues=self.tongues, clock=clock),
            tongues=self.tongues,
            clock=clock,
        )
        self.table = Table(self.matches, studio, self.courier, choices=self.choices)
        self.beginning = Beginning(store, clock=clock)
        self.workers = workers or Workers()
        self.opponents = Opponents(store, self.matches, self.workers, self.courier, clock=clock)
        self.hints = Hints(store, self.matches, self.workers)
        self.matches.minds = self.opponents
        self.table.awaits = self.opponents.awaits
        self.claims = Claims(store, self.matches, clock=clock)
        self.vacations = Vacations(store, self.matches.deadlines, clock=clock)
        self.timekeeper = Timekeeper(store, clock=clock)
        self.timekeeper.register(self.courier)
        self.timekeeper.register(self.expiry)
        self.alarms = self._keep_time(clock)
        self.tree = Tree(self)
        self.patience = patience
        self._always_sync = always_sync
        self._working = 0
        self._rested = asyncio.Event()
        self._rested.set()
        install(self.tree)

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """Count a callback that is under way, so that closing waits for it."""
        self._working += 1
        self._rested.clear()
        try:
            yield
        finally:
            self._working -= 1
            if not self._working:
                self._rested.set()

    async def setup_hook(self) -> None:
        """Listen to every button there ever was, sync the commands and post what is left over."""
        self.add_dynamic_items(*BUTTONS)
        await self.tongues.load()
        await self._sync(CommandWords(self.tongues))
        await self.courier.recover()
        await self.alarms.begin()
        await self.opponents.recover()
        self.timekeeper.start()
        self.recomputing.start()

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Answer somebody who has filled in a form; discord.py does all the rest."""
        if interaction.guild_id is not None:
            self.members.seen(interaction.guild_id, interaction.user.id)
        if interaction.type is discord.InteractionType.modal_submit:
            await forms.taken(interaction)

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Go on with the matches of a server that the bot was in before."""
        self.courier.retry(guild.id)

    async def on_guild_available(self, guild: discord.Guild) -> None:
        """Go on with the matches of a server that was out of reach."""
        if self.is_ready():
            self.courier.retry(guild.id)

    async def on_guild_channel_create(self, channel: discord.abc.GuildChannel) -> None:
        """Look whether what was not allowed is allowed now."""
        self.courier.retry(channel.guild.id)

    async def on_guild_channel_update(
        self, _: discord.abc.GuildChannel, after: discord.abc.GuildChannel
    ) -> None:
        """Look whether what was not allowed is allowed now."""
        self.courier.retry(after.guild.id)

    async def on_guild_role_update(self, _: discord.Role, after: discord.Role) -> None:
        """Look whether what was not allowed is allowed now."""
        self.courier.retry(after.guild.id)

    async def on_member_update(self, _: discord.Member, after: discord.Member) -> None:
        """Look whether another role allows the bot what was not allowed."""
        if after.id == after.guild.me.id:
            self.courier.retry(after.guild.id)

    async def on_raw_thread_update(self, payload: discord.RawThreadUpdateEvent) -> None:
        """Look whether a thread was unlocked."""
        self.courier.retry(payload.guild_id)

    async def on_ready(self) -> None:
        """Log that the bot is there."""
        log.info("ready", user=str(self.user), guilds=len(self.guilds))

    async def finish(self, grace: float = 10.0) -> None:
        """Let callbacks and posts under way finish, then disconnect."""
        try:
            await asyncio.wait_for(self._rested.wait(), grace)
        except TimeoutError:
            log.warning("closing with callbacks under way", callbacks=self._working)
        await self.timekeeper.close()
        await self.opponents.close()
        await self.workers.close()
        await self.recomputing.close()
        await self.alarms.end()
        await self.courier.close()
        await self.close()

    def _keep_time(self, clock: Clock) -> Alarms:
        """Let the timekeeper look after everything that has moments of its own."""
        post = Poster(self, self.choices)
        deliver = self.courier.nudge
        alarms = Alarms(
            self.store, self.matches, self.choices, self.vacations, clock=clock, deliver=deliver
        )
        letters = Letters(self, self.store, post, self.tongues, clock=clock, deliver=deliver)
        for source in (alarms, letters):
            self.timekeeper.register(source)
        self.matches.deadlines.wake = self.timekeeper.wake
        return alarms

    def _locale_of(self, guild_id: int) -> str | None:
        guild = self.get_guild(guild_id)
        return None if guild is None else guild.preferred_locale.value

    async def _sync(self, translator: CommandWords) -> None:
        # Discord allows 200 new commands a day, so they are sent only when they have changed.
        await self.tree.set_translator(translator)
        payload = [
            await command.get_translated_payload(self.tree, translator)
            for command in self.tree.get_commands(type=None)
        ]
        digest = hashlib.sha256(json.dumps(payload, sort_keys=True).encode()).hexdigest()
        key = f"commands of {self.application_id}"
        async with self.store.read() as tx:
            known = await notes.get(tx, key)
        if known == digest and not self._always_sync:
            return
        await self.tree.sync()
        async with self.store.write() as tx:
            await notes.set(tx, key, digest)
        log.info("commands synced", commands=len(payload))


class Tree(app_commands.CommandTree[Bot]):
    """All commands, each guarded like the buttons are."""

    async def on_error(
        self, interaction: discord.Interaction[Bot], error: app_commands.AppCommandError
    ) -> None:
        """Answer what went wrong before a callback began, such as a wrong kind of option."""
        if interaction.type is discord.InteractionType.autocomplete:
            log.info("nothing to suggest", why=str(error))
            return

        async def fail() -> None:
            cause: BaseException = error
            if isinstance(error, app_commands.CommandInvokeError):
                cause = error.original
            raise cause

        await guarded(Answer(interaction, patience=self.client.patience), fail, explain)
