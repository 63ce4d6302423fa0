"""Texts on standings: each place with its reason, the cross table, and the key to the numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from bot.core.i18n.mentions import mention
from bot.features.tournaments.model import Format
from bot.features.tournaments.roster import Roster
from bot.features.tournaments.round_text import figure
from bot.features.tournaments.standing_rows import Standing
from bot.features.tournaments.text import NAMED
from bot.features.tournaments.tie_breaks import EXPLAINED, NAMES
from bot.features.tournaments.view import TournamentView
from engine.phrase import Phrase, glued, lines, plural, say

SHOWN: Final = 10
"""How many places a post names: as many as its picture has lines."""


def standing(one: Standing, *, knockout: bool, shared: bool) -> Phrase:
    """Return a line of the standings, with the reason for the place below it.

    Args:
        one: the place.
        knockout: whether to leave out the points.
        shared: whether the next row shares the place.

    """
    parts = [glued("**", str(one.place), ".** ", mention(one.user_id))]
    if one.left:
        parts.append(say("left"))
    if not knockout:
        parts.append(glued("**", points(one.points), "**"))
    parts.append(
        # Translators: a player's results in a tournament.
        say(
            "{won} won · {drawn} drawn · {lost} lost",
            won=one.wins,
            drawn=one.draws,
            lost=one.losses,
        )
    )
    if one.byes:
        parts.append(plural("{n} bye", "{n} byes", one.byes))
    small = [glued(NAMES[kind], " ", figure(value)) for kind, value in one.tie_breaks]
    if one.reason is not None and shared:
        small.append(one.reason)
    elif one.reason is not None:
        # Translators: reason is something like "head to head" or "more points".
        small.append(say("ahead of the next: {reason}", reason=one.reason))
    return lines([lines(parts, " · "), *([glued("-# ", lines(small, " · "))] if small else [])])


def points(number: float) -> Phrase:
    """Return points in words."""
    count = 1 if 0 < number <= 1 else 2
    return plural("{points} point", "{points} points", count, points=figure(number))


def explained(standings: Sequence[Standing]) -> Iterator[Phrase]:
    """Explain the tie-breaks used in the standings."""
    kinds = dict.fromkeys(kind for one in standings for kind, _ in one.tie_breaks)
    for kind in kinds:
        yield glued("-# ", EXPLAINED[kind])


def cross_table(view: TournamentView, standings: Sequence[Standing]) -> str:
    """Return a plain-text cross table, by place; empty if it would be too wide."""
    if not 2 < len(standings) <= 16 or view.plan.seats > 2 or view.plan.format is Format.KNOCKOUT:
        return ""
    users = [one.user_id for one in standings]
    cells: dict[tuple[int, int], list[str]] = {}
    for one in view.pairings:
        if len(one.players) == 2 and not one.open:
            for me, other in (one.players, one.players[::-1]):
                if me in users and other in users:
                    at = (users.index(me), users.index(other))
                    cells.setdefault(at, []).append(figure(one.points(me)))
    width = max((len("".join(cell)) for cell in cells.values()), default=1)
    width = max(width, len(str(len(users))))
    head = "   " + " ".join(str(n).rjust(width) for n in range(1, len(users) + 1))
    rows = [
        f"{row + 1:2} "
        + " ".join(
            ("×" if row == column else "".join(cells.get((row, column), ["·"]))).rjust(width)
            for column in range(len(users))
        )
        for row in range(len(users))
    ]
    return "\n".join(["```", head, *rows, "```"])


def seeds(view: TournamentView) -> Phrase:
    """Return the seed numbers of a knockout bracket."""
    roster = Roster(view.entrants, view.tournament.seed)
    there = [place for place in roster.places if roster.began(place)][:NAMED]
    people = (
        glued(f"#{number} ", mention(roster.latest(place).user_id))
        for number, place in enumerate(there, 1)
    )
    # Translators: explains the numbers next to players in a knockout bracket.
    return say("Seeds: {players}", players=lines(people, " · "))


def numbers(standings: Sequence[Standing]) -> Phrase:
    """Return the key to the numbers in a table's picture, with points."""
    people = (
        glued(f"#{number} ", mention(one.user_id), " **", figure(one.points), "**")
        for number, one in enumerate(standings[:SHOWN], 1)
    )
    # Translators: explains the numbers next to players in a tournament's table.
    return say("Standings: {players}", players=lines(people, " · "))


def places(standings: Sequence[Standing]) -> Phrase:
    """Return the top places with their points, for posts without a picture."""
    people = (
        glued(f"{one.place}. ", mention(one.user_id), " **", figure(one.points), "**")
        for one in standings[:SHOWN]
    )
    return say("Standings: {players}", players=lines(people, " · "))
