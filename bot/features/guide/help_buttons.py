"""Pages of the help: a short first one with buttons, and one for each topic."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.core.interactions.components import action_row, option, rows, text_display
from bot.core.interactions.controls import Button, Menu
from bot.core.interactions.layout import Layout
from bot.features.guide import text
from bot.features.guide.welcome_buttons import doors, openings
from bot.features.settings.buttons import show
from engine.phrase import say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bot.core.interactions.components import Component
    from bot.core.interactions.layout import Upload
    from bot.core.interactions.reply import Reply


class HelpMenu(Menu, prefix="h"):
    """Turns to a page of the help."""

    async def choose(self, reply: Reply, values: Sequence[str]) -> None:
        """Show the page in place of the previous one."""
        if values[0] == text.START:
            layout, files = await first_page(reply)
            await reply.replace(layout, files=files)
        else:
            await reply.replace(Layout(text_display(text.page(values[0])), _topics(values[0])))


class MySettingsButton(Button, prefix="mine"):
    """Opens a player's settings."""

    async def press(self, reply: Reply) -> None:
        """Show them privately."""
        await reply.send(await show(reply, "me"), public=False)


async def first_page(reply: Reply) -> tuple[Layout, list[Upload]]:
    """Return the first page of the help and its pictures."""
    pictures, files = await openings(reply)
    settings = MySettingsButton().component(say("My settings"))
    return (
        Layout(
            text_display(text.page(text.START)),
            pictures,
            *rows([*doors(server=reply.guild_id is not None), settings]),
            _topics(text.START),
        ),
        files,
    )


def _topics(shown: str) -> Component:
    """Return the menu of topics."""
    entries = [option(title, name, default=name == shown) for name, title in text.topics().items()]
    return action_row(HelpMenu().component(entries))
