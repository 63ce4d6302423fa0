"""``/leaderboard`` and its pages, ``/profile`` and ``/rivals``, and the context menu's profile entry."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Annotated, Final, TypeAlias

import discord

from bot.core.errors import GONE, BadOpponent, NoSuchMatch, Refusal, picked
from bot.core.i18n.mentions import slash
from bot.core.interactions.commands import Option, command, context_menu, game_option
from bot.core.interactions.components import Component, action_row, option, rows, text_display
from bot.core.interactions.controls import Button, Menu
from bot.core.interactions.layout import Layout, text_layout
from bot.core.interactions.reply import Reply
from bot.core.permissions.members import Members
from bot.features.leaderboards import text as words
from bot.features.leaderboards.profile_buttons import rivals_layout, send_profile
from bot.features.leaderboards.service import PER_PAGE, AnyStanding, LeaderboardPage, Leaderboards
from bot.play.controls.lookup import known_game
from bot.play.pictures.rendering import chart_for
from bot.play.ratings.seasons import FIRST_NUMBER, Season
from data.ratings.rating import EVERYWHERE
from engine import registry
from engine.phrase import lines, say, word
from render.charts import Leaderboard, Row

PROFILE_OF_PERSON: Final = word("command", "Profile")

_EVERYWHERE: Final = "everywhere"
_SCOPES: Final = {"here": say("This server"), _EVERYWHERE: say("All servers")}
Scope: TypeAlias = Annotated[str | None, Option(say("This server or all servers"), choices=_SCOPES)]
_MAX_GAMES: Final = 20


@command("leaderboard", say("Show the best players, here or on all servers"), public=True)
async def leaderboard(
    reply: Reply,
    game: Annotated[str | None, game_option(say("Game (top players of each if empty)"))] = None,
    scope: Scope = None,
) -> None:
    """Show the leaderboard of a game, or the overview of all games."""
    everywhere = scope == _EVERYWHERE
    slug = known_game(game or "")
    if slug:
        await reply.send(await page_layout(reply, slug, everywhere=everywhere))
    else:
        await reply.send(await overview_layout(reply, everywhere=everywhere))


@command("profile", say("Show a player's ratings, results and recent games"))
async def profile(
    reply: Reply,
    user: Annotated[discord.User | None, Option(say("Player (you if empty)"))] = None,
    game: Annotated[str | None, game_option(say("Game (the most played if empty)"))] = None,
    scope: Scope = None,
) -> None:
    """Show a profile, publicly if it covers only this server."""
    person = user or reply.interaction.user
    everywhere = scope == _EVERYWHERE or reply.home is None
    reply.public = not everywhere
    slug = known_game(game or "") or None
    await send_profile(reply, person, slug, everywhere=everywhere, public=not everywhere)


@context_menu(PROFILE_OF_PERSON)
async def profile_of_person(reply: Reply, person: discord.Member | discord.User) -> None:
    """Show a person's profile privately."""
    await send_profile(reply, person, everywhere=False, public=False)


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


class LeaderboardButton(Button, prefix="leaderboard"):
    """Turns to a page of a game's leaderboard."""

    everywhere: bool
    game: str
    page: int | None
    """``None`` for the reader's own page."""

    async def press(self, reply: Reply) -> None:
        """Show the page in place of the previous one."""
        page = await page_layout(reply, self.game, self.page, everywhere=self.everywhere)
        await reply.replace(page)


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


async def _turn_season(reply: Reply, slug: str, number: int | None, wanted: int | None) -> None:
    """Show a page of a season's table; raise Refusal without such a game, season or server."""
    now = reply.get(Leaderboards).season()
    season = now if number is None else Season(number)
    known = slug in registry.games() and FIRST_NUMBER <= season.number <= now.number
    if not known or reply.home is None:
        raise Refusal(GONE)
    await reply.replace(await page_layout(reply, slug, wanted, season=season))


