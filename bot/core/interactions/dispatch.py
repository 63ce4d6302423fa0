"""Runs every command, press, choice and form: finds its handler, guards it and counts it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from typing import Any, Final, TypeAlias

import aiohttp
import discord
import structlog
from discord import app_commands
from structlog.contextvars import bound_contextvars
from svcs import Container

from bot.core.errors import GONE, NoSuchMatch, NotAllowed, Refusal
from bot.core.interactions import controls
from bot.core.interactions.components import BUTTON, MAX_OPTION_VALUE
from bot.core.interactions.controls import Control
from bot.core.interactions.layout import illegal, text_layout
from bot.core.interactions.reply import (
    ACKNOWLEDGE_AFTER,
    ALREADY_ANSWERED,
    UNKNOWN_INTERACTION,
    UNKNOWN_MESSAGE,
    Reply,
)
from bot.core.interactions.same_token import SameToken
from bot.core.metrics import Metrics
from bot.core.owner_decisions import OwnerDecisions
from bot.core.requests.sending import URGENCY, Urgency
from bot.core.shards.ownership import Shards
from data.sql.errors import StoreError
from engine.errors import IllegalMove, RulesError
from engine.phrase import say

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


EXPIRED_TOKEN: Final = 50027
_TOO_LATE: Final = {UNKNOWN_INTERACTION, EXPIRED_TOKEN, ALREADY_ANSWERED, UNKNOWN_MESSAGE}
_REFUSALS: Final = (Refusal, RulesError, app_commands.AppCommandError)
"""What a player did or typed is not possible; everything else is a failure."""
_MAX_FORM_TEXT: Final = 4000
"""Characters of a form's field. Discord takes no more, and a client may ignore a field's own limit."""


CHANGED = say("This command has changed. Restart Discord (Ctrl+R on a computer) and try again.")
UNEXPECTED = say(
    "Something went wrong on my end. Your games are safe. Try again, and tell "
    "the bot's owner if it keeps happening."
)

Shown: TypeAlias = Callable[[Reply, Refusal], Awaitable[None]]
_SHOWN: Final[list[tuple[Callable[[Refusal], bool], Shown]]] = []


def shows(concerns: Callable[[Refusal], bool]) -> Callable[[Shown], Shown]:
    """Register an answer to some refusals that shows more than their sentence: a board, a button."""

    def register(show: Shown) -> Shown:
        _SHOWN.append((concerns, show))
        return show

    return register


class Dispatcher:
    """Answers interactions with the services of the bot."""

    def __init__(
        self, services: Container, *, acknowledge_after: float = ACKNOWLEDGE_AFTER
    ) -> None:
        """Answer with these services, or acknowledge after so many seconds."""
        self._services = services
        self.acknowledge_after = acknowledge_after
        self.last_moment = 2.5
        """Seconds before acknowledging an interaction whose shard is about to move here: until then
        the shard's current owner may answer, and Discord waits for three."""
        self._running = 0
        self._drained = asyncio.Event()
        self._drained.set()

    def reply(self, interaction: discord.Interaction[Any], *, public: bool = False) -> Reply:
        """Return the reply to an interaction."""
        awaited = self._services.get(Shards).awaits(interaction.guild_id)
        acknowledge_after = self.last_moment if awaited else self.acknowledge_after
        return Reply(
            interaction, self._services, public=public, acknowledge_after=acknowledge_after
        )

    async def run(
        self,
        interaction: discord.Interaction[Any],
        work: Callable[[Reply], Awaitable[None]],
        *,
        public: bool = False,
        match_id: int | None = None,
        for_blocked: bool = False,
        name: str | None = None,
        reply: Reply | None = None,
    ) -> None:
        """Run the handler of an interaction; whatever it raises becomes an answer.

        ``public`` answers are seen by everyone; ``match_id`` is the match it is known to be about,
        ``name`` is what was used, by default a command, and ``reply`` answers it elsewhere than in
        Discord. Unless it is ``for_blocked``, whoever the
        bot's owner has blocked gets that as the answer.
        """
        if not for_blocked:
            work = partial(self._unless_blocked, work)
        URGENCY.set(Urgency.PRESS)
        began = time.perf_counter()
        metrics = self._services.get(Metrics)
        metrics.received(interaction.id, interaction.type.name)
        with bound_contextvars(**_logged(interaction, match_id)):
            async with reply or self.reply(interaction, public=public) as answer:
                shards = self._services.get(Shards)
                if not answer.in_discord or await shards.accepts(
                    interaction.guild_id, interaction.id
                ):
                    outcome = await self._answer(answer, work)
                else:  # its shard was handed over, and the new owner answers
                    await answer.leave()
                    outcome = "left"
            acknowledged = metrics.acknowledged(interaction.id)
            # No option, custom id or text: they hold moves and names.
            log.info(
                "interaction",
                kind=interaction.type.name,
                name=name or getattr(interaction.command, "qualified_name", None),
                acknowledged_ms=None if acknowledged is None else round(1000 * acknowledged, 1),
                total_ms=round(1000 * (time.perf_counter() - began), 1),
                outcome=outcome,
            )

    async def _unless_blocked(self, work: Callable[[Reply], Awaitable[None]], reply: Reply) -> None:
        """Run a handler; raise NotAllowed if the user or the server is blocked."""
        if (refusal := self.refusal(reply)) is not None:
            raise refusal
        await work(reply)

    def refusal(self, reply: Reply) -> NotAllowed | None:
        """Return what to tell a user who is blocked, or whose server is."""
        return self._services.get(OwnerDecisions).refusal(reply.user_id, reply.guild_id)

    async def _answer(self, reply: Reply, work: Callable[[Reply], Awaitable[None]]) -> str:
        """Run a handler and return its outcome; the process does not close before it is done."""
        self._running += 1
        self._drained.clear()
        try:
            return await _guarded(reply, work)
        finally:
            self._running -= 1
            if not self._running:
                self._drained.set()

    async def dispatch(
        self, interaction: discord.Interaction[Any], reply: Reply | None = None
    ) -> None:
        """Answer a press, a choice or a form, as `run` does; ignore everything else."""
        component = interaction.type is discord.InteractionType.component
        if component or interaction.type is discord.InteractionType.modal_submit:
            data: Any = interaction.data or {}
            control = controls.find(str(data.get("custom_id", "")))
            work = partial(_handle, control=control, data=data, component=component)
            await self.run(
                interaction,
                work,
                match_id=getattr(control, "match_id", None),
                for_blocked=control is not None and control.for_blocked,
                name=type(control).__name__ if control is not None else "unknown",
                reply=reply,
            )

    @property
    def idle(self) -> bool:
        """Whether no callback is in progress."""
        return self._drained.is_set()

    async def drained(self, grace: float | None = None) -> None:
        """Wait until no callback is in progress, at most ``grace`` seconds."""
        try:
            await asyncio.wait_for(self._drained.wait(), grace)
        except TimeoutError:
            log.warning("closing while callbacks are running", callbacks=self._running)


