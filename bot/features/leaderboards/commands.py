"""``/leaderboard`` and its pages, ``/profile`` and ``/rivals``, and the context menu's profile entry."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Annotated, Final

import discord

from bot.core.errors import BadOpponent, NoSuchMatch, Refusal
from bot.core.i18n.slash import slash
from bot.core.interactions.commands import Option, command, context_menu, game_option
from bot.core.interactions.components import Component, action_row, option, rows, text_display
from bot.core.interactions.controls import Button, Menu
from bot.core.interactions.layout import Layout, Upload, text_layout
from bot.core.interactions.reply import Reply
from bot.core.numbers import GONE, picked
from bot.core.permissions.members import Members
from bot.features.leaderboards import season_text
from bot.features.leaderboards import text as words
from bot.features.leaderboards.chart_views import of_board, of_season
from bot.features.leaderboards.profile_buttons import send_profile
from bot.features.leaderboards.rivals_buttons import rivals_layout
from bot.features.leaderboards.service import (
    PER_PAGE,
    LeaderboardPage,
    Leaderboards,
    SeasonPage,
    SeasonTables,
)
from bot.play.controls.lookup import known_game
from bot.play.pictures.rendering import chart_for
from bot.play.ratings.seasons import FIRST_NUMBER, Season
from data.ratings.rating import EVERYWHERE
from engine import registry
from engine.phrase import lines, say, word

PROFILE_OF_PERSON: Final = word("command", "Profile")

_EVERYWHERE: Final = "everywhere"
_SCOPES: Final = {"here": say("This server"), _EVERYWHERE: say("All servers")}


@command("leaderboard", say("Show the best players, here or on all servers"), public=True)
async def leaderboard(
    reply: Reply,
    game: Annotated[str | None, game_option(say("Game (top players of each if empty)"))] = None,
    scope: Annotated[
        str | None,
        Option(say("This server or all servers"), choices=_SCOPES),
    ] = None,
) -> None:
    """Show the leaderboard of a game, or the overview of all games."""
    everywhere = scope == _EVERYWHERE
    slug = known_game(game or "")
    if slug:
        layout, files = await page_layout(reply, slug, everywhere=everywhere)
        await reply.send(layout, files=files)
    else:
        await reply.send(await overview_layout(reply, everywhere=everywhere))


@command("profile", say("Show a player's ratings, results and recent games"))
async def profile(
    reply: Reply,
    user: Annotated[discord.User | None, Option(say("Player (you if empty)"))] = None,
    game: Annotated[
        str | None,
        game_option(say("Game (the most played if empty)")),
    ] = None,
    scope: Annotated[
        str | None,
        Option(say("This server or all servers"), choices=_SCOPES),
    ] = None,
) -> None:
    """Show a profile, publicly if it covers only this server."""
    person = user or reply.interaction.user
    everywhere = scope == _EVERYWHERE or reply.home is None
    reply.public = not everywhere
    _check_player(person)
    slug = known_game(game or "") or None
    await send_profile(reply, person.id, slug, everywhere=everywhere, public=not everywhere)


@context_menu(PROFILE_OF_PERSON)
async def profile_of_person(reply: Reply, person: discord.Member | discord.User) -> None:
    """Show a person's profile privately."""
    _check_player(person)
    await send_profile(reply, person.id, everywhere=False, public=False)


@command("rivals", say("Show your head-to-head record with a player"))
async def rivals(
    reply: Reply,
    user: Annotated[discord.User, Option(say("Opponent"))],
    game: Annotated[str | None, game_option(say("Game (all together if empty)"))] = None,
) -> None:
    """Show the reader's head to head with a player, publicly if it covers only this server."""
    everywhere = reply.home is None
    reply.public = not everywhere
    if user.id == reply.user_id:
        raise BadOpponent(
            say(
                "You can't be your own rival. Pick someone else, or see your own results with "
                "`{command}`.",
                command=slash("profile"),
            )
        )
    if user.bot:
        raise BadOpponent(say("{person} is a bot. Pick a person.", person=user.mention))
    slug = known_game(game or "") or None
    layout, private = await rivals_layout(
        reply, reply.user_id, user.id, slug, everywhere=everywhere
    )
    await reply.send(layout, public=not private)


def _check_player(person: discord.User | discord.Member) -> None:
    """Check that a person is no bot.

    Raises:
        BadOpponent: a bot has no profile.

    """
    if person.bot:
        raise BadOpponent(
            say("{person} is a bot and has no profile. Pick a person.", person=person.mention)
        )


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
    chart, files = await chart_for(
        reply,
        of_board(board, reply.user_id, game.title),
        "leaderboard.png",
        public=not reply.pressed_is_private,
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
    chart, files = await chart_for(
        reply,
        of_season(board, reply.user_id, game.title),
        "leaderboard.png",
        public=not reply.pressed_is_private,
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
