"""Matches in one server stay out of all others."""

from __future__ import annotations

import pytest

from tests.end_to_end.harness import Environment


@pytest.mark.parametrize("line", ["/match verify", "/tablan board"])
async def test_only_players_see_another_servers_match(env: Environment, line: str) -> None:
    await env.begin()
    world = env.world
    club = world.add_guild("Another Club", env.carol.user)
    den = world.add_channel(club, "den")
    for person in (env.ann, env.carol):
        world.add_member(club, person.user)
    world.invite_bot(club)
    option = "number" if line.startswith("/match") else "match"
    assert "match #1" in (await env.ann.slash(line, channel=den, options={option: 1})).text.lower()
    reply = (await env.carol.slash(line, channel=den, options={option: 1})).private
    assert reply == "There's no match #1 here."
