"""A log replays, or the error names the faulty entry."""

from __future__ import annotations

from itertools import pairwise

import pytest

from engine import registry
from engine.errors import BadOption, BadRecord
from engine.replay import final, replay, resume

TABLAN = registry.game("tablan")
LOG = ["*3", "*1", "b4-a3", "*2"]


def test_every_entry_has_the_positions_before_and_after() -> None:
    entries = list(replay(TABLAN, LOG))
    assert [entry.ply for entry in entries] == [1, 2, 3, 4]
    assert [TABLAN.write(entry.move) for entry in entries] == LOG
    assert entries[0].before == TABLAN.initial()
    assert all(one.after == two.before for one, two in pairwise(entries))
    assert final(TABLAN, LOG) == entries[-1].after


def test_an_empty_log_ends_at_its_start() -> None:
    assert final(TABLAN, []) == TABLAN.initial()


@pytest.mark.parametrize(
    ("log", "ply", "why"),
    [
        (["*3", "b4-a3"], 2, "throw for the start"),
        (["hello"], 1, "is not a move"),
        ([*LOG, "*1", "b4-a3"], 6, "no man on b4"),
    ],
)
def test_the_error_names_an_entry_that_cannot_be_played(log: list[str], ply: int, why: str) -> None:
    with pytest.raises(BadRecord, match=why) as caught:
        final(TABLAN, log)
    assert caught.value.ply == ply
    assert f"Entry {ply}" in caught.value.sentence


def test_a_log_can_continue_from_a_known_position() -> None:
    middle = final(TABLAN, LOG[:2])
    (third, fourth) = resume(TABLAN, middle, LOG[2:], 2)
    assert (third.ply, fourth.ply) == (3, 4)
    assert fourth.after == final(TABLAN, LOG)


def test_unknown_options_are_refused_before_the_first_entry() -> None:
    with pytest.raises(BadOption):
        replay(TABLAN, LOG, {"rules": "murray"})
