"""Runs every command, press, choice and form: finds what it is for, guards it, and counts it."""

from __future__ import annotations

import asyncio
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import discord
import structlog

from bot.interactions import controls
from bot.interactions.components import BUTTON
from bot.interactions.controls import Choosable, Form, Pressable
from bot.interactions.errors import explain
from bot.interactions.reply import PATIENCE, Reply, guarded

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator

    from svcs import Container

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class Dispatcher:
    """Answers interactions with the services of the bot."""

    def __init__(self, services: Container, *, patience: float = PATIENCE) -> None:
        """Answer with services.

        Args:
            services: every part of the bot, by type.
            patience: seconds until an interaction is acknowledged before its answer is ready.

        """
        self._services = services
        self.patience = patience
        self._running = 0
        self._drained = asyncio.Event()
        self._drained.set()

    def reply(self, interaction: discord.Interaction[Any], *, public: bool = False) -> Reply:
        """Return what answers an interaction."""
        return Reply(interaction, self._services, public=public, patience=self.patience)

    async def run(
        self,
        interaction: discord.Interaction[Any],
        work: Callable[[Reply], Awaitable[None]],
        *,
        public: bool = False,
    ) -> None:
        """Do the work of an interaction; whatever it raises becomes an answer.

        Args:
            interaction: what a person did.
            work: answers it through the reply it is handed.
            public: whether everyone in the channel sees the answer.

        """
        with self.running():
            reply = self.reply(interaction, public=public)
            await guarded(reply, lambda: work(reply), explain)

    async def dispatch(self, interaction: discord.Interaction[Any]) -> None:
        """Answer a press, a choice or a form; everything else is left alone."""
        data: Any = interaction.data or {}
        control: object = controls.find(str(data.get("custom_id", "")))
        component = interaction.type is discord.InteractionType.component
        if isinstance(control, Pressable) and data.get("component_type") == BUTTON:
            await self.run(interaction, control.press)
        elif isinstance(control, Choosable) and component:
            values = [str(value) for value in data.get("values", ())]
            menu = control
            await self.run(interaction, lambda reply: menu.choose(reply, values))
        elif isinstance(control, Form) and interaction.type is discord.InteractionType.modal_submit:
            typed = dict(_typed(data.get("components", ())))
            form = control
            await self.run(interaction, lambda reply: form.submit(reply, typed))

    @contextmanager
    def running(self) -> Iterator[None]:
        """Count a callback under way, so that closing waits for it."""
        self._running += 1
        self._drained.clear()
        try:
            yield
        finally:
            self._running -= 1
            if not self._running:
                self._drained.set()

    @property
    def idle(self) -> bool:
        """Whether no callback is under way."""
        return self._drained.is_set()

    async def drained(self, grace: float | None = None) -> None:
        """Wait until no callback is under way, at most ``grace`` seconds."""
        try:
            await asyncio.wait_for(self._drained.wait(), grace)
        except TimeoutError:
            log.warning("closing with callbacks under way", callbacks=self._running)


def _typed(components: Any) -> Iterator[tuple[str, str]]:
    for component in components:
        if "custom_id" in component and "value" in component:
            yield component["custom_id"], str(component["value"])
        if "component" in component:
            yield from _typed([component["component"]])
        yield from _typed(component.get("components", ()))
