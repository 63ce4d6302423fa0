"""The message of a challenge, where no reply and no press shows it."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, ClassVar, Final, TypeAlias

import discord

from bot.core.i18n.locales import Locales
from bot.core.interactions.components import Component, picture, rows, text_display
from bot.core.interactions.layout import Layout, Upload, text_layout
from bot.core.interactions.reply import Reply
from bot.core.posts.kinds import A_WEEK, Content, Later, PostKind, Rank
from bot.core.posts.pings import Pings
from bot.core.posts.poster import Poster
from bot.core.scheduling.wall_clock import WallClock
from bot.core.settings.service import SettingsStore
from bot.features.challenges import text as challenges_text
from bot.features.challenges.service import Challenges
from bot.play.delivery.boards import Boards
from bot.play.matches import match_text
from bot.play.matches.service import Matches
from bot.play.pictures.rendering import BoardStyle, Renderer
from bot.play.ratings.eligibility import Eligibility
from data.challenges import challenges
from data.challenges.challenge import Challenge, State
from data.matches.match import THREAD
from data.posts import Post
from data.sql.errors import StoreError
from data.store.store import Store, Transaction
from engine import registry
from engine.phrase import Phrase

_UNDER_WAY: Final = timedelta(minutes=1)
"""How long the reply that posts a message may take."""


@dataclass(eq=False, repr=False)
class ChallengePost(PostKind):
    """Edits a challenge's message, or posts it if it is not the reply to its command."""

    kind: ClassVar[str] = challenges.POST
    rank: ClassVar[Rank] = Rank.EXTRA
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
        thread, result = None, ""
        if challenge.match_id is not None:
            view = await self.matches.view(challenge.match_id)
            thread = view.match.channel_id if view.match.place == THREAD else None
            result = match_text.result(view) if view.match.finished else ""
        layout, files = await self.messages.message(challenge, thread=thread, result=result)
        return Content(
            layout,
            await self.locales.of_guild(challenge.guild_id),
            challenge.channel_id,
            files,
            tuple(unanswered(challenge)) if first else (),
            by=challenge.challenger_id,
            message_id=challenge.message_id,
        )

    async def posted(self, tx: Transaction, post: Post, message_id: int) -> None:
        """Record the message of a challenge."""
        if post.part == challenges.FIRST_MESSAGE:
            await challenges.set_message(tx, post.subject, message_id)


_PICTURE: Final = "challenge.png"
_FIRST: Final = 3.0
"""Seconds that the answer to a press, and the match that it begins, wait for a challenge's message."""


MessageButtons: TypeAlias = Callable[[Challenge], Sequence[Component]]
"""Returns the buttons of a challenge's message."""


@dataclass(eq=False, repr=False)
class ChallengeMessages:
    """Makes, posts and shows the messages of challenges."""

    challenges: Challenges
    eligibility: Eligibility
    locales: Locales
    pings: Pings
    renderer: Renderer
    settings: SettingsStore
    buttons: MessageButtons

    async def message(
        self, challenge: Challenge, *, thread: int | None = None, result: str = ""
    ) -> tuple[Layout, list[Upload]]:
        """Return a challenge's message, with the first board while it is open.

        After acceptance, ``thread`` is where its match is played, and ``result`` its result.
        """
        unrated = await self.eligibility.reason(challenge)
        words = challenges_text.text(challenge, thread=thread, unrated=unrated, result=result)
        if challenge.state is not State.OPEN:
            return text_layout(words), []
        game = registry.game(challenge.game)
        scene = game.scene(game.initial(challenge.options, challenge.places))
        theme = (await self.settings.server(challenge.guild_id)).theme
        locale = await self.locales.of_guild(challenge.guild_id)
        png = await self.renderer.picture(scene, BoardStyle(theme, locale=locale))
        shown = picture(_PICTURE, scene.alt)
        return Layout(text_display(words), shown, *rows(self.buttons(challenge))), [
            Upload(_PICTURE, png)
        ]

    async def post(self, reply: Reply, challenge: Challenge) -> None:
        """Post a new challenge in its channel, as a reply if it was made there.

        If its match has begun, the board follows.
        """
        await _then_board(reply, challenge, self._post(reply, challenge))

    async def update(self, reply: Reply, challenge: Challenge) -> None:
        """Show a changed challenge in the pressed message, and in its own.

        If its match has begun, the board follows.
        """
        await _then_board(reply, challenge, self._update(reply, challenge))

    async def say(self, reply: Reply, challenge: Challenge, words: Phrase) -> None:
        """Tell a user about a changed challenge, and show it in its own message.

        If its match has begun, the board follows.
        """

        async def answer() -> None:
            try:
                await reply.send(text_layout(words), public=False)
            finally:
                await self.challenges.shown(challenge, in_place=False)

        await _then_board(reply, challenge, answer())

    async def _post(self, reply: Reply, challenge: Challenge) -> None:
        if challenge.channel_id != reply.channel_id:
            post = await self.challenges.post(challenge)
            if challenge.match_id is not None:  # its match may get its thread from this message
                await reply.get(Poster).post_first([post], _FIRST)
                challenge = await self.challenges.get(challenge.id)
            await reply.send(text_layout(challenges_text.posted(challenge)), public=False)
            return
        layout, files = await self.message(challenge)
        pinged = await self.pings.of(unanswered(challenge), by=challenge.challenger_id)
        message_id = await reply.send(layout, files=files, public=True, mentions=pinged)
        if message_id is not None:
            await self.challenges.set_message(challenge.id, message_id)

    async def _update(self, reply: Reply, challenge: Challenge) -> None:
        pressed = reply.interaction.message
        elsewhere = pressed is None or pressed.id != challenge.message_id
        layout, files = await self.message(challenge)
        try:
            try:
                await reply.replace(layout, files=files)
            except discord.NotFound:  # deleted meanwhile
                await reply.send(layout, files=files, public=False)
        finally:
            if elsewhere:
                await self.challenges.shown(challenge, in_place=False)
        if not elsewhere:
            with suppress(StoreError):  # then it is redrawn later
                await self.challenges.shown(challenge, in_place=True)


async def _then_board(
    reply: Reply, challenge: Challenge, answer: Coroutine[Any, Any, None]
) -> None:
    if challenge.match_id is None:
        await answer
    else:
        await reply.get(Boards).show(challenge.match_id, via=reply, answer=answer)


def unanswered(challenge: Challenge) -> list[int]:
    """Return the invited players who have not answered, to be pinged."""
    return [one.user_id for one in challenge.invited if one.joined is None]
