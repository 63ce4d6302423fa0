"""The two questions before a person's data is deleted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import discord
from discord import ui

from bot.interactions import layouts
from bot.interactions.buttons import Pressed
from bot.moderation.buttons import show_closed
from engine.phrase import lines, plural, say

if TYPE_CHECKING:
    import re

    from bot.client import Bot
    from bot.interactions.reply import Reply


class DeleteButton(
    Pressed, ui.DynamicItem[ui.Button[Any]], template=r"m:delete:(?P<step>sure|now|no)"
):
    """Goes on with the deletion of whoever presses it, or leaves it."""

    def __init__(self, step: str) -> None:
        """Address one step."""
        labels = {
            "sure": say("Delete my data …"),
            "now": say("Yes, delete all of it now"),
            "no": say("Keep it"),
        }
        style = discord.ButtonStyle.secondary if step == "no" else discord.ButtonStyle.danger
        super().__init__(ui.Button(label=labels[step], style=style, custom_id=f"m:delete:{step}"))
        self.step = step

    @classmethod
    async def from_custom_id(
        cls, _: discord.Interaction[Any], __: ui.Item[Any], match: re.Match[str]
    ) -> DeleteButton:
        """Rebuild a button from its address."""
        return cls(match["step"])

    async def press(self, answer: Reply, client: Bot) -> None:
        """Take the step."""
        if self.step == "no":
            await answer.replace(layouts.text(say("Everything stays as it is.")))
            return
        if self.step == "sure":
            words = say("This cannot be undone. Delete all of it now?")
            await answer.replace(layouts.text(words, DeleteButton("now"), DeleteButton("no")))
            return
        await answer.acknowledge()  # many matches take their time
        erased = await client.privacy.erase(answer.interaction.user.id)
        told = [say("Your data is deleted.")]
        if erased.ended:
            number = len(erased.ended)
            told.append(plural("{n} match was given up.", "{n} matches were given up.", number))
        if erased.challenges:
            number = len(erased.challenges)
            told.append(plural("{n} challenge was closed.", "{n} challenges were closed.", number))
        told.append(say("If you play again, you begin as somebody new."))
        try:
            await answer.replace(layouts.text(lines(told, " ")))
        finally:
            for challenge_id in erased.challenges:
                await show_closed(client, await client.challenges.get(challenge_id))
            for match_id in erased.ended:
                client.table.deliver(answer, match_id)


def question() -> layouts.Message:
    """Return what deletion means, and the first question."""
    words = lines(
        [
            say("### Delete your data"),
            say("- Your matches under way are given up, as if you resigned each of them."),
            say("- Your open challenges and the invitations that you have are closed."),
            say(
                "- Your settings, vacations, imported records and the list of whom you blocked "
                "are deleted."
            ),
            say(
                "- In matches that are over, and in tables of results, “a former player” stands "
                "in your place: the results of your opponents stay whole."
            ),
            say(
                "- What was posted in channels belongs to those channels; who has blocked you "
                "stays protected from you."
            ),
            say("`/privacy export` gives you a copy first."),
        ]
    )
    return layouts.text(words, DeleteButton("sure"), DeleteButton("no"))
