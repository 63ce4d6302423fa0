"""``/tournament`` and buttons to look up: pairings, standings, games, the list, and files."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import asynccontextmanager
from functools import partial
from itertools import starmap
from typing import Annotated, Final, Literal

from bot.core.errors import Refusal
from bot.core.interactions.commands import Option, Suggestions, command, group
from bot.core.interactions.components import Component, rows, text_display
from bot.core.interactions.controls import Button
from bot.core.interactions.layout import Layout, Page, saved, text_layout
from bot.core.interactions.reply import Reply
from bot.core.permissions.channels import server_of
from bot.core.permissions.members import Members
from bot.core.permissions.visibility import sees_or_deleted
from bot.core.workers.fair_queue import Requester
from bot.features.tournaments import round_text, text
from bot.features.tournaments.chart_views import FILE, table_or_bracket
from bot.features.tournaments.files import exported
from bot.features.tournaments.service import Tournaments
from bot.features.tournaments.view import TournamentView, board_links, no_such_tournament
from bot.play.controls.link_views import link_offer
from bot.play.pictures.rendering import chart_for
from data.store.store import Store
from data.tournaments.tournaments import Tournament
from data.tournaments.values import Format, Pairing
from engine.phrase import concat, lines, say
from engine.registry import AnyGame

_HERE: Final = say("Tournaments on this server")
group("tournament", _HERE)

What = Literal["pairings", "standings", "games"]

_TABLES: Final = 15
_PLACES: Final = 10
_LISTED: Final = 10


@asynccontextmanager
async def showing(reply: Reply, number: int) -> AsyncIterator[TournamentView]:
    """Wait for a turn to show a tournament of this server that the user may see.

    Raises:
        Refusal: there is no such tournament.
        TooMany: this user already has too many requests waiting.
    """
    service = reply.get(Tournaments)
    async with service.turns.take(Requester(reply.guild_id or 0, reply.user_id)):
        view = await service.get(number, reply.guild_id)
        if not sees_or_deleted(reply, view.tournament.channel_id):
            raise no_such_tournament()
        yield view


async def visible(reply: Reply, number: int) -> TournamentView:
    """Return a tournament of this server that the user may see; see `showing`."""
    async with showing(reply, number) as view:
        return view


async def _seen(reply: Reply, *, open_only: bool) -> list[Tournament]:
    """Return this server's tournaments in channels that the user can read, newest first."""
    everything = await reply.get(Tournaments).of_server(
        server_of(reply.interaction), open_only=open_only
    )
    return [one for one in everything if sees_or_deleted(reply, one.channel_id)]


async def _suggested(
    reply: Reply, typed: str, _: AnyGame | None, *, open_only: bool
) -> Suggestions:
    if reply.guild_id is None:
        return []
    names = {one.id: f"#{one.id} {one.name}" for one in await _seen(reply, open_only=open_only)}
    wanted = typed.strip().lower()
    return [(name, number) for number, name in names.items() if wanted in name.lower()]


OPEN: Final = Option(
    say("Tournament (the only open one if empty)"), suggest=partial(_suggested, open_only=True)
)
_ANY: Final = Option(
    say("Tournament (the newest if empty)"), suggest=partial(_suggested, open_only=False)
)


async def only_open(reply: Reply, number: int | None) -> int:
    """Return the tournament asked for, by default the only open one.

    Raises:
        Refusal: none is open, or several are.
    """
    if number is not None:
        return number
    tournaments = await _seen(reply, open_only=True)
    if not tournaments:
        raise Refusal(say("No tournament is open here."))
    if len(tournaments) > 1:
        raise Refusal(say("Several tournaments are open here. Say which one you mean."))
    return tournaments[0].id


async def _newest(reply: Reply, number: int | None) -> int:
    if number is not None:
        return number
    tournaments = await _seen(reply, open_only=False)
    if not tournaments:
        raise Refusal(say("No tournaments here yet."))
    return tournaments[0].id


@command("tournament list", _HERE, server_only=True)
async def list_(reply: Reply) -> None:
    """List this server's tournaments, newest first."""
    await reply.send(await _list_layout(reply, 0))


@command("tournament standings", say("Show the standings of a tournament"), server_only=True)
async def standings(reply: Reply, tournament: Annotated[int | None, _ANY] = None) -> None:
    """Show the standings, with the reason for each place."""
    await _send_page(reply, tournament, "standings")


@command("tournament games", say("Show your games in a tournament"), server_only=True)
async def games(reply: Reply, tournament: Annotated[int | None, _ANY] = None) -> None:
    """Show the reader's rounds."""
    await _send_page(reply, tournament, "games")


@command("tournament pairings", say("Show the pairings of the current round"), server_only=True)
async def pairings(reply: Reply, tournament: Annotated[int | None, _ANY] = None) -> None:
    """Show the current pairings."""
    await _send_page(reply, tournament, "pairings")


async def _send_page(reply: Reply, tournament: int | None, what: What) -> None:
    await reply.send(await _page_layout(reply, await _newest(reply, tournament), what, 0))


