"""The two questions before personal data is deleted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

from bot.core.interactions.controls import Button
from bot.core.interactions.layout import Layout, text_layout
from bot.features.settings.privacy import Privacy
from engine.phrase import lines, plural, say

if TYPE_CHECKING:
    from bot.core.interactions.components import Component, Style
    from bot.core.interactions.reply import Reply

Step = Literal["sure", "now", "no"]

_LABELS: Final[dict[Step, str]] = {
    "sure": say("Delete my data …"),
    "now": say("Yes, delete everything"),
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
            words = say("This can't be undone. Delete everything now?")
            await reply.replace(text_layout(words, _button("now"), _button("no")))
        else:
            await _erase(reply)


def _button(step: Step) -> Component:
    style: Style = "secondary" if step == "no" else "danger"
    return DeleteButton(step).component(_LABELS[step], style=style)


async def _erase(reply: Reply) -> None:
    await reply.acknowledge()  # resigning many matches takes a while
    erased = await reply.get(Privacy).erase(reply.user_id)
    parts = [say("Your data is deleted.")]
    if number := len(erased.ended):
        parts.append(plural("{n} match was given up.", "{n} matches were given up.", number))
    if number := len(erased.challenges):
        parts.append(plural("{n} challenge was closed.", "{n} challenges were closed.", number))
    parts.append(say("If you play again, you'll start from scratch."))
    await reply.replace(text_layout(lines(parts, " ")))


def question() -> Layout:
    """Return an explanation of what deletion does, and the first question."""
    words = lines(
        [
            say("### Delete your data"),
            say("- You resign all your games in progress."),
            say("- Your open challenges and invitations are closed."),
            say("- You leave your tournaments and ladders."),
            say("- Your settings, vacations, imported records and block list are deleted."),
            say(
                "- Finished matches and standings show “a former player” instead of you, so your "
                "opponents keep their results."
            ),
            say(
                "- Messages already posted in channels stay there. Anyone who blocked you stays "
                "protected from you."
            ),
            say("`/privacy export` gives you a copy first."),
        ]
    )
    return text_layout(words, _button("sure"), _button("no"))
