"""The final result of a tournament, for its closing post and for profiles."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil
from typing import Final

from bot.core.i18n.mentions import mention, timestamp
from bot.features.tournaments.best_game import BestGame
from bot.features.tournaments.text import some_of, title
from bot.features.tournaments.view import TournamentView
from data.tournaments.tournaments import Tournament
from engine.phrase import Phrase, glued, lines, plural, say

_NAMED: Final = 30
"""Maximum players named and pinged who share one of the top three places."""


def podium(view: TournamentView) -> Iterator[Phrase]:
    """Yield the lines of the podium."""
    yield glued("### ", say("{tournament} is over", tournament=view.tournament.name))
    words = {
        1: say("**1st:** {players}", players=some_of(_at(view, 1), _NAMED)),
        2: say("**2nd:** {players}", players=some_of(_at(view, 2), _NAMED)),
        3: say("**3rd:** {players}", players=some_of(_at(view, 3), _NAMED)),
    }
    told = [line for place, line in words.items() if _at(view, place)]
    yield from told or [say("Nobody won it.")]
    yield say("Thanks for playing!")


def seed(tournament: Tournament) -> Phrase:
    """Return a tournament's seed, secret until it is over."""
    # Translators: the secret number behind the random draw, now public.
    return glued("-# ", say("Seed of the draw: {seed}", seed=f"`{tournament.seed.hex()}`"))


def first_three(view: TournamentView) -> tuple[int, ...]:
    """Return the players named on the podium."""
    return tuple(user for place in (1, 2, 3) for user in _at(view, place)[:_NAMED])


def _at(view: TournamentView, place: int) -> list[int]:
    return [one.user_id for one in view.everyone if one.place == place]


def prize(tournament: Tournament, place: int) -> Phrase:
    """Return a place in a tournament as a line for profiles."""
    facts = {
        "tournament": tournament.name,
        "game": title(tournament.game),
        "when": timestamp(tournament.ended_at or tournament.created_at, "D"),
    }
    if place == 1:
        return say("Won **{tournament}** ({game}, {when})", **facts)
    if place == 2:
        return say("2nd in **{tournament}** ({game}, {when})", **facts)
    return say("3rd in **{tournament}** ({game}, {when})", **facts)


def best_game(found: BestGame, link: str | None) -> Phrase:
    """Return a line on the best game, linked to its final board if there is one."""
    number = say("match #{number}", number=found.match_id)
    return plural(
        "**Best game, by the analysis:** {players}, {match}. In {n} move, nobody gave away more "
        "than {percent} %.",
        "**Best game, by the analysis:** {players}, {match}. In {n} moves, nobody gave away more "
        "than {percent} %.",
        found.moves,
        players=lines(map(mention, found.players), " – "),
        match=number if link is None else glued("[", number, "](", link, ")"),
        percent=max(1, ceil(100 * found.lost)),
    )
