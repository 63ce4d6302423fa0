"""Recorded games replay unchanged."""

from __future__ import annotations

from tests.contract.games import Case
from tests.contract.playthroughs import as_text, folder, parsed


def test_every_game_has_recorded_playthroughs_that_still_replay_unchanged(case: Case) -> None:
    paths = sorted(folder(case).glob("*.txt"))
    assert paths, "record one with: python -m tests.contract.playthroughs"
    for path in paths:
        text = path.read_text(encoding="utf-8")
        options, players, log = parsed(text)
        assert as_text(case.game, options, players, log) == text
        assert not text.endswith("unfinished\n")
