"""Lays out tournament posts and replies, with their buttons."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bot.core.interactions.components import rows, text_display
from bot.core.interactions.layout import Layout
from bot.core.interactions.pager import Page
from bot.features.tournaments import announcement_text, podium_text, round_text, standings_text
from bot.features.tournaments.actions_buttons import TournamentButton
from bot.features.tournaments.model import Format
from bot.features.tournaments.pages_buttons import TournamentPageButton
from bot.features.tournaments.word_buttons import TournamentWordButton
from engine.phrase import glued, lines, say

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bot.core.interactions.components import Component
    from bot.features.tournaments.view import TournamentView
    from engine.phrase import Phrase

TABLES: Final = 15
"""Maximum tables of a round in a post."""


def announcement_layout(view: TournamentView) -> Layout:
    """Lay out a tournament's first message."""
    return Layout(text_display(announcement_text.announcement(view)), *rows(list(_buttons(view))))


def _buttons(view: TournamentView) -> Iterator[Component]:
    state = view.tournament.state
    if state.open:
        join = TournamentButton(view.id, "join")
        yield join.component(say("Sign up"), style="success")
    if state.open:
        yield TournamentButton(view.id, "leave").component(say("Leave"))
    if view.rounds:
        yield TournamentPageButton(view.id, "pairings", 0).component(say("Pairings"))
        yield TournamentPageButton(view.id, "standings", 0).component(say("Standings"))
    if state.open:
        yield TournamentButton(view.id, "manage").component(say("Manage"))
    if state.open and view.game.has_luck:
        yield TournamentWordButton(view.id).component(say("Add a word…"))


def round_layout(
    view: TournamentView, number: int, links: dict[int, str], picture: Sequence[Component]
) -> tuple[Layout, tuple[int, ...]]:
    """Return the post of a round, and the players it names.

    Args:
        view: the tournament up to this round.
        number: the round.
        links: the addresses of boards, by match.
        picture: the table or bracket; empty if there is none.
    """
    pairings = view.of_round(number)
    shown = pairings[:TABLES]
    words = [
        round_text.heading(view, number),
        *(round_text.pairing(one, links) for one in shown),
        *round_text.absentees(view, number),
        round_text.progress(view, number),
        *round_text.sealed(view, number),
    ]
    pages = Page.of(0, total=len(pairings), size=TABLES)
    more = say("All pairings") if pages.more else say("Pairings")
    named = tuple(user for one in shown for user in one.players)
    parts = (text_display(lines(words)), *_standings(view, picture), *rows(_lookups(view, more)))
    return Layout(*parts), named


def closing_layout(
    view: TournamentView, picture: Sequence[Component], best: Phrase | None
) -> Layout:
    """Lay out the closing post, with the final result.

    Args:
        view: the tournament.
        picture: its table or bracket; empty if there is none.
        best: the best game, if known.
    """
    below = [] if best is None else [best]
    if view.seed_revealed:
        below.append(podium_text.seed(view.tournament))
    return Layout(
        text_display(lines(podium_text.podium(view))),
        *_standings(view, picture),
        *([text_display(lines(below))] if below else []),
        *rows(_lookups(view, say("Pairings"))),
    )


def _standings(view: TournamentView, picture: Sequence[Component]) -> Iterator[Component]:
    """Yield the picture with a key to its numbers; without one, the top places."""
    if view.plan.format is Format.KNOCKOUT:
        if picture:
            yield from (*picture, text_display(_small(standings_text.seeds(view))))
    elif picture:
        yield from (*picture, text_display(_small(standings_text.numbers(view.standings))))
    elif any(one.played or one.points for one in view.standings):
        yield text_display(_small(standings_text.places(view.standings)))


def _small(words: Phrase) -> Phrase:
    """Return words in small print."""
    return glued("-# ", words)


def _lookups(view: TournamentView, pairings: str) -> list[Component]:
    return [
        TournamentPageButton(view.id, "pairings", 0).component(pairings),
        TournamentPageButton(view.id, "standings", 0).component(say("Standings")),
    ]
