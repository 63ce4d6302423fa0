"""The text of a tournament's announcement."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.core.i18n.mentions import mention, timestamp
from bot.features.tournaments.model import Format
from bot.features.tournaments.round_text import heading
from bot.features.tournaments.text import some_of
from bot.play.matches.story import options_line
from bot.play.time_controls import time_text
from data.tournaments.tournaments import DELETED_ROLE, State
from engine import registry
from engine.luck import fingerprint
from engine.phrase import Phrase, glued, lines, plural, say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bot.features.tournaments.model import Plan
    from bot.features.tournaments.view import TournamentView
    from data.tournaments.tournaments import Terms, Tournament


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
    yield glued("### ", terms.name)
    yield _rules(terms, view.plan)
    if terms.imported:
        yield say("Played elsewhere, and imported from a file.")
    conditions = lines(_conditions(terms), " · ")
    if conditions:
        yield conditions
    yield _standing(view)
    if view.named:
        yield _entrants(view)
    if view.reserves and terms.state.open:
        yield say("Waiting for a place: {players}", players=some_of(view.reserves))
    if not terms.seed:
        pass  # the draw's seed is unknown
    elif view.seed_revealed:
        # Translators: the secret number behind the random draw, now public.
        yield glued("-# ", say("Seed of the draw: {seed}", seed=f"`{terms.seed.hex()}`"))
    else:
        yield glued("-# ", _sealed(view))


def _sealed(view: TournamentView) -> Phrase:
    facts = {"number": f"#{view.id}", "fingerprint": fingerprint(view.tournament.seed)}
    if view.game.has_luck:
        # Translators: sealed before anyone signs up; number is like "#12", fingerprint like "8f3a…".
        return say("Fair draw and throws, sealed: {number} · {fingerprint}", **facts)
    # Translators: sealed before anyone signs up; number is like "#12", fingerprint like "8f3a…".
    return say("Fair draw, sealed: {number} · {fingerprint}", **facts)


def _rules(terms: Tournament, plan: Plan) -> Phrase:
    game = registry.game(terms.game)
    parts = [
        game.title,
        *filter(None, [options_line(game, game.settle(terms.options))]),
        format_words(plan),
    ]
    if not terms.imported:
        parts.append(time_text.time_control(terms.days, terms.bank))
    if terms.round_days is not None:
        parts.append(plural("{n} day per round", "{n} days per round", terms.round_days))
    if terms.casual:
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


def _standing(view: TournamentView) -> Phrase:
    terms = view.tournament
    if terms.state is State.SIGN_UP:
        return _start(terms)
    if terms.state is State.FINISHED:
        first = [one.user_id for one in view.everyone if one.place == 1]
        if not first:
            return say("**Over, without a winner.**")
        return say("**Won by {players}.**", players=some_of(first))
    if terms.state is State.RUNNING and terms.round:
        return glued(heading(view, terms.round), ".")
    return {
        State.RUNNING: say("**It has started.** The first round is being paired."),
        State.ADJOURNED: say("**Adjourned.** It goes on later."),
        State.CANCELLED: say("**Cancelled.**"),
    }[terms.state]


def _start(terms: Tournament) -> Phrase:
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
        len(view.named),
        players=some_of(view.named),
    )
