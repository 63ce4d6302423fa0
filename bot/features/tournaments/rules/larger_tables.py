"""Pairs a round at tables of three or four: players meet evenly, and seats rotate.

There is no reasonably fast exact method for tables of more than two, and no FIDE system. So this
searches: from several starts, players at different tables are swapped as long as that improves the
round. The criteria, in order:

1. as few as possible sit out, none twice before all have once, and those with few points first,
2. players who have met least meet: each further meeting of two costs four times the one before,
3. in a Swiss, players with similar points meet,
4. seats: each player has had every seat about equally often.

Tables are as full as possible with nobody left over: nine are three tables of three even if the
game seats four, and seven are four and three.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations, permutations
from typing import Final

from bot.features.tournaments.rules.roster import History, draw_key
from data.tournaments.values import Game, Pairing, Plan

_STARTS: Final = 40
"""Starts in a small round's search. Larger rounds leave more room, and need fewer."""
_SMALL: Final = 400
"""Maximum starts times players."""
_OFTEN: Final = 12
"""More meetings than this count the same."""


def sizes(plan: Plan, count: int) -> list[int]:
    """Return the size of each table, larger ones first."""
    for seated in range(count, 0, -1):
        tables = -(-seated // plan.seats)
        least, more = divmod(seated, tables)
        if least >= plan.smallest:
            return [least + 1] * more + [least] * (tables - more)
    return []


def tables_round(
    plan: Plan, present: Sequence[int], history: History, seed: bytes, *, by_points: bool
) -> tuple[Pairing, ...]:
    """Pair the next round of the places present, given in seed order."""
    number = history.rounds + 1
    drawn = draw_key(seed, number)
    made = sizes(plan, len(present))
    rank = {place: rank for rank, place in enumerate(present)}
    waiting = sorted(
        present, key=lambda p: (history.byes[p], round(12 * history.shares[p]), -rank[p])
    )[: len(present) - sum(made)]
    seated = [place for place in present if place not in waiting]
    seated.sort(key=lambda p: (-round(12 * history.shares[p]), rank[p]))
    search = _Search(made, seated, history, drawn, by_points=by_points)
    tables = sorted(search.best(), key=lambda table: min(seated.index(place) for place in table))
    pairings = [
        Pairing(number, i, table, (Game(table),))
        for i, table in enumerate((_seats(table, history, rank, drawn) for table in tables), 1)
    ]
    pairings += [Pairing(number, len(pairings) + i, (place,)) for i, place in enumerate(waiting, 1)]
    return tuple(pairings)


class _Search:
    def __init__(
        self,
        made: Sequence[int],
        seated: Sequence[int],
        history: History,
        drawn: bytes,
        *,
        by_points: bool,
    ) -> None:
        self._made = made
        self._seated = seated
        self._drawn = drawn
        points = [round(12 * history.shares[place]) if by_points else 0 for place in seated]
        spread = max(points, default=0) - min(points, default=0)
        # One more meeting outweighs all the differences in points a round can have.
        meeting = spread**2 * 2 * len(seated) + 1
        self._costs = [
            [
                meeting * 4 ** min(history.times_met(one, other), _OFTEN)
                + (points[i] - points[j]) ** 2
                for j, other in enumerate(seated)
            ]
            for i, one in enumerate(seated)
        ]

    def best(self) -> list[tuple[int, ...]]:
        """Return the tables, as places."""
        count = len(self._seated)
        starts = max(1, min(_STARTS, _SMALL // max(1, count)))
        found = min(
            (self._improved(self._start(number)) for number in range(starts)), key=self._total
        )
        return [tuple(self._seated[one] for one in table) for table in found]

    def _start(self, number: int) -> list[list[int]]:
        order = list(range(len(self._seated)))
        if number:  # the first start is in the order of points
            order.sort(key=lambda one: draw_key(self._drawn, number, one))
        tables, at = [], 0
        for size in self._made:
            tables.append(order[at : at + size])
            at += size
        return tables

    def _total(self, tables: Sequence[Sequence[int]]) -> int:
        return sum(self._costs[one][other] for t in tables for one, other in combinations(t, 2))

    def _improved(self, tables: list[list[int]]) -> list[list[int]]:
        """Swap players of different tables as long as that lowers the cost."""
        changed = set(range(len(tables)))
        while changed:
            fresh: set[int] = set()
            for a, b in combinations(range(len(tables)), 2):
                if (a in changed or b in changed) and self._swap(tables[a], tables[b]):
                    fresh |= {a, b}
            changed = fresh
        return tables

    def _swap(self, one: list[int], other: list[int]) -> bool:
        """Make the best swap between two tables; return whether one improves them."""
        costs = self._costs
        best, swap = 0, None
        for i, mine in enumerate(one):
            here = sum(costs[mine][x] for x in one) - costs[mine][mine]
            there = sum(costs[mine][x] for x in other)
            for j, theirs in enumerate(other):
                between = 2 * costs[mine][theirs]
                now = here + sum(costs[theirs][x] for x in other) - costs[theirs][theirs]
                then = there + sum(costs[theirs][x] for x in one) - between
                if then - now < best:
                    best, swap = then - now, (i, j)
        if swap is None:
            return False
        i, j = swap
        one[i], other[j] = other[j], one[i]
        return True


def _seats(
    table: tuple[int, ...], history: History, rank: Mapping[int, int], drawn: bytes
) -> tuple[int, ...]:
    """Return a table in seat order, giving each player the seats they have had least."""
    counts = {place: [0] * len(table) for place in table}
    for place in table:
        for seat in history.seats[place]:
            if seat < len(table):
                counts[place][seat] += 1
    return min(
        permutations(table),
        key=lambda order: (
            sum(2 * counts[place][seat] + 1 for seat, place in enumerate(order)),
            draw_key(drawn, *(rank[place] for place in order)),
        ),
    )
