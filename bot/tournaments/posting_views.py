"""Posts and edits a tournament's messages in Discord, and draws their pictures."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

import discord

from bot.delivery.threads import (
    A_WEEK,
    HAS_A_THREAD,
    TOO_MANY_THREADS,
    may_open_threads,
)
from bot.interactions.reply import UNKNOWN_MESSAGE
from bot.pictures.styles import BoardStyle
from bot.tournaments.chart_views import drawn, of_post
from data.boards import PostedMessage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bot.delivery.transport import ChannelTransport
    from bot.i18n.locales import Locales
    from bot.interactions.components import Component
    from bot.interactions.layout import Layout, Upload
    from bot.pictures.rendering import Renderer
    from bot.settings.service import SettingsStore
    from bot.tournaments.view import TournamentView
    from data.outbox import Job

_ARCHIVED: Final = 50083
_MAX_NAME: Final = 100


class TournamentMessages:
    """Posts tournament messages in their server's language and theme."""

    def __init__(
        self,
        client: discord.Client,
        transport: ChannelTransport,
        renderer: Renderer,
        *,
        locales: Locales,
        settings: SettingsStore,
    ) -> None:
        """Post through a transport, with pictures drawn by a renderer."""
        self._client = client
        self._transport = transport
        self._renderer = renderer
        self._locales = locales
        self._settings = settings

    async def picture(
        self, view: TournamentView, channel_id: int
    ) -> tuple[list[Component], list[Upload]]:
        """Return a tournament's table or bracket, and its file.

        Empty if there is none yet, or files may not be attached: text replaces it.
        """
        chart = await asyncio.to_thread(of_post, view)
        if chart is None or not self._may_attach(channel_id, view.tournament.channel_id):
            return [], []
        guild_id = view.tournament.guild_id
        theme = (await self._settings.server(guild_id)).theme
        locale = await self._locales.of_guild(guild_id)
        return await drawn(self._renderer, chart, BoardStyle(theme, locale=locale))

    def _may_attach(self, channel_id: int, parent_id: int) -> bool:
        # An archived thread isn't cached, but has its channel's permissions.
        channel = self._client.get_channel(channel_id) or self._client.get_channel(parent_id)
        if channel is None or isinstance(channel, discord.abc.PrivateChannel):
            return True
        return channel.permissions_for(channel.guild.me).attach_files

    async def post(
        self,
        channel_id: int,
        view: TournamentView,
        job: Job,
        layout: Layout,
        *,
        pings: Sequence[int] = (),
        files: Sequence[Upload] = (),
    ) -> int:
        """Post a message, unless an earlier attempt did; return its id."""
        found = await self._transport.find(channel_id, [job.mark]) or {}
        if found:
            return found[job.mark]
        locale = await self._locales.of_guild(view.tournament.guild_id)
        return await self._transport.post(
            channel_id, layout.marked(job.mark), locale, nonce=job.nonce, pings=pings, files=files
        )

    async def edit(
        self,
        channel_id: int,
        message_id: int,
        view: TournamentView,
        layout: Layout,
        *,
        files: Sequence[Upload] = (),
    ) -> bool:
        """Edit a message; return whether it still exists."""
        locale = await self._locales.of_guild(view.tournament.guild_id)
        posted = PostedMessage(message_id, channel_id, 0, 0, live=False)
        try:
            try:
                await self._transport.edit(posted, layout, locale, files=files)
            except discord.HTTPException as error:
                if error.code != _ARCHIVED:
                    raise
                await self._client.http.edit_channel(channel_id, archived=False)
                await self._transport.edit(posted, layout, locale, files=files)
        except discord.NotFound as error:
            if error.code != UNKNOWN_MESSAGE:
                raise
            return False
        return True

    async def open_thread(self, view: TournamentView, message_id: int) -> int | None:
        """Return the thread of an announcement; ``None`` if it can't have one."""
        channel = self._client.get_channel(view.tournament.channel_id)
        if not isinstance(channel, discord.TextChannel) or not may_open_threads(channel):
            return None
        try:
            await self._client.http.start_thread_with_message(
                channel.id,
                message_id,
                name=view.tournament.name[:_MAX_NAME],
                auto_archive_duration=A_WEEK,
            )
        except discord.Forbidden:
            return None
        except discord.HTTPException as error:
            if error.code == TOO_MANY_THREADS:
                return None
            if error.code != HAS_A_THREAD:
                raise
        return message_id
