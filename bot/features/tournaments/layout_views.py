"""The announcement of a tournament, and the layout of its posts and replies with buttons."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bot.core.i18n.mentions import mention, timestamp
from bot.core.interactions.components import Component, rows, text_display
from bot.core.interactions.layout import Attached, Layout, Page
from bot.features.tournaments import round_text, text
from bot.features.tournaments.action_commands import TournamentButton, TournamentWordButton
from bot.features.tournaments.chart_views import Picture
from bot.features.tournaments.entrants import takes_late
from bot.features.tournaments.lookup_commands import TournamentPageButton
from bot.features.tournaments.round_text import heading
from bot.features.tournaments.text import some_of
from bot.features.tournaments.view import TournamentView
from bot.play.matches import time_controls
from bot.play.matches.luck import seal
from bot.play.matches.match_text import options_line
from data.tournaments.tournaments import DELETED_ROLE, State, Terms
from data.tournaments.values import Format, Plan
from engine import registry
from engine.phrase import Phrase, concat, lines, plural, say

TABLES: Final = 15
"""Maximum tables of a round in a post."""


def announcement_layout(view: TournamentView) -> Layout:
    """Lay out a tournament's first message."""
    return Layout(text_display(announcement(view)), *rows(list(_buttons(view))))


def _buttons(view: TournamentView) -> Iterator[Component]:
    state = view.tournament.state
    join, leave = TournamentButton(view.id, "join"), TournamentButton(view.id, "leave")
    if state is State.SIGN_UP:
        yield join.component(say("Sign up"), style="success")
    elif view.more_rounds and takes_late(view):
        # Translators: a button: take part in a tournament that has begun, from its next round on.
        yield join.component(say("Join late"))
    elif view.more_rounds and not view.plan.single_elimination:
        yield join.component(say("Waiting list"))
    if view.more_rounds:
        yield leave.component(say("Leave"))
    if view.rounds:
        yield from _lookups(view, say("Pairings"))
    if state.open:
        yield TournamentButton(view.id, "manage").component(say("Manage"))
    # In a knockout, a draw leads to another game.
    if view.game.has_luck and (
        view.more_rounds or (state.open and view.plan.format is Format.KNOCKOUT)
    ):
        yield TournamentWordButton(view.id).component(say("Add a word…"))


def round_layout(
    view: TournamentView, number: int, links: dict[int, str], picture: Picture
) -> tuple[Layout, tuple[int, ...]]:
    """Return the post of a round, for the tournament up to it, and the players it names."""
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


def closing_layout(view: TournamentView, picture: Picture, best: Phrase | None) -> Layout:
    """Lay out the closing post, with the final result and the best game, if known."""
    below = [] if best is None else [best]
    if view.seed_revealed:
        below.append(text.short_seed(view.tournament))
    return Layout(
        text_display(lines(text.podium(view))),
        *_standings(view, picture),
        *([text_display(lines(below))] if below else []),
        *rows(_lookups(view, say("Pairings"))),
    )


def winner_layout(view: TournamentView, picture: Picture, thread_id: int) -> Layout:
    """Lay out the post that celebrates the winner in the channel."""
    return Layout(
        text_display(lines(text.celebration(view))),
        *picture.parts,
        text_display(say("-# Played in {thread}", thread=f"<#{thread_id}>")),
        *rows(_lookups(view, say("Pairings"))),
    )


def _standings(view: TournamentView, picture: Picture) -> Iterator[Component | Attached]:
    """Yield the picture with its people, and a key to its numbers; without one, the top places."""
    yield from picture.parts
    if view.plan.format is Format.KNOCKOUT:
        if picture.parts:
            yield text_display(_small(round_text.seeds(view, numbered=picture.numbered)))
    elif picture.parts:
        sign = "#" if picture.numbered else ""
        yield text_display(_small(round_text.places(view.standings, sign)))
    elif any(one.played or one.points for one in view.standings):
        yield text_display(_small(round_text.places(view.standings)))


def _small(words: Phrase) -> Phrase:
    return concat("-# ", words)


def _lookups(view: TournamentView, pairings: str) -> list[Component]:
    return [
        TournamentPageButton(view.id, "pairings", 0).component(pairings),
        TournamentPageButton(view.id, "standings", 0).component(say("Standings")),
    ]


