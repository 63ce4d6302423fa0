"""Who may play rated: what moderators are asked before they decide, and what it shows then.

Addresses are ``s:<reply>:<what>:<user>``, see `bot.moderation.decision_buttons`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import discord
from discord import ui

from bot.i18n.mentions import who
from bot.interactions import forms, layouts
from bot.interactions.buttons import Pressed
from bot.moderation import audit_buttons, decision_buttons
from bot.permissions.channels import require_manager
from engine.phrase import say

if TYPE_CHECKING:
    import re
    from collections.abc import Mapping

    from bot.client import Bot
    from bot.interactions.reply import Reply

_ADDRESS: Final = r"(?P<what>bar|admit):(?P<user>\d+)"
_MOST_SHOWN: Final = 25
"""So many challenges are brought up to date at once; the others are when somebody answers them."""


class RatedButton(
    Pressed,
    ui.DynamicItem[ui.Button[Any]],
    template=rf"{decision_buttons.REPLY}:{_ADDRESS}",
):
    """Goes on to a decision about who may play rated, or leaves everything as it is."""

    def __init__(self, reply: str, what: str, user_id: int) -> None:
        """Address one reply to one question."""
        style = discord.ButtonStyle.danger if what == "bar" else discord.ButtonStyle.success
        super().__init__(decision_buttons.button(reply, f"{what}:{user_id}", _DO[what], style))
        self.sure, self.what, self.user_id = reply == "yes", what, user_id

    @classmethod
    async def from_custom_id(
        cls, _: discord.Interaction[Any], __: ui.Item[Any], match: re.Match[str]
    ) -> RatedButton:
        """Rebuild a button from its address."""
        return cls(match["reply"], match["what"], int(match["user"]))

    async def press(self, answer: Reply, client: Bot) -> None:
        """Ask for the reason, or put the question away."""
        guild_id = require_manager(answer.interaction)
        if not self.sure:
            await decision_buttons.put_away(answer)
            return
        await client.exclusion.check(guild_id, self.user_id, allowed=self.what == "admit")
        await decision_buttons.ask_why(
            answer,
            f"{self.what}:{self.user_id}",
            _DO[self.what],
            say("It stands in `/server audit` and in this person's copy of their data"),
        )


_DO: Final = {
    "bar": say("Keep out of rated play"),
    "admit": say("Let in again"),
}


@forms.takes(rf"{decision_buttons.FORM}:{_ADDRESS}")
async def decide(
    answer: Reply, client: Bot, address: re.Match[str], typed: Mapping[str, str]
) -> None:
    """Do what a moderator has decided, and show it where it is seen."""
    moderator = decision_buttons.moderator(answer, typed)
    user_id, allowed = int(address["user"]), address["what"] == "admit"
    line = await client.exclusion.decide(user_id, moderator, allowed=allowed)
    try:
        await answer.replace(layouts.text(say("Done. {line}", line=audit_buttons.told(line))))
        await audit_buttons.write_in_log_channel(answer, client, line)
    finally:
        await show_concerned(client, moderator.guild_id, user_id)


async def show_concerned(client: Bot, guild_id: int, user_id: int | None = None) -> None:
    """Let open challenges say whether their match will be rated, of one person or of everybody."""
    for challenge in (await client.exclusion.concerned(guild_id, user_id))[:_MOST_SHOWN]:
        await client.expiry.show(challenge)


def question(user_id: int, *, allowed: bool) -> layouts.Message:
    """Return the question whether a moderator really decides so."""
    player = who(user_id)
    if allowed:
        words = say(
            "{player} will play rated in this server again: matches that begin from now on count. "
            "Those that began casual stay it. Is that right?",
            player=player,
        )
    else:
        words = say(
            "No match of {player} in this server will move a rating any more, those under way not "
            "either. What was rated before stays. Is that right?",
            player=player,
        )
    what = "admit" if allowed else "bar"
    return layouts.text(words, *(RatedButton(reply, what, user_id) for reply in ("yes", "no")))