def _logged(interaction: discord.Interaction[Any], match_id: int | None) -> dict[str, int]:
    """Return what every log line says that is written while an interaction is answered."""
    known = {"request": interaction.id}
    if shards := interaction.client.shard_count:
        # Discord's own formula; direct messages come through shard 0.
        known["shard"] = ((interaction.guild_id or 0) >> 22) % shards
    if match_id is not None:
        known["match"] = match_id
    return known


async def _handle(reply: Reply, control: Control | None, data: Any, *, component: bool) -> None:
    """Use a control; notice if it is about a match that only another program knows."""
    try:
        await _use(reply, control, data, component=component)
    except NoSuchMatch:
        match_id, message = getattr(control, "match_id", None), reply.interaction.message
        if match_id is not None and message is not None:
            await reply.get(SameToken).unknown_match(match_id, data, message.components)
        raise


async def _use(reply: Reply, control: Control | None, data: Any, *, component: bool) -> None:
    """Answer a press, choice or form; raise Refusal if no client of Discord's would send it."""
    if control is None:
        raise Refusal(GONE)
    if not component:
        typed = dict(_typed(data.get("components", ())))
        if any(len(text) > _MAX_FORM_TEXT for text in typed.values()):
            raise Refusal(say("That's too long. Shorten it and try again."))
        await control.submit(reply, typed)
    elif data.get("component_type") == BUTTON:
        await control.press(reply)
    else:
        values = data.get("values")
        if not isinstance(values, list) or not (values or control.may_be_empty):
            raise Refusal(GONE)
        if not all(isinstance(one, str) and len(one) <= MAX_OPTION_VALUE for one in values):
            raise Refusal(GONE)
        await control.choose(reply, values)


