"""Parks what the bot may not post, and asks those who can help in direct messages.

What waits is tried again when something changes in the server, or when the clock comes round:
nothing may tell that the bot may post again, as a member's timeout ends silently.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from typing import ClassVar, Final, NamedTuple

import discord
import structlog
from cachetools import LRUCache

from bot.core.computers import is_person
from bot.core.i18n.locales import Locales
from bot.core.i18n.mentions import mention_all
from bot.core.interactions.layout import text_layout
from bot.core.permissions.channels import lacking, permission_names
from bot.core.posts.failing_routes import FailingRoutes
from bot.core.posts.kinds import Content, Later, PostKind
from bot.core.requests.faults import POST, pause_after
from bot.core.scheduling.scheduler import WallClock
from bot.play.delivery.transport import InteractionTransport, OpenInteractions
from bot.play.matches.positions import Position
from bot.play.matches.service import Matches
from data import posts
from data.matches import outbox
from data.matches.match import Match
from data.posts import Post
from data.sql import key_values
from data.sql.errors import StoreError
from data.store.store import Store, Transaction
from engine.phrase import Phrase, say
from engine.plain_text import one_line

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)
_MAX_KNOWN: Final = 10_000
"""Maximum matches known to wait; of others, each press tries again."""
_PRESSED: Final = timedelta(minutes=1)
"""How soon a player who waits may have it tried again."""
_OWNER_AFTER: Final = timedelta(hours=1)
"""The pause while a server's owner is unknown."""


@dataclass(eq=False, repr=False)
class PermissionPost(PostKind):
    """Asks a server's owner for the permissions that are missing in a channel."""

    kind: ClassVar[str] = "missing_permissions"
    kept: ClassVar[bool] = False

    client: discord.Client
    locales: Locales

    async def content(self, post: Post) -> Content | None:
        """Return the request; ``None`` if nothing is missing any more."""
        guild = self.client.get_guild(post.guild_id or 0)
        if guild is None:
            return None
        names = lacking(self.client, post.subject, post.payload["parent"])
        if not names or guild.owner_id is None:
            return None
        words = say(
            "I can't post boards in {channel} on **{server}**. I need {permissions}. "
            "Grant it in the channel's settings or to my role. Nothing is lost: the "
            "boards appear as soon as I may post them.",
            server=discord.utils.escape_markdown(one_line(guild.name)),
            channel=f"<#{post.subject}>",
            permissions=permission_names(names),
        )
        locale = await self.locales.of_guild(guild.id)
        return Content(text_layout(words), locale, user_id=guild.owner_id)


class OrganiserNotice(NamedTuple):
    """What an `OrganiserPost` says, and to whom."""

    guild_id: int
    organiser: int
    """Negative if their data was deleted."""
    words: Phrase


@dataclass(eq=False, repr=False)
class OrganiserPost(PostKind):
    """Tells an organiser that a channel is gone, or the server's owner if their data was deleted."""

    kept: ClassVar[bool] = False

    client: discord.Client
    store: Store
    locales: Locales
    clock: WallClock

    @abstractmethod
    async def said(self, tx: Transaction, post: Post) -> OrganiserNotice | None:
        """Return the notice; ``None`` if it is outdated."""

    async def content(self, post: Post) -> Content | None:
        """Return the notice; later, if the server is out of reach and so its owner unknown."""
        async with self.store.read() as tx:
            said = await self.said(tx, post)
        if said is None:
            return None
        guild = self.client.get_guild(said.guild_id)
        owner = None if guild is None else guild.owner_id
        user_id = said.organiser if said.organiser > 0 else owner
        if user_id is None:
            raise Later(self.clock() + _OWNER_AFTER)
        locale = await self.locales.of_player(user_id)
        return Content(text_layout(said.words), locale, user_id=user_id)


@dataclass(eq=False, repr=False)
class LostChannelPost(PostKind):
    """Tells a player that the channel of their match is gone."""

    kind: ClassVar[str] = "lost_channel"
    kept: ClassVar[bool] = False

    matches: Matches
    locales: Locales

    async def content(self, post: Post) -> Content | None:
        """Return how to go on; ``None`` if the match goes on elsewhere, or without them."""
        position = await self.matches.position(post.subject)
        match, player = position.match, position.player_of(post.user_id)
        moved = match.channel_id != post.payload["channel"]
        if moved or match.finished or player is None or player.gave_up is not None:
            return None
        words = say(
            "The channel of your {game} game against {opponents} was deleted. Nothing "
            "is lost. To go on, type `/match relocate number:{number}` in another channel "
            "of that server.",
            number=match.id,
            game=position.game.title,
            opponents=mention_all(one.user_id for one in match.players if one is not player),
        )
        return Content(text_layout(words), await self.locales.of_player(post.user_id))


