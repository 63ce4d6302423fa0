"""Rules, leaderboards and proofs: what is only read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from engine import registry

if TYPE_CHECKING:
    from tests.end_to_end.harness import House


async def test_all_rules_can_be_paged_through(house: House) -> None:
    reply = await house.ann.slash("/tablan rules")
    assert reply.ephemeral
    read = reply.text
    pages = 1
    while reply.message is not None:
        following = f"Page {pages + 1}"
        if all(button.label != following for button in reply.message.buttons):
            break
        reply = await house.ann.press(reply.message, following)
        assert reply.updated
        read += reply.text
        pages += 1
        assert len(reply.text) <= 4000
    game = registry.game("tablan")
    for rule in game.rules:
        assert f"**{rule.name}** {rule.sentence}" in read
    if pages > 1:
        assert reply.message is not None
        back = await house.ann.press(reply.message, f"Page {pages - 1}")
        assert back.updated


@pytest.mark.parametrize("name", ["W13", "w13", " b6 "])
async def test_one_rule_can_be_looked_up(house: House, name: str) -> None:
    told = await house.ann.slash("/tablan rules", number=name)
    rule = registry.game("tablan").rule(name)
    assert told.ephemeral
    assert f"Rule {rule.name}." in told.text
    assert rule.sentence in told.text


async def test_a_bare_number_shows_the_rule_of_each_document(house: House) -> None:
    told = await house.ann.slash("/tablan rules", number="12")
    game = registry.game("tablan")
    for name in ("W12", "B12"):
        assert game.rule(name).sentence in told.text


async def test_an_unknown_rule_names_those_there_are(house: House) -> None:
    told = await house.ann.slash("/tablan rules", number="99")
    assert told.ephemeral
    assert "W13" in told.text
    suggested = await house.ann.autocomplete("/tablan rules", "number", "W1")
    assert {"W1", "W13"} <= {s.value for s in suggested}
    assert len(suggested) <= 25


async def test_an_empty_leaderboard_says_so(house: House) -> None:
    told = await house.ann.slash("/leaderboard")
    assert "Nobody has finished a rated match here yet" in told.text
    of_one = await house.ann.slash("/leaderboard", game="tablan")
    assert "Nobody" in of_one.text
    assert "Tablan" in of_one.text


async def test_a_match_that_goes_on_keeps_its_seed(house: House) -> None:
    await house.begin()
    told = await house.carol.slash("/match verify", number=1)
    assert told.ephemeral
    assert "still being played" in told.text
    assert told.message is not None
    assert not told.message.attachments
    seed = (await house.bot.matches.view(1)).match.seed
    assert seed.hex() not in told.text


async def test_commands_that_are_not_offered_do_not_exist(house: House) -> None:
    lines = {leaf.line("en-US") for leaf in house.ann.leaves()}
    games = registry.games()
    for slug in games:
        for name in ("challenge", "move", "board", "rules", "games", "resign"):
            assert f"/{slug} {name}" in lines
    assert {"/leaderboard", "/match verify"} <= lines
