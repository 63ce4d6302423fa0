"""Answers an interaction exactly once and in time, whatever happens.

Discord waits three seconds for an acknowledgement. A :class:`Reply` acknowledges by itself
when the work takes longer than `acknowledge_after`, and then sends the same answer by the other
route, so callers need not know which of the two happened. `bot.core.interactions.progress` first
shows the progress of long work.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from contextvars import ContextVar
from functools import partial
from types import TracebackType
from typing import Any, Final, Self, TypeVar

import aiohttp
import discord
import structlog
from svcs import Container

from bot.core.i18n.locales import Locales
from bot.core.interactions.components import Component
from bot.core.interactions.layout import NOBODY_PINGED, Layout, Pinged, Upload
from bot.core.interactions.same_token import SameToken
from bot.core.interactions.views import NOBODY, Modal, View, attached, kept, only
from bot.core.requests.sending import OneTry
from bot.core.shards.ownership import Shards
from bot.core.workers.fair_queue import Requester
from engine.phrase import Tongue

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

ACKNOWLEDGE_AFTER = 1.0
"""Seconds before an interaction is acknowledged ahead of its answer."""

_LATEST: Final = 2.5
"""Seconds after which a first answer is not tried again: Discord waits for three."""
_PAUSE: Final = 0.5
"""Seconds before an answer is sent once more."""

UNKNOWN_MESSAGE: Final = 10008
UNKNOWN_INTERACTION: Final = 10062
ALREADY_ANSWERED: Final = 40060
USER_INSTALL: Final = "lent"
"""The kind of channel of a match where the bot is present only by user install."""

T = TypeVar("T")


EDITS: Final = frozenset(
    {
        None,
        discord.InteractionResponseType.message_update,
        discord.InteractionResponseType.deferred_message_update,
    }
)
"""Responses to a press after which the pressed message can still be edited."""

PRIVATE: ContextVar[bool] = ContextVar("PRIVATE", default=False)
"""Whether only this user sees the answer that is being sent, so that it can overwrite nothing."""


class Reply:
    """The one answer to an interaction, and its follow-ups."""

    public: bool
    """Whether everyone in the channel sees the answer to a command, by default."""
    in_discord: bool = True
    """Whether it is answered in Discord, so that it can carry a board; else on the page."""

    def __init__(
        self,
        interaction: discord.Interaction[Any],
        services: Container,
        *,
        public: bool = False,
        acknowledge_after: float = ACKNOWLEDGE_AFTER,
    ) -> None:
        """Prepare to answer, or to acknowledge after so many seconds."""
        self.interaction = interaction
        # The interaction's own would be garbage in a cycle with it, message and all.
        self.response: discord.InteractionResponse[Any] = discord.InteractionResponse(interaction)
        """Its first answer."""
        self.user_id = interaction.user.id
        """The user who interacted."""
        self._services = services
        self.public = public
        self.acknowledge_after = acknowledge_after
        self._lock = asyncio.Lock()
        self._began = _now()
        self._deferred = self._tried = False
        self.follow_ups = 0
        """Number of follow-up messages sent."""
        self._timer: asyncio.TimerHandle | None = None
        self._acknowledging: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        loop = asyncio.get_running_loop()
        self._timer = loop.call_later(self.acknowledge_after, self._acknowledge_in_time)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self._timer is not None
        self._timer.cancel()
        if self._acknowledging is not None:
            self._acknowledging.cancel()

    def get(self, kind: type[T]) -> T:
        """Return a service of the bot by its type, such as ``reply.get(Challenges)``."""
        return self._services.get(kind)

    @property
    def guild_id(self) -> int | None:
        """The server it happened in; ``None`` in direct messages and groups."""
        return self.interaction.guild_id

    @property
    def requester(self) -> Requester:
        """The user and server that work is done for, so that it is shared fairly."""
        return Requester(self.guild_id or 0, self.user_id)

    @property
    def channel_id(self) -> int:
        """The channel it happened in."""
        return self.interaction.channel_id or 0

    @property
    def place(self) -> int:
        """The channel in which something may begin: the one it happened in."""
        return self.channel_id

    @property
    def by_user_install(self) -> bool:
        """Whether the bot is present here only by user install."""
        if self.guild_id is not None:
            return not self.interaction.is_guild_integration()
        return self.interaction.context.private_channel

    @property
    def home(self) -> int | None:
        """The server of a match started here; ``None`` in a server without the bot."""
        return None if self.by_user_install else self.guild_id

    @property
    def channel_kind(self) -> str | None:
        """The kind of channel of a match started here, if known before its first board."""
        return USER_INSTALL if self.by_user_install else None

    @property
    def pressed_is_private(self) -> bool:
        """Whether only this user sees the pressed message."""
        pressed = self.interaction.message
        return pressed is not None and pressed.flags.ephemeral

    async def confirm(self) -> None:
        """Check that this process still writes the boards; raise StoreError if not, or unknown."""
        await self._services.get(Shards).confirm()

    async def locale(self, *, public: bool | None = None) -> Tongue:
        """Return the language of the reply: the server's if it is public, else the user's."""
        seen_by_all = self.public if public is None else public
        return await self.get(Locales).of_reply(self.interaction, public=seen_by_all)

    async def send(
        self,
        message: Layout,
        *,
        public: bool | None = None,
        mentions: Pinged = NOBODY_PINGED,
    ) -> int | None:
        """Say something new, publicly or to this user alone; return the message's id, if known."""
        seen_by_all = self.public if public is None else public
        before = PRIVATE.set(not seen_by_all)
        try:
            return await self._send(message, mentions, seen_by_all=seen_by_all)
        finally:
            PRIVATE.reset(before)

    async def _send(self, message: Layout, mentions: Pinged, *, seen_by_all: bool) -> int | None:
        view, files = View(message, await self.locale(public=seen_by_all)), message.files
        response, interaction = self.response, self.interaction
        said: dict[str, Any] = {"view": view, "allowed_mentions": only(mentions)}
        async with self._lock:
            if not response.is_done():
                sent = await self._request(
                    lambda: response.send_message(
                        **said, files=attached(files), ephemeral=not seen_by_all
                    )
                )
                return sent.message_id
            if self._deferred and not self._is_press and seen_by_all == self.public:
                self._deferred = False
                edited = await self._request(
                    lambda: interaction.edit_original_response(**said, attachments=attached(files))
                )
                return edited.id
            if self._deferred and not self._is_press:
                # The first follow-up would fill the public "thinking…", for everyone to see.
                self._deferred = False
                await self._request(interaction.delete_original_response)
            self.follow_ups += 1
            follow = await self._request(
                lambda: interaction.followup.send(
                    **said, files=attached(files), ephemeral=not seen_by_all, wait=True
                )
            )
            return follow.id

    async def _request(self, send: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Send a request, and once more if Discord fails.

        discord.py would repeat it for half a minute, though a first answer counts for three
        seconds, and boards may wait for others.
        """
        first = not (self._tried or self.response.is_done())
        self._tried = True
        in_time = self.response.is_done() or _now() + _PAUSE < self._began + _LATEST
        try:
            async with OneTry(limited=False):
                return await send()
        except discord.DiscordServerError as error:
            if not in_time:
                raise
            log.info("answering once more", reason=repr(error))
        except discord.HTTPException as error:
            # After an attempt of ours whose reply was lost, this would be our own answer.
            if first and error.code == ALREADY_ANSWERED:
                await self._answered_elsewhere()
            raise
        await asyncio.sleep(_PAUSE)
        async with OneTry(limited=False):
            return await send()

    async def _answered_elsewhere(self) -> None:
        # While a shard moves here, the process that still has it may answer.
        if not self._services.get(Shards).awaits(self.guild_id):
            await self.get(SameToken).count("acknowledged")

    async def replace(self, message: Layout) -> None:
        """Edit the message whose button was pressed, and replace all its attachments.

        If it was deleted meanwhile, the message goes to this user alone.
        """
        view = View(message, await self.locale(public=not self.pressed_is_private))
        try:
            async with self._lock:
                await self._change(view, message.files)
        except discord.NotFound as error:
            if error.code != UNKNOWN_MESSAGE:
                raise
            await self.send(message, public=False)

    async def show_privately(self, message: Layout) -> int | None:
        """Show this user a message, in place of the pressed one if only they see that.

        Returns the id of a new message, if known.
        """
        if self.pressed_is_private:
            await self.replace(message)
            return None
        return await self.send(message, public=False)

    async def change_shown(self, shown: int | None, message: Layout) -> None:
        """Change what `show_privately` has shown, given what it returned.

        A new message whose id isn't known stays as it is: a second one would say the same.
        """
        if self.pressed_is_private:
            await self.replace(message)
        elif shown is not None:
            locale = await self.locale(public=False)
            await self.edit_sent(shown, message, locale, files=message.files)

    async def withdraw(self) -> None:
        """Remove the answer, as it can be seen elsewhere; if Discord fails, it stays."""
        try:
            async with self._lock:
                await self._request(self.interaction.delete_original_response)
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            log.info("could not withdraw an answer", reason=repr(error))

    async def leave(self) -> None:
        """Leave the interaction to another process: take back the "thinking…"."""
        if self._deferred and not self._is_press:
            await self.withdraw()

    async def edit(
        self,
        message: Layout,
        locale: Tongue,
        *,
        files: Sequence[Upload] | None = None,
    ) -> None:
        """Edit the message whose button was pressed; without ``files`` it keeps its attachments.

        Raises InteractionResponded if something else was answered, so that it cannot be edited; after
        an HTTPException, ClientError or OSError it may not have been.
        """
        view = View(message, locale)
        async with self._lock:
            if self.response.type not in EDITS:
                raise discord.InteractionResponded(self.interaction)
            await self._change(view, files)

    async def edit_sent(
        self,
        message_id: int,
        message: Layout,
        locale: Tongue,
        *,
        files: Sequence[Upload] | None = None,
    ) -> None:
        """Edit a message that `send` has sent, and raise like `edit`."""
        view = View(message, locale)
        change = partial(self.interaction.followup.edit_message, message_id, view=view)
        await self._request(lambda: change(attachments=kept(files), allowed_mentions=NOBODY))

    async def _change(self, view: View, files: Sequence[Upload] | None) -> None:
        change: Callable[..., Coroutine[Any, Any, object]] = self.response.edit_message
        if self.response.is_done():
            change = self.interaction.edit_original_response
        await self._request(
            lambda: change(view=view, attachments=kept(files), allowed_mentions=NOBODY)
        )

    async def ask(self, form: Component) -> None:
        """Open a form made by `bot.core.interactions.controls.Form.modal`."""
        modal = Modal(form, await self.locale(public=False))
        await self._request(lambda: self.response.send_modal(modal))

    async def launch(self) -> bool:
        """Open the application's Activity for this user; return whether Discord has done so.

        It cannot if something was answered before, or if the application has no Activity.
        """
        async with self._lock:
            if self.response.is_done():
                return False
            try:
                await self._request(self.response.launch_activity)
            except discord.HTTPException as error:
                if error.code in {UNKNOWN_INTERACTION, ALREADY_ANSWERED}:
                    raise
                log.warning("Discord did not open the Activity", code=error.code, reason=error.text)
                return False
        return True

    async def acknowledge(self) -> None:
        """Tell Discord that the answer will follow, unless it has been sent."""
        async with self._lock:
            if self.response.is_done():
                return
            if self._is_press:
                await self._request(self.response.defer)
            else:
                await self._request(
                    lambda: self.response.defer(ephemeral=not self.public, thinking=True)
                )
            self._deferred = True

    @property
    def _is_press(self) -> bool:
        kind = self.interaction.type
        # A form opened by a button belongs to the button's message.
        return kind is discord.InteractionType.component or (
            kind is discord.InteractionType.modal_submit and self.interaction.message is not None
        )

    def _acknowledge_in_time(self) -> None:
        self._acknowledging = asyncio.create_task(self._acknowledge_for_now())

    async def _acknowledge_for_now(self) -> None:
        try:
            await self.acknowledge()
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            log.warning("acknowledgement failed", reason=str(error))


def _now() -> float:
    return asyncio.get_running_loop().time()