@dataclass(eq=False, repr=False)
class PermissionAlerts:
    """Asks for direct messages: to an owner once a day per channel, to a player once."""

    client: discord.Client
    store: Store
    clock: WallClock

    async def send(self, position: Position, error: discord.HTTPException) -> None:
        """Alert the server's owner, or the players, unless they were alerted before."""
        match = position.match
        if match.guild_id is None or self.client.get_guild(match.guild_id) is None:
            return  # the bot was removed; wait for its return
        if isinstance(error, discord.NotFound):
            await self._tell_players(match, match.guild_id)
        elif isinstance(error, discord.Forbidden):
            await self.ask_owner(match.guild_id, match.channel_id, match.parent_id)

    async def ask_owner(self, guild_id: int, channel_id: int, parent_id: int | None = None) -> None:
        """Ask a server's owner for the missing permissions in a channel, once a day."""
        unknown = self.client.get_guild(guild_id) is None
        if unknown or not lacking(self.client, channel_id, parent_id):
            return  # refused for another reason, such as a timeout
        now = self.clock()
        async with self.store.write() as tx:
            if await _first(tx, f"asked:{channel_id}", now.date().isoformat()):
                await posts.want(
                    tx,
                    PermissionPost.kind,
                    channel_id,
                    at=now,
                    guild_id=guild_id,
                    payload={"parent": parent_id},
                )

    async def _tell_players(self, match: Match, guild_id: int) -> None:
        async with self.store.write() as tx:
            if not await _first(tx, f"lost:{match.id}:{match.channel_id}", "told"):
                return
            for player in match.players:
                if is_person(player.user_id) and player.gave_up is None:
                    await posts.want(
                        tx,
                        LostChannelPost.kind,
                        match.id,
                        at=self.clock(),
                        guild_id=guild_id,
                        user_id=player.user_id,
                        payload={"channel": match.channel_id},
                    )


async def _first(tx: Transaction, key: str, value: str) -> bool:
    """Record an alert; return whether it is new."""
    if await key_values.get(tx, key) == value:
        return False
    await key_values.set(tx, key, value)
    return True


class _Waiting(NamedTuple):
    channel_id: int
    tried: datetime
    until: datetime
    error: discord.HTTPException


@dataclass(eq=False, repr=False)
class BlockedMatches:
    """Records which matches wait for a permission."""

    store: Store
    matches: Matches
    client: discord.Client
    alerts: PermissionAlerts
    """Asks for help where boards cannot be shown."""
    interactions: OpenInteractions
    failing: FailingRoutes
    clock: WallClock
    look_again: Callable[[int], object] = field(default_factory=lambda: lambda _: None, init=False)
    """Called with a match that may be tried again before its pause is over."""
    _waiting: LRUCache[int, _Waiting] = field(
        default_factory=lambda: LRUCache(_MAX_KNOWN), init=False
    )

    def __contains__(self, match_id: int) -> bool:
        """Return whether a match was refused lately."""
        return match_id in self._waiting

    def waiting(self, position: Position) -> discord.HTTPException | None:
        """Return why nothing about a match is posted for now; ``None`` if it may be tried."""
        known = self._waiting.get(position.match.id)
        if known is None or known.tried + _PRESSED <= self.clock():
            return None
        return known.error if known.channel_id == position.match.channel_id else None

    async def park(
        self,
        match_id: int,
        error: discord.HTTPException,
        interactions: Sequence[InteractionTransport],
    ) -> None:
        """Park the jobs of a match until something changes, and tell those who can change it."""
        log.warning("a board cannot be posted", match=match_id, code=error.code)
        now = tried = self.clock()
        reason = f"{error.code}: {error.text}"[:200]
        try:
            position = await self.matches.position(match_id)
            async with self.store.write() as tx:
                jobs = [job for job in await outbox.pending(tx, match_id) if job.due(now)]
                failures = max((job.attempts for job in jobs), default=0)
                again = now + pause_after(failures, refused=True)
                if self.waiting(position) is not None:
                    tried, again, _ = self._waiting[match_id][1:]  # it was not tried now
                for job in jobs:
                    await outbox.mark_failed(tx, job.id, reason, again=again)
            self._waiting[match_id] = _Waiting(position.match.channel_id, tried, again, error)
            here = POST._replace(channel_id=position.match.channel_id)
            again_here = partial(self.look_again, match_id)
            self.failing.wait_after(error, failures, ("blocked", match_id), again_here, here)
            # A player waiting for a computer's move is told too.
            waits = self.interactions.follow_up(match_id) if position.practice else []
            if told := [*interactions] or waits:
                await told[-1].refused(position, error)
            await self.alerts.send(position, error)
        except StoreError as second:
            log.warning(
                "could not record why a board is waiting", match=match_id, reason=str(second)
            )

    async def unblock_match(self, match_id: int) -> None:
        """Let what waits about one match be tried again."""
        async with self.store.write() as tx:
            await outbox.unblock_match(tx, match_id, self.clock())
        self._waiting.pop(match_id, None)

    async def unblock(self, guild_id: int) -> list[int]:
        """Let what waits in a server be tried again; return the matches that can be shown now."""
        async with self.store.write() as tx:
            waiting = await outbox.blocked_in(tx, guild_id)
            await outbox.unblock_matches(tx, guild_id, self.clock())
        for match_id, _, _ in waiting:
            self._waiting.pop(match_id, None)
        return [
            match_id
            for match_id, channel_id, parent_id in waiting
            if not lacking(self.client, channel_id, parent_id)
        ]
