"""The posts and answers about tournaments, with their buttons."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bot.interactions.components import rows, text_display
from bot.interactions.layout import Layout
from bot.interactions.pager import Page
from bot.tournaments import text
from bot.tournaments.actions_buttons import TournamentButton
from bot.tournaments.pages_buttons import TournamentPageButton
from engine.phrase import lines, say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bot.interactions.components import Component
    from bot.tournaments.view import TournamentView

TABLES: Final = 15
"""How many tables of a round are shown at once."""


def announcement_layout(seen: TournamentView) -> Layout:
    """Return the first message of a tournament."""
    return Layout(text_display(text.announcement(seen)), *rows(list(_buttons(seen))))


def _buttons(seen: TournamentView) -> Iterator[Component]:
    state = seen.tournament.state
    if state.open:
        join = TournamentButton(seen.id, "join")
        yield join.component(say("Sign up"), style="success")
    if state.open:
        yield TournamentButton(seen.id, "leave").component(say("Leave"))
    if seen.rounds:
        yield TournamentPageButton(seen.id, "pairings", 0).component(say("Pairings"))
        yield TournamentPageButton(seen.id, "standings", 0).component(say("Standings"))
    if state.open:
        yield TournamentButton(seen.id, "manage").component(say("Manage"))


def round_layout(
    seen: TournamentView, number: int, links: dict[int, str]
) -> tuple[Layout, tuple[int, ...]]:
    """Return the post of a round, and who is named in it."""
    found = seen.of_round(number)
    shown = found[:TABLES]
    words = [
        text.heading(seen, number),
        *(text.pairing(one, links) for one in shown),
        *text.absentees(seen, number),
        text.progress(seen, number),
    ]
    pages = Page.of(0, total=len(found), size=TABLES)
    more = say("All pairings") if pages.more else say("Pairings")
    buttons = [
        TournamentPageButton(seen.id, "pairings", 0).component(more),
        TournamentPageButton(seen.id, "standings", 0).component(say("Standings")),
    ]
    named = tuple(user for one in shown for user in one.players)
    return Layout(text_display(lines(words)), *rows(buttons)), named
