"""The button below the last board of a match: to play again with the sides swapped."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import discord
from discord import ui

from bot.challenges import buttons as challenge_view
from bot.challenges import limits
from bot.delivery.interaction_transport import LENT, lent
from bot.interactions import layouts
from bot.interactions.buttons import Pressed
from bot.matches.computers import is_practice
from bot.permissions import play
from bot.practice import service as practice_service
from bot.practice import views as practice_view
from engine.phrase import say

if TYPE_CHECKING:
    import re

    from bot.client import Bot
    from bot.interactions.reply import Reply
    from bot.matches.positions import MatchView
    from data.challenges import Challenge


class RematchButton(
    Pressed,
    ui.DynamicItem[ui.Button[Any]],
    template=r"k:again:(?P<match>\d+)",
):
    """Asks the others to play again, or accepts where one of them has asked."""

    def __init__(self, match_id: int) -> None:
        """Address the rematch of one match."""
        super().__init__(
            ui.Button(
                label=say("Rematch"),
                style=discord.ButtonStyle.secondary,
                custom_id=f"k:again:{match_id}",
            )
        )
        self.match_id = match_id

    @classmethod
    async def from_custom_id(
        cls, _: discord.Interaction[Any], __: ui.Item[Any], match: re.Match[str]
    ) -> RematchButton:
        """Rebuild a button from its address."""
        return cls(int(match["match"]))

    async def press(self, answer: Reply, client: Bot) -> None:
        """Post a challenge, or begin the match that another player has asked for."""
        interaction = answer.interaction
        view = await client.matches.view(self.match_id)
        if is_practice(view.match):
            await _practise_again(answer, client, view)
            return
        if view.player_of(interaction.user.id) is not None and view.match.finished:
            channel_id = view.match.parent_id or view.match.channel_id
            await play.require_challenges(interaction, channel_id)
        challenge, started = await client.rematches.ask(
            client.challenges,
            view,
            interaction.user.id,
            str(interaction.id),
            place=LENT if lent(interaction) else None,
        )
        if len(challenge.invited) == _joined(challenge) or challenge.challenger_id != (
            interaction.user.id
        ):
            await self._accepted(answer, client, challenge)
            if started is not None:
                client.table.deliver(answer, started.match.id)
            return
        if challenge.channel_id == interaction.channel_id:
            await challenge_view.post(answer, client, challenge, public=True)
            return
        await _post_elsewhere(answer, client, challenge)

    async def _accepted(self, answer: Reply, client: Bot, challenge: Challenge) -> None:
        words = say("You have accepted the rematch of match #{match}.", match=self.match_id)
        if challenge.match_id is not None:
            words = say(
                "The rematch of match #{match} begins: it is match #{rematch}.",
                match=self.match_id,
                rematch=challenge.match_id,
            )
        try:
            await answer.tell(layouts.text(words), public=False)
        finally:
            await client.expiry.show(challenge)


async def _practise_again(answer: Reply, client: Bot, view: MatchView) -> None:
    """Begin another match against the same computers, with the sides swapped."""
    interaction = answer.interaction
    asked = practice_service.again(view, interaction.user.id, str(interaction.id))
    await play.require_practice(interaction, asked.channel_id)
    await practice_view.begin(answer, client, asked)


async def _post_elsewhere(answer: Reply, client: Bot, challenge: Challenge) -> None:
    """Post the rematch of a match that has a thread of its own beside that thread."""
    client.timekeeper.wake(challenge.expires_at)
    shown = await challenge_view.post_there(client, challenge)
    words = say("Your challenge stands here: {where}", where=limits.where(shown))
    await answer.tell(layouts.text(words), public=False)


def _joined(challenge: Challenge) -> int:
    return sum(one.joined is not None for one in challenge.invited)
