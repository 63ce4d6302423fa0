"""``/play``, ``/help`` and its pages, and the context menu's challenge entry."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import ClassVar, Final

import discord
import structlog
from cachetools import TTLCache

from bot.core.computers import LEVELS
from bot.core.errors import Refusal
from bot.core.i18n.locales import Locales
from bot.core.interactions.commands import command, context_menu
from bot.core.interactions.components import (
    Component,
    action_row,
    option,
    rows,
    text_display,
)
from bot.core.interactions.controls import Button, Menu
from bot.core.interactions.layout import Attached, Layout, pictured
from bot.core.interactions.reply import Reply
from bot.core.permissions import play as permissions
from bot.core.permissions.channels import missing
from bot.core.posts.kinds import Content, Later, PostKind
from bot.core.posts.poster import Poster
from bot.core.scheduling.scheduler import WallClock
from bot.core.settings.service import SettingsStore
from bot.features.challenges import text as challenges_text
from bot.features.challenges.buttons import ChallengeMessages, invitation
from bot.features.challenges.invitations import against
from bot.features.challenges.service import Challenges
from bot.features.guide import text
from bot.features.guide.play_buttons import OpenPlayButton, open_play
from bot.features.lessons.commands import after_lessons, lesson_list
from bot.features.settings.commands import show
from bot.play.pictures.rendering import BoardStyle, Renderer, private_style
from data import posts
from data.posts import Post
from data.sql import key_values
from data.sql.errors import StoreError
from data.store.store import Store
from engine import registry
from engine.phrase import Tongue, listed, say, word
from render import DEFAULT

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
    await reply.send(await _first_page(reply))


class HelpMenu(Menu, prefix="h"):
    """Turns to a page of the help."""

    async def choose(self, reply: Reply, values: Sequence[str]) -> None:
        """Show the page in place of the previous one."""
        if values[0] == text.START:
            await reply.replace(await _first_page(reply))
        else:
            await reply.replace(Layout(text_display(text.page(values[0])), _topics(values[0])))


class MySettingsButton(Button, prefix="mine"):
    """Opens a player's settings."""

    async def press(self, reply: Reply) -> None:
        """Show them privately."""
        await reply.send(await show(reply, "me"), public=False)


async def _first_page(reply: Reply) -> Layout:
    settings = MySettingsButton().component(say("My settings"))
    buttons = rows([*doors(server=reply.guild_id is not None), settings])
    words = text_display(text.page(text.START))
    return Layout(words, await openings(reply), *buttons, _topics(text.START))


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
        await permissions.require_games(reply)
        asked = against(invitation(reply, game, {}), LEVELS[0], None)
        begun = await reply.get(Challenges).practise(asked, channel_kind=reply.channel_kind)
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


log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

_MAX_PICTURES: Final = 10
NEW: Final = timedelta(days=1)
"""Servers that added the bot longer ago need no welcome."""
_CLOSED: Final = timedelta(minutes=10)
"""The pause while the bot may post in no channel of a server."""
_AGAIN: Final = 600.0
"""Seconds until a channel or person may get the welcome again."""
_CHANNELS: Final = 10_000


@dataclass(eq=False, repr=False)
class Welcomes:
    """Welcomes servers and people."""

    client: discord.Client
    store: Store
    renderer: Renderer
    poster: Poster
    locales: Locales
    settings: SettingsStore
    clock: WallClock
    _answered: TTLCache[int, bool] = field(init=False)

    def __post_init__(self) -> None:
        """Remember who was answered, by the clock."""
        self._answered = TTLCache(_CHANNELS, _AGAIN, timer=lambda: self.clock().timestamp())

    async def greet_new(self, shard: int) -> Sequence[int]:
        """Welcome a shard's servers that added the bot while it was offline; return the posts."""
        wanted = list[int]()
        for guild in [one for one in self.client.guilds if one.shard_id == shard]:
            # Discord says nothing of a server that is unavailable, not even who the bot is there.
            me: discord.Member | None = guild.me
            joined = None if me is None else me.joined_at
            if joined is not None and self.clock() - joined < NEW:
                wanted += await self.greet(guild)
        return wanted

    async def greet(self, guild: discord.Guild) -> Sequence[int]:
        """Have the welcome posted in a server, once; return the post, if it is new."""
        key, now = f"welcomed:{guild.id}", self.clock()
        try:
            async with self.store.write() as tx:
                if await key_values.get(tx, key) is None:
                    await key_values.set(tx, key, now.isoformat())
                    return [
                        await posts.want(tx, WelcomePost.kind, guild.id, at=now, guild_id=guild.id)
                    ]
        except StoreError as error:
            log.info("could not welcome a server", guild=guild.id, reason=str(error))
        return []

    async def answer(self, message: discord.Message) -> None:
        """Answer a direct message, or a mention, with the welcome."""
        bot = self.client.user
        if bot is None or message.author.bot or message.webhook_id is not None:
            return
        # A reply to one of its boards notifies the bot without addressing it.
        spoken_to = message.guild is None or bot.mention in message.content
        if not spoken_to or message.channel.id in self._answered:
            return
        self._answered[message.channel.id] = True
        locale = await self.locales.of_player(message.author.id)
        if message.guild is not None:
            locale = await self.locales.of_guild(message.guild.id)
            allowed = message.channel.permissions_for(message.guild.me)
            if missing(allowed, thread=isinstance(message.channel, discord.Thread)):
                return
        if message.guild is None:
            theme = (await self.settings.player(message.author.id)).theme or DEFAULT
        else:
            theme = (await self.settings.server(message.guild.id)).theme
        layout = await welcome(self.renderer, theme, locale, server=message.guild is not None)
        content = Content(layout, locale, message.channel.id)
        if not await self.poster.answer(message.channel.id, content, nonce=f"w{message.id}"):
            self._answered.pop(message.channel.id, None)


