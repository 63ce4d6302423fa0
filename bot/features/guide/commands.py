"""``/play``, ``/help`` and its pages, and the context menu's challenge entry."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import discord

from bot.core.computers import LEVELS
from bot.core.errors import Refusal
from bot.core.interactions.commands import command, context_menu
from bot.core.interactions.components import Component, action_row, option, rows, text_display
from bot.core.interactions.controls import Button, Menu
from bot.core.interactions.layout import Layout, Upload
from bot.core.interactions.reply import Reply
from bot.core.permissions import play as permissions
from bot.features.challenges import text as challenges_text
from bot.features.challenges.buttons import invitation
from bot.features.challenges.invitations import against
from bot.features.challenges.posts import ChallengeMessages
from bot.features.challenges.service import Challenges
from bot.features.guide import text
from bot.features.guide.play_buttons import open_play
from bot.features.guide.welcome_views import doors, openings
from bot.features.lessons.commands import after_lessons
from bot.features.settings.commands import show
from engine import registry
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
        raise challenges_text.myself()
    await permissions.require_challenges(reply)
    permissions.require_opponent(reply, person)
    await open_play(reply, against="people", opponent=person.id)


@command("help", say("Getting started, and everything else"))
async def help_command(reply: Reply) -> None:
    """Show the first page of the help."""
    layout, files = await _first_page(reply)
    await reply.send(layout, files=files)


class HelpMenu(Menu, prefix="h"):
    """Turns to a page of the help."""

    async def choose(self, reply: Reply, values: Sequence[str]) -> None:
        """Show the page in place of the previous one."""
        if values[0] == text.START:
            layout, files = await _first_page(reply)
            await reply.replace(layout, files=files)
        else:
            await reply.replace(Layout(text_display(text.page(values[0])), _topics(values[0])))


class MySettingsButton(Button, prefix="mine"):
    """Opens a player's settings."""

    async def press(self, reply: Reply) -> None:
        """Show them privately."""
        await reply.send(await show(reply, "me"), public=False)


async def _first_page(reply: Reply) -> tuple[Layout, list[Upload]]:
    """Return the first page of the help and its pictures."""
    pictures, files = await openings(reply)
    settings = MySettingsButton().component(say("My settings"))
    buttons = rows([*doors(server=reply.guild_id is not None), settings])
    words = text_display(text.page(text.START))
    return Layout(words, pictures, *buttons, _topics(text.START)), files


def _topics(shown: str) -> Component:
    entries = [option(title, name, default=name == shown) for name, title in text.topics().items()]
    return action_row(HelpMenu().component(entries))


class EasiestComputerButton(Button, prefix="easiest"):
    """Starts a match against the easiest computer."""

    game: str

    async def press(self, reply: Reply) -> None:
        """Post the match; the lesson stays."""
        game = registry.games().get(self.game)
        if game is None:
            raise Refusal(say("This game is no longer here. `/help` lists the games I know."))
        await permissions.require_practice(reply)
        asked = against(invitation(reply, game, {}), LEVELS[0], None)
        begun = await reply.get(Challenges).practise(asked, place=reply.match_place)
        await reply.get(ChallengeMessages).post(reply, begun)


class ChallengeFriendButton(Button, prefix="friend"):
    """Opens a challenge to a game just learnt."""

    game: str

    async def press(self, reply: Reply) -> None:
        """Show it privately."""
        await open_play(reply, against="people", game=self.game)


@after_lessons
def buttons_at_the_end(slug: str) -> list[Component]:
    """Return the buttons below the last lesson of a game."""
    easiest = EasiestComputerButton(slug)
    return [
        easiest.component(say("Play the easiest computer"), style="success"),
        ChallengeFriendButton(slug).component(say("Challenge a friend")),
    ]
