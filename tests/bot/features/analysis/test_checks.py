"""Which records can be analysed."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from bot.core.errors import NotAllowed
from bot.features.analysis.service import check_record
from bot.play.replays.replay import replay_of_record
from tests.bot.records import record_of


@pytest.mark.parametrize(
    ("plies", "ranks", "why"),
    [
        (8, (), "doesn't say who won"),
        (8, (2, 2), "doesn't say who won"),
        (2, (1, 2), "Record i1 is too short to analyse."),
    ],
)
def test_a_record_needs_a_winner_and_some_moves(
    plies: int, ranks: tuple[int, ...], why: str
) -> None:
    record = replace(record_of("tablut", plies, random.Random(1)), ranks=ranks)
    with pytest.raises(NotAllowed, match=why):
        check_record(replay_of_record("i1", record))
    enough = replace(record_of("tablut", 8, random.Random(1)), ranks=(1, 2))
    check_record(replay_of_record("i1", enough))
