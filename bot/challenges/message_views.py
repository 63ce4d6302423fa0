"""The messages of challenges: posted, and shown to those who press them."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import discord
import structlog

from bot.challenges import text as challenges_text
from bot.interactions.components import picture, rows, text_display
from bot.interactions.layout import Layout, Upload, text_layout
from bot.interactions.views import View, attachment, only
from bot.pictures.styles import BoardStyle
from data.challenge import State
from data.errors import StoreError
from engine import registry

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bot.challenges.service import Challenges
    from bot.delivery.pings import Pings
    from bot.i18n.locales import Locales
    from bot.interactions.components import Component
    from bot.interactions.reply import Reply
    from bot.pictures.rendering import Renderer
    from bot.ratings.eligibility import Eligibility
    from bot.settings.service import SettingsStore
    from data.challenge import Challenge

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

_PICTURE: Final = "challenge.png"


class ChallengeMessages:
    """Makes, posts and shows the messages of challenges."""

    def __init__(
        self,
        client: discord.Client,
        challenges: Challenges,
        eligibility: Eligibility,
        locales: Locales,
        pings: Pings,
        *,
        renderer: Renderer,
        settings: SettingsStore,
        buttons: Callable[[Challenge], Sequence[Component]],
    ) -> None:
        """Post through a client, in each server's theme.

        ``pings`` decides who is pinged, and ``buttons`` returns the buttons of a challenge.
        """
        self._client = client
        self._challenges = challenges
        self._eligibility = eligibility
        self._locales = locales
        self._pings = pings
        self._renderer = renderer
        self._settings = settings
        self._buttons = buttons

    async def message(
        self, challenge: Challenge, *, thread: int | None = None, result: str = ""
    ) -> tuple[Layout, list[Upload]]:
        """Return a challenge's message, with the first board while it is open.

        After acceptance, ``thread`` is where its match is played, and ``result`` its result.
        """
        unrated = await self._eligibility.reason(challenge)
        words = challenges_text.text(challenge, thread=thread, unrated=unrated, result=result)
        if challenge.state is not State.OPEN:
            return text_layout(words), []
        game = registry.game(challenge.game)
        scene = game.scene(game.initial(challenge.options, challenge.places))
        theme = (await self._settings.server(challenge.guild_id)).theme
        locale = await self._locales.of_guild(challenge.guild_id)
        png = await self._renderer.picture(scene, BoardStyle(theme, locale=locale))
        shown = picture(_PICTURE, scene.alt)
        return Layout(text_display(words), shown, *rows(self._buttons(challenge))), [
            Upload(_PICTURE, png)
        ]

    async def post(self, reply: Reply, challenge: Challenge) -> None:
        """Post a new challenge in its channel, as a reply if it was made there."""
        here = challenge.channel_id == reply.channel_id
        if not here and challenge.match_id is None:
            await self._challenges.post(challenge)
            await reply.send(text_layout(challenges_text.posted(challenge)), public=False)
            return
        layout, files = await self.message(challenge)
        pinged = await self._pings.of(unanswered(challenge), by=challenge.challenger_id)
        if here:
            message_id = await reply.send(layout, files=files, public=True, mentions=pinged)
            if message_id is not None:
                await self._challenges.set_message(challenge.id, message_id)
            return
        # The previous match has its own thread, and the next one gets another.
        # Not a post: its match has begun, and may get its thread from this message.
        sent = await self._client.get_partial_messageable(challenge.channel_id).send(
            view=View(layout, await self._locales.of_guild(challenge.guild_id)),
            files=[attachment(file) for file in files],
            nonce=f"c{challenge.id}",
            allowed_mentions=only(pinged),
        )
        await self._challenges.set_message(challenge.id, sent.id)
        shown = replace(challenge, message_id=sent.id)
        await reply.send(text_layout(challenges_text.posted(shown)), public=False)

    async def update(self, reply: Reply, challenge: Challenge) -> None:
        """Show a changed challenge in the pressed message, and in its own."""
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
                await self._challenges.shown(challenge, in_place=False)
        if not elsewhere:
            with suppress(StoreError):  # then it is redrawn later
                await self._challenges.shown(challenge, in_place=True)


def unanswered(challenge: Challenge) -> list[int]:
    """Return the invited players who have not answered, to be pinged."""
    return [one.user_id for one in challenge.invited if one.joined is None]
