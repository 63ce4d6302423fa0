"""The message of a challenge, where no reply and no press shows it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import ClassVar, Final

import discord

from bot.core.i18n.locales import Locales
from bot.core.posts.kinds import A_WEEK, Content, Later, PostKind
from bot.core.requests.sending import Urgency
from bot.core.scheduling.scheduler import WallClock
from bot.features.challenges.buttons import ChallengeMessages, unanswered
from bot.play.matches import match_text
from bot.play.matches.service import Matches
from data.challenges import challenges
from data.challenges.challenges import State
from data.matches.match import THREAD
from data.posts import Post
from data.store.store import Store, Transaction

_UNDER_WAY: Final = timedelta(minutes=1)
"""How long the reply that posts a message may take."""


@dataclass(eq=False, repr=False)
class ChallengePost(PostKind):
    """Edits a challenge's message, or posts it if it is not the reply to its command."""

    kind: ClassVar[str] = challenges.POST
    urgency: ClassVar[Urgency] = Urgency.EXTRA
    kept: ClassVar[bool] = False
    tried_for: ClassVar[timedelta | None] = A_WEEK  # presses are still answered

    client: discord.Client
    store: Store
    matches: Matches
    messages: ChallengeMessages
    locales: Locales
    clock: WallClock

    async def content(self, post: Post) -> Content | None:
        """Return the challenge, with the place and the result of its match."""
        async with self.store.read() as tx:
            challenge = await challenges.get(tx, post.subject)
        now = self.clock()
        if challenge is None or self.client.get_guild(challenge.guild_id or 0) is None:
            return None  # or only users have installed the bot there
        first = post.part == challenges.FIRST_MESSAGE
        closed = challenge.state is not State.OPEN and challenge.match_id is None
        if first and (challenge.message_id is not None or closed):
            return None
        if challenge.message_id is None and not first:
            if now - post.created_at < _UNDER_WAY:
                raise Later(post.created_at + _UNDER_WAY)
            return None
        board, thread, result = None, None, ""
        if challenge.match_id is not None:
            position = await self.matches.position(challenge.match_id)
            board = await self.matches.link(position.match)
            thread = position.match.channel_id if position.match.channel_kind == THREAD else None
            result = match_text.result(position) if position.match.finished else ""
        return Content(
            await self.messages.message(challenge, board=board, thread=thread, result=result),
            await self.locales.of_guild(challenge.guild_id),
            challenge.channel_id,
            tuple(unanswered(challenge)) if first else (),
            by=challenge.challenger_id,
            message_id=challenge.message_id,
        )

    async def posted(self, tx: Transaction, post: Post, message_id: int) -> None:
        """Record the message of a challenge."""
        if post.part == challenges.FIRST_MESSAGE:
            await challenges.set_message(tx, post.subject, message_id)
