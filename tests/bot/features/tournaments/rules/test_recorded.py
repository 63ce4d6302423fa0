"""Tournaments recorded by an earlier version are paired, ranked and reported the same.

Whoever keeps a record can check its pairings against its seed. So these files stay as they are; a new
format adds another, made with `bench.simulated_tournaments`, `pairing.to_json` and `described`.
"""

from __future__ import annotations

import random
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from bench.simulated_tournaments import Life, any_plan, play
from bot.features.tournaments.rules import trf
from bot.features.tournaments.rules.pairing import Record, from_json, to_json, total_rounds
from bot.features.tournaments.rules.standings import places_won, standings
from bot.features.tournaments.rules.tie_breaks import figure

FOLDER = Path(__file__).parent / "recorded"
DIGESTS = [line.split() for line in (FOLDER / "simulated.txt").read_text("utf-8").splitlines()]
LIFE = Life(leaves=0.06, joins=0.05, draws=0.3, forfeits=0.06, voids=0.03)


def described(played: Record) -> str:
    """Return what follows from a record: standings, places, number of rounds, and its report."""
    seed = bytes.fromhex(played.seed)
    found = standings(played.plan, played.entrants, played.pairings, seed)
    lines = [
        f"{one.rank}. {one.user_id} {figure(one.points)} of {one.played} "
        f"+{one.wins} ={one.draws} -{one.losses} byes {one.byes}{' left' if one.left else ''} "
        f"({', '.join(f'{kind.value} {value:.4g}' for kind, value in one.tie_breaks)}) {one.reason}"
        for one in found
    ]
    lines.append(f"won: {dict(places_won(found, played.pairings))}")
    lines.append(f"rounds: {total_rounds(played.plan, len(played.entrants))}")
    report = trf.to_trf(played) if trf.fits(played) else "no report\n"
    return "\n".join([*lines, report])


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.json")), ids=lambda path: path.stem)
def test_a_recorded_tournament_stays_as_it_was(path: Path) -> None:
    text = path.read_text("utf-8")
    played = from_json(text)
    assert played.wrong_round() is None
    assert described(played) == path.with_suffix(".txt").read_text("utf-8")
    assert from_json(to_json(played)) == played


def simulated(number: int) -> Record:
    """Return a tournament in which much happens."""
    dice = random.Random(number)
    people = dice.randrange(2, 27)
    played = play(any_plan(dice, people), people, dice, LIFE, unequal=dice.random() < 0.5)
    return Record(
        played.plan,
        tuple(played.entrants),
        tuple(played.pairings),
        unequal_sides=played.unequal,
        seed=played.seed.hex(),
    )


@pytest.mark.parametrize(("number", "digest"), DIGESTS)
def test_simulated_tournaments_stay_as_they_were(number: str, digest: str) -> None:
    """`simulated.txt` has a digest of each: what is paired, and the standings half way and after."""
    played = simulated(int(number))
    half = max(one.round for one in played.pairings) // 2
    before = replace(played, pairings=tuple(p for p in played.pairings if p.round <= half))
    told = to_json(played) + described(before) + described(played)
    assert sha256(told.encode()).hexdigest()[:16] == digest
