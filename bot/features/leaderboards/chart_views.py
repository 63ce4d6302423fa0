"""A chart in a message: the picture, and a description that says the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.core.interactions.components import picture
from bot.core.interactions.layout import Upload
from bot.core.permissions.members import shown_name
from bot.core.settings.service import SettingsStore
from bot.play.pictures import chart_text
from bot.play.pictures.rendering import Renderer
from bot.play.pictures.styles import BoardStyle
from render.charts import Leaderboard

if TYPE_CHECKING:
    from bot.core.interactions.components import Component
    from bot.core.interactions.reply import Reply
    from render.charts import History


async def chart_parts(
    reply: Reply, chart: Leaderboard | History | None, *, public: bool
) -> tuple[list[Component], list[Upload]]:
    """Return a chart's message parts and files; empty without a chart.

    A public one has the server's theme.
    """
    if chart is None:
        return [], []
    settings, renderer = reply.get(SettingsStore), reply.get(Renderer)
    theme = (await settings.server(reply.home)).theme
    if not public:
        theme = (await settings.player(reply.user_id)).theme or theme
    style = BoardStyle(theme, locale=await reply.locale(public=public))
    if isinstance(chart, Leaderboard):
        alt = chart_text.leaderboard(chart, shown_name(reply.interaction.user))
        upload = Upload("leaderboard.png", await renderer.chart(chart, style))
    else:
        alt = chart_text.history(chart)
        upload = Upload("rating.png", await renderer.chart(chart, style))
    return [picture(upload.filename, alt)], [upload]
