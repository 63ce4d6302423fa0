"""``/me settings``, ``/server settings`` and ``/privacy``."""

from __future__ import annotations

from bot.core.interactions.commands import command, group
from bot.core.interactions.layout import Upload, text_layout
from bot.core.interactions.reply import Reply
from bot.features.settings import buttons, privacy_buttons
from bot.features.settings.privacy import Privacy
from engine.phrase import say

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
    await reply.send(privacy_buttons.question(), public=False)
