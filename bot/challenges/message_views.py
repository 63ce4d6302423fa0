"""The messages of challenges: posted, redrawn, and shown to those who press them."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Final

import aiohttp
import discord
import structlog

from bot.challenges import text as challenges_text
from bot.delivery.requests import in_time
from bot.interactions.components import picture, rows, text_display
from bot.interactions.layout import Layout, Upload, text_layout
from bot.interactions.views import NOBODY, View, attachment, only
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
    """Posts challenge messages and keeps them up to date."""

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
        layout, files = await self.message(challenge)
        pinged = await self._pings.of(_unanswered(challenge), by=challenge.challenger_id)
        if challenge.channel_id == reply.channel_id:
            message_id = await reply.send(layout, files=files, public=True, mentions=pinged)
            if message_id is not None:
                await self._challenges.set_message(challenge.id, message_id)
            return
        # The previous match has its own thread, and the next one gets another.
        sent = await self._client.get_partial_messageable(challenge.channel_id).send(
            view=View(layout, await self._locales.of_guild(challenge.guild_id)),
            files=[attachment(file) for file in files],
            nonce=f"c{challenge.id}",
            allowed_mentions=only(pinged),
        )
        await self._challenges.set_message(challenge.id, sent.id)
        await reply.send(text_layout(challenges_text.posted(challenge, sent.id)), public=False)

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
                await self.show(challenge)
        if not elsewhere:
            with suppress(StoreError):  # then the scheduler redraws it
                changed = await self._challenges.redrawn(challenge)
                if changed is not None:
                    await self.show(changed)

    async def show(self, challenge: Challenge, *, thread: int | None = None) -> bool:
        """Update a challenge's message; return whether that worked.

        The scheduler retries failures.
        """
        changed: Challenge | None = challenge
        while changed is not None:  # another press may have been drawn before this one
            if changed.message_id is None:
                return True
            # The bot cannot edit old replies where only users have installed it.
            if changed.guild_id is not None and not await self._edit(
                changed, changed.message_id, thread
            ):
                return False
            try:
                changed = await self._challenges.redrawn(changed)
            except StoreError as error:
                log.warning("could not record that a challenge is shown", reason=str(error))
                return False
        return True

    async def _edit(self, challenge: Challenge, message_id: int, thread: int | None) -> bool:
        layout, files = await self.message(challenge, thread=thread)
        locale = await self._locales.of_guild(challenge.guild_id)
        channel = self._client.get_partial_messageable(challenge.channel_id)
        try:
            async with in_time():
                await channel.get_partial_message(message_id).edit(
                    view=View(layout, locale),
                    attachments=[attachment(file) for file in files],
                    allowed_mentions=NOBODY,
                )
        except discord.HTTPException as error:
            if error.status >= 500 or error.status == 429:
                log.warning("a challenge could not be shown, trying again", status=error.status)
                return False
            # Deleted, or closed to the bot: presses on it are still answered.
            log.info("a challenge cannot be shown", code=error.code)
        except (aiohttp.ClientError, OSError) as error:
            log.warning("a challenge could not be shown, trying again", reason=str(error))
            return False
        return True


def _unanswered(challenge: Challenge) -> list[int]:
    """Return the invited players who have not answered, to be pinged."""
    return [one.user_id for one in challenge.invited if one.joined is None]
