"""``/play``, ``/help``, and the context menu's challenge entry."""

from __future__ import annotations

from typing import Final

import discord

from bot.core.interactions.commands import command, context_menu
from bot.core.interactions.reply import Reply
from bot.core.permissions import play as permissions
from bot.features.challenges import refusals
from bot.features.guide.help_buttons import first_page
from bot.features.guide.play_buttons import open_play
from engine.phrase import say, word

CHALLENGE_PERSON: Final = word("command", "Challenge to a game…")


@command("play", say("Start a game with a friend, the computer or anyone"))
async def play(reply: Reply) -> None:
    """Show a choice of games and opponents."""
    await open_play(reply)


@context_menu(CHALLENGE_PERSON)
async def challenge_person(reply: Reply, person: discord.Member | discord.User) -> None:
    """Open a choice of games to challenge a person to."""
    if person.id == reply.interaction.application_id:
        raise refusals.myself()
    await permissions.require_challenges(reply)
    permissions.require_opponent(reply, person)
    await open_play(reply, against="people", opponent=person.id)


@command("help", say("Getting started, and everything else"))
async def help_command(reply: Reply) -> None:
    """Show the first page of the help."""
    layout, files = await first_page(reply)
    await reply.send(layout, files=files)
