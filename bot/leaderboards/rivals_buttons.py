"""``/rivals``: how two players stand against each other.

What they have played over all servers is shown to none but the two.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import discord
from discord import ui

from bot.challenges.picker_buttons import ChallengePersonButton
from bot.delivery.interaction_transport import home_of
from bot.errors import BadOpponent, NotForYou
from bot.interactions import layouts
from bot.interactions.buttons import Pressed
from bot.leaderboards import profile_text, rivals_text
from bot.leaderboards.profile_buttons import hidden
from engine.phrase import say

if TYPE_CHECKING:
    import re

    from bot.client import Bot
    from bot.interactions.reply import Reply


class RivalsButton(
    Pressed,
    ui.DynamicItem[ui.Button[Any]],
    template=r"v:(?P<one>\d+):(?P<other>\d+):(?P<scope>here|all):(?P<game>[a-z0-9_]*)",
):
    """Shows what two players have played in this server, or in all servers."""

    def __init__(self, one: int, other: int, game: str, *, everywhere: bool) -> None:
        """Address two players; ``game`` is empty for all games."""
        scope = "all" if everywhere else "here"
        super().__init__(
            ui.Button(
                label=profile_text.scope(everywhere=everywhere),
                style=discord.ButtonStyle.secondary,
                custom_id=f"v:{one}:{other}:{scope}:{game}",
            )
        )
        self.one, self.other, self.game, self.everywhere = one, other, game, everywhere

    @classmethod
    async def from_custom_id(
        cls, _: discord.Interaction[Any], __: ui.Item[Any], match: re.Match[str]
    ) -> RivalsButton:
        """Rebuild a button from its address."""
        return cls(
            int(match["one"]),
            int(match["other"]),
            match["game"],
            everywhere=match["scope"] == "all",
        )

    async def press(self, answer: Reply, client: Bot) -> None:
        """Show it in place of the other, or to this person alone."""
        pressed = answer.interaction.message
        alone = pressed is None or pressed.flags.ephemeral
        shown = await page(
            answer, client, self.one, self.other, self.game, everywhere=self.everywhere
        )
        shared = not self.everywhere and await open_to_all(client, self.one, self.other)
        if alone or shared:
            await answer.replace(shown)
        else:
            await answer.tell(shown, public=False)


async def open_to_all(client: Bot, *players: int) -> bool:
    """Return whether none of these players keeps their profile to themself."""
    return not any([await hidden(client, user_id) for user_id in players])


async def page(
    answer: Reply, client: Bot, one: int, other: int, game: str = "", *, everywhere: bool
) -> layouts.Message:
    """Return how two players stand, in this server or over all servers.

    Args:
        answer: the answer to who asks.
        client: the bot.
        one: the player from whose side it is told.
        other: the other one.
        game: one game; empty for all of them.
        everywhere: whether all servers are taken together.

    Raises:
        NotForYou: a third person asks for what concerns the two alone.

    """
    interaction = answer.interaction
    home = home_of(interaction)
    everywhere = everywhere or home is None
    between_them = everywhere or not await open_to_all(client, one, other)
    if between_them and interaction.user.id not in {one, other}:
        raise NotForYou(say("What these two have played is shown to nobody but them."))
    found = await client.profiles.rivalry(
        one, other, None if everywhere else home, game=game or None
    )
    buttons: list[ui.Item[Any]] = []
    if home is not None:
        buttons.append(RivalsButton(one, other, game, everywhere=not everywhere))
        ask = ChallengePersonButton(other).component(say("Challenge"), style="primary")
        buttons.append(layouts.Plain(ask))
    if found is None:
        return layouts.text(
            rivals_text.strangers(other, game or None, everywhere=everywhere), *buttons
        )
    guild = None if everywhere else interaction.guild
    gone = await client.members.gone(guild, found.people)
    return layouts.text(rivals_text.rivalry(found, gone), *buttons)


def require_rival(
    interaction: discord.Interaction[Any], person: discord.User | discord.Member
) -> None:
    """Refuse who cannot be a rival.

    Raises:
        BadOpponent: oneself, or a bot.

    """
    if person.id == interaction.user.id:
        raise BadOpponent(rivals_text.oneself())
    if person.bot:
        raise BadOpponent(rivals_text.no_human(person.mention))
