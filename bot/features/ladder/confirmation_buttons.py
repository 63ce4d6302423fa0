"""Questions before leaving or closing a ladder and declining a challenge, with their buttons."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from bot.core.errors import Refusal
from bot.core.interactions.controls import Button
from bot.core.interactions.layout import Layout, text_layout
from bot.core.permissions.channels import require_manager
from bot.features.ladder import checks
from bot.features.ladder.answering import LadderAnswers
from bot.features.ladder.service import Ladders
from bot.features.ladder.shared_views import state_of, visible
from engine.phrase import say

if TYPE_CHECKING:
    from bot.core.interactions.reply import Reply

ConfirmableAction = Literal["leave", "decline", "close"]


class LadderConfirmButton(Button, prefix="ladder-sure"):
    """Confirms or cancels an action."""

    confirmed: bool
    number: int
    """The challenge when declining, otherwise the ladder."""
    action: ConfirmableAction

    async def press(self, reply: Reply) -> None:
        """Act, or dismiss the question."""
        service = reply.get(Ladders)
        if not self.confirmed:
            await reply.replace(text_layout(say("Nothing changed.")))
        elif self.action == "decline":
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
    cancel = LadderConfirmButton(confirmed=False, number=number, action=action)
    return text_layout(
        words,
        confirm.component(labels[action], style="danger"),
        cancel.component(say("Cancel")),
    )
