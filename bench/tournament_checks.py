"""Whether a tournament kept every promise of its pairings, checked by other means where possible."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise
from typing import Final

import rustworkx

from bench.simulated_tournaments import Played
from bot.features.tournaments.rules.pairing import Record
from bot.features.tournaments.rules.roster import History, Roster
from bot.features.tournaments.rules.standings import standings
from data.tournaments.values import Format, Pairing, Plan

RECOMPUTED: Final = 60
"""Tournaments of up to this many people are recomputed from their records."""


def broken(played: Played) -> Iterator[str]:
    """Yield the promises that a tournament broke."""
    plan = played.plan
    roster = Roster(played.entrants, played.seed)
    rounds = roster.as_places(played.pairings)
    last = max((pairing.round for pairing in rounds), default=0)
    for number in range(1, last + 1):
        now = [pairing for pairing in rounds if pairing.round == number]
        before = [pairing for pairing in rounds if pairing.round < number]
        counts = Counter(place for pairing in now for place in pairing.players)
        if any(count > 1 for count in counts.values()):
            yield f"round {number}: somebody is paired twice"
        present = set(roster.present(number))
        if plan.format is Format.SWISS or plan.seats > 2:
            if set(counts) != present:
                yield f"round {number}: not everyone present is paired"
            yield from _byes(number, now, before, present, plan)
        if plan.format is Format.SWISS and plan.seats == 2:
            yield from _swiss(played, number, now, before)
    if plan.format is Format.ROUND_ROBIN and plan.seats == 2:
        yield from _all_met(plan, rounds)
    yield from _order(played)
    if len(played.entrants) <= RECOMPUTED:
        everything = (plan, tuple(played.entrants), tuple(played.pairings), played.unequal)
        wrong = Record(*everything, seed=played.seed.hex()).wrong_round()
        if wrong is not None:
            yield f"round {wrong} is another one when it is computed again"


def _byes(
    number: int,
    now: Sequence[Pairing],
    before: Sequence[Pairing],
    present: set[int],
    plan: Plan,
) -> Iterator[str]:
    history = History(before)
    byes = [pairing.players[0] for pairing in now if pairing.bye]
    if plan.seats == 2 and len(byes) != len(present) % 2:
        yield f"round {number}: {len(byes)} byes"
    least = min((history.byes[place] for place in present.difference(byes)), default=0)
    if byes and max(history.byes[place] for place in byes) > least:
        yield f"round {number}: another bye for somebody, while others have had fewer"


def _swiss(
    played: Played, number: int, now: Sequence[Pairing], before: Sequence[Pairing]
) -> Iterator[str]:
    history = History(before)
    met = [pairing for pairing in now if not pairing.bye]
    again = [pairing for pairing in met if history.times_met(*pairing.players)]
    if again and not _unavoidable([p for pairing in now for p in pairing.players], history):
        yield f"round {number}: people meet again who need not"
    after = History([*before, *now])
    worst = max((abs(after.balance(p)) for pairing in met for p in pairing.players), default=0)
    if not played.plan.both_sides and worst > 3:
        yield f"round {number}: somebody had a side {worst} times more than the other"
    for one, other in combinations(met, 2):
        if _better(one, other, history):
            yield f"round {number}: {one.players} and {other.players} could have had like points"


def _unavoidable(present: Sequence[int], history: History) -> bool:
    """Return whether every pairing of those present has people who meet again."""
    graph: rustworkx.PyGraph[int, int] = rustworkx.PyGraph()
    places = list(present) + [0] * (len(present) % 2)
    graph.add_nodes_from(range(len(places)))
    least = min((history.byes[place] for place in present), default=0)
    graph.add_edges_from(
        [
            (i, j, 1)
            for (i, one), (j, other) in combinations(enumerate(places), 2)
            if (history.byes[one] == least if other == 0 else not history.times_met(one, other))
        ]
    )
    return 2 * len(rustworkx.max_weight_matching(graph, max_cardinality=True)) < len(places)


def _better(one: Pairing, other: Pairing, history: History) -> bool:
    """Return whether two pairs could swap for closer points at no other cost."""

    def grave(a: int, b: int) -> bool:
        return history.times_met(a, b) > 0 or bool(
            history.seats[a] and history.seats[b] and history.balance(a) * history.balance(b) > 0
        )

    def apart(a: int, b: int) -> int:
        return (history.points[a] - history.points[b]) ** 2

    (a, b), (c, d) = one.players, other.players
    now = apart(a, b) + apart(c, d)
    if now == 0:
        return False
    return any(
        apart(*p) + apart(*q) < now and not grave(*p) and not grave(*q)
        and not _same_twice(history, (*p, *q))
        for p, q in (((a, c), (b, d)), ((a, d), (b, c)))
    )  # fmt: skip


def _same_twice(history: History, places: Sequence[int]) -> bool:
    """Return whether anyone had one side twice running: then sides bind."""
    return any(
        len(seats := history.seats[place][-2:]) == 2 and len(set(seats)) == 1 for place in places
    )


def _all_met(plan: Plan, rounds: Sequence[Pairing]) -> Iterator[str]:
    stages: defaultdict[str, list[Pairing]] = defaultdict(list)
    for pairing in rounds:
        stages[pairing.stage].append(pairing)
    for stage, pairings in stages.items():
        met = Counter(frozenset(pairing.players) for pairing in pairings if not pairing.bye)
        if any(count > plan.cycles for count in met.values()):
            yield f"{stage}: somebody was paired too often"


def _order(played: Played) -> Iterator[str]:
    found = standings(played.plan, played.entrants, played.pairings, seed=played.seed)
    if len({one.user_id for one in found}) < len(found):
        yield "somebody stands twice"
    if any(one.rank > other.rank for one, other in pairwise(found)):
        yield "places are out of order"
    if any(one.reason is None for one in found[:-1]):
        counted = [one for one in found if one.points or not one.left]
        if any(one.reason is None for one in counted[:-1]):
            yield "a place has no reason"
    if played.plan.format is Format.KNOCKOUT:
        first = [one for one in found if one.rank == 1]
        if len(first) != 1 and found:
            yield f"{len(first)} winners"
