"""Ranks places by points, then by tie-breaks, and gives the reasons."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Final

from bot.features.tournaments.model import Plan
from bot.features.tournaments.tie_breaks import NAMES, Computed, TieBreak, tie_breaks
from engine.phrase import Phrase, say

_EXACT: Final = 9
"""Decimals to which points compare; rounding errors in sums of thirds are far smaller."""


def figure(value: float) -> str:
    """Format points: ``3½``, or ``2.33`` for other fractions."""
    whole, rest = divmod(round(value, _EXACT), 1)
    if rest == 0.5:
        return f"{int(whole) or ''}½"
    return f"{value:.2f}".rstrip("0").rstrip(".")


@dataclass(eq=False, repr=False)
class Ranking:
    """Orders places and keeps the reasons."""

    plan: Plan
    computed: Computed
    order: list[list[int]] = field(default_factory=list, init=False)
    """Groups of places; each group shares a place."""
    values: defaultdict[int, dict[TieBreak, float]] = field(
        default_factory=lambda: defaultdict(dict), init=False
    )
    reasons: dict[int, Phrase] = field(default_factory=dict, init=False)
    """By index in the order, why a group is above the next."""

    def rank(self, places: Sequence[int]) -> None:
        """Rank places, given in the order to list those that share a place."""
        for place in places:
            for tie_break in tie_breaks(self.plan):
                if tie_break is not TieBreak.DIRECT:
                    self.values[place][tie_break] = self.computed.value(tie_break, place)
        for tied in split(places, self.computed.points.__getitem__):
            if self.order:
                self.reasons[len(self.order) - 1] = say("more points")
            self._resolve(tied, tie_breaks(self.plan))

    def _resolve(self, tied: list[int], left: Sequence[TieBreak]) -> None:
        if len(tied) == 1 or not left:
            self.order.append(tied)
            return
        tie_break, *rest = left
        values = {place: self.values[place].get(tie_break, 0.0) for place in tied}
        if tie_break is TieBreak.DIRECT:
            direct = self.computed.direct(tied)
            if direct is None:
                self._resolve(tied, rest)
                return
            values = direct
        parts = split(tied, values.__getitem__)
        if len(parts) > 1:
            for place in tied:
                self.values[place][tie_break] = values[place]
        for number, part in enumerate(parts):
            if number:
                self.reasons[len(self.order) - 1] = say(
                    "{tie_break}: {better} to {worse}",
                    tie_break=NAMES[tie_break],
                    better=figure(values[parts[number - 1][0]]),
                    worse=figure(values[part[0]]),
                )
            # Where head to head split them, apply it again within each part.
            again = tie_break is TieBreak.DIRECT and len(parts) > 1
            self._resolve(part, left if again else rest)


def split(places: Iterable[int], value: Callable[[int], float]) -> list[list[int]]:
    """Group equal values, highest first, keeping the order within groups."""
    ordered = sorted(places, key=lambda place: -round(value(place), _EXACT))
    return [list(group) for _, group in groupby(ordered, lambda p: round(value(p), _EXACT))]
