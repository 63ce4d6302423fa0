"""Knockouts: losing an encounter eliminates, or losing a second one with two lives.

The bracket follows the initial seeds, so that the top two can only meet in the final; if slots are
empty, the top seeds get a first-round bye. An encounter is one game, a best of several, or a pair
of games with sides swapped. If drawn, it gets one more game (or pair); if that is drawn too, the
higher seed advances.

With two lives there is no fixed bracket: the unbeaten play each other, as do those with one loss,
avoiding rematches where possible. The last two play until one has lost twice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from bot.features.tournaments.rules.roster import History, Roster, draw_key
from bot.features.tournaments.rules.round_robin import games, numbered
from bot.features.tournaments.rules.swiss import best_pairs
from data.tournaments.values import Format, Game, Pairing, Plan


def slots(seeds: Sequence[int]) -> list[int | None]:
    """Return the bracket's first column of seeds, top to bottom; ``None`` marks an empty slot."""
    order = [0]
    while len(order) < len(seeds):
        size = 2 * len(order)
        order = [slot for seed in order for slot in (seed, size - 1 - seed)]
    return [seeds[seed] if seed < len(seeds) else None for seed in order]


def winner(roster: Roster, pairing: Pairing) -> int:
    """Return the place that advances from an encounter that has ended.

    Points decide, then still being present, then the seed: a pairing lists the higher one first.
    """
    return min(
        pairing.players,
        key=lambda place: (
            -pairing.score(place),
            roster.holder(place, pairing.round + 1) is None,
        ),
    )


def further_games(plan: Plan, pairing: Pairing) -> tuple[Game, ...]:
    """Return the extra games an encounter needs once all so far have ended; none if it is decided.

    Outside knockouts there are never any.
    """
    forfeited = any(game.how == "forfeit" for game in pairing.games)
    if plan.format is not Format.KNOCKOUT or pairing.bye or pairing.open or forfeited:
        return ()
    left = plan.best_of * (2 if plan.both_sides else 1) - len(pairing.games)
    one, other = pairing.players
    if abs(pairing.score(one) - pairing.score(other)) > left:
        return ()
    return games(plan, pairing.games[-1].seats[::-1])


class Knockout:
    """Pairs the next round of a knockout."""

    def __init__(
        self,
        plan: Plan,
        roster: Roster,
        rounds: Sequence[Pairing],
        history: History,
        seed: bytes,
    ) -> None:
        """Take the earlier rounds, by place."""
        self._plan = plan
        self._roster = roster
        self._rounds = rounds
        self._history = history
        self._number = history.rounds + 1
        self._seed = seed
        self._seeds = [place for place in roster.places if roster.began(place)]

    def pairings(self) -> list[Pairing]:
        """Return the next round; empty once there is a winner."""
        if self._plan.lives == 2:
            return self._by_lives()
        column = self.column(self._number)
        if sum(self._is_present(place) for place in column) < 2:
            return []
        made = []
        for slot in range(0, len(column), 2):
            both = [place for place in column[slot : slot + 2] if place is not None]
            if any(map(self._is_present, both)):
                made.append(self._encounter(both))
        return numbered(made)

    def column(self, number: int) -> list[int | None]:
        """Return the bracket's slots before a round, top to bottom."""
        column = slots(self._seeds)
        for played in range(1, number):
            if len(column) > 1:
                column = [
                    self._passes(played, *column[slot : slot + 2])
                    for slot in range(0, len(column), 2)
                ]
        return column

    def _passes(self, number: int, one: int | None, other: int | None) -> int | None:
        if one is None or other is None:
            return other if one is None else one
        for pairing in self._rounds:
            if pairing.round == number and set(pairing.players) == {one, other}:
                return winner(self._roster, pairing)
        return None  # both had left

    def _is_present(self, place: int | None) -> bool:
        return place is not None and self._roster.holder(place, self._number) is not None

    def _encounter(self, places: Sequence[int]) -> Pairing:
        both = tuple(sorted(places, key=self._roster.rank.__getitem__))
        here = [self._is_present(place) for place in both]
        made: tuple[Game, ...] = ()
        if not all(here):
            made = games(self._plan, both, here)
        elif len(both) > 1:
            seats = self._seats(both)
            for turn in range(self._plan.best_of // 2 + 1):
                made += games(self._plan, seats[::-1] if turn % 2 else seats)
        return Pairing(self._number, 0, both, made)

    def _seats(self, places: Sequence[int]) -> tuple[int, ...]:
        """Return two places in seat order: the one with fewer first seats goes first."""
        return tuple(
            sorted(
                places,
                key=lambda p: (
                    self._history.balance(p),
                    draw_key(self._seed, self._number, self._roster.number[p]),
                ),
            )
        )

    def _by_lives(self) -> list[Pairing]:
        alive = [place for place in self._seeds if self._is_present(place)]
        lost = losses(self._roster, self._rounds)
        unbeaten = [place for place in alive if lost[place] == 0]
        once = [place for place in alive if lost[place] == 1]
        if len(unbeaten) == 1 and len(once) <= 1:
            unbeaten, once = unbeaten + once, []
        if len(unbeaten) + len(once) < 2:
            return []
        return numbered([*self._pair_by_strength(unbeaten), *self._pair_by_strength(once)])

    def _pair_by_strength(self, places: Sequence[int]) -> Iterable[Pairing]:
        """Pair the strongest with the weakest; with an odd number, a strong one gets a bye."""
        history, count = self._history, len(places)

        def cost(one: int, other: int) -> tuple[int, int, int]:
            if other == count:
                return history.byes[places[one]], 0, one**2
            return 0, history.times_met(places[one], places[other]), (count - 1 - one - other) ** 2

        for one, other in best_pairs(count + count % 2, cost, draw_key(self._seed, self._number)):
            yield self._encounter([places[one]] if other == count else [places[one], places[other]])


def losses(roster: Roster, rounds: Sequence[Pairing]) -> Counter[int]:
    """Return the number of encounters each place has lost."""
    return Counter(
        place for pairing in rounds for place in pairing.players if place != winner(roster, pairing)
    )


def total(plan: Plan, entrants: int) -> int:
    """Return the number of rounds for two entrants or more; with two lives, the maximum."""
    if plan.lives == 1:
        return (entrants - 1).bit_length()
    unbeaten, once, rounds = entrants, 0, 0
    while unbeaten + once > 2 or (unbeaten, once) == (2, 0):
        fallen = unbeaten // 2
        unbeaten, once = unbeaten - fallen, once - once // 2 + fallen
        rounds += 1
    return rounds + 2
