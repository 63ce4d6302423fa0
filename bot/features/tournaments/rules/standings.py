"""Computes a tournament's standings, with reasons.

* Swiss and tables: a bye and a forfeit win count as won (FIDE C.04.1). Players who leave keep their
  points.
* Round robin: a round without an opponent counts for nothing, as all have equally many. A player
  who leaves with less than half of the games completed doesn't count, nor do games against them;
  otherwise the opponents win the missing games (FIDE's rules for tournaments, C.06, 5.4).
* Knockout: by the round reached. If all who were not knocked out have left, one of those who left
  last wins.

Tie-breaks decide equal points (`ranking`); if all are equal, the place is shared.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from math import inf
from typing import Any

from bot.features.tournaments.rules import knockout, round_robin
from bot.features.tournaments.rules.roster import Roster
from bot.features.tournaments.rules.tie_breaks import (
    Ranking,
    Round,
    TieBreak,
    by_place,
    split,
    tie_breaks,
)
from data.tournaments.values import FINAL, GROUP, Entrant, Format, Pairing, Plan
from engine.phrase import Phrase, say


def standings(
    plan: Plan, entrants: Sequence[Entrant], pairings: Sequence[Pairing], seed: bytes = b""
) -> tuple[Standing, ...]:
    """Return the standings, best first, after all games that have ended.

    With groups, that is the order of the final, then everyone else by the place in their group.
    Players who share a place are listed in seed order.
    """
    roster = Roster(entrants, seed)
    rounds = roster.as_places(pairings)
    if plan.format is Format.KNOCKOUT:
        rows = _knockout(plan, roster, rounds)
    elif not any(pairing.stage for pairing in rounds):
        rows = _table(plan, roster, rounds, "")
    else:
        rows = _with_groups(plan, roster, rounds)
    return tuple(replace(one, user_id=roster.latest(one.user_id).user_id) for one in rows)


def stages(pairings: Iterable[Pairing]) -> tuple[str, ...]:
    """Return a tournament's stages in order, groups before the final."""
    found = {pairing.stage for pairing in pairings} - {""}
    return tuple(sorted(found, key=lambda stage: (stage == FINAL, len(stage), stage)))


def group_winners(plan: Plan, roster: Roster, rounds: Sequence[Pairing]) -> list[int]:
    """Return each group's finalist: the best place still held."""
    entrants = sum(map(roster.began, roster.places))
    after = round_robin.group_rounds(plan, entrants) + 1
    winners = []
    for stage in stages(rounds):
        if stage.startswith(GROUP):
            table = _table(plan, roster, rounds, stage)
            here = [one.user_id for one in table if roster.holder(one.user_id, after) is not None]
            winners += here[:1]
    return winners


def _table(
    plan: Plan, roster: Roster, pairings: Sequence[Pairing], stage: str
) -> tuple[Standing, ...]:
    own = [pairing for pairing in pairings if pairing.stage == stage]
    last = max((pairing.round for pairing in own), default=0)
    places = _members(plan, roster, own, last)
    of_place = by_place(own)
    uncounted = _uncounted(plan, roster, own, places)
    counted = by_place(pairing for pairing in own if not uncounted & set(pairing.players))
    rounds = {
        place: rounds_of(place, plan, (of_place if place in uncounted else counted)[place], last)
        for place in places
    }
    missed = {
        place: max(0, last - left)
        for place in places
        if (left := roster.left(place, last + 1)) is not None
    }
    ranking = Ranking(plan, rounds, [pairing for pairing in own if not pairing.open], missed)
    ranking.rank([place for place in places if place not in uncounted])

    def row(place: int, /, **more: Any) -> Standing:
        return _row(roster, place, rounds[place], of_place[place], plan, **more)

    rows: list[Standing] = []
    for number, shared in enumerate(ranking.order):
        rank, tied = len(rows) + 1, say("shared place, all tie-breaks are equal")
        last_reason = ranking.reasons.get(number, say("the next player left early"))
        rows += [
            row(
                place,
                rank=rank,
                tie_breaks=tuple(
                    (one, ranking.values[place][one])
                    for one in tie_breaks(plan)
                    if one in ranking.values[place]
                ),
                reason=last_reason if place == shared[-1] else tied,
            )
            for place in shared
        ]
    gone = [place for place in places if place in uncounted]
    rows += [row(place, rank=len(rows) + 1, points=0.0) for place in gone]
    return _ranked(rows)


