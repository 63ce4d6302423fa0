"""``/leaderboard``: pages of all-time and season ratings, and an overview of all games."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from bot.core.errors import NoSuchMatch, Refusal
from bot.core.interactions.components import action_row, option, rows, text_display
from bot.core.interactions.controls import Button, Menu
from bot.core.interactions.layout import Layout, Upload, text_layout
from bot.core.numbers import GONE, picked
from bot.core.permissions.members import Members
from bot.features.leaderboards import season_text
from bot.features.leaderboards import text as words
from bot.features.leaderboards.chart_views import chart_parts
from bot.features.leaderboards.diagram_views import of_board, of_season
from bot.features.leaderboards.seasons import SeasonTables
from bot.features.leaderboards.service import PER_PAGE, Leaderboards
from bot.play.ratings.seasons import FIRST_NUMBER, Season
from data.ratings.rating import EVERYWHERE
from engine import registry
from engine.phrase import lines, say

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from bot.core.interactions.components import Component
    from bot.core.interactions.reply import Reply
    from bot.features.leaderboards.seasons import SeasonPage
    from bot.features.leaderboards.service import LeaderboardPage

_MAX_GAMES: Final = 20


class LeaderboardButton(Button, prefix="leaderboard"):
    """Turns to a page of a game's leaderboard."""

    everywhere: bool
    game: str
    page: int | None
    """``None`` for the reader's own page."""

    async def press(self, reply: Reply) -> None:
        """Show the page in place of the previous one."""
        layout, files = await page_layout(reply, self.game, self.page, everywhere=self.everywhere)
        await reply.replace(layout, files=files)


class OverviewButton(Button, prefix="leaderboards"):
    """Turns to the overview of all games."""

    everywhere: bool

    async def press(self, reply: Reply) -> None:
        """Show the overview in place of a page."""
        await reply.replace(await overview_layout(reply, everywhere=self.everywhere))


class SeasonButton(Button, prefix="season"):
    """Turns to a page of a season's table in this server."""

    game: str
    season: int | None
    """``None`` for the current season."""
    page: int | None
    """``None`` for the reader's own page."""

    async def press(self, reply: Reply) -> None:
        """Show the page in place of the previous one."""
        await _turn_season(reply, self.game, self.season, self.page)


class SeasonMenu(Menu, prefix="season-past"):
    """Chooses a past season."""

    game: str

    async def choose(self, reply: Reply, values: Sequence[str]) -> None:
        """Show the first page of its table in place of the previous page."""
        await _turn_season(reply, self.game, picked(values[0]), 0)


async def page_layout(
    reply: Reply, slug: str, wanted: int | None = 0, *, everywhere: bool = False
) -> tuple[Layout, list[Upload]]:
    """Return a page of a game's leaderboard, ``None`` for the reader's own, and its picture.

    Raises:
        NoSuchMatch: the reader asks for their page but has no rated match.

    """
    home, scope = _scope(reply, everywhere=everywhere)
    leaderboards, game = reply.get(Leaderboards), registry.game(slug)
    if wanted is None:
        wanted = await leaderboards.page_of(scope, slug, reply.user_id)
        if wanted is None:
            raise NoSuchMatch(words.unrated(game))
    board = await leaderboards.read(scope, slug, reader=reply.user_id, page=wanted)
    people = [rating.user_id for rating in (*board.ranked, *board.unranked)]
    departed = await reply.get(Members).departed(scope or None, people)
    chart, files = await chart_parts(
        reply, of_board(board, reply.user_id, game.title), public=not reply.pressed_is_private
    )
    body = lines(words.board(board, game, reply.user_id, departed=departed))
    turn = partial(LeaderboardButton, board.everywhere, slug)
    buttons = list(_page_buttons(board, turn, shows_reader=words.shows(board, reply.user_id)))
    if home is not None:
        buttons.append(SeasonButton(slug, None, 0).component(say("This season")))
        other = LeaderboardButton(not board.everywhere, slug, 0)
        buttons.append(other.component(words.scope(everywhere=not board.everywhere)))
    buttons.append(OverviewButton(board.everywhere).component(say("All games")))
    heading = text_display(words.heading(board, game))
    past = () if not scope else await reply.get(SeasonTables).past(scope, slug)
    return Layout(heading, *chart, text_display(body), *rows(buttons), *_seasons(slug, past)), files