def format_words(plan: Plan) -> Phrase:
    """Return a format in a few words."""
    if plan.seats > 2:
        if plan.format is Format.SWISS:
            return say("Swiss system at tables of {number}", number=plan.seats)
        return say("round robin at tables of {number}", number=plan.seats)
    if plan.format is Format.SWISS:
        kind = say("Swiss system")
    elif plan.format is Format.KNOCKOUT:
        kind = say("double knockout") if plan.lives > 1 else say("knockout")
    else:
        kind = say("double round robin") if plan.cycles > 1 else say("round robin")
    more = []
    if plan.groups > 1:
        more.append(plural("{n} group and a final", "{n} groups and a final", plan.groups))
    if plan.best_of > 1:
        more.append(say("best of {number}", number=plan.best_of))
    if plan.both_sides:
        more.append(say("both sides"))
    return lines([kind, *more], ", ")


def announcement(view: TournamentView) -> Phrase:
    """Return a tournament's first message."""
    return lines(_announcement(view))


def _announcement(view: TournamentView) -> Iterator[str]:
    terms = view.tournament
    yield from terms_lines(terms, imported=terms.imported)
    yield state_line(view)
    if view.listed:
        yield _entrants(view)
    if view.reserves and terms.state.open:
        yield say("Waiting for a place: {players}", players=some_of(view.reserves))
    if terms.seed and view.seed_revealed:
        yield text.short_seed(terms)
    elif terms.seed:
        yield concat("-# ", _sealed(view))


def terms_lines(terms: Terms, *, imported: bool = False) -> Iterator[Phrase]:
    """Yield a tournament's name, its rules and its conditions."""
    yield concat("### ", terms.name)
    yield _rules(terms, imported=imported)
    if imported:
        yield say("Played elsewhere, and imported from a file.")
    conditions = lines(_conditions(terms), " · ")
    if conditions:
        yield conditions


def _sealed(view: TournamentView) -> Phrase:
    facts = {"number": f"#{view.id}", "fingerprint": seal(view.tournament.seed)}
    if view.game.has_luck:
        # Translators: sealed before anyone signs up; number is like "#12", fingerprint like "8f3a…".
        return say("Fair draw and throws, sealed: {number} · {fingerprint}", **facts)
    # Translators: sealed before anyone signs up; number is like "#12", fingerprint like "8f3a…".
    return say("Fair draw, sealed: {number} · {fingerprint}", **facts)


def _rules(terms: Terms, *, imported: bool) -> Phrase:
    game = registry.game(terms.game)
    parts = [
        game.title,
        *filter(None, [options_line(game, game.settle(terms.options))]),
        format_words(terms.plan),
    ]
    if not imported:
        parts.append(time_controls.time_control(terms.per_move, terms.bank))
    if terms.round_days is not None:
        parts.append(plural("{n} day per round", "{n} days per round", terms.round_days))
    if terms.unrated:
        parts.append(say("unrated"))
    if terms.monthly:
        parts.append(say("every month"))
    return lines(parts, " · ")


def _conditions(terms: Terms) -> Iterator[str]:
    if terms.min_rating is not None:
        yield say("rating from {least}", least=terms.min_rating)
    if terms.max_rating is not None:
        yield say("rating up to {most}", most=terms.max_rating)
    if terms.established:
        yield say("no provisional ratings")
    if terms.role_id == DELETED_ROLE:
        yield say("for a role that was deleted")
    elif terms.role_id is not None:
        yield say("for {role}", role=f"<@&{terms.role_id}>")


def state_line(view: TournamentView) -> Phrase:
    """Return how far a tournament has come, or who won it."""
    terms = view.tournament
    if terms.state is State.SIGN_UP:
        return start_line(terms)
    if terms.state is State.FINISHED:
        if not (first := view.placed(1)):
            return say("**Over, without a winner.**")
        return say("**Won by {players}.**", players=some_of(first))
    if terms.state is State.RUNNING and terms.round:
        return concat(heading(view, terms.round), ".")
    return {
        State.RUNNING: say("**It has started.** The first round is being paired."),
        State.ADJOURNED: say("**Adjourned.** It goes on later."),
        State.CANCELLED: say("**Cancelled.**"),
    }[terms.state]


def start_line(terms: Terms) -> Phrase:
    """Return how a tournament starts that is open for sign-ups."""
    if terms.starts_at is None and terms.created_by <= 0:
        return say("**Sign up to play.** Someone who manages the server starts it.")
    if terms.starts_at is None:
        return say(
            "**Sign up to play.** {organiser} starts it.", organiser=mention(terms.created_by)
        )
    return say(
        "**Sign up to play.** It starts {distance}, {moment}.",
        distance=timestamp(terms.starts_at, "R"),
        moment=timestamp(terms.starts_at),
    )


def _entrants(view: TournamentView) -> Phrase:
    return plural(
        "**{n} player:** {players}",
        "**{n} players:** {players}",
        len(view.listed),
        players=some_of(view.listed),
    )
