"""Questions before leaving or closing a ladder and declining a challenge, and what its controls share."""

from __future__ import annotations

from typing import Literal

from bot.core.errors import Refusal
from bot.core.interactions.controls import Confirmation
from bot.core.interactions.layout import Layout, text_layout
from bot.core.interactions.reply import Reply
from bot.core.permissions.channels import require_manager
from bot.core.permissions.visibility import sees_or_deleted
from bot.features.ladder import challenge_text, checks
from bot.features.ladder.answering import LadderAnswers
from bot.features.ladder.service import Ladders
from bot.features.ladder.view import LadderView
from data.ladders.ladder_challenges import LadderChallenge
from engine.phrase import say

ConfirmableAction = Literal["leave", "decline", "close"]


class LadderConfirmButton(Confirmation, prefix="ladder-sure"):
    """Confirms or cancels an action."""

    number: int
    """The challenge when declining, otherwise the ladder."""
    action: ConfirmableAction

    async def proceed(self, reply: Reply) -> None:
        """Act."""
        service = reply.get(Ladders)
        if self.action == "decline":
            challenge = await reply.get(LadderAnswers).decline(
                self.number, reply.guild_id, reply.user_id, confirmed=True
            )
            await reply.replace(await state_of(reply, challenge))
        elif self.action == "leave":
            view = await service.leave(self.number, reply.guild_id, reply.user_id)
            sentence = say("You've left the {game} ladder.", game=view.title)
            await reply.replace(text_layout(sentence))
        else:
            require_manager(reply.interaction)
            view = await service.close(self.number, reply.guild_id, by=reply.user_id)
            sentence = say("The {game} ladder is closed.", game=view.title)
            await reply.replace(text_layout(sentence))


async def ask_to_leave(reply: Reply, number: int) -> Layout:
    """Ask the user to confirm leaving."""
    view = await visible(reply, number)
    if view.of(reply.user_id) is None:
        raise Refusal(say("You're not on this ladder."))
    words = say(
        "Leave the {game} ladder? Open ladder challenges count as lost. If you come back, you "
        "start at the bottom.",
        game=view.title,
    )
    return question(words, number, "leave")


async def ask_to_close(reply: Reply, number: int) -> Layout:
    """Ask for confirmation before closing a ladder."""
    require_manager(reply.interaction)
    view = await visible(reply, number)
    checks.check_neutral(view, reply.user_id)
    words = say(
        "Close the {game} ladder for good? Its places are lost. Open games go on as ordinary games.",
        game=view.title,
    )
    return question(words, number, "close")


def question(words: str, number: int, action: ConfirmableAction) -> Layout:
    """Return a question, with buttons to confirm an action and to cancel it."""
    labels = {"leave": say("Leave"), "decline": say("Decline"), "close": say("Close it")}
    confirm = LadderConfirmButton(confirmed=True, number=number, action=action)
    return confirm.question(words, labels[action])


async def visible(reply: Reply, number: int) -> LadderView:
    """Return a ladder of this server that the user may see.

    Raises:
        Refusal: there is no such ladder.

    """
    view = await reply.get(Ladders).get(number, reply.guild_id)
    if not sees_or_deleted(reply, view.ladder.channel_id):
        raise Refusal(say("There's no such ladder on this server."))
    return view


async def state_of(reply: Reply, challenge: LadderChallenge) -> Layout:
    """Return a challenge's new state, for the player who has just acted on it."""
    view = await reply.get(Ladders).get(challenge.ladder_id, reply.guild_id)
    return text_layout(challenge_text.challenge(view, challenge, None))


async def show_privately(reply: Reply, layout: Layout) -> None:
    """Replace a private message, or reply to a post in private."""
    if reply.pressed_is_private:
        await reply.replace(layout)
    else:
        await reply.send(layout, public=False)