@command("tournament export", say("Get a tournament as a file"), server_only=True)
async def export(reply: Reply, tournament: Annotated[int | None, _ANY] = None) -> None:
    """Send a tournament as a record file, plus a FIDE report where the format allows it."""
    async with showing(reply, await _newest(reply, tournament)) as view:
        found = await asyncio.to_thread(exported, view)
    words = say(
        "**{tournament}** as a file. Once it's over, the file has the seed, so anyone can check "
        "the pairings.",
        tournament=view.tournament.name,
    )
    files = (saved(name, content) for name, content in found.items())
    await reply.send(Layout(text_display(words), *files))


class TournamentPageButton(Button, prefix="cup-page"):
    """Shows a page of a tournament."""

    number: int
    what: What
    page: int

    async def press(self, reply: Reply) -> None:
        """Show the page in place of the current one; from a post, reply in private."""
        page = await _page_layout(reply, self.number, self.what, self.page)
        await reply.show_privately(page)


class TournamentListButton(Button, prefix="cups"):
    """Turns to a page of a server's tournaments."""

    page: int

    async def press(self, reply: Reply) -> None:
        """Show the page in place of the current one."""
        await reply.replace(await _list_layout(reply, self.page))


async def _page_layout(reply: Reply, number: int, what: What, wanted: int) -> Layout:
    async with showing(reply, number) as view:
        if what == "pairings":
            return await _pairings(reply, view, wanted)
        if what == "games":
            return await _games(reply, view, wanted)
        return await _standings(reply, view, wanted)


async def _pairings(reply: Reply, view: TournamentView, wanted: int) -> Layout:
    number = view.tournament.round
    pairings = view.of_round(number)
    page = Page.of(wanted, total=len(pairings), size=_TABLES)
    if not pairings:
        return text_layout(lines([text.entry_line(view), say("No round is paired yet.")]))
    shown = page.entries(pairings)
    boards = await _links(reply, shown)
    words = [
        text.entry_line(view),
        round_text.heading(view, number),
        *(round_text.pairing(one, boards) for one in shown),
        round_text.progress(view, number),
        *([text.seed(view.tournament)] if view.seed_revealed else []),
    ]
    return text_layout(lines(words), *_turn(view, "pairings", page))


async def _games(reply: Reply, view: TournamentView, wanted: int) -> Layout:
    own = [one for one in view.pairings if reply.user_id in one.players]
    page = Page.of(wanted, total=len(own), size=_TABLES)
    shown = page.entries(own)
    boards = await _links(reply, shown)
    entries = [round_text.own_game(view, one, boards) for one in shown]
    words = [
        text.entry_line(view),
        *(entries or [say("You have no games in this tournament yet.")]),
    ]
    return text_layout(lines(words), *_turn(view, "games", page))


async def _standings(reply: Reply, view: TournamentView, wanted: int) -> Layout:
    if not view.rounds:
        return text_layout(lines([text.entry_line(view), say("No round is paired yet.")]))
    standings = await reply.get(Tournaments).ranked(view)
    page = Page.of(wanted, total=len(standings), size=_PLACES)
    decided = any(not (one.bye or one.open) for one in view.pairings)
    words: list[str] = [say("No results yet.")]
    if decided:
        words = [
            *round_text.standing_lines(view, standings, page.entries(standings)),
            *round_text.explained(standings),
        ]
    entrants = [entrant.user_id for entrant in view.entrants]
    names = await reply.get(Members).names(view.tournament.guild_id, entrants)
    chart = await asyncio.to_thread(
        table_or_bracket, view, standings, page=page, names=names, reader=reply.user_id
    )
    shown = await chart_for(reply, chart, FILE, public=False)
    named = shown and chart is not None and not chart.numbered
    # A picture with names says all of it.
    if decided and page.number == 0 and not named:
        words += filter(None, [round_text.cross_table(view, standings)])
    if shown and chart is not None and view.plan.format is Format.KNOCKOUT:
        if chart.numbered or not decided:
            words.insert(0, round_text.seeds(view, numbered=chart.numbered))
    elif not decided:
        words.append(text.some_of([one.user_id for one in page.entries(standings)]))
    return Layout(
        text_display(text.entry_line(view)),
        *shown,
        text_display(lines(words)),
        *rows([*_turn(view, "standings", page), *link_offer("tournament", view.id)]),
    )


def _turn(view: TournamentView, what: What, page: Page) -> Iterator[Component]:
    yield from page.buttons(lambda other: TournamentPageButton(view.id, what, other))
    names: dict[What, str] = {
        "pairings": say("Pairings"),
        "standings": say("Standings"),
        "games": say("My games"),
    }
    for other, name in names.items():
        if other != what:
            yield TournamentPageButton(view.id, other, 0).component(name)


async def _links(reply: Reply, pairings: Iterable[Pairing]) -> dict[int, str]:
    async with reply.get(Store).read() as tx:
        return await board_links(tx, pairings)


async def _list_layout(reply: Reply, wanted: int) -> Layout:
    tournaments = await _seen(reply, open_only=False)
    if not tournaments:
        return text_layout(say("No tournaments here yet."))
    page = Page.of(wanted, total=len(tournaments), size=_LISTED)
    shown = list(page.entries(tournaments))
    sizes = await reply.get(Tournaments).sizes(shown)
    rounds = await reply.get(Tournaments).rounds_in_all(shown)
    words = [
        concat("### ", _HERE),
        *starmap(text.line, zip(shown, sizes, rounds, strict=True)),
    ]
    return text_layout(lines(words), *page.buttons(TournamentListButton))
