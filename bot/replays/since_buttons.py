"""What happened since one's last turn, as a film that only the one who asks sees."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import discord
from discord import ui

from bot.errors import NotForYou
from bot.i18n.mentions import all_of
from bot.i18n.slash import slash
from bot.interactions import layouts
from bot.interactions.buttons import Pressed
from bot.replays import animation
from bot.replays import buttons as replay_view
from engine.phrase import say

if TYPE_CHECKING:
    import re

    from bot.client import Bot
    from bot.interactions.reply import Reply
    from bot.matches.positions import MatchView


class SinceButton(Pressed, ui.DynamicItem[ui.Button[Any]], template=r"r:(?P<match>\d+):since"):
    """Shows a player what happened since they last decided something."""

    def __init__(self, match_id: int) -> None:
        """Address one match."""
        super().__init__(
            ui.Button(
                label=say("Since your last turn"),
                style=discord.ButtonStyle.secondary,
                custom_id=f"r:{match_id}:since",
            )
        )
        self.match_id = match_id

    @classmethod
    async def from_custom_id(
        cls, _: discord.Interaction[Any], __: ui.Item[Any], match: re.Match[str]
    ) -> SinceButton:
        """Rebuild a button from its address."""
        return cls(int(match["match"]))

    async def press(self, answer: Reply, client: Bot) -> None:
        """Show the film."""
        await show(answer, client, await client.matches.view(self.match_id))


async def show(answer: Reply, client: Bot, view: MatchView) -> None:
    """Show a player what happened since they last decided something.

    Raises:
        NotForYou: not a player of the match.

    """
    player, number = view.player_of(answer.interaction.user.id), view.match.id
    if player is None:
        raise NotForYou(
            say(
                "Match #{number} belongs to {players}. `{command}` shows you all of it.",
                number=number,
                command=slash("match", "gif"),
                players=all_of(p.user_id for p in view.match.players),
            )
        )
    reel = await client.reels.of_match(number)
    shown = animation.since(reel, player.seat)
    if shown is None:
        words = say("Nothing has happened in match #{number} since your last turn.", number=number)
        await answer.tell(layouts.text(words), public=False)
        return
    look = await replay_view.look_of(answer, client, reel)
    gif = await animation.painted(client.studio, shown, most_bytes=animation.SINCE_BYTES, look=look)
    title = say("### Match #{number} since your last turn", number=number)
    message = replay_view.film_message(shown, title, shown.words)
    await answer.tell(message, files=[replay_view.film_file(shown, gif)], public=False)
