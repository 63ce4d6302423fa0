"""``/me settings``, ``/server settings`` and ``/privacy``, with its two questions before data is deleted."""

from __future__ import annotations

from typing import Final, Literal

from bot.core.interactions.commands import command, group
from bot.core.interactions.components import Component, Style
from bot.core.interactions.controls import Button
from bot.core.interactions.layout import Layout, Upload, text_layout
from bot.core.interactions.reply import Reply
from bot.features.settings import buttons
from bot.features.settings.privacy import Privacy
from engine.phrase import lines, plural, say

group("me", say("How you like to play"))
group("server", say("Server management"), managers=True)
group("privacy", say("Your data: download or delete"))


@command("me settings", say("Your settings: boards, pings, language, quiet hours"))
async def my_settings(reply: Reply) -> None:
    """Show a player's settings."""
    await reply.send(await buttons.show(reply, "me"))


@command("server settings", say("Server settings: channels, time per move, ratings, language"))
async def server_settings(reply: Reply) -> None:
    """Show the settings of a server."""
    await reply.send(await buttons.show(reply, "server"))


@command("privacy export", say("Download everything stored about you"))
async def export(reply: Reply) -> None:
    """Send a copy of a person's stored data."""
    limit = reply.interaction.filesize_limit
    name, content = await reply.get(Privacy).export(reply.requester, limit)
    words = say("Here's everything I've stored about you. Only you can see it.")
    await reply.send(text_layout(words, attached=name), files=[Upload(name, content)], public=False)


@command("privacy delete", say("Delete everything stored about you"))
async def delete(reply: Reply) -> None:
    """Ask before deleting everything stored about a person."""
    await reply.send(question(), public=False)


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
