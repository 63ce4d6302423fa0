"""Turns any error into the answer that a player reads."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final, TypeAlias

import discord
import structlog
from discord import app_commands

from bot.core.errors import Refusal
from bot.core.interactions.layout import text_layout
from bot.core.interactions.reply import Reply
from bot.core.interactions.rule_text import illegal
from data.sql.errors import StoreError
from engine.errors import IllegalMove, RulesError
from engine.phrase import say

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

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
