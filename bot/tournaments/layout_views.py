"""Lays out tournament posts and replies, with their buttons."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bot.interactions.components import rows, text_display
from bot.interactions.layout import Layout
from bot.interactions.pager import Page
from bot.tournaments import announcement_text, podium_text, round_text, standings_text
from bot.tournaments.actions_buttons import TournamentButton
from bot.tournaments.model import Format
from bot.tournaments.pages_buttons import TournamentPageButton
from engine.phrase import glued, lines, say

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bot.interactions.components import Component
    from bot.tournaments.view import TournamentView
    from engine.phrase import Phrase

TABLES: Final = 15
"""Maximum tables of a round in a post."""


def announcement_layout(seen: TournamentView) -> Layout:
    """Lay out a tournament's first message."""
    return Layout(text_display(announcement_text.announcement(seen)), *rows(list(_buttons(seen))))


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
    seen: TournamentView, number: int, links: dict[int, str], picture: Sequence[Component]
) -> tuple[Layout, tuple[int, ...]]:
    """Return the post of a round, and the players it names.

    Args:
        seen: the tournament up to this round.
        number: the round.
        links: the addresses of boards, by match.
        picture: the table or bracket; empty if there is none.
    """
    found = seen.of_round(number)
    shown = found[:TABLES]
    words = [
        round_text.heading(seen, number),
        *(round_text.pairing(one, links) for one in shown),
        *round_text.absentees(seen, number),
        round_text.progress(seen, number),
    ]
    pages = Page.of(0, total=len(found), size=TABLES)
    more = say("All pairings") if pages.more else say("Pairings")
    named = tuple(user for one in shown for user in one.players)
    parts = (text_display(lines(words)), *_standings(seen, picture), *rows(_lookups(seen, more)))
    return Layout(*parts), named


def closing_layout(
    seen: TournamentView, picture: Sequence[Component], best: Phrase | None
) -> Layout:
    """Lay out the closing post, with the final result.

    Args:
        seen: the tournament.
        picture: its table or bracket; empty if there is none.
        best: the best game, if known.
    """
    below = [podium_text.seed(seen.tournament)]
    if best is not None:
        below.insert(0, best)
    return Layout(
        text_display(lines(podium_text.podium(seen))),
        *_standings(seen, picture),
        text_display(lines(below)),
        *rows(_lookups(seen, say("Pairings"))),
    )


def _standings(seen: TournamentView, picture: Sequence[Component]) -> Iterator[Component]:
    """Yield the picture with a key to its numbers; without one, the top places."""
    if seen.plan.format is Format.KNOCKOUT:
        if picture:
            yield from (*picture, text_display(_small(standings_text.seeds(seen))))
    elif picture:
        yield from (*picture, text_display(_small(standings_text.numbers(seen.standings))))
    elif any(one.played or one.points for one in seen.standings):
        yield text_display(_small(standings_text.places(seen.standings)))


def _small(words: Phrase) -> Phrase:
    """Return words in small print."""
    return glued("-# ", words)


def _lookups(seen: TournamentView, pairings: str) -> list[Component]:
    return [
        TournamentPageButton(seen.id, "pairings", 0).component(pairings),
        TournamentPageButton(seen.id, "standings", 0).component(say("Standings")),
    ]
