"""Direct messages to those who can help where boards cannot be posted."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, ClassVar, Final

import discord

from bot.errors import NoSuchMatch
from bot.i18n.mentions import mention_all
from bot.interactions.layout import text_layout
from bot.permissions.channels import lacking, named
from bot.posts.kinds import Content, Later, PostKind
from engine.phrase import say
from engine.plain_text import one_line

if TYPE_CHECKING:
    from bot.i18n.locales import Locales
    from bot.matches.service import Matches
    from bot.scheduling.wall_clock import WallClock
    from data.posts import Post

_OUTAGE: Final = timedelta(minutes=1)
"""The pause while a server is unavailable."""


class PermissionPost(PostKind):
    """Asks a server's owner for the permissions that are missing in a channel."""

    kind: ClassVar[str] = "missing_permissions"
    kept: ClassVar[bool] = False

    def __init__(self, client: discord.Client, locales: Locales, *, clock: WallClock) -> None:
        """Look up in a client what the bot may do."""
        self._client = client
        self._locales = locales
        self._clock = clock

    async def content(self, post: Post) -> Content | None:
        """Return the request; ``None`` if nothing is missing any more."""
        guild = self._client.get_guild(post.guild_id or 0)
        if guild is None:
            return None
        if guild.unavailable:
            raise Later(self._clock() + _OUTAGE)
        names = lacking(self._client, post.subject, post.payload["parent"])
        if not names or guild.owner_id is None:
            return None
        words = say(
            "I can't post boards in {channel} on **{server}**. I need {permissions}. "
            "Grant it in the channel's settings or to my role. Nothing is lost: the "
            "boards appear as soon as I may post them.",
            server=discord.utils.escape_markdown(one_line(guild.name)),
            channel=f"<#{post.subject}>",
            permissions=named(names),
        )
        locale = await self._locales.of_guild(guild.id)
        return Content(text_layout(words), locale, user_id=guild.owner_id)


class LostChannelPost(PostKind):
    """Tells a player that the channel of their match is gone."""

    kind: ClassVar[str] = "lost_channel"
    kept: ClassVar[bool] = False

    def __init__(self, matches: Matches, locales: Locales) -> None:
        """Read matches."""
        self._matches = matches
        self._locales = locales

    async def content(self, post: Post) -> Content | None:
        """Return how to go on; ``None`` if the match goes on elsewhere, or without them."""
        try:
            view = await self._matches.view(post.subject)
        except NoSuchMatch:
            return None
        match, player = view.match, view.player_of(post.user_id)
        moved = match.channel_id != post.payload["channel"]
        if moved or match.finished or player is None or player.gave_up is not None:
            return None
        words = say(
            "The channel of your {game} game against {opponents} was deleted. Nothing "
            "is lost. To go on, type `/match move number:{number}` in another channel "
            "of that server.",
            number=match.id,
            game=view.game.title,
            opponents=mention_all(one.user_id for one in match.players if one is not player),
        )
        return Content(text_layout(words), await self._locales.of_player(post.user_id))
