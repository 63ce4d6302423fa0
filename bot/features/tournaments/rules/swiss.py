"""Pairs a round of a Swiss for two at a board.

All pairs of a round are weighed at once, exactly (`matching`), by these criteria in order:

1. no second bye (a win by forfeit counts as one),
2. no rematch,
3. sides: no player gets three games more on one side than on the other, or the same side a third
   time in a row. If the sides are unequal, not even two games more: there the score says less about
   two players than the sides they had.
4. the bye goes to a player with few points,
5. opponents have similar points: the sum of squared differences is minimal,
6. no player meets an opponent with more points, or with fewer, twice in three rounds,
7. sides are balanced,
8. within equal points the upper half meets the lower half, in order; a player moved down to a group
   with fewer points is the last of their group, and meets the first of the other,
9. the lot.

1, 2, 3, 4 and 6 to 8 are FIDE's Dutch system (C.04.3), in its order. It also has 5, but group by
group from the highest down; weighing all groups at once is the same or better.
A round can always be paired: criteria that can't be met are broken as rarely as possible.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import shake_256
from itertools import accumulate, compress
from operator import mul, sub
from typing import Final, NamedTuple

from bot.features.tournaments.rules.roster import History, draw_key
from data.tournaments.values import Game, Pairing

_FAR = 60
"""Differences in rank or points beyond this are equally bad."""


class _Cost(NamedTuple):
    """What a pair costs, the most important first."""

    byes: int = 0
    rematches: int = 0
    sides: int = 0
    points_of_bye: int = 0
    difference: int = 0
    floats: int = 0
    balance: int = 0
    rank: int = 0


class Swiss:
    """Pairs the next round of the players present."""

    def __init__(
        self,
        present: Sequence[int],
        history: History,
        seed: bytes,
        *,
        unequal_sides: bool,
        both_sides: bool,
    ) -> None:
        """Take the places to pair, in seed order."""
        points = history.points
        self._rank = {place: rank for rank, place in enumerate(present)}
        self._order = sorted(present, key=lambda place: (-points[place], self._rank[place]))
        self._history = history
        self._number = history.rounds + 1
        self._lot = draw_key(seed, self._number)
        self._unequal = unequal_sides
        self._both = both_sides
        self._in_group: dict[int, tuple[int, int]] = {}
        """By place, its index among those with equal points, and their number."""
        for score in sorted({points[place] for place in present}):
            group = [place for place in self._order if points[place] == score]
            self._in_group |= {place: (i, len(group)) for i, place in enumerate(group)}

    def pairings(self) -> tuple[Pairing, ...]:
        """Return the round, tables with the most points first and a bye last."""
        count = len(self._order)
        pairs = best_pairs(count + count % 2, self._cost, self._lot)
        byes = [self._order[one] for one, other in pairs if other == count]
        played = [(self._order[one], self._order[other]) for one, other in pairs if other < count]
        played.sort(key=self._of_table)
        paired = [
            Pairing(self._number, table, pair, self._games(pair, table))
            for table, pair in enumerate(played, 1)
        ]
        paired += [Pairing(self._number, len(paired) + 1, (place,)) for place in byes]
        return tuple(paired)

    def _of_table(self, pair: tuple[int, int]) -> tuple[int, int, int]:
        scores = sorted((self._history.points[place] for place in pair), reverse=True)
        return -scores[0], -scores[1], min(self._rank[place] for place in pair)

    def _cost(self, first: int, second: int) -> _Cost:
        """Return the cost of pairing two indexes of the order; the one past its end is a bye."""
        history, one = self._history, self._order[first]
        number, size = self._in_group[one]
        if second == len(self._order):
            return _Cost(
                byes=history.byes[one],
                points_of_bye=history.points[one],
                floats=self._floated(one, 1),
                rank=_square(size - 1 - number),
            )
        other = self._order[second]
        difference = history.points[one] - history.points[other]
        worst, uneven = self._sides(one, other)
        below, _ = self._in_group[other]
        if difference:
            rank = _square(size - 1 - number) + _square(below)
        else:
            half = size // 2
            rank = _square(below - number - half) + (0 if number < half <= below else _FAR**2)
        return _Cost(
            rematches=history.times_met(one, other),
            sides=worst + (uneven if self._unequal else 0),
            difference=_square(difference),
            floats=self._floated(one, 1) + self._floated(other, -1) if difference else 0,
            balance=uneven,
            rank=rank,
        )

    def _floated(self, place: int, way: int) -> int:
        """Return 2 if a place floated that way last round, plus 1 if it did in the round before."""
        floats = self._history.floats[place]
        return sum(
            weight for back, weight in ((1, 2), (2, 1)) if floats.get(self._number - back) == way
        )

    def _sides(self, one: int, other: int) -> tuple[int, int]:
        """Return the lowest cost in sides for two places: grave faults, then slight ones."""
        if self._both:
            return 0, 0
        return min(self._after(one, other), self._after(other, one))

    def _after(self, first: int, second: int) -> tuple[int, int]:
        grave = slight = 0
        for place, seat in ((first, 0), (second, 1)):
            balance = abs(self._history.balance(place) + 1 - 2 * seat)
            last = self._history.seats[place][-2:]
            grave += balance > 2 or last == [seat, seat]
            slight += max(0, balance - 1)
        return grave, slight

    def _games(self, pair: tuple[int, int], table: int) -> tuple[Game, ...]:
        one, other = sorted(pair, key=lambda p: (-self._history.points[p], self._rank[p]))
        if self._both:
            return Game((one, other)), Game((other, one))
        kept, swapped = self._after(one, other), self._after(other, one)
        wish = self._wish(one)
        due = wish - self._wish(other) or self._last_apart(one, other) or wish
        first = (kept, -due, (table + self._lot[0]) % 2) < (swapped, due, 1)
        return (Game((one, other) if first else (other, one)),)

    def _wish(self, place: int) -> int:
        """Return how much a place is due the first seat; negative for the second."""
        seats = self._history.seats[place]
        balance = -2 * self._history.balance(place)
        return balance or (2 * seats[-1] - 1 if seats else 0)

    def _last_apart(self, one: int, other: int) -> int:
        """Return 1 if the other had the first seat when two last differed, -1 if not, 0 if never."""
        seats = self._history.seats
        return next(filter(None, map(sub, reversed(seats[one]), reversed(seats[other]))), 0)


def _square(difference: int) -> int:
    return min(abs(difference), _FAR) ** 2


def fits(rounds: int, count: int) -> int:
    """Limit rounds to the number playable without rematches."""
    return max(1, min(rounds, count - 1 + count % 2))


_MAX_BITS: Final = 120
"""Weights are 128 bits wide, some of which the algorithm needs for itself."""


def best_pairs(
    count: int, cost: Callable[[int, int], Sequence[int]], seed: bytes
) -> list[tuple[int, int]]:
    """Return the pairs with the lowest total cost, each with the lower number first.

    Args:
        count: how many to pair, an even number.
        cost: a pair's cost by each criterion, the most important first; not negative. Sums
            compare as tuples do.
        seed: breaks ties.

    Raises:
        ValueError: the costs are too large to be weighed exactly.
    """
    import rustworkx  # noqa: PLC0415 - most processes never pair players

    if count == 0:
        return []
    numbers = [(one, other) for one in range(count) for other in range(one + 1, count)]
    drawn = shake_256(seed).digest(2 * len(numbers))
    costs = [
        (*cost(*pair), int.from_bytes(drawn[2 * i : 2 * i + 2])) for i, pair in enumerate(numbers)
    ]
    # One step of a criterion must outweigh any sum of the later ones.
    sizes = [_most(numbers, column) + 1 for column in zip(*costs, strict=True)]
    steps = [*accumulate(sizes[:0:-1], mul, initial=1)][::-1]
    weights = [sum(map(mul, values, steps)) for values in costs]
    worst = max(weights)
    if worst.bit_length() > _MAX_BITS:
        raise ValueError("pair costs are too large to compare exactly")
    graph: rustworkx.PyGraph[int, int] = rustworkx.PyGraph()
    graph.add_nodes_from(range(count))
    graph.add_edges_from([(*pair, worst - weights[i]) for i, pair in enumerate(numbers)])
    found = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return sorted((min(pair), max(pair)) for pair in found)


def _most(numbers: Sequence[tuple[int, int]], column: Sequence[int]) -> int:
    """Return an upper bound on the sum of the pairs' costs in one criterion."""
    costly = list(compress(numbers, column))
    distinct = (len({pair[side] for pair in costly}) for side in (0, 1))
    return max(column) * min(*distinct, (numbers[-1][1] + 1) // 2)