async def page_layout(
    reply: Reply,
    slug: str,
    wanted: int | None = 0,
    *,
    everywhere: bool = False,
    season: Season | None = None,
) -> Layout:
    """Return a page of a game's leaderboard, ``None`` for the reader's own, and its picture.

    It covers all time, or a season in this server. Raise NoSuchMatch if the reader asks for their
    page but has no rated match there.
    """
    leaderboards, game = reply.get(Leaderboards), registry.game(slug)
    scope = _scope(reply, everywhere=everywhere)
    if wanted is None:
        wanted = await leaderboards.page_of(scope, slug, reply.user_id, season)
        if wanted is None:
            over = season is not None and season != leaderboards.season()
            raise NoSuchMatch(words.absent(game, season, over=over))
    board = await leaderboards.read(scope, slug, season, reader=reply.user_id, page=wanted)
    people = {one.rating.user_id for one in board.standings}.union(board.champions)
    members = reply.get(Members)
    departed = await members.departed(scope or None, people)
    names = await members.names(reply.home, {*people, reply.user_id})
    chart = await chart_for(
        reply,
        _chart(board, reply.user_id, game.title, names),
        "leaderboard.png",
        public=not reply.pressed_is_private,
    )
    body = lines(words.table(board, game, reply.user_id, departed=departed))
    past = await leaderboards.past(scope, slug)
    return Layout(
        text_display(words.heading(board, game)),
        *chart,
        text_display(body),
        *rows(list(_buttons(reply, slug, board))),
        *_seasons(slug, past, season),
    )


def _chart(
    board: LeaderboardPage, reader: int, title: str, names: Mapping[int, str]
) -> Leaderboard | None:
    """Return the chart of a page, with the reader's row; ``None`` for an empty page."""
    letters = iter(words.LETTERS)
    shown = [
        _row(one, reader, names, next(letters) if one.rank is None else "")
        for one in board.standings
    ]
    if not shown:
        return None
    apart = None if board.own is None or board.shows(reader) else _row(board.own, reader, names)
    return Leaderboard(tuple(shown), apart, title)


def _row(one: AnyStanding, reader: int, names: Mapping[int, str], letter: str = "") -> Row:
    return Row(
        place=one.rank,
        rating=one.skill.points,
        margin=one.skill.margin,
        form=one.rating.form,
        provisional=one.provisional,
        idle=one.idle and not one.provisional,
        own=one.rating.user_id == reader,
        letter=letter,
        name=names.get(one.rating.user_id, ""),
    )


def _seasons(slug: str, past: Sequence[Season], chosen: Season | None) -> Iterator[Component]:
    """Yield the menu of past seasons, if there are any."""
    if past:
        options = [
            option(words.season_name(one), str(one.number), default=one == chosen) for one in past
        ]
        yield action_row(SeasonMenu(slug).component(options, placeholder=say("Past seasons")))


def _buttons(reply: Reply, slug: str, board: LeaderboardPage) -> Iterator[Component]:
    turn: Callable[[int | None], Button] = (
        partial(LeaderboardButton, board.everywhere, slug)
        if board.season is None
        else partial(SeasonButton, slug, board.season.number)
    )
    last = max(0, board.total - 1) // PER_PAGE
    if board.page.number > 1:
        yield turn(0).component(say("First page"))
    yield from board.page.buttons(turn)
    if last > board.page.number + 1:
        yield turn(last).component(say("Last page"))
    if board.own is not None and not board.shows(reply.user_id):
        yield turn(None).component(say("My place"))
    if board.over or (board.season is None and reply.home is not None):
        yield SeasonButton(slug, None, 0).component(say("This season"))
    if board.season is not None:
        yield LeaderboardButton(everywhere=False, game=slug, page=0).component(say("All time"))
    elif reply.home is not None:
        other = LeaderboardButton(not board.everywhere, slug, 0)
        yield other.component(words.scope(everywhere=not board.everywhere))
    yield OverviewButton(board.everywhere).component(say("All games"))


async def overview_layout(reply: Reply, *, everywhere: bool = False) -> Layout:
    """Return the top players of each game and the reader, without a picture."""
    scope = _scope(reply, everywhere=everywhere)
    everywhere = scope == EVERYWHERE
    boards = {
        game: await reply.get(Leaderboards).read(scope, game.slug, reader=reply.user_id)
        for game in registry.games().values()
    }
    first = [one.rating.user_id for board in boards.values() for one in words.best(board)]
    departed = await reply.get(Members).departed(scope or None, first)
    buttons = [
        LeaderboardButton(everywhere, game.slug, 0).component(game.title)
        for game in list(boards)[:_MAX_GAMES]
    ]
    if reply.home is not None:
        other = OverviewButton(not everywhere)
        buttons.append(other.component(words.scope(everywhere=not everywhere)))
    return text_layout(lines(words.overview(boards, reply.user_id, departed=departed)), *buttons)


def _scope(reply: Reply, *, everywhere: bool) -> int:
    """Return the scope shown: the reader's server or all of them."""
    return EVERYWHERE if everywhere or reply.home is None else reply.home
