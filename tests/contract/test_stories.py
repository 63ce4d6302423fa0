"""Every game's recorded playthroughs have a story, at whichever move they stop."""

from __future__ import annotations

import re

from engine import registry
from engine.game import Entry
from engine.replay import replay
from engine.turns import turn_of, turns
from tests.contract.games import Case
from tests.contract.playthroughs import folder, parsed


def test_a_game_has_a_story_of_few_sentences_at_each_of_its_moves(case: Case) -> None:
    game = case.game
    for path in folder(case).glob("*.txt"):
        options, players, log = parsed(path.read_text(encoding="utf-8"))
        played = list(replay(game, log, options, players))
        starts = turns(game, played)
        entries = [Entry(one.before, one.move, turn_of(starts, one.ply)) for one in played]
        assert game.story([], played[0].before) == ""
        for ply in range(1, len(played) + 1, 7):
            text = game.story(entries[:ply], played[ply - 1].after)
            assert text == "" or text.endswith("."), text
            assert len(re.findall(r"[.!]( |$)", text)) <= 3, text
            numbers = [int(number) for number in re.findall(r"move (\d+)", text)]
            assert all(1 <= number <= entries[ply - 1].turn for number in numbers), text
        told = game.story(entries, played[-1].after)
        assert bool(told) == (game.slug in registry.games()), "the toy tells none"