async def _turn_season(reply: Reply, slug: str, number: int | None, wanted: int | None) -> None:
    layout, files = await season_layout(reply, slug, number, wanted)
    await reply.replace(layout, files=files)


async def season_layout(
    reply: Reply, slug: str, number: int | None, wanted: int | None
) -> tuple[Layout, list[Upload]]:
    """Return a page of a season's table, ``None`` for the reader's own, and its picture.

    Raises:
        NoSuchMatch: the reader asks for their page but is not in the table.
        Refusal: no such game or season, or not in a server.

    """
    tables, home, game = (
        reply.get(SeasonTables),
        reply.home,
        registry.games().get(slug),
    )
    now = tables.now()
    season = now if number is None else Season(number)
    if game is None or home is None or not FIRST_NUMBER <= season.number <= now.number:
        raise Refusal(GONE)
    if wanted is None:
        wanted = await tables.page_of(home, slug, season, reply.user_id)
        if wanted is None:
            raise NoSuchMatch(season_text.absent(game, over=season.number < now.number))
    board = await tables.read(home, slug, season, reader=reply.user_id, page=wanted)
    people = {one.rating.user_id for one in board.placed} | {*board.champions}
    departed = await reply.get(Members).departed(home, people)
    chart, files = await chart_parts(
        reply, of_season(board, reply.user_id, game.title), public=not reply.pressed_is_private
    )
    body = lines(season_text.table(board, game, reply.user_id, departed=departed))
    buttons = list(_season_buttons(slug, board, reply.user_id))
    heading = text_display(season_text.heading(board, game))
    menu = _seasons(slug, board.others, board.season)
    return Layout(heading, *chart, text_display(body), *rows(buttons), *menu), files


def _seasons(
    slug: str, past: Sequence[Season], chosen: Season | None = None
) -> Iterator[Component]:
    """Yield the menu of past seasons, if there are any."""
    if past:
        options = [
            option(season_text.name(one), str(one.number), default=one == chosen) for one in past
        ]
        yield action_row(SeasonMenu(slug).component(options, placeholder=say("Past seasons")))


def _season_buttons(slug: str, board: SeasonPage, reader: int) -> Iterator[Component]:
    turn = partial(SeasonButton, slug, board.season.number)
    yield from _page_buttons(board, turn, shows_reader=season_text.shows(board, reader))
    if board.over:
        yield SeasonButton(slug, None, 0).component(say("This season"))
    yield LeaderboardButton(everywhere=False, game=slug, page=0).component(say("All time"))
    yield OverviewButton(everywhere=False).component(say("All games"))


def _page_buttons(
    board: LeaderboardPage | SeasonPage,
    turn: Callable[[int | None], Button],
    *,
    shows_reader: bool,
) -> Iterator[Component]:
    last = max(0, board.total - 1) // PER_PAGE
    if board.page.number > 1:
        yield turn(0).component(say("First page"))
    yield from board.page.buttons(turn)
    if last > board.page.number + 1:
        yield turn(last).component(say("Last page"))
    if board.own is not None and not shows_reader:
        yield turn(None).component(say("My place"))


async def overview_layout(reply: Reply, *, everywhere: bool = False) -> Layout:
    """Return the top players of each game and the reader, without a picture."""
    home, scope = _scope(reply, everywhere=everywhere)
    everywhere = scope == EVERYWHERE
    boards = {
        game: await reply.get(Leaderboards).read(scope, game.slug, reader=reply.user_id)
        for game in registry.games().values()
    }
    first = [one.user_id for board in boards.values() for one in board.ranked[: words.FIRST]]
    departed = await reply.get(Members).departed(scope or None, first)
    buttons = [
        LeaderboardButton(everywhere, game.slug, 0).component(game.title)
        for game in list(boards)[:_MAX_GAMES]
    ]
    if home is not None:
        other = OverviewButton(not everywhere)
        buttons.append(other.component(words.scope(everywhere=not everywhere)))
    return text_layout(lines(words.overview(boards, reply.user_id, departed=departed)), *buttons)


def _scope(reply: Reply, *, everywhere: bool) -> tuple[int | None, int]:
    """Return the reader's server, and the scope shown: that server or all of them."""
    home = reply.home
    return home, EVERYWHERE if everywhere or home is None else home
