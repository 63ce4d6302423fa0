"""The welcome in a server that has added the bot."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import ClassVar, Final

import discord

from bot.core.i18n.locales import Locales
from bot.core.permissions.channels import missing
from bot.core.posts.kinds import Content, Later, PostKind
from bot.core.scheduling.wall_clock import WallClock
from bot.features.guide.welcome_buttons import welcome
from bot.play.pictures.rendering import Renderer
from data.posts.posts import Post

NEW: Final = timedelta(days=1)
"""Servers that added the bot longer ago need no welcome."""
_CLOSED: Final = timedelta(minutes=10)
"""The pause while the bot may post in no channel of a server."""


@dataclass(eq=False, repr=False)
class WelcomePost(PostKind):
    """Welcomes a server in the first channel where the bot can post pictures."""

    kind: ClassVar[str] = "welcome"
    kept: ClassVar[bool] = False

    client: discord.Client
    renderer: Renderer
    locales: Locales
    clock: WallClock

    async def content(self, post: Post) -> Content | None:
        """Return the welcome; ``None`` if the server is no longer new, or has removed the bot."""
        guild, now = self.client.get_guild(post.subject), self.clock()
        if guild is None or now - post.created_at > NEW:
            return None
        channel = None if guild.unavailable else _place(guild)
        if channel is None:
            raise Later(now + _CLOSED)
        locale = await self.locales.of_guild(guild.id)
        layout, files = await welcome(self.renderer, locale, server=True)
        return Content(layout, locale, channel.id, files)


def _place(guild: discord.Guild) -> discord.TextChannel | None:
    """Return a channel in which the bot can post pictures, the system channel if possible."""
    for channel in [guild.system_channel, *guild.text_channels]:
        if channel is not None and not missing(channel.permissions_for(guild.me)):
            return channel
    return None
