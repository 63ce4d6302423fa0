"""Pages to look up: pairings, standings, one's own games, the list of tournaments."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Final, Literal

from bot.core.interactions.components import Component, rows, text_display
from bot.core.interactions.controls import Button
from bot.core.interactions.layout import Layout, Page, Upload, text_layout
from bot.core.interactions.reply import Reply
from bot.core.permissions.visibility import sees_or_deleted
from bot.features.tournaments import links, round_text, standings_text, text
from bot.features.tournaments.chart_views import FILE, table_or_bracket
from bot.features.tournaments.service import Tournaments
from bot.features.tournaments.view import TournamentView
from bot.features.tournaments.visible_views import server_of, showing
from bot.play.pictures.rendering import chart_for
from data.store.store import Store
from data.tournaments.tournament_rounds import Pairing
from engine.phrase import lines, say

What = Literal["pairings", "standings", "games"]

_TABLES: Final = 15
_PLACES: Final = 10
_LISTED: Final = 10


class TournamentPageButton(Button, prefix="cup-page"):
    """Shows a page of a tournament."""

    number: int
    what: What
    page: int

    async def press(self, reply: Reply) -> None:
        """Show the page in place of the current one; from a post, reply in private."""
        layout, files = await page_layout(reply, self.number, self.what, self.page)
        await reply.show_privately(layout, files=files)


class TournamentListButton(Button, prefix="cups"):
    """Turns to a page of a server's tournaments."""

    page: int

    async def press(self, reply: Reply) -> None:
        """Show the page in place of the current one."""
        await reply.replace(await list_layout(reply, self.page))


async def page_layout(
    reply: Reply, number: int, what: What, wanted: int
) -> tuple[Layout, list[Upload]]:
    """Return a page of a tournament, and its picture.

    Raises:
        Refusal: there is no such tournament here.
        TooMany: this user already has too many requests waiting.

    """
    async with showing(reply, number) as view:
        if what == "pairings":
            return await _pairings(reply, view, wanted), []
        if what == "games":
            return await _games(reply, view, wanted), []
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
    ]
    return text_layout(lines(words), *_turn(view, "pairings", page))


async def _games(reply: Reply, view: TournamentView, wanted: int) -> Layout:
    own = [one for one in view.tables if reply.user_id in one.players]
    page = Page.of(wanted, total=len(own), size=_TABLES)
    shown = page.entries(own)
    boards = await _links(reply, shown)
    entries = [round_text.own_game(one, boards) for one in shown]
    words = [
        text.entry_line(view),
        *(entries or [say("You have no games in this tournament yet.")]),
    ]
    return text_layout(lines(words), *_turn(view, "games", page))


async def _standings(
    reply: Reply, view: TournamentView, wanted: int
) -> tuple[Layout, list[Upload]]:
    if not view.rounds:
        return text_layout(lines([text.entry_line(view), say("No round is paired yet.")])), []
    standings = await reply.get(Tournaments).ranked(view)
    page = Page.of(wanted, total=len(standings), size=_PLACES)
    knockout = view.plan.format.value == "knockout"
    shared = {one.user_id for one, after in pairwise(standings) if one.place == after.place}
    words: list[str] = [
        *(
            standings_text.standing(one, knockout=knockout, shared=one.user_id in shared)
            for one in page.entries(standings)
        ),
        *standings_text.explained(standings),
    ]
    table = standings_text.cross_table(view, standings) if page.number == 0 else ""
    if table:
        words.append(table)
    chart = await asyncio.to_thread(
        table_or_bracket, view, standings, page=page, reader=reply.user_id
    )
    shown, files = await chart_for(reply, chart, FILE, public=False)
    if shown and knockout:
        words.insert(0, standings_text.seeds(view))
    return Layout(
        text_display(text.entry_line(view)),
        *shown,
        text_display(lines(words)),
        *rows(list(_turn(view, "standings", page))),
    ), files


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
    """Return board addresses of some pairings."""
    async with reply.get(Store).read() as tx:
        return await links.of(tx, pairings)


async def list_layout(reply: Reply, wanted: int) -> Layout:
    """Return a page of a server's tournaments, newest first.

    Raises:
        NotAllowed: outside servers.

    """
    guild_id = server_of(reply)
    all_here = await reply.get(Tournaments).of_server(guild_id)
    tournaments = [one for one in all_here if sees_or_deleted(reply, one.channel_id)]
    if not tournaments:
        return text_layout(say("No tournaments here yet."))
    page = Page.of(wanted, total=len(tournaments), size=_LISTED)
    shown = list(page.entries(tournaments))
    sizes = await reply.get(Tournaments).sizes(shown)
    words = [
        say("### Tournaments on this server"),
        *(text.line(one, size) for one, size in zip(shown, sizes, strict=True)),
    ]
    return text_layout(lines(words), *page.buttons(TournamentListButton))