def _typed(components: Any) -> Iterator[tuple[str, str]]:
    for component in components:
        if "custom_id" in component and "value" in component:
            yield component["custom_id"], str(component["value"])
        elif "custom_id" in component and component.get("values"):  # a menu
            yield component["custom_id"], str(component["values"][0])
        if "component" in component:
            yield from _typed([component["component"]])
        yield from _typed(component.get("components", ()))


async def _guarded(reply: Reply, work: Callable[[Reply], Awaitable[None]]) -> str:
    """Run a handler and return its outcome, one of those in docs/operating.md.

    Every error becomes a kind answer, where the player would read "failed".
    """
    try:
        await work(reply)
    except discord.HTTPException as error:
        if error.code in _TOO_LATE:
            # For instance after a gateway outage, or because the message is gone. What was done is
            # committed, and the board in the channel shows it.
            log.info("interaction could not be answered", code=error.code)
            return "late"
        if error.status >= 500 or error.status == 429:
            # Discord is down or rate limits the bot, and an explanation would go the same way.
            log.warning("Discord failed while answering", status=error.status)
            return "unanswered"
        await _explain(reply, error)
        return "failed"
    except (aiohttp.ClientError, TimeoutError) as error:
        # The connection broke, so the reply may be lost. The work itself is committed.
        log.warning("connection lost while answering", reason=repr(error))
        return "unanswered"
    except Exception as error:  # noqa: BLE001 -- the player waits for an answer, whatever failed
        await _explain(reply, error)
        return "refused" if isinstance(error, _REFUSALS) else "failed"
    return "done"


async def _explain(reply: Reply, error: Exception) -> None:
    try:
        try:
            await explain(reply, error)
        except StoreError as second:
            # The answer had a board, which could not be read.
            await explain(reply, second)
    except (discord.HTTPException, aiohttp.ClientError, OSError) as second:
        log.warning("could not tell a player about an error", reason=str(second))


async def explain(reply: Reply, error: Exception) -> None:
    """Tell the player privately what went wrong and what to do."""
    if isinstance(error, Refusal):
        for concerns, show in _SHOWN:
            if concerns(error):
                await show(reply, error)
                return
    await reply.send(text_layout(told(error)), public=False)


def told(error: Exception) -> str:
    """Return what to tell a player who has met an error, and log it if it is one of the bot's."""
    match error:
        case IllegalMove():
            return illegal(error.rule, error.sentence, error.squares)
        case Refusal() | RulesError():
            return error.sentence
        case StoreError():
            log.error("the store failed", reason=str(error), kind=type(error).__name__)
            return say(
                "I couldn't save that just now, so nothing has changed. Try again in a moment."
            )
        case discord.Forbidden():
            log.warning("forbidden", code=error.code)
            return say(
                "Discord won't let me do that here. Ask a moderator to check my permissions."
            )
        case (
            app_commands.CommandNotFound()
            | app_commands.CommandSignatureMismatch()
            | app_commands.TransformerError()
        ):
            log.info("an outdated command was used", reason=type(error).__name__)
            return CHANGED
    log.error("a callback failed", exc_info=error)
    return UNEXPECTED
