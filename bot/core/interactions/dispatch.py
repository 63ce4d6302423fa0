"""Runs every command, press, choice and form: finds its handler, guards it and counts it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from typing import Any, Final, TypeAlias

import aiohttp
import discord
import structlog
from discord import app_commands
from structlog.contextvars import bound_contextvars
from svcs import Container

from bot.core.errors import Refusal
from bot.core.interactions import controls
from bot.core.interactions.components import BUTTON, MAX_OPTION_VALUE
from bot.core.interactions.controls import Choosable, Form, Pressable
from bot.core.interactions.layout import text_layout
from bot.core.interactions.rendering import illegal
from bot.core.interactions.reply import ACKNOWLEDGE_AFTER, UNKNOWN_MESSAGE, Reply
from bot.core.metrics import Metrics
from bot.core.numbers import GONE
from bot.core.requests.sending import URGENCY, Urgency
from bot.core.shards.ownership import Shards
from data.sql.errors import StoreError
from engine.errors import IllegalMove, RulesError
from engine.phrase import say

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


UNKNOWN_INTERACTION: Final = 10062
EXPIRED_TOKEN: Final = 50027
ALREADY_ANSWERED: Final = 40060
_TOO_LATE: Final = {UNKNOWN_INTERACTION, EXPIRED_TOKEN, ALREADY_ANSWERED, UNKNOWN_MESSAGE}


_MAX_FORM_TEXT: Final = 4000
"""Characters of a form's field. Discord takes no more, and a client may ignore a field's own limit."""
_LAST_MOMENT: Final = 2.5
"""Seconds before acknowledging an interaction whose shard is about to move here: until then the
shard's current owner may answer, and Discord waits for three."""


class Dispatcher:
    """Answers interactions with the services of the bot."""

    def __init__(
        self, services: Container, *, acknowledge_after: float = ACKNOWLEDGE_AFTER
    ) -> None:
        """Answer interactions with services.

        Args:
            services: every service of the bot, by type.
            acknowledge_after: seconds before an interaction is acknowledged ahead of its answer.

        """
        self._services = services
        self.acknowledge_after = acknowledge_after
        self._running = 0
        self._drained = asyncio.Event()
        self._drained.set()

    def reply(self, interaction: discord.Interaction[Any], *, public: bool = False) -> Reply:
        """Return the reply to an interaction."""
        awaited = self._services.get(Shards).awaits(interaction.guild_id)
        acknowledge_after = _LAST_MOMENT if awaited else self.acknowledge_after
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
    ) -> None:
        """Run the handler of an interaction; whatever it raises becomes an answer.

        Args:
            interaction: the command, press, choice or form.
            work: answers it through the reply it gets.
            public: whether everyone in the channel sees the answer.
            match_id: the match it is about, if its address says so.

        """
        URGENCY.set(Urgency.PRESS)
        self._services.get(Metrics).received(interaction.id, interaction.type.name)
        with bound_contextvars(**_logged(interaction, match_id)):
            async with self.reply(interaction, public=public) as reply:
                shards = self._services.get(Shards)
                if await shards.accepts(interaction.guild_id, interaction.id):
                    await self._answer(reply, work)
                else:  # its shard was handed over, and the new owner answers
                    await reply.leave()

    async def _answer(self, reply: Reply, work: Callable[[Reply], Awaitable[None]]) -> None:
        """Run a handler; the process does not close before it is done."""
        self._running += 1
        self._drained.clear()
        try:
            await _guarded(reply, work)
        finally:
            self._running -= 1
            if not self._running:
                self._drained.set()

    async def dispatch(self, interaction: discord.Interaction[Any]) -> None:
        """Answer a press, a choice or a form; ignore everything else."""
        component = interaction.type is discord.InteractionType.component
        if component or interaction.type is discord.InteractionType.modal_submit:
            data: Any = interaction.data or {}
            control: object = controls.find(str(data.get("custom_id", "")))
            work = _work(control, data, component=component)
            await self.run(interaction, work, match_id=getattr(control, "match_id", None))

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


def _work(control: object, data: Any, *, component: bool) -> Callable[[Reply], Awaitable[None]]:
    """Return the handler of a press, choice or form, even if its address leads nowhere."""
    kind = data.get("component_type")
    if component:
        if isinstance(control, Pressable) and kind == BUTTON:
            return control.press
        if isinstance(control, Choosable) and kind != BUTTON:
            values = _chosen(control, data.get("values"))
            return _gone if values is None else partial(control.choose, values=values)
    elif isinstance(control, Form):
        typed = dict(_typed(data.get("components", ())))
        if any(len(text) > _MAX_FORM_TEXT for text in typed.values()):
            return _too_long
        return partial(control.submit, typed=typed)
    return _gone


