"""Exports tournaments: as FIDE's report (TRF16) with JaVaFo's extension, else as a record.

A report has one result per player and round. So it fits tournaments of two at a table with one
game per pairing (`fits`); the rest have the project's own `record`. Other programs can read it and
check the pairings, and `trf_reading` reads what they write.

Players are numbered in seed order. A place that was taken over is one player. Names are only those
the caller gives; a nameless player is called by number. Lost in a report: a void game becomes a
round without an opponent, and replacements are not shown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from bot.features.tournaments import record
from bot.features.tournaments.model import Entrant, Format, Pairing, Plan
from bot.features.tournaments.record import Record
from bot.features.tournaments.roster import Roster
from bot.features.tournaments.round_text import rounds_in_all
from bot.features.tournaments.standings import standings
from bot.features.tournaments.view import TournamentView
from engine.luck import commitment

_KINDS: Final = {
    Format.SWISS: "Individual: Swiss-System",
    Format.ROUND_ROBIN: "Individual: Round-Robin",
    Format.KNOCKOUT: "Individual: Knockout",
}
_PLAYED: Final = {1.0: "1", 0.5: "=", 0.0: "0"}
_JUDGED: Final = {1.0: "W", 0.5: "D", 0.0: "L"}


def fits(plan: Plan, pairings: Sequence[Pairing]) -> bool:
    """Return whether a tournament can be written as a report."""
    single = all(len(pairing.games) <= 1 for pairing in pairings)
    return plan.seats == 2 and plan.groups == 1 and not plan.both_sides and single


def written(
    plan: Plan,
    entrants: Sequence[Entrant],
    pairings: Sequence[Pairing],
    *,
    title: str = "",
    names: Mapping[int, str] | None = None,
    rounds: int | None = None,
) -> str:
    """Write a tournament as a report, after the games that have ended.

    Args:
        plan: the tournament's settings.
        entrants: all who are or were in it.
        pairings: all rounds so far.
        title: the tournament's title.
        names: by user id, the names to include.
        rounds: the planned number of rounds; those played so far if unknown.

    Raises:
        ValueError: it doesn't fit.

    """
    if not fits(plan, pairings):
        raise ValueError("reports need one two-player game per pairing")
    roster = Roster(entrants)
    places = roster.as_places(pairings)
    number = {place: rank + 1 for place, rank in roster.rank.items()}
    last = max((pairing.round for pairing in pairings), default=0)
    ranks = {roster.place(one.user_id): one for one in standings(plan, entrants, pairings)}
    found = {
        (place, pairing.round): pairing
        for pairing in places
        for place in pairing.players
        if not pairing.open
    }
    kind = _KINDS[plan.format]
    lines = [f"012 {_clean(title)}", f"062 {len(number)}"]
    lines.append(f"092 {kind.replace('Round', 'Double-Round') if plan.cycles == 2 else kind}")
    strengths = {entrant.user_id: entrant.strength for entrant in entrants}
    for place in roster.places:
        who = roster.latest(place).user_id
        name = _clean((names or {}).get(who, "")) or f"Player {number[place]}"
        standing = ranks.get(place)
        points = standing.points if standing else 0.0
        rating = min(9999, max(0, round(strengths[place])))
        cells = [
            _cell(place, found.get((place, turn)), number, plan) for turn in range(1, last + 1)
        ]
        lines.append(
            f"001 {number[place]:4d}      {name[:33]:33s} {rating:4d}{'':27s} {points:4.1f} "
            f"{standing.place if standing else len(number):4d}  " + "  ".join(cells)
        )
    lines.append(f"XXR {rounds or max(last, 1)}")
    lines.append("XXC white1")
    departed = [str(number[place]) for place in roster.places if roster.left(place) is not None]
    if departed:
        lines.append(f"XXZ {' '.join(departed)}")
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _cell(place: int, pairing: Pairing | None, number: Mapping[int, int], plan: Plan) -> str:
    if pairing is None or (not pairing.bye and pairing.games[0].how == "void"):
        return "0000 - Z"
    if pairing.bye:
        return f"0000 - {'Z' if plan.format is Format.ROUND_ROBIN else 'U'}"
    (game,) = pairing.games
    (other,) = set(pairing.players) - {place}
    points = round(2 * game.of(place)) / 2
    signs = {"forfeit": {1.0: "+"}, "adjudicated": _JUDGED}.get(game.how, _PLAYED)
    side = "wb"[game.seats.index(place)]
    return f"{number[other]:4d} {side} {signs.get(points, '-')}"


def _clean(name: str) -> str:
    return " ".join("".join(one if one.isprintable() else " " for one in name).split())


def files(view: TournamentView) -> dict[str, bytes]:
    """Return a tournament's files by name; they include the seed once it is public."""
    terms = view.tournament
    name = f"tournament-{terms.id}"
    record_ = Record(
        plan=view.plan,
        entrants=view.entrants,
        pairings=view.pairings,
        unequal_sides=view.unequal_sides,
        commitment=commitment(terms.seed) if terms.seed else "",
        seed=terms.seed.hex() if view.seed_revealed else "",
        title=terms.name,
    )
    found = {f"{name}.json": record.written(record_).encode()}
    if view.rounds and fits(view.plan, view.pairings):
        report = written(
            view.plan,
            view.entrants,
            view.pairings,
            title=terms.name,
            # Anyone here can see user ids, as mentions contain them.
            names={one.user_id: str(one.user_id) for one in view.entrants if one.user_id > 0},
            rounds=rounds_in_all(view),
        )
        found[f"{name}.trf"] = report.encode()
    return found
