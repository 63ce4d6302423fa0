"""Rules, leaderboards and proofs: commands that only read."""

from __future__ import annotations

import pytest

from bot.play.matches.service import Matches
from engine import registry
from tests.end_to_end.harness import Environment


async def test_all_rules_can_be_browsed_by_page(env: Environment) -> None:
    reply = await env.ann.slash("/tablan rules")
    assert reply.ephemeral
    read = reply.text
    pages = 1
    while reply.message is not None:
        following = f"Page {pages + 1}"
        if all(button.label != following for button in reply.message.buttons):
            break
        reply = await env.ann.press(reply.message, following)
        assert reply.updated
        read += reply.text
        pages += 1
        assert len(reply.text) <= 4000
    game = registry.game("tablan")
    for rule in game.rules:
        assert f"**{rule.name}** {rule.sentence}" in read
    if pages > 1:
        assert reply.message is not None
        back = await env.ann.press(reply.message, f"Page {pages - 1}")
        assert back.updated


@pytest.mark.parametrize("name", ["W13", "w13", " b6 "])
async def test_one_rule_can_be_looked_up(env: Environment, name: str) -> None:
    reply = await env.ann.slash("/tablan rules", number=name)
    rule = registry.game("tablan").rule(name)
    assert reply.ephemeral
    assert f"Rule {rule.name}." in reply.text
    assert rule.sentence in reply.text


async def test_a_plain_number_shows_the_rule_of_each_document(env: Environment) -> None:
    reply = await env.ann.slash("/tablan rules", number="12")
    game = registry.game("tablan")
    for name in ("W12", "B12"):
        assert game.rule(name).sentence in reply.text


async def test_an_unknown_rule_lists_the_existing_ones(env: Environment) -> None:
    reply = await env.ann.slash("/tablan rules", number="99")
    assert reply.ephemeral
    assert "W13" in reply.text
    suggested = await env.ann.autocomplete("/tablan rules", "number", "W1")
    assert {"W1", "W13"} <= {s.value for s in suggested}
    assert len(suggested) <= 25


async def test_an_empty_leaderboard_says_so(env: Environment) -> None:
    reply = await env.ann.slash("/leaderboard")
    assert "No rated games here yet" in reply.text
    of_one = await env.ann.slash("/leaderboard", game="tablan")
    assert "No rated games" in of_one.text
    assert "Tablan" in of_one.text


async def test_an_ongoing_match_does_not_reveal_its_seed(env: Environment) -> None:
    await env.begin()
    reply = await env.carol.slash("/match verify", number=1)
    assert reply.ephemeral
    assert "still being played" in reply.text
    assert reply.message is not None
    assert not reply.message.attachments
    seed = (await env.app.get(Matches).view(1)).match.seed
    assert seed.hex() not in reply.text


async def test_unregistered_commands_do_not_exist(env: Environment) -> None:
    lines = {command.line("en-US") for command in env.ann.slash_commands()}
    games = registry.games()
    for slug in games:
        for name in ("challenge", "move", "board", "rules", "games", "resign"):
            assert f"/{slug} {name}" in lines
    assert {"/leaderboard", "/match verify"} <= lines
