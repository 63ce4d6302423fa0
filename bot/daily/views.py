"""Posts daily puzzles, and notifies managers where that fails."""

from __future__ import annotations

from typing import TYPE_CHECKING

import aiohttp
import discord
import structlog

from bot.daily import text as words
from bot.daily.buttons import DailyPuzzleButton
from bot.delivery import marks
from bot.delivery.places import UNKNOWN_CHANNEL
from bot.delivery.requests import in_time, refused
from bot.errors import Refusal
from bot.interactions.components import action_row, picture, text_display
from bot.interactions.layout import Layout, Upload, text_layout
from bot.permissions.channels import lacking, named
from bot.pictures.styles import BoardStyle
from data import daily_puzzles, puzzle_schedules
from data.errors import StoreError
from engine.phrase import say

if TYPE_CHECKING:
    from bot.daily.service import Announced, DailyPuzzles
    from bot.daily.source import Posted
    from bot.delivery.transport import ChannelTransport
    from bot.i18n.locales import Locales
    from bot.permissions.members import Members
    from bot.pictures.rendering import Renderer
    from bot.settings.service import SettingsStore
    from data.daily_puzzles import Daily
    from data.store import Store
    from engine.phrase import Phrase, Tongue

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class DailyPosts:
    """The messages of daily puzzles."""

    def __init__(
        self,
        client: discord.Client,
        store: Store,
        transport: ChannelTransport,
        renderer: Renderer,
        *,
        puzzles: DailyPuzzles,
        members: Members,
        settings: SettingsStore,
        locales: Locales,
    ) -> None:
        """Post through a transport."""
        self._client = client
        self._store = store
        self._transport = transport
        self._renderer = renderer
        self._puzzles = puzzles
        self._members = members
        self._settings = settings
        self._locales = locales

    async def post(self, daily: Daily) -> Posted:
        """Post a puzzle, unless an earlier attempt has; if refused, tell the managers."""
        if self._client.get_guild(daily.guild_id) is None:
            return "refused"  # the bot was removed, or the server is unavailable
        try:
            async with in_time():
                return await self._post(daily)
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            log.info("a daily puzzle is not posted", daily=daily.id, reason=repr(error))
            if not refused(error):
                return "later"
            if getattr(error, "code", None) == UNKNOWN_CHANNEL:
                return "gone"
            await self._notify_once(daily)
            return "refused"
        except Refusal as error:
            log.warning("a daily puzzle cannot be shown", daily=daily.id, reason=str(error))
            return "refused"

    async def stop(self, daily: Daily) -> None:
        """End a server's puzzles, as their channel was deleted, and tell its managers."""
        settings = await self._settings.server(daily.guild_id)
        if settings.puzzle_channel == daily.channel_id:
            me = self._client.user
            assert me is not None, "it has posted"
            changes = {"puzzle_channel": None}
            await self._settings.change_server(daily.guild_id, changes, by=me.id)
            await self._notify_managers(daily, words.channel_gone())
        else:  # another one was chosen meanwhile
            async with self._store.write() as tx:
                await daily_puzzles.forget(tx, daily.id)

    async def _post(self, daily: Daily) -> int:
        mark = marks.DAILY_PUZZLES[daily.id]
        found = await self._transport.find(daily.channel_id, [mark])
        if mark in found:
            return found[mark]
        locale = await self._locales.of_guild(daily.guild_id)
        announced = await self._puzzles.announced(daily)
        layout, files = await self._message(announced, locale)
        return await self._transport.post(
            daily.channel_id, layout.marked(mark), locale, nonce=f"daily{daily.id}", files=files
        )

    async def _message(self, announced: Announced, locale: Tongue) -> tuple[Layout, list[Upload]]:
        posed, daily = announced.posed, announced.daily
        scene = posed.game.scene(posed.state, ())
        theme = (await self._settings.server(daily.guild_id)).theme
        png = await self._renderer.picture(scene, BoardStyle(theme, locale=locale))
        people = [user_id for user_id, _ in announced.streaks]
        departed = await self._members.departed(daily.guild_id, people)
        filename = f"puzzle-of-{daily.day}.png"
        button = DailyPuzzleButton(daily.id).component(say("Solve it"), style="primary")
        layout = Layout(
            text_display(words.title(announced)),
            picture(filename, scene.alt),
            text_display(words.body(announced, departed)),
            action_row(button),
        )
        return layout, [Upload(filename, png)]

    async def _notify_once(self, daily: Daily) -> None:
        async with self._store.write() as tx:
            new = await puzzle_schedules.mark_notified(tx, daily.guild_id, notified=True)
        if new:
            names = lacking(self._client, daily.channel_id, None)
            channel = daily.channel_id
            sentence = words.cannot_post(channel, named(names)) if names else words.refused(channel)
            await self._notify_managers(daily, sentence)

    async def _notify_managers(self, daily: Daily, sentence: Phrase) -> None:
        """Tell a server's managers: in their log channel if there is one, else the owner."""
        guild = self._client.get_guild(daily.guild_id)
        channel = (await self._settings.server(daily.guild_id)).log_channel
        locale = await self._locales.of_guild(daily.guild_id)
        message = text_layout(sentence)
        try:
            if channel is not None and not lacking(self._client, channel, None):
                await self._transport.post(channel, message, locale, nonce=f"dailyw{daily.id}")
            elif guild is not None and guild.owner_id is not None:
                await self._transport.write(guild.owner_id, message, locale)
        except (discord.HTTPException, aiohttp.ClientError, OSError, StoreError) as error:
            log.info(
                "could not notify the server's managers", guild=daily.guild_id, reason=repr(error)
            )
