"""The direct message that tells a player that their conditional move was played."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from bot.core.errors import NoSuchMatch
from bot.core.i18n.locales import Locales
from bot.core.interactions.layout import text_layout
from bot.core.posts.kinds import Content, PostKind
from bot.features.conditional_moves import text
from bot.features.conditional_moves.buttons import PlanButton
from bot.play.matches.conditional_moves import PLAYED_POST
from bot.play.matches.links import message_link
from bot.play.matches.service import Matches
from data.matches import boards, conditional_moves
from data.posts.posts import Post
from data.store.store import Store
from engine.phrase import say


@dataclass(eq=False, repr=False)
class MovePlayedPost(PostKind):
    """Tells a player what was played for them. Who takes no direct messages misses it."""

    kind: ClassVar[str] = PLAYED_POST
    kept: ClassVar[bool] = False

    store: Store
    matches: Matches
    locales: Locales

    async def content(self, post: Post) -> Content | None:
        """Return what was played; ``None`` if the match is gone or they have left it."""
        try:
            view = await self.matches.view(post.subject)
        except NoSuchMatch:
            return None
        player = view.player_of(post.user_id)
        if player is None:
            return None
        async with self.store.read() as tx:
            posted = await boards.latest(tx, view.match.id)
            known = await conditional_moves.of_match(tx, view.match.id)
        link = None
        if posted is not None:
            link = message_link(view.match.guild_id, posted.channel_id, posted.message_id)
        left = sum(one.seat == player.seat and one.version == view.version for one in known)
        line, own = post.payload["line"], post.payload["own"]
        words = text.was_played(view, post.user_id, line, own, link=link, left=left)
        again = [PlanButton(view.match.id).component(say("Plan ahead"))] if view.to_move else []
        return Content(text_layout(words, *again), await self.locales.of_player(post.user_id))
