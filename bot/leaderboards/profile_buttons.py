"""``/profile``: what a player has done, for all to see, or for whoever asks alone.

Over all servers, whom somebody met and where is shown to nobody but them. So whatever is asked
over all servers is answered to whoever asks alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import discord
from discord import ui

from bot.challenges.picker_buttons import ChallengePersonButton
from bot.delivery.interaction_transport import home_of
from bot.errors import BadOpponent, NotForYou
from bot.i18n.mentions import named
from bot.interactions import layouts
from bot.interactions.buttons import Pressed, chosen_value
from bot.leaderboards import chart_views
from bot.leaderboards import profile_text as words
from bot.pictures.leaderboards import of_profile
from engine import registry
from engine.phrase import say

if TYPE_CHECKING:
    import re

    from bot.client import Bot
    from bot.interactions.reply import Reply
    from bot.leaderboards.profile import Profile

_MOST_GAMES = 25


class ProfileButton(
    Pressed,
    ui.DynamicItem[ui.Button[Any]],
    template=r"u:(?P<user>\d+):(?P<scope>here|all):(?P<game>[a-z0-9_]*)",
):
    """Shows a profile of this server, or of all servers."""

    def __init__(self, user_id: int, game: str, *, everywhere: bool) -> None:
        """Address one profile; ``game`` is empty for the favourite one."""
        scope = "all" if everywhere else "here"
        super().__init__(
            ui.Button(
                label=words.scope(everywhere=everywhere),
                style=discord.ButtonStyle.secondary,
                custom_id=f"u:{user_id}:{scope}:{game}",
            )
        )
        self.user_id, self.game, self.everywhere = user_id, game, everywhere

    @classmethod
    async def from_custom_id(
        cls, _: discord.Interaction[Any], __: ui.Item[Any], match: re.Match[str]
    ) -> ProfileButton:
        """Rebuild a button from its address."""
        return cls(int(match["user"]), match["game"], everywhere=match["scope"] == "all")

    async def press(self, answer: Reply, client: Bot) -> None:
        """Show it in place of the other, or to this person alone."""
        await turn(answer, client, self.user_id, self.game, everywhere=self.everywhere)


class ProfileMenu(
    Pressed,
    ui.DynamicItem[ui.Select[Any]],
    template=r"u:(?P<user>\d+):(?P<scope>here|all)",
):
    """Chooses the game of which a profile tells more."""

    def __init__(
        self,
        user_id: int,
        *,
        everywhere: bool,
        options: list[discord.SelectOption] | None = None,
    ) -> None:
        """Address the games of one profile."""
        scope = "all" if everywhere else "here"
        super().__init__(ui.Select(custom_id=f"u:{user_id}:{scope}", options=options or []))
        self.user_id, self.everywhere = user_id, everywhere

    @classmethod
    async def from_custom_id(
        cls, _: discord.Interaction[Any], item: ui.Item[Any], match: re.Match[str]
    ) -> ProfileMenu:
        """Rebuild a menu from its address, with what was chosen."""
        menu = cls(int(match["user"]), everywhere=match["scope"] == "all")
        assert isinstance(item, ui.Select)
        menu.item = item
        return menu

    async def press(self, answer: Reply, client: Bot) -> None:
        """Show the profile with more of this game."""
        game = chosen_value(self.item)
        await turn(answer, client, self.user_id, game, everywhere=self.everywhere)


async def turn(answer: Reply, client: Bot, user_id: int, game: str, *, everywhere: bool) -> None:
    """Show another part of a profile in place of the one that was pressed, or beside it."""
    pressed = answer.interaction.message
    alone = pressed is None or pressed.flags.ephemeral
    shared = not everywhere and not await hidden(client, user_id)
    public = shared and not alone
    message, files = await page(answer, client, user_id, game, everywhere=everywhere, public=public)
    if alone or shared:
        await answer.replace(message, files=files)
    else:
        await answer.tell(message, files=files, public=False)


async def hidden(client: Bot, user_id: int) -> bool:
    """Return whether a player keeps their profile to themself."""
    return not (await client.choices.player(user_id)).profile


async def page(
    answer: Reply,
    client: Bot,
    user_id: int,
    game: str = "",
    *,
    everywhere: bool,
    public: bool,
) -> tuple[layouts.Message, list[discord.File]]:
    """Return a profile and its picture, for this server, or over all servers for one reader.

    Args:
        answer: the answer to who asks.
        client: the bot.
        user_id: whose profile.
        game: the one of which more is told; empty for the one they play most.
        everywhere: whether all servers are taken together.
        public: whether everybody will see it.

    Raises:
        NotForYou: the player keeps their profile to themself.

    """
    interaction = answer.interaction
    reader = interaction.user.id
    if user_id != reader and await hidden(client, user_id):
        raise NotForYou(say("{person} keeps their profile to themself.", person=named(user_id)))
    home = home_of(interaction)
    everywhere = everywhere or home is None
    found = await client.profiles.read(
        user_id,
        None if everywhere else home,
        game=game or None,
        whole=not everywhere or user_id == reader,
    )
    buttons: list[ui.Item[Any]] = []
    if home is not None:
        buttons.append(ProfileButton(user_id, game, everywhere=not everywhere))
    if found is None:
        told = words.nothing(user_id, reader, everywhere=everywhere, game=game or None)
        return layouts.text(told, *buttons), []
    if user_id != reader and home is not None:
        ask = ChallengePersonButton(user_id).component(say("Challenge"), style="primary")
        buttons.append(layouts.Plain(ask))
    guild = None if everywhere else interaction.guild
    gone = await client.members.gone(guild, found.people)
    parts: list[ui.Item[Any]] = [ui.TextDisplay(words.heading(found, gone))]
    if found.chosen is None:
        parts.append(
            ui.TextDisplay(words.nothing(user_id, reader, everywhere=everywhere, game=game))
        )
    files: list[discord.File] = []
    shown = of_profile(found)
    if shown is not None:
        gallery, file = await chart_views.chart(answer, client, shown, public=public)
        parts.append(gallery)
        files.append(file)
    parts.append(ui.TextDisplay(words.chosen(found, gone)))
    if len(found.games) > 1:
        parts.append(ui.ActionRow(_games(found)))
    return layouts.Message(*parts, *layouts.rows(buttons)), files


def _games(found: Profile) -> ProfileMenu:
    options = [
        discord.SelectOption(
            label=words.title(game.slug),
            value=game.slug,
            default=found.chosen is not None and game.slug == found.chosen.slug,
        )
        for game in found.games
        if game.slug in registry.games()
    ]
    return ProfileMenu(found.user_id, everywhere=found.everywhere, options=options[:_MOST_GAMES])


def require_player(person: discord.User | discord.Member) -> None:
    """Refuse who cannot have a profile.

    Raises:
        BadOpponent: a bot.

    """
    if person.bot:
        raise BadOpponent(
            say("{person} is a bot and has no profile. Choose a person.", person=person.mention)
        )
