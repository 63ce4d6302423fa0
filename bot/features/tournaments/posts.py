"""The posts of tournaments: announcement, rounds, podium and notes.

They appear in the order in which they were asked for, unless one cannot be posted for a while: the
announcement in the tournament's channel, all else in its thread. Where that cannot be opened, or
is gone, they go to the channel. A message stays where it is while that place is there.
"""

from __future__ import annotations

import asyncio
from abc import abstractmethod
from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from typing import ClassVar, Final

import discord

from bot.core.i18n.locales import Locales
from bot.core.interactions.layout import Layout, text_layout
from bot.core.permissions.members import Members
from bot.core.posts.kinds import A_WEEK, Content, PostKind
from bot.core.scheduling.scheduler import WallClock
from bot.core.settings.service import SettingsStore
from bot.features.tournaments import best_game, text, transitions
from bot.features.tournaments.chart_views import FILE, Picture, of_post
from bot.features.tournaments.layout_views import (
    TABLES,
    announcement_layout,
    closing_layout,
    round_layout,
    winner_layout,
)
from bot.features.tournaments.text import note
from bot.features.tournaments.transitions import adjourn
from bot.features.tournaments.view import TournamentView, board_links, read_view
from bot.play.delivery import places
from bot.play.delivery.permission_posts import OrganiserNotice, OrganiserPost, PermissionAlerts
from bot.play.matches.jobs import board_link
from bot.play.pictures.rendering import BoardStyle, Renderer, chart_part
from data import posts
from data.matches import matches
from data.posts import Post
from data.sql import key_values
from data.store.store import Store, Transaction
from data.tournaments import tournaments
from data.tournaments.tournaments import State, Tournament
from engine.phrase import Phrase

_FIRST_LOOK: Final = timedelta(minutes=1)
"""Wait before the best game is looked for again; it doubles each time."""
_LAST_LOOK: Final = timedelta(hours=36)
"""After this time the best of the games analysed by then is taken."""
_MAX_NAME: Final = 100


@dataclass(eq=False, repr=False)
class TournamentPost(PostKind):
    """A post of a tournament, in its server's language."""

    client: discord.Client
    store: Store
    renderer: Renderer
    members: Members
    alerts: PermissionAlerts
    locales: Locales
    settings: SettingsStore
    clock: WallClock
    follows: ClassVar[Collection[str]] = transitions.KINDS
    in_thread: ClassVar[bool] = True
    """Whether it is posted in the tournament's thread, where there is one."""

    @abstractmethod
    async def _said(self, view: TournamentView, post: Post, empty: Content) -> Content | None:
        """Return what a post says in the place of an empty one, if anything."""

    def _place(self, view: TournamentView, post: Post) -> int:
        if not self.in_thread:
            return view.tournament.channel_id
        places = (view.tournament.thread_id, view.tournament.channel_id)
        if post.channel_id is not None and post.channel_id in places:
            return post.channel_id
        return places[0] or places[1]

    async def content(self, post: Post) -> Content | None:
        """Return what it says now."""
        async with self.store.read() as tx:
            view = await read_view(tx, post.subject)
            assert view is not None, "a tournament is never removed"
        locale = await self.locales.of_guild(view.tournament.guild_id)
        return await self._said(view, post, Content(Layout(), locale, self._place(view, post)))

    async def refused(self, post: Post, content: Content) -> None:
        """Ask the server's owner for what the bot may not do there."""
        if post.guild_id is not None and content.channel_id is not None:
            await self.alerts.ask_owner(post.guild_id, content.channel_id)

    async def ended(self, post: Post) -> None:
        """Go on in the channel if the thread is gone; if that is gone, adjourn the tournament."""
        now = self.clock()
        async with self.store.write() as tx:
            terms = await tournaments.lock(tx, post.subject)
            assert terms is not None, "a tournament is never removed"
            if post.channel_id == terms.channel_id:
                await self._lose_channel(tx, terms)
                return
            if post.channel_id == terms.thread_id:
                await tournaments.set_messages(tx, terms.id, thread_id=None)
            await posts.want(
                tx,
                post.kind,
                post.subject,
                part=post.part,
                at=now,
                guild_id=post.guild_id,
                payload=post.payload,
            )

    async def _lose_channel(self, tx: Transaction, terms: Tournament) -> None:
        """Adjourn a tournament whose channel is gone, and tell its organiser once."""
        await tournaments.set_messages(tx, terms.id, message_id=None, thread_id=None)
        view, now = await read_view(tx, terms.id), self.clock()
        if view is not None and terms.state is State.RUNNING:
            await adjourn(tx, view, now)
        key = f"lost:t{terms.id}:{terms.channel_id}"
        if terms.state.open and await key_values.get(tx, key) is None:
            await key_values.set(tx, key, "told")
            await posts.want(tx, transitions.LOST, terms.id, at=now, guild_id=terms.guild_id)

    async def _picture(self, view: TournamentView, place: Content) -> Picture:
        """Return a tournament's table or bracket.

        Empty if there is none yet, or files may not be attached: text replaces it.
        """
        entrants = [entrant.user_id for entrant in view.entrants]
        names = await self.members.names(view.tournament.guild_id, entrants)
        chart = await asyncio.to_thread(of_post, view, names)
        if chart is None or not self._may_attach(place.channel_id or 0, view.tournament.channel_id):
            return Picture()
        theme = (await self.settings.server(view.tournament.guild_id)).theme
        style = BoardStyle(theme, locale=place.locale)
        part = await chart_part(self.renderer, chart, FILE, style)
        return Picture((part,), chart.numbered)

    def _may_attach(self, channel_id: int, parent_id: int) -> bool:
        # An archived thread isn't cached, but has its channel's permissions.
        channel = self.client.get_channel(channel_id) or self.client.get_channel(parent_id)
        if channel is None or isinstance(channel, discord.abc.PrivateChannel):
            return True
        return channel.permissions_for(channel.guild.me).attach_files


