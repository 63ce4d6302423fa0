"""The two questions before personal data is deleted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

from bot.challenges.buttons import ChallengeMessages
from bot.challenges.service import Challenges
from bot.interactions.controls import Button
from bot.interactions.layout import Layout, text_layout
from bot.settings.privacy import Privacy
from engine.phrase import lines, plural, say

if TYPE_CHECKING:
    from bot.interactions.components import Component, Style
    from bot.interactions.reply import Reply

Step = Literal["sure", "now", "no"]

_LABELS: Final[dict[Step, str]] = {
    "sure": say("Delete my data …"),
    "now": say("Yes, delete all of it now"),
    "no": say("Keep it"),
}


class DeleteButton(Button, prefix="erase"):
    """Continues with deleting the presser's data, or cancels."""

    step: Step

    async def press(self, reply: Reply) -> None:
        """Ask the second question, delete, or cancel."""
        if self.step == "no":
            await reply.replace(text_layout(say("Everything stays as it is.")))
        elif self.step == "sure":
            words = say("This cannot be undone. Delete all of it now?")
            await reply.replace(text_layout(words, _button("now"), _button("no")))
        else:
            await _erase(reply)


def _button(step: Step) -> Component:
    style: Style = "secondary" if step == "no" else "danger"
    return DeleteButton(step).component(_LABELS[step], style=style)


async def _erase(reply: Reply) -> None:
    await reply.acknowledge()  # resigning many matches takes a while
    erased = await reply.get(Privacy).erase(reply.user_id)
    told = [say("Your data is deleted.")]
    if number := len(erased.ended):
        told.append(plural("{n} match was given up.", "{n} matches were given up.", number))
    if number := len(erased.challenges):
        told.append(plural("{n} challenge was closed.", "{n} challenges were closed.", number))
    told.append(say("If you play again, you start afresh."))
    try:
        await reply.replace(text_layout(lines(told, " ")))
    finally:
        for challenge_id in erased.challenges:
            await reply.get(ChallengeMessages).show(await reply.get(Challenges).get(challenge_id))


def question() -> Layout:
    """Return an explanation of what deletion does, and the first question."""
    words = lines(
        [
            say("### Delete your data"),
            say("- Your matches under way are given up, as if you resigned each of them."),
            say("- Your open challenges and the invitations that you have are closed."),
            say("- You leave the tournaments and ladders that you're in."),
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
    return text_layout(words, _button("sure"), _button("no"))
