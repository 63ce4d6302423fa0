"""*Open the board*: the page inside Discord, also from its list of Activities, or by a personal link."""

from __future__ import annotations

from typing import Final

from bot.core.errors import Refusal
from bot.core.i18n.mentions import slash
from bot.core.interactions.components import Component, link_button
from bot.core.interactions.controls import Button
from bot.core.interactions.entry_point import entry_point
from bot.core.interactions.layout import text_layout
from bot.core.interactions.reply import Reply
from bot.features.web.activity import Activity
from bot.features.web.server import WebServer
from bot.features.web.service import WebAccess
from bot.play.boards.board_text import behind_more
from bot.play.controls.lookup import visible
from bot.play.matches.positions import Position
from engine.phrase import lines, say

_LISTED: Final = say(
    "-# {settings} lists where you're signed in.", settings=slash("me", "settings")
)


class OpenPageButton(Button, prefix="page"):
    """Opens the page for its presser."""

    match_id: int

    async def press(self, reply: Reply) -> None:
        """Open the page inside Discord where it can, else give a link.

        Raises Refusal if there is no page, or no such match.
        """
        await open_page(reply, self.match_id)


class PageLinkButton(Button, prefix="page-link"):
    """Gives its presser a link to the page, for them alone."""

    match_id: int

    async def press(self, reply: Reply) -> None:
        """Make a link, which works once; raise Refusal if there is no page, or no such match."""
        await _show_link(reply, self.match_id, await _link(reply, self.match_id))


async def open_page(reply: Reply, match_id: int | None) -> None:
    """Open the page at a match, or at what its reader plays: inside Discord where it can, else by link."""
    link = await _link(reply, match_id)
    # Inside Discord the page asks where its reader's newest link leads.
    if not (reply.get(Activity).on and await reply.launch()):
        await _show_link(reply, match_id, link)


@entry_point(say("Your games on a board you can touch"))
async def launch(reply: Reply) -> None:
    """Open the page at what its reader plays here."""
    await open_page(reply, None)


async def _link(reply: Reply, match_id: int | None) -> str:
    """Return the secret of a new link; raise Refusal if there is no page, or no such match."""
    if reply.get(WebServer).url is None:
        raise Refusal(say("The board in the browser is off here. Play in Discord as usual."))
    if match_id is not None:
        await visible(reply, match_id)
    return await reply.get(WebAccess).link(
        reply.user_id, match_id=match_id, locale=reply.interaction.locale.value
    )


async def _show_link(reply: Reply, match_id: int | None, link: str) -> None:
    signed_in = await reply.get(WebAccess).of_user(reply.user_id)
    words = lines(
        [
            say("**Your games in your browser.**")
            if match_id is None
            else say("**Match #{number} in your browser.**", number=match_id),
            say(
                "-# This link is yours alone: don't share it. It works once, within ten minutes. "
                "You stay signed in for 30 days."
            ),
            *([_LISTED] if signed_in else []),
        ]
    )
    address = reply.get(WebServer).address_of(link)
    button = link_button(address, say("Open in the browser"))
    await reply.send(text_layout(words, button), public=False)


@behind_more(order=5)
def _open(position: Position, user_id: int) -> Component | None:  # noqa: ARG001 -- for all who see it
    if not WebServer.offered:
        return None
    return OpenPageButton(position.match.id).component(say("Open the board"))


@behind_more(order=6)
def _in_browser(position: Position, user_id: int) -> Component | None:  # noqa: ARG001 -- as above
    """Offer the link, too, where the board opens inside Discord."""
    if not (WebServer.offered and Activity.running):
        return None
    return PageLinkButton(position.match.id).component(say("In the browser"))
