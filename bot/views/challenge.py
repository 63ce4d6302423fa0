"""The buttons of a challenge: accept it, decline it, or withdraw it as its maker."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import discord
import structlog
from discord import ui

from bot import notices
from bot.permissions import require_boards
from bot.views import frame
from bot.views.press import Pressed
from data.challenges import State
from engine import registry
from engine.phrase import say

if TYPE_CHECKING:
    import re

    from bot.answer import Answer
    from bot.client import Bot
    from data.challenges import Challenge

_LABELS = {"accept": say("Accept"), "decline": say("Decline"), "withdraw": say("Withdraw")}

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class ChallengeButton(
    Pressed,
    ui.DynamicItem[ui.Button[Any]],
    template=r"c:(?P<challenge>\d+):(?P<reply>accept|decline|withdraw)",
):
    """Answers a challenge."""

    def __init__(self, challenge_id: int, reply: str) -> None:
        """Address one reply to one challenge."""
        accept = reply == "accept"
        super().__init__(
            ui.Button(
                label=_LABELS[reply],
                style=discord.ButtonStyle.success if accept else discord.ButtonStyle.secondary,
                custom_id=f"c:{challenge_id}:{reply}",
            )
        )
        self.challenge_id, self.accept = challenge_id, accept

    @classmethod
    async def from_custom_id(
        cls, _: discord.Interaction[Any], __: ui.Item[Any], match: re.Match[str]
    ) -> ChallengeButton:
        """Rebuild a button from its address."""
        return cls(int(match["challenge"]), match["reply"])

    async def press(self, answer: Answer, client: Bot) -> None:
        """Accept or decline; the last acceptance starts the match."""
        user = answer.interaction.user.id
        if not self.accept:
            closed = await client.challenges.refuse(self.challenge_id, user)
            await answer.replace(message(closed))
            await _take_buttons_off(answer, client, closed)
            return
        require_boards(answer.interaction)
        # The id of this very press is the player's salt: Discord chose it, after the seed was
        # sealed and shown.
        salt = str(answer.interaction.id)
        challenge, started = await client.challenges.accept(self.challenge_id, user, salt)
        try:
            await answer.replace(message(challenge))
        finally:
            if started is not None:
                client.table.deliver(answer, started.match.id)


async def _take_buttons_off(answer: Answer, client: Bot, closed: Challenge) -> None:
    """Show in the channel that a challenge is closed, where that was pressed elsewhere."""
    pressed = answer.interaction.message
    if closed.message_id is None or (pressed is not None and pressed.id == closed.message_id):
        return
    channel = client.get_partial_messageable(closed.channel_id)
    try:
        await channel.get_partial_message(closed.message_id).edit(
            view=message(closed), allowed_mentions=discord.AllowedMentions.none()
        )
    except discord.HTTPException as error:
        # Deleted, or closed to the bot: a press on it is answered all the same.
        log.info("a closed challenge keeps its buttons", code=error.code)


def withdrawal(challenge_id: int, words: str) -> frame.Message:
    """Return a message to the maker of an open challenge, with a button that withdraws it."""
    return frame.text(words, ChallengeButton(challenge_id, "withdraw"))


def message(challenge: Challenge) -> frame.Message:
    """Return the message of a challenge, with its buttons while it is open."""
    words = notices.challenge_text(challenge, registry.game(challenge.game))
    buttons: list[ui.Item[Any]] = []
    if challenge.state is State.OPEN:
        buttons = [ChallengeButton(challenge.id, reply) for reply in ("accept", "decline")]
    return frame.text(words, *buttons)