class AnnouncementPost(TournamentPost):
    """A tournament's first message, from which its thread is opened."""

    kind: ClassVar[str] = transitions.ANNOUNCEMENT
    replaces: ClassVar[bool] = True
    renews: ClassVar[bool] = False
    in_thread: ClassVar[bool] = False

    async def _said(self, view: TournamentView, post: Post, empty: Content) -> Content:
        del post
        return replace(empty, layout=announcement_layout(view))

    async def sent(self, post: Post, content: Content, message_id: int) -> None:
        """Open the thread, unless the tournament has one or was played elsewhere."""
        async with self.store.read() as tx:
            terms = await tournaments.get(tx, post.subject)
        channel = self.client.get_channel(content.channel_id or 0)
        if terms is None or terms.imported or terms.thread_id is not None:
            return
        if not isinstance(channel, discord.TextChannel):
            return
        name = terms.name[:_MAX_NAME]
        attempt = partial(places.open_from, self.client, channel.id, message_id, name)
        thread = await places.open_thread(channel, attempt)
        if thread is not None:
            async with self.store.write() as tx:
                await tournaments.set_messages(tx, terms.id, thread_id=thread)

    async def posted(self, tx: Transaction, post: Post, message_id: int) -> None:
        """Record the message."""
        await tournaments.set_messages(tx, post.subject, message_id=message_id)


class RoundPost(TournamentPost):
    """The pairings of a round, its results and the standings after it."""

    kind: ClassVar[str] = transitions.ROUND

    async def _said(self, view: TournamentView, post: Post, empty: Content) -> Content:
        number = post.part
        shown = view.of_round(number)[:TABLES]
        async with self.store.read() as tx:
            found = await board_links(tx, shown)
        view = view.until(number)
        picture = await self._picture(view, empty)
        layout, named = round_layout(view, number, found, picture)
        return replace(empty, layout=layout, pings=named)


class PodiumPost(TournamentPost):
    """The final result, with the best game once that is known."""

    kind: ClassVar[str] = transitions.PODIUM

    async def _said(self, view: TournamentView, post: Post, empty: Content) -> Content:
        del post
        best, again = await self._best(view)
        picture = await self._picture(view, empty)
        layout = closing_layout(view, picture, best)
        named = text.first_three(view)
        return replace(empty, layout=layout, pings=named, again=again)

    async def _best(self, view: TournamentView) -> tuple[Phrase | None, datetime | None]:
        """Return the best game, if known, and when to look for it again, if it may still come."""
        now, terms = self.clock(), view.tournament
        ended = terms.ended_at or terms.created_at
        async with self.store.read() as tx:
            if now < ended + _LAST_LOOK and await best_game.awaits_analysis(tx, view):
                return None, min(now + max(now - ended, _FIRST_LOOK), ended + _LAST_LOOK)
            best = await best_game.best(tx, view)
            played = None if best is None else await matches.get(tx, best.match_id)
            link = None if played is None else await board_link(tx, played)
        return None if best is None else text.best_game(best, link), None


class WinnerPost(TournamentPost):
    """Celebrates who won in the channel, once; the final result in the thread pings them."""

    kind: ClassVar[str] = transitions.WINNER
    tried_for: ClassVar[timedelta | None] = A_WEEK
    in_thread: ClassVar[bool] = False

    async def _said(self, view: TournamentView, post: Post, empty: Content) -> Content | None:
        del post
        thread_id = view.tournament.thread_id
        if thread_id is None or not view.placed(1):
            return None
        picture = await self._picture(view, empty)
        return replace(empty, layout=winner_layout(view, picture, thread_id))

    async def ended(self, post: Post) -> None:
        """Do nothing: the other posts see to a channel that is gone."""


class NotePost(TournamentPost):
    """A one-off note."""

    kind: ClassVar[str] = transitions.NOTE
    kept: ClassVar[bool] = False

    async def _said(self, view: TournamentView, post: Post, empty: Content) -> Content | None:
        async with self.store.read() as tx:
            made = await note(tx, view, post.payload)
        if made is None:
            return None
        return replace(empty, layout=text_layout(made.words), pings=made.pings)


class LostPost(OrganiserPost):
    """Tells who organised a tournament that its channel is gone."""

    kind: ClassVar[str] = transitions.LOST

    async def said(self, tx: Transaction, post: Post) -> OrganiserNotice:
        """Return the notice."""
        terms = await tournaments.get(tx, post.subject)
        assert terms is not None, "a tournament is never removed"
        return OrganiserNotice(terms.guild_id, terms.created_by, text.channel_gone(terms))
