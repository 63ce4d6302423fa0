"""*Share in channel*: posts in the channel what its presser alone sees: a film, an analysis, a solution.

What can be shared registers its maker with `shares`. Everything is made anew, in the server's
language, and only from what everyone in the channel may see.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final, Literal, TypeAlias

import discord

from bot.core import hourly_limits
from bot.core.errors import NotAllowed
from bot.core.i18n.mentions import mention
from bot.core.interactions.components import Component
from bot.core.interactions.controls import Button
from bot.core.interactions.layout import Layout
from bot.core.interactions.reply import Reply
from bot.core.permissions import play
from bot.core.permissions.members import Members
from bot.core.permissions.visibility import Sight
from bot.core.scheduling.scheduler import WallClock
from bot.core.settings.service import SettingsStore
from bot.play.matches.positions import Position
from bot.play.pictures.rendering import BoardStyle, in_channel, player_names
from data.people import exclusions
from data.store.store import Store
from engine.phrase import concat, say

What: TypeAlias = Literal["film", "analysis", "mistake", "puzzle", "hint"]
Make: TypeAlias = "Callable[[Reply, int, int], Awaitable[Layout]]"
"""Makes what everyone sees, from the number of a match or puzzle, and a ply; raises Refusal."""

MAX_SHARED: Final = 10
"""Maximum posts a person may share per hour."""
_MAKERS: Final[dict[What, Make]] = {}


def shares(what: What) -> Callable[[Make], Make]:
    """Register the maker of one kind of post."""

    def register(make: Make) -> Make:
        assert _MAKERS.get(what) in {None, make}, what
        _MAKERS[what] = make
        return make

    return register


class ShareButton(Button, prefix="share"):
    """Posts in the channel what the presser sees."""

    what: What
    number: int
    ply: int

    async def press(self, reply: Reply) -> None:
        """Post it, if the person and the bot may; it notifies nobody."""
        await _require_place(reply)
        layout = await _MAKERS[self.what](reply, self.number, self.ply)
        clock = reply.get(WallClock)
        await hourly_limits.take(reply.get(Store), reply.user_id, "share", clock(), MAX_SHARED)
        by = concat("-# ", say("Shared by {player}", player=mention(reply.user_id)))
        await reply.send(layout.below(by), public=True)


def share_button(reply: Reply, what: What, number: int, ply: int = 0) -> list[Component]:
    """Return the button, if there is anyone here to share with."""
    if reply.guild_id is None or reply.by_user_install:
        return []
    return [ShareButton(what, number, ply).component(say("Share in channel"))]


async def require_shareable(reply: Reply, position: Position) -> None:
    """Check that a match may be shown to everyone here.

    Raises NotAllowed like `check_over`, and if not everyone who reads this channel may see it.
    """
    await check_over(reply, position)
    if not await Sight(reply, public=True).sees(position.match):
        raise NotAllowed(say("Not everyone here can see that game, so it stays private."))


async def check_over(reply: Reply, position: Position) -> None:
    """Check that a match is over, and that no player and this person have blocked each other."""
    if not position.match.finished:
        raise NotAllowed(say("This game is still being played. Share it once it's over."))
    people = (one.user_id for one in position.match.players)
    others = [one for one in people if one != reply.user_id]
    async with reply.get(Store).read() as tx:
        apart = await exclusions.blocks_between(tx, reply.user_id, others)
    if apart:
        raise NotAllowed(say("You can't share this game."))


async def shared_style(reply: Reply, position: Position) -> BoardStyle:
    """Return the style of pictures of a match that everyone here sees."""
    locale = await reply.locale(public=True)
    names = player_names(reply.get(Members), position, locale)
    return await in_channel(reply.get(SettingsStore), position, locale, names)


async def _require_place(reply: Reply) -> None:
    """Check that this person and the bot may post here, with a picture."""
    if reply.guild_id is None or reply.by_user_install:
        raise NotAllowed(say("There's nobody here to share it with."))
    await play.require_games(reply)
    thread = isinstance(reply.interaction.channel, discord.Thread)
    for allowed in (reply.interaction.permissions, reply.interaction.app_permissions):
        posts = allowed.send_messages_in_threads if thread else allowed.send_messages
        if not (posts and allowed.view_channel and allowed.attach_files):
            raise NotAllowed(say("One of us can't post pictures in this channel. Try another one."))
