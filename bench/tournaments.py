"""A thousand tournaments of 4 to 500 people: the time to pair a round, and correctness.

All formats, with people who leave, join late, are replaced, draw and never come. After each
tournament every promise of the pairings is checked (`broken`), where possible by other means than
they were made with. TOURNAMENTS in the environment makes it smaller.
"""

from __future__ import annotations

import os
import random
import statistics
from collections import Counter
from math import exp, log
from typing import Final

from bench.row import Row
from bench.simulated_tournaments import Life, any_plan, play
from bench.tournament_checks import broken
from data.tournaments.values import Format, Plan

TOURNAMENTS = int(os.environ.get("TOURNAMENTS", "1_000"))
LEAST, MOST = 4, 500
SEED: Final = 17
SIZES: Final = (8, 16, 32, 64, 128, 256, 500)
"""Entrants for which a round's time is reported."""


def run() -> list[Row]:
    """Play all tournaments and return the figures."""
    dice = random.Random(SEED)
    wrong: list[str] = []
    kinds: Counter[str] = Counter()
    rounds = 0
    for number in range(TOURNAMENTS):
        people = round(exp(dice.uniform(log(LEAST), log(MOST))))
        plan = any_plan(dice, people)
        played = play(plan, people, dice, unequal=dice.random() < 0.3)
        kinds[plan.format.value if plan.seats == 2 else "tables"] += 1
        rounds += len(played.seconds)
        wrong += [f"{number}: {what}" for what in broken(played)]
    note = f"of {TOURNAMENTS} tournaments with {rounds} rounds: " + ", ".join(
        f"{count} {kind}" for kind, count in sorted(kinds.items())
    )
    note += f"; {wrong[0]}" if wrong else ""
    rows = [Row("tournaments: violated rules", len(wrong), "", note, at_most=0)]
    for people in SIZES:
        for name, plan in (("Swiss", Plan(Format.SWISS)), ("tables", Plan(Format.SWISS, seats=4))):
            if people <= MOST:
                found = play(plan, people, random.Random(people), Life(leaves=0, joins=0))
                rows.append(
                    Row(
                        f"tournaments: {name} of {people}, a round",
                        1000 * statistics.fmean(found.seconds),
                        "ms",
                        f"the slowest of {len(found.seconds)}: {1000 * max(found.seconds):.0f} ms",
                    )
                )
    return rows