def _ranked(rows: Sequence[Standing]) -> tuple[Standing, ...]:
    """Return rows of a table; nobody is below the last one."""
    return (*rows[:-1], *(replace(one, reason=None) for one in rows[-1:]))


def _members(plan: Plan, roster: Roster, own: Sequence[Pairing], last: int) -> list[int]:
    """Return a stage's places in seed order, including those not paired yet."""
    paired = {place for pairing in own for place in pairing.players}
    if not any(pairing.stage for pairing in own):
        joining = plan.format is Format.SWISS or plan.seats > 2
        paired |= {
            place
            for place in roster.places
            if roster.began(place)
            or (joining and roster.holder(place, max(last, roster.joined(place))) is not None)
        }
    return [place for place in roster.places if place in paired]


def _uncounted(
    plan: Plan, roster: Roster, own: Sequence[Pairing], places: Sequence[int]
) -> set[int]:
    """Return the places left with less than half of a round robin's games completed."""
    if plan.format is not Format.ROUND_ROBIN or plan.seats > 2 or not own:
        return set()
    entrants = sum(map(roster.began, roster.places))
    end = round_robin.group_rounds(plan, entrants)
    if own[0].stage == FINAL:
        end = round_robin.total(plan, entrants)
    games = (len(places) - 1) * plan.cycles
    found, of_place = set(), by_place(own)
    for place in places:
        # A replacement for the final changes nothing in the group.
        left = roster.left(place, end + 1)
        if left is not None and left < end:
            completed = sum(pairing.met and not pairing.open for pairing in of_place[place])
            if 2 * completed < games:
                found.add(place)
    return found


def _with_groups(plan: Plan, roster: Roster, rounds: Sequence[Pairing]) -> tuple[Standing, ...]:
    names = stages(rounds)
    rows = list(_table(plan, roster, rounds, FINAL)) if FINAL in names else []
    if rows:
        rows[-1] = replace(rows[-1], reason=say("played in the final"))
    finalists = {one.user_id for one in rows}
    others = [
        one
        for stage in names
        if stage != FINAL
        for one in _table(plan, roster, rounds, stage)
        if one.user_id not in finalists
    ]
    others.sort(key=lambda one: one.rank)
    for _, group in groupby(others, lambda one: one.rank):
        alike = list(group)
        rows += [
            replace(
                one, rank=len(rows) + 1, reason=say("shared place, same place in another group")
            )
            for one in alike
        ]
        rows[-1] = replace(rows[-1], reason=say("higher in the group"))
    return _ranked(rows)


def _knockout(plan: Plan, roster: Roster, pairings: Sequence[Pairing]) -> tuple[Standing, ...]:
    ended = [pairing for pairing in pairings if not pairing.open]
    entrants = [place for place in roster.places if roster.began(place)]
    last = max((pairing.round for pairing in ended), default=0)
    lost = _lost(plan, roster, ended)
    reached: dict[int, float] = {
        place: lost[place][-1] if len(lost[place]) >= plan.lives else inf for place in entrants
    }
    alive = {place for place in entrants if reached[place] == inf}
    # Of those never knocked out, the ones who stayed longest have won.
    stayed: dict[int, float] = {
        place: inf if (left := roster.left(place)) is None else left for place in alive
    }
    longest = max(stayed.values(), default=inf)
    further = say("went further")
    if longest < inf and len(ended) == len(pairings):
        # All have left, and there is one winner: no game can decide any more.
        last_ones = (place for place in entrants if stayed.get(place) == longest)
        best, *others = sorted(last_ones, key=lambda p: (len(lost[p]), lost[p]))
        stayed[best] = inf
        if others:
            further = say("all have left: fewer or earlier losses, then the higher seed")
        longest = inf
    reached |= {place: until for place, until in stayed.items() if until < longest}
    of_place = by_place(ended)
    rows: list[Standing] = []
    for tied in split(entrants, reached.__getitem__):
        rank, shared = len(rows) + 1, say("shared place, out in the same round")
        if alive.issuperset(tied):
            shared = say("shared place, not knocked out")
        for place in tied:
            reason = shared
            if place == tied[-1]:
                reason = further if rank == 1 else say("went further")
            own = of_place[place]
            rounds = rounds_of(place, plan, own, last)
            rows.append(_row(roster, place, rounds, own, plan, rank=rank, reason=reason))
    return _ranked(rows)