class LearnButton(Button, prefix="learn"):
    """Asks which game to learn."""

    async def press(self, reply: Reply) -> None:
        """Show a button for each game privately."""
        await reply.send(lesson_list(), public=False)


class SetUpButton(Button, prefix="setup"):
    """Opens the server settings, for managers."""

    async def press(self, reply: Reply) -> None:
        """Show the settings privately; refuse anyone but managers."""
        await reply.send(await show(reply, "server"), public=False)


async def welcome(renderer: Renderer, theme: str, locale: Tongue, *, server: bool) -> Layout:
    """Return the welcome with a picture of all games; ``server`` adds managers' set-up button."""
    shown = await _all_games(renderer, BoardStyle(theme, locale=locale))
    buttons = doors(server=server)
    if server:
        buttons.append(SetUpButton().component(say("Set up here")))
    return Layout(
        *(text_display(text.welcome()), shown, text_display(text.HOW_TO_START)), *rows(buttons)
    )


async def openings(reply: Reply) -> Attached:
    """Return a picture of all games' opening positions, in one person's style."""
    return await _all_games(reply.get(Renderer), await private_style(reply, reply.home))


def doors(*, server: bool) -> list[Component]:
    """Return the buttons that lead to games and lessons; challenges to friends only in servers."""
    buttons = [OpenPlayButton("computer").component(say("Play the computer"), style="success")]
    if server:
        people = OpenPlayButton("people")
        buttons.append(people.component(say("Challenge a friend"), style="primary"))
    return [*buttons, LearnButton().component(say("Learn"))]


async def _all_games(renderer: Renderer, style: BoardStyle) -> Attached:
    """Return the opening positions of all games by name, in one picture: a phone crops several."""
    games = list(registry.games().values())[:_MAX_PICTURES]
    png = await renderer.sheet([(game.title, game.scene(game.initial())) for game in games], style)
    alt = say("The boards of {games}.", games=listed(game.title for game in games))
    return pictured("games.png", png, alt)


@dataclass(eq=False, repr=False)
class WelcomePost(PostKind):
    """Welcomes a server in the first channel where the bot can post pictures."""

    kind: ClassVar[str] = "welcome"
    kept: ClassVar[bool] = False

    client: discord.Client
    renderer: Renderer
    locales: Locales
    settings: SettingsStore
    clock: WallClock

    async def content(self, post: Post) -> Content | None:
        """Return the welcome; ``None`` if the server is no longer new, or has removed the bot."""
        guild, now = self.client.get_guild(post.subject), self.clock()
        if guild is None or now - post.created_at > NEW:
            return None
        channel = _place(guild)
        if channel is None:
            raise Later(now + _CLOSED)
        locale = await self.locales.of_guild(guild.id)
        theme = (await self.settings.server(guild.id)).theme
        layout = await welcome(self.renderer, theme, locale, server=True)
        return Content(layout, locale, channel.id)


def _place(guild: discord.Guild) -> discord.TextChannel | None:
    """Return a channel in which the bot can post pictures, the system channel if possible."""
    for channel in [guild.system_channel, *guild.text_channels]:
        if channel is not None and not missing(channel.permissions_for(guild.me)):
            return channel
    return None
