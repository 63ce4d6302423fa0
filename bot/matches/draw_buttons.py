"""A draw by agreement: the offer, which anyone sees, and the opponent's answer.

An offer is its message: it names the turn it was made at and lapses when that turn is over, so
there is nothing to store.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import discord
from discord import ui

from bot.errors import NotForYou
from bot.i18n.mentions import who
from bot.interactions import layouts
from bot.interactions.buttons import Pressed
from engine.phrase import lines, say

if TYPE_CHECKING:
    import re

    from bot.client import Bot
    from bot.interactions.reply import Reply
    from bot.matches.positions import MatchView


class DrawButton(
    Pressed,
    ui.DynamicItem[ui.Button[Any]],
    template=r"d:(?P<match>\d+):(?P<ply>\d+):(?P<user>\d+):(?P<reply>yes|no)",
):
    """Accepts or declines the draw that a player offered at a turn."""

    def __init__(self, match_id: int, ply: int, user_id: int, reply: str) -> None:
        """Address one reply to the offer of one player at one turn of one match."""
        yes = reply == "yes"
        super().__init__(
            ui.Button(
                label=say("Agree to a draw") if yes else say("Play on"),
                style=discord.ButtonStyle.danger if yes else discord.ButtonStyle.secondary,
                custom_id=f"d:{match_id}:{ply}:{user_id}:{reply}",
            )
        )
        self.match_id, self.ply, self.user_id, self.yes = match_id, ply, user_id, yes

    @classmethod
    async def from_custom_id(
        cls, _: discord.Interaction[Any], __: ui.Item[Any], match: re.Match[str]
    ) -> DrawButton:
        """Rebuild a button from its address."""
        return cls(int(match["match"]), int(match["ply"]), int(match["user"]), match["reply"])

    async def press(self, answer: Reply, client: Bot) -> None:
        """End the match as a draw, or put the offer away."""
        user = answer.interaction.user.id
        by = who(self.user_id)
        if not self.yes:
            view = await client.matches.view(self.match_id)
            if view.player_of(user) is None:
                raise NotForYou(say("This offer is for the opponent of {player}.", player=by))
            await answer.replace(layouts.text(self._off(user)))
            return
        turn = await client.matches.agree(self.match_id, user, self.user_id, self.ply)
        words = say(
            "{player} accepted the draw that {other} offered in match #{number}.",
            player=who(user),
            other=by,
            number=self.match_id,
        )
        try:
            await answer.replace(layouts.text(words))
        finally:
            client.table.deliver(answer, self.match_id, turn.after)

    def _off(self, user_id: int) -> str:
        if user_id == self.user_id:
            return say(
                "{player} withdrew the offer of a draw in match #{number}. Play goes on.",
                player=who(user_id),
                number=self.match_id,
            )
        return say(
            "{player} declined a draw in match #{number}. Play goes on.",
            player=who(user_id),
            number=self.match_id,
        )


def offer(view: MatchView, user_id: int) -> layouts.Message:
    """Return the offer of a draw at the present turn, calling all other players."""
    others = [who(p.user_id) for p in view.match.players if p.user_id != user_id]
    words = say(
        "{others}, {player} offers you a draw in match #{number} (rule {rule}). "
        "The offer stands until the next move.",
        others=lines(others, " "),
        player=who(user_id),
        number=view.match.id,
        rule=view.game.agreed_draw,
    )
    buttons = [DrawButton(view.match.id, view.version, user_id, reply) for reply in ("no", "yes")]
    return layouts.text(words, *buttons)
