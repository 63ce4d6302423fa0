"""The best way to make pairs, by criteria in order of importance.

This is a maximum weight matching in a graph: every possible pair has a weight, and the sum is
maximised. rustworkx computes it exactly. The alternatives, as of November 2026:

* py4swiss 0.3.1 (MIT) computes FIDE's Dutch system and nothing else. It has no package for Linux on
  ARM and no source package, wants everyone's history as a tournament report, refuses a round that
  its rules do not allow (a player leaving a field of six), and takes 8 s for 500 entrants.
* pairing-core 0.4.1 and caissify-pairings 0.5.0 are half a year old, by one person each, and only
  for two at a board.
* swisspair 0.2.1 is from 2024, for one game's tournaments, and has no sides and no floats.
* networkx 3.6 (BSD) has the same algorithm in pure Python: 19 s for the second round of 500.
* rustworkx 0.18 (Apache-2.0, by the makers of Qiskit) is a port of that to Rust, 0.4 s, with
  packages for every common system. It lists numpy as a dependency but does not load it.

The last criterion is a random number per pair, drawn from the tournament's seed. So there is only
one best answer, and any algorithm finds it again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import shake_256
from typing import Final

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
        (*cost(one, other), int.from_bytes(drawn[2 * i : 2 * i + 2], "big"))
        for i, (one, other) in enumerate(numbers)
    ]
    # One step of a criterion must outweigh any sum of the later ones.
    sizes = [_most(numbers, column) + 1 for column in zip(*costs, strict=True)]
    weighed = []
    for values in costs:
        total = 0
        for value, size in zip(values, sizes, strict=True):
            total = total * size + value
        weighed.append(total)
    worst = max(weighed)
    if worst.bit_length() > _MAX_BITS:
        raise ValueError("pair costs are too large to compare exactly")
    graph: rustworkx.PyGraph[int, int] = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(count))
    graph.add_edges_from(
        [(one, other, worst - total) for (one, other), total in zip(numbers, weighed, strict=True)]
    )
    found = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return sorted((min(pair), max(pair)) for pair in found)


def _most(numbers: Sequence[tuple[int, int]], column: Sequence[int]) -> int:
    """Return an upper bound on the sum of the pairs' costs in one criterion."""
    costly = [pair for pair, value in zip(numbers, column, strict=True) if value]
    distinct = (len({pair[side] for pair in costly}) for side in (0, 1))
    return max(column) * min(*distinct, (numbers[-1][1] + 1) // 2)
