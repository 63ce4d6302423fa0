"""The direct message to a follower when a match ends."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import ClassVar, Final

import discord

from bot.core.computers import is_person
from bot.core.errors import NoSuchMatch
from bot.core.i18n.locales import Locales
from bot.core.interactions.layout import text_layout
from bot.core.permissions.visibility import may_see_now
from bot.core.posts.kinds import Content, Later, PostKind
from bot.core.posts.quiet_hours import after_quiet
from bot.core.scheduling.wall_clock import WallClock
from bot.core.settings.service import SettingsStore
from bot.features.watching import text as words
from bot.features.watching.buttons import stop_button
from bot.features.watching.service import Ended, Watching
from data.matches import watching
from data.posts.posts import Post
from engine.plain_text import one_line

_STALE: Final = timedelta(days=2)
"""Matches that ended longer ago than this aren't reported."""


@dataclass(eq=False, repr=False)
class EndPost(PostKind):
    """Tells a follower that a match has ended, if they may see it."""

    kind: ClassVar[str] = watching.END_POST
    kept: ClassVar[bool] = False

    client: discord.Client
    watching: Watching
    settings: SettingsStore
    locales: Locales
    clock: WallClock

    async def content(self, post: Post) -> Content | None:
        """Return the result, or ``None`` if the follower is not to be told."""
        followed = post.payload.get("player")
        guild = self.client.get_guild(post.guild_id or 0)
        if guild is None or (followed is not None and not is_person(followed)):
            return None  # the bot was removed, or the player has deleted their data
        awake = after_quiet(await self.settings.player(post.user_id), self.clock())
        if awake > self.clock():
            raise Later(awake)
        try:
            ended = await self.watching.ended(post.subject, post.user_id)
        except NoSuchMatch:
            return None
        if ended is None or self._stale(ended):
            return None
        if not await may_see_now(self.client, ended.view.match, post.user_id):
            return None
        sentence = words.ended(ended, discord.utils.escape_markdown(one_line(guild.name)))
        stops = [] if followed is None else [stop_button("player", guild.id, followed)]
        locale = await self.locales.of_player(post.user_id)
        return Content(text_layout(sentence, *stops), locale)

    def _stale(self, found: Ended) -> bool:
        ended = found.view.match.finished_at
        return ended is not None and self.clock() - ended > _STALE
