"""The buttons of a challenge: accept it, decline it, or withdraw it as its maker."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import discord
from discord import ui

from bot.challenges import text as challenges_text
from bot.delivery.interaction_transport import LENT, lent
from bot.interactions import layouts
from bot.interactions.buttons import Pressed
from bot.interactions.errors import shows
from bot.permissions import play
from data.challenges import State
from engine import registry
from engine.phrase import say

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

    from bot.client import Bot
    from bot.errors import Refusal
    from bot.interactions.reply import Reply
    from data.challenges import Challenge

_LABELS = {
    "accept": say("Accept"),
    "decline": say("Decline"),
    "leave": say("Leave"),
    "withdraw": say("Withdraw"),
}


class ChallengeButton(
    Pressed,
    ui.DynamicItem[ui.Button[Any]],
    template=r"c:(?P<challenge>\d+):(?P<reply>accept|decline|leave|withdraw)",
):
    """Answers a challenge."""

    def __init__(self, challenge_id: int, reply: str, label: str = "") -> None:
        """Address one reply to one challenge; ``label`` stands instead of the usual one."""
        accept = reply == "accept"
        super().__init__(
            ui.Button(
                label=label or _LABELS[reply],
                style=discord.ButtonStyle.success if accept else discord.ButtonStyle.secondary,
                custom_id=f"c:{challenge_id}:{reply}",
            )
        )
        self.challenge_id, self.reply = challenge_id, reply

    @classmethod
    async def from_custom_id(
        cls, _: discord.Interaction[Any], __: ui.Item[Any], match: re.Match[str]
    ) -> ChallengeButton:
        """Rebuild a button from its address."""
        return cls(int(match["challenge"]), match["reply"])

    async def press(self, answer: Reply, client: Bot) -> None:
        """Accept, decline, leave or withdraw; the last acceptance starts the match."""
        user = answer.interaction.user.id
        if self.reply == "accept":
            await self._accept(answer, client)
            return
        reply = {
            "decline": client.challenges.refuse,
            "leave": client.challenges.leave,
            "withdraw": client.challenges.withdraw,
        }[self.reply]
        await changed(answer, client, await reply(self.challenge_id, user))

    async def _accept(self, answer: Reply, client: Bot) -> None:
        interaction = answer.interaction
        challenge = await client.challenges.get(self.challenge_id)
        if challenge.state is State.OPEN:
            play.require_seen(interaction, challenge)
            play.require_posts(interaction, challenge.channel_id)
        # The id of this very press is the player's salt: Discord chose it, after the seed was
        # sealed and shown.
        challenge, started = await client.challenges.accept(
            self.challenge_id,
            interaction.user.id,
            str(interaction.id),
            place=LENT if lent(interaction) else None,
        )
        try:
            await changed(answer, client, challenge)
        finally:
            if started is not None:
                client.table.deliver(answer, started.match.id)


async def post(
    answer: Reply, client: Bot, offered: Challenge, *, public: bool | None = None
) -> None:
    """Show a new challenge to everybody in the channel, and call those whom it names."""
    client.timekeeper.wake(offered.expires_at)
    view = await shown(client, offered)
    message_id = await answer.tell(view, public=public, mentions=calls(offered))
    if message_id is not None:
        await client.challenges.shown(offered.id, message_id)


async def post_there(client: Bot, challenge: Challenge) -> Challenge:
    """Show a challenge in its channel, which is not where it was asked for; return it as it is now.

    Raises:
        discord.HTTPException: it could not be posted.

    """
    channel = client.get_partial_messageable(challenge.channel_id)
    view = await shown(client, challenge)
    view.tongue = await client.tongues.of_guild(challenge.guild_id)
    sent = await channel.send(
        view=view, nonce=f"c{challenge.id}", allowed_mentions=calls(challenge)
    )
    await client.challenges.shown(challenge.id, sent.id)
    return await client.challenges.get(challenge.id)


async def changed(answer: Reply, client: Bot, challenge: Challenge) -> None:
    """Show in the message that was pressed how a challenge stands now, and in its own message."""
    pressed = answer.interaction.message
    elsewhere = pressed is None or pressed.id != challenge.message_id
    try:
        await answer.replace(await shown(client, challenge))
        if not elsewhere and challenge.state not in {State.OPEN, State.STARTED}:
            await client.challenges.settled(challenge.id)
    finally:
        if elsewhere:
            await client.expiry.show(challenge)


def calls(challenge: Challenge) -> discord.AllowedMentions:
    """Return that those whom a challenge names are called."""
    users = [
        discord.Object(one.user_id)
        for one in challenge.invited
        if one.joined is None and one.user_id > 0
    ]
    return discord.AllowedMentions(everyone=False, roles=False, users=users)


@shows(lambda refusal: refusal.withdrawable is not None)
async def offer_withdrawal(answer: Reply, refusal: Refusal) -> None:
    """Answer that there are too many challenges with a button that withdraws one."""
    assert refusal.withdrawable is not None
    await answer.tell(withdrawal(refusal.withdrawable, refusal.sentence), public=False)


def withdrawal(challenge_id: int, words: str) -> layouts.Message:
    """Return a message to the maker of an open challenge, with a button that withdraws it."""
    return layouts.text(words, ChallengeButton(challenge_id, "withdraw"))


async def shown(client: Bot, challenge: Challenge, *, thread: int | None = None) -> layouts.Message:
    """Return the message of a challenge, with its buttons while it is open.

    Args:
        client: knows who may play rated.
        challenge: the challenge.
        thread: where its match is played, if that is known and not here.

    """
    bar = await client.admission.bar(challenge)
    words = challenges_text.text(challenge, registry.game(challenge.game), thread=thread, bar=bar)
    buttons: list[ui.Item[Any]] = []
    if challenge.state is State.OPEN:
        buttons = [ChallengeButton(challenge.id, reply) for reply in _replies(challenge)]
    return layouts.text(words, *buttons)


def _replies(challenge: Challenge) -> Iterator[str]:
    others = challenge.invited[1:]
    yield "accept"
    if any(one.named for one in others):
        yield "decline"
    if any(one.joined is not None for one in others):
        yield "leave"
    yield "withdraw"
