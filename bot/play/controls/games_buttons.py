"""Pages of a player's open matches, with buttons to turn them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from bot.core.interactions.controls import Button
from bot.core.interactions.layout import Layout, text_layout
from bot.play.controls.games import open_games
from data.store.store import Store

if TYPE_CHECKING:
    from bot.core.interactions.reply import Reply


class GamesButton(Button, prefix="g"):
    """Turns to a page of the presser's open matches; an empty game means all of them."""

    game: str
    page: int

    async def press(self, reply: Reply) -> None:
        """Replace the current page."""
        await reply.replace(await games_page(reply, self.game, self.page))


async def games_page(reply: Reply, slug: str = "", wanted: int = 0) -> Layout:
    """Return a page of the user's open matches."""
    words, page = await open_games(reply.get(Store), reply.user_id, slug, wanted)
    return text_layout(words, *page.buttons(partial(GamesButton, slug)))
