"""Rules, leaderboards and proofs: commands that only read."""

from __future__ import annotations

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
        back = await env.ann.press(reply.shown, f"Page {pages - 1}")
        assert back.updated


async def test_rules_are_found_by_name_or_number(env: Environment) -> None:
    game = registry.game("tablan")
    for typed, names in (("w13", ["W13"]), (" b6 ", ["B6"]), ("12", ["W12", "B12"])):
        reply = (await env.ann.slash("/tablan rules", number=typed)).private
        for name in names:
            assert f"Rule {name}." in reply
            assert game.rule(name).sentence in reply
    assert "W13" in (await env.ann.slash("/tablan rules", number="99")).text
    suggested = await env.ann.autocomplete("/tablan rules", "number", "W1")
    assert {"W1", "W13"} <= {s.value for s in suggested}
    assert len(suggested) <= 25


async def test_an_ongoing_match_does_not_reveal_its_seed(env: Environment) -> None:
    await env.begin()
    reply = (await env.carol.slash("/match verify", number=1)).shown
    assert reply.ephemeral
    assert "still being played" in reply.text
    assert not reply.attachments
    seed = (await env.view()).match.seed
    assert seed.hex() not in reply.text
