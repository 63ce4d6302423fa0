"""A chart in a message: the picture, with a description that says the same."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

import discord
from discord import ui

from bot.delivery.interaction_transport import home_of
from bot.leaderboards import chart_text as words
from bot.pictures.styles import BoardStyle
from render.charts import Leaderboard

if TYPE_CHECKING:
    from bot.client import Bot
    from bot.interactions.reply import Reply
    from render.charts import History


async def chart(
    answer: Reply, client: Bot, shown: Leaderboard | History, *, public: bool
) -> tuple[ui.MediaGallery[Any], discord.File]:
    """Return a chart as part of a message, and the file that goes with it.

    Args:
        answer: what it is part of.
        client: the bot.
        shown: the chart.
        public: whether everybody sees it: then it looks as the server likes it.

    """
    tongue = await answer.tongue(public=public)
    theme = (await client.choices.server(home_of(answer.interaction))).theme
    if not public:
        theme = (await client.choices.player(answer.interaction.user.id)).theme or theme
    look = BoardStyle(theme, tongue=tongue)
    if isinstance(shown, Leaderboard):
        name, alt = (
            "leaderboard.png",
            words.leaderboard(shown, answer.interaction.user.display_name),
        )
        png = await client.studio.leaderboard(shown, look)
    else:
        name, alt = "rating.png", words.history(shown)
        png = await client.studio.history(shown, look)
    item = discord.MediaGalleryItem(f"attachment://{name}", description=alt)
    return ui.MediaGallery(item), discord.File(io.BytesIO(png), filename=name)