def _chosen(control: Choosable, values: object) -> list[str] | None:
    """Return what was chosen in a menu; ``None`` if no client of Discord's would send it."""
    if not isinstance(values, list):
        return None
    if not all(isinstance(one, str) and len(one) <= MAX_OPTION_VALUE for one in values):
        return None
    return values if values or getattr(control, "may_be_empty", False) else None


async def _gone(_: Reply) -> None:
    raise Refusal(GONE)


async def _too_long(_: Reply) -> None:
    raise Refusal(say("That's too long. Shorten it and try again."))


def _typed(components: Any) -> Iterator[tuple[str, str]]:
    for component in components:
        if "custom_id" in component and "value" in component:
            yield component["custom_id"], str(component["value"])
        if "component" in component:
            yield from _typed([component["component"]])
        yield from _typed(component.get("components", ()))


async def _guarded(reply: Reply, work: Callable[[Reply], Awaitable[None]]) -> None:
    """Run a handler; every error becomes a kind answer, where the player would read "failed"."""
    try:
        await work(reply)
    except discord.HTTPException as error:
        if error.code in _TOO_LATE:
            # For instance after a gateway outage, or because the message is gone. What was done is
            # committed, and the board in the channel shows it.
            log.info("interaction could not be answered", code=error.code)
            return
        if error.status >= 500 or error.status == 429:
            # Discord is down or rate limits the bot, and an explanation would go the same way.
            log.warning("Discord failed while answering", status=error.status)
            return
        await _explain(reply, error)
    except (aiohttp.ClientError, TimeoutError) as error:
        # The connection broke, so the reply may be lost. The work itself is committed.
        log.warning("connection lost while answering", reason=repr(error))
    except Exception as error:  # noqa: BLE001 -- the player waits for an answer, whatever failed
        await _explain(reply, error)


async def _explain(reply: Reply, error: Exception) -> None:
    try:
        try:
            await explain(reply, error)
        except StoreError as second:
            # The answer had a board, which could not be read.
            await explain(reply, second)
    except (discord.HTTPException, aiohttp.ClientError, OSError) as second:
        log.warning("could not tell a player about an error", reason=str(second))


Shown: TypeAlias = Callable[[Reply, Refusal], Awaitable[None]]

UNSAVED = say("I couldn't save that just now, so nothing has changed. Try again in a moment.")
CHANGED = say("This command has changed. Restart Discord (Ctrl+R on a computer) and try again.")
OUTDATED = (
    app_commands.CommandNotFound,
    app_commands.CommandSignatureMismatch,
    app_commands.TransformerError,
)
UNEXPECTED = say(
    "Something went wrong on my end. Your games are safe. Try again, and tell "
    "the bot's owner if it keeps happening."
)


_SHOWN: Final[list[tuple[Callable[[Refusal], bool], Shown]]] = []


def shows(concerns: Callable[[Refusal], bool]) -> Callable[[Shown], Shown]:
    """Register an answer to some refusals that shows more than their sentence: a board, a button."""

    def register(show: Shown) -> Shown:
        _SHOWN.append((concerns, show))
        return show

    return register


async def explain(reply: Reply, error: Exception) -> None:
    """Tell the player privately what went wrong and what to do."""
    if isinstance(error, Refusal):
        await _refuse(reply, error)
    elif isinstance(error, IllegalMove):
        words = illegal(error.rule, error.sentence, error.squares)
        await reply.send(text_layout(words), public=False)
    elif isinstance(error, RulesError):
        await reply.send(text_layout(error.sentence), public=False)
    elif isinstance(error, StoreError):
        log.error("the store failed", reason=str(error), kind=type(error).__name__)
        await reply.send(text_layout(UNSAVED), public=False)
    elif isinstance(error, OUTDATED):
        log.info("an outdated command was used", reason=str(error))
        await reply.send(text_layout(CHANGED), public=False)
    elif isinstance(error, discord.Forbidden):
        log.warning("forbidden", code=error.code)
        words = say("Discord won't let me do that here. Ask a moderator to check my permissions.")
        await reply.send(text_layout(words), public=False)
    else:
        log.error("a callback failed", exc_info=error)
        await reply.send(text_layout(UNEXPECTED), public=False)


async def _refuse(reply: Reply, error: Refusal) -> None:
    for concerns, show in _SHOWN:
        if concerns(error):
            await show(reply, error)
            return
    await reply.send(text_layout(error.sentence), public=False)
