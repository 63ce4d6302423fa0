"""Answering an interaction exactly once, in time, whatever happens.

Discord waits three seconds for an acknowledgement. A :class:`Reply` acknowledges by itself
when the work takes longer than its patience, and afterwards sends the same answer by the other
route, so that callers need not know which of the two happened.

`guarded` wraps every callback: discord.py only logs what a ``DynamicItem`` raises, and the
player would read "interaction failed". Here every error becomes a kind answer.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Self

import aiohttp
import discord
import structlog

from data.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence
    from types import TracebackType

    from bot.i18n.locales import Locales
    from bot.interactions.layouts import Message
    from engine.phrase import Tongue

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

PATIENCE = 1.0
"""Seconds until an interaction is acknowledged before its answer is ready."""

UNKNOWN_INTERACTION = 10062
EXPIRED_TOKEN = 50027
ALREADY_ANSWERED = 40060
UNKNOWN_MESSAGE = 10008

_TOO_LATE = {UNKNOWN_INTERACTION, EXPIRED_TOKEN, ALREADY_ANSWERED, UNKNOWN_MESSAGE}

NOBODY = discord.AllowedMentions.none()


class Reply:
    """The one answer to an interaction, and what may follow it."""

    def __init__(
        self,
        interaction: discord.Interaction[Any],
        *,
        public: bool = False,
        patience: float = PATIENCE,
    ) -> None:
        """Be ready to answer.

        Args:
            interaction: what a person did.
            public: whether the answer to a command is for everybody to see.
            patience: seconds until it is acknowledged without an answer.

        """
        self.interaction = interaction
        self._public = public
        self._patience = patience
        self._lock = asyncio.Lock()
        self._deferred = False
        self._timer: asyncio.TimerHandle | None = None
        self._acknowledging: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        loop = asyncio.get_running_loop()
        self._timer = loop.call_later(self._patience, self._out_of_patience)
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

    @property
    def given(self) -> bool:
        """Whether the interaction has been answered or acknowledged."""
        return self.interaction.response.is_done()

    async def tongue(self, *, public: bool | None = None) -> Tongue:
        """Return the language of what is told: to everybody where public, else to this person."""
        seen_by_all = self._public if public is None else public
        tongues: Locales = self.interaction.client.tongues
        return await tongues.of_answer(self.interaction, public=seen_by_all)

    async def tell(
        self,
        view: Message,
        *,
        files: Sequence[discord.File] = (),
        public: bool | None = None,
        mentions: discord.AllowedMentions = NOBODY,
    ) -> int | None:
        """Say something new: to everybody where public, else to this person alone.

        Returns:
            The id of the message, where Discord tells it.

        """
        seen_by_all = self._public if public is None else public
        view.tongue = await self.tongue(public=seen_by_all)
        response = self.interaction.response
        async with self._lock:
            if not response.is_done():
                sent = await response.send_message(
                    view=view,
                    files=list(files),
                    ephemeral=not seen_by_all,
                    allowed_mentions=mentions,
                )
                return sent.message_id
            if self._deferred and not self._is_press and seen_by_all == self._public:
                self._deferred = False
                message = await self.interaction.edit_original_response(
                    view=view, attachments=list(files), allowed_mentions=mentions
                )
                return message.id
            if self._deferred and not self._is_press:
                # The first follow-up would fill the public "thinking…", for everybody to see.
                self._deferred = False
                await self.interaction.delete_original_response()
            follow = await self.interaction.followup.send(
                view=view,
                files=list(files),
                ephemeral=not seen_by_all,
                allowed_mentions=mentions,
                wait=True,
            )
            return follow.id

    async def replace(
        self,
        view: Message,
        *,
        files: Sequence[discord.File | discord.Attachment] = (),
        mentions: discord.AllowedMentions = NOBODY,
    ) -> None:
        """Change the message whose button was pressed. ``files`` are all that it then has.

        Words of a message that was deleted meanwhile are told to this person alone.
        """
        try:
            await self._replace(view, files, mentions)
        except discord.NotFound as error:
            if error.code != UNKNOWN_MESSAGE or files:
                raise
            await self.tell(view, public=False)

    async def _replace(
        self,
        view: Message,
        files: Sequence[discord.File | discord.Attachment],
        mentions: discord.AllowedMentions,
    ) -> None:
        pressed = self.interaction.message
        view.tongue = await self.tongue(public=pressed is None or not pressed.flags.ephemeral)
        async with self._lock:
            if not self.interaction.response.is_done():
                await self.interaction.response.edit_message(
                    view=view, attachments=list(files), allowed_mentions=mentions
                )
            else:
                await self.interaction.edit_original_response(
                    view=view, attachments=list(files), allowed_mentions=mentions
                )

    async def acknowledge(self) -> None:
        """Tell Discord that the answer will come, if it has not come yet."""
        async with self._lock:
            if self.interaction.response.is_done():
                return
            if self._is_press:
                await self.interaction.response.defer()
            else:
                await self.interaction.response.defer(ephemeral=not self._public, thinking=True)
            self._deferred = True

    @property
    def _is_press(self) -> bool:
        kind = self.interaction.type
        # A form that a button opened belongs to the message of the button.
        return kind is discord.InteractionType.component or (
            kind is discord.InteractionType.modal_submit and self.interaction.message is not None
        )

    def _out_of_patience(self) -> None:
        self._acknowledging = asyncio.create_task(self._acknowledge_for_now())

    async def _acknowledge_for_now(self) -> None:
        try:
            await self.acknowledge()
        except (discord.HTTPException, aiohttp.ClientError) as error:
            log.warning("acknowledgement failed", why=str(error))


async def guarded(
    answer: Reply,
    work: Callable[[], Awaitable[None]],
    explain: Callable[[Reply, Exception], Awaitable[None]],
) -> None:
    """Do the work of a callback and turn whatever it raises into an answer.

    Args:
        answer: the answer to the interaction.
        work: what the callback does.
        explain: answers an error that the work raised.

    """
    async with answer:
        try:
            await work()
        except discord.HTTPException as error:
            if error.code in _TOO_LATE:
                # For instance after a gateway outage, or the message is gone. What was done is
                # committed, and the board in the channel shows it.
                log.info("interaction could not be answered", code=error.code)
                return
            if error.status >= 500:
                # Discord is down, and telling would take the same way.
                log.warning("Discord failed while answering", status=error.status)
                return
            await _explain(answer, error, explain)
        except aiohttp.ClientError as error:
            # The line broke: nobody knows whether the answer arrived. What was done is committed.
            log.warning("the line broke while answering", why=str(error))
        except Exception as error:  # noqa: BLE001 - a person waits for an answer, whatever it was
            await _explain(answer, error, explain)


async def _explain(
    answer: Reply,
    error: Exception,
    explain: Callable[[Reply, Exception], Awaitable[None]],
) -> None:
    try:
        try:
            await explain(answer, error)
        except StoreError as second:
            # The answer had a board, which could not be looked up.
            await explain(answer, second)
    except (discord.HTTPException, aiohttp.ClientError) as second:
        log.warning("could not tell a player of an error", why=str(second))
