"""Pictures of tournaments: the table of a round robin or Swiss, the bracket of a knockout."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bot.core.interactions.components import picture
from bot.core.interactions.layout import Upload
from bot.core.interactions.pager import Page
from bot.core.settings.service import SettingsStore
from bot.features.tournaments.diagram_views import bracket_of, table_of
from bot.features.tournaments.model import Format
from bot.features.tournaments.standings_text import SHOWN
from bot.play.pictures import chart_text
from bot.play.pictures.rendering import Renderer
from bot.play.pictures.styles import BoardStyle
from render.charts import Bracket, TournamentTable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bot.core.interactions.components import Component
    from bot.core.interactions.reply import Reply
    from bot.features.tournaments.standing_rows import Standing
    from bot.features.tournaments.view import TournamentView

_FILE: Final = "tournament.png"


def table_or_bracket(
    view: TournamentView, standings: Sequence[Standing], *, page: Page, reader: int = 0
) -> TournamentTable | Bracket | None:
    """Return the picture for a page of the standings, if any, with the reader highlighted."""
    title = view.tournament.name
    bracket = bracket_of(
        view.plan, view.entrants, view.pairings, seed=view.tournament.seed, title=title
    )
    if bracket is not None:
        return bracket if page.number == 0 else None
    return table_of(
        view.plan,
        view.entrants,
        view.pairings,
        standings,
        shown=range(page.start, page.start + page.size),
        reader=reader,
        title=title,
    )


async def chart_parts(
    reply: Reply, chart: TournamentTable | Bracket | None, *, public: bool
) -> tuple[list[Component], list[Upload]]:
    """Return the message parts and file for a picture; empty without one."""
    if chart is None:
        return [], []
    settings = reply.get(SettingsStore)
    theme = (await settings.server(reply.guild_id)).theme
    if not public:
        theme = (await settings.player(reply.user_id)).theme or theme
    style = BoardStyle(theme, locale=await reply.locale(public=public))
    return await drawn(reply.get(Renderer), chart, style)


def of_post(view: TournamentView) -> TournamentTable | Bracket | None:
    """Return the picture for a tournament's post; a table only once there is a result."""
    standings = view.standings
    bracket = view.plan.format is Format.KNOCKOUT
    if not bracket and not any(one.played or one.points for one in standings):
        return None
    return table_or_bracket(view, standings, page=Page.of(0, total=len(standings), size=SHOWN))


async def drawn(
    renderer: Renderer, chart: TournamentTable | Bracket, style: BoardStyle
) -> tuple[list[Component], list[Upload]]:
    """Return the message parts and file for a picture."""
    if isinstance(chart, TournamentTable):
        alt = chart_text.tournament(chart)
    else:
        alt = chart_text.bracket(chart)
    png = await renderer.chart(chart, style)
    return [picture(_FILE, alt)], [Upload(_FILE, png)]