def _lost(plan: Plan, roster: Roster, ended: Sequence[Pairing]) -> defaultdict[int, list[int]]:
    """Return the rounds in which each place lost an encounter, until it was out."""
    lost: defaultdict[int, list[int]] = defaultdict(list)
    for pairing in sorted(ended, key=lambda pairing: pairing.round):
        best = knockout.winner(roster, pairing)
        for place in pairing.players:
            if place != best and len(lost[place]) < plan.lives:
                lost[place].append(pairing.round)
    return lost


@dataclass(frozen=True, slots=True)
class Standing:
    """A row of the standings."""

    rank: int
    """From 1; the same for players who share a place."""
    user_id: int
    points: float
    played: int
    """Rounds played to the end against an opponent."""
    wins: int
    draws: int
    """Rounds neither won nor lost, including the middle places at larger tables."""
    losses: int
    byes: int
    """Rounds won without playing; in a round robin, those without an opponent."""
    forfeits: int
    """How many of the byes are forfeits of an opponent."""
    tie_breaks: tuple[tuple[TieBreak, float], ...] = ()
    """In order. Head to head is missing if it decided nothing."""
    reason: Phrase | None = None
    """Why it is above the next row; ``None`` for the last."""
    left: bool = False
    """Whether the place is vacant."""


def rounds_of(place: int, plan: Plan, pairings: Sequence[Pairing], last: int) -> list[Round]:
    """Return a place's ended rounds up to the last; a round without a pairing was missed."""
    found = []
    own = {pairing.round: pairing for pairing in pairings}
    for number in range(1, last + 1):
        pairing = own.get(number)
        if pairing is None:
            found.append(Round(0.0))
        elif pairing.bye:
            found.append(Round(0.0 if _free(plan) else 1.0))
        elif not pairing.open:
            found.append(_round(place, pairing))
    # In a round robin all have the same number of rounds without an opponent: they say nothing.
    return [one for one in found if one.opponents or one.points] if _free(plan) else found


def _round(place: int, pairing: Pairing) -> Round:
    if not pairing.met:
        return Round(pairing.points(place))
    mine = pairing.score(place)
    return Round(
        pairing.points(place),
        tuple(
            (other, float(mine > theirs) + (mine == theirs) / 2)
            for other in pairing.players
            if other != place
            for theirs in (pairing.score(other),)
        ),
    )


def _free(plan: Plan) -> bool:
    """Return whether byes are just a round robin's rounds without an opponent."""
    return plan.format is Format.ROUND_ROBIN and plan.seats == 2


def _row(
    roster: Roster,
    place: int,
    rounds: Sequence[Round],
    own: Sequence[Pairing],
    plan: Plan,
    /,
    **more: Any,
) -> Standing:
    """Return a place's results from its rounds and pairings, with the remaining fields."""
    played = [one for one in rounds if one.opponents]
    wins = sum(one.points >= 1 for one in played)
    losses = sum(one.points <= 0 for one in played)
    forfeits = 0
    if not _free(plan):
        forfeits = sum(
            not pairing.bye and not pairing.open and not pairing.met and pairing.points(place) > 0
            for pairing in own
        )
    more = {"points": sum(one.points for one in rounds)} | more
    return Standing(
        user_id=place,
        played=len(played),
        wins=wins,
        draws=len(played) - wins - losses,
        losses=losses,
        byes=sum(pairing.bye for pairing in own) + forfeits,
        forfeits=forfeits,
        left=roster.left(place) is not None,
        **more,
    )


def places_won(standings: Sequence[Standing], pairings: Sequence[Pairing]) -> Mapping[int, int]:
    """Return the final place of each player who has won one, by user id.

    A place takes a point, and nobody wins a tournament in which no one ever met at the board.
    """
    if not any(pairing.met and not pairing.open for pairing in pairings):
        return {}
    return {one.user_id: one.rank for one in standings if one.points > 0}
