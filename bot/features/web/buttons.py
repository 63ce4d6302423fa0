"""*Open the board*: a personal link to the page, and the list of open sessions."""

from __future__ import annotations

from bot.core.errors import Refusal
from bot.core.interactions.components import Component, link_button
from bot.core.interactions.controls import Button
from bot.core.interactions.layout import text_layout
from bot.core.interactions.reply import Reply
from bot.features.web.server import WebServer
from bot.features.web.service import WebAccess
from bot.play.boards.board_text import behind_more
from bot.play.controls.lookup import visible
from bot.play.matches.positions import Position
from engine.phrase import lines, say


class OpenPageButton(Button, prefix="page"):
    """Gives its presser a link to the page, for them alone."""

    match_id: int

    async def press(self, reply: Reply) -> None:
        """Make a link, which works once; raise Refusal if there is no page, or no such match."""
        server = reply.get(WebServer)
        if server.url is None:
            raise Refusal(say("The board in the browser is off here. Play in Discord as usual."))
        await visible(reply, self.match_id)
        link = await reply.get(WebAccess).link(
            reply.user_id, match_id=self.match_id, locale=reply.interaction.locale.value
        )
        words = lines(
            [
                say("**Match #{number} in your browser.**", number=self.match_id),
                say(
                    "-# The link is yours alone: don't share it. It works once, within ten minutes, and "
                    "keeps you signed in for 30 days. {settings} shows where you are.",
                    settings="`/me settings`",
                ),
            ]
        )
        open_page = link_button(server.address_of(link), say("Open in the browser"))
        await reply.send(text_layout(words, open_page), public=False)


@behind_more(order=5)
def _open(position: Position, user_id: int) -> Component | None:  # noqa: ARG001 -- for all who see it
    if not WebServer.running:
        return None
    return OpenPageButton(position.match.id).component(say("Open the board"))
