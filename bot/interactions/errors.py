"""Turns whatever went wrong into the answer that a player reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

import discord
import structlog
from discord import app_commands

from bot.errors import Refusal
from bot.interactions import layouts
from bot.matches import text as matches_text
from data.errors import StoreError
from engine.errors import IllegalMove, RulesError
from engine.phrase import say

if TYPE_CHECKING:
    from bot.interactions.reply import Reply

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

UNSAVED = say(
    "This could not be saved just now, so nothing has changed. Please try again in a moment."
)
CHANGED = say(
    "This command has changed since your Discord last loaded it. "
    "Restart Discord (Ctrl+R on a computer) and try again."
)
OUTDATED = (app_commands.CommandNotFound, app_commands.CommandSignatureMismatch)
UNEXPECTED = say(
    "Something went wrong on my side. Your matches are safe: nothing that was played is lost. "
    "Please try again; if it stays, tell whoever runs this bot."
)


async def explain(answer: Reply, error: Exception) -> None:
    """Tell the player, and nobody else, what went wrong and what to do."""
    if isinstance(error, Refusal):
        await _refuse(answer, error)
    elif isinstance(error, IllegalMove):
        words = matches_text.illegal(error.rule, error.sentence, error.squares)
        await answer.tell(layouts.text(words), public=False)
    elif isinstance(error, RulesError):
        await answer.tell(layouts.text(error.sentence), public=False)
    elif isinstance(error, StoreError):
        log.error("the store failed", why=str(error), kind=type(error).__name__)
        await answer.tell(layouts.text(UNSAVED), public=False)
    elif isinstance(error, OUTDATED):
        log.info("an outdated command was used", why=str(error))
        await answer.tell(layouts.text(CHANGED), public=False)
    elif isinstance(error, discord.Forbidden):
        log.warning("forbidden", code=error.code)
        words = say(
            "Discord does not let me do that here. Ask a moderator to check my permissions."
        )
        await answer.tell(layouts.text(words), public=False)
    else:
        log.error("a callback failed", exc_info=error)
        await answer.tell(layouts.text(UNEXPECTED), public=False)


async def _refuse(answer: Reply, error: Refusal) -> None:
    if error.withdrawable is not None:
        from bot.challenges.buttons import withdrawal  # noqa: PLC0415 - buttons import this module

        await answer.tell(withdrawal(error.withdrawable, error.sentence), public=False)
        return
    if error.match_id is None:
        await answer.tell(layouts.text(error.sentence), public=False)
        return
    await answer.interaction.client.table.show(answer, error.match_id, first=error.sentence)
