"""Ladders whose players are barred or idle for long."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.matches.service import Matches
from tests.end_to_end.ladders import ladder, order, play, post
from tests.end_to_end.test_ladders import resign
from tests.end_to_end.test_rated_play import exclude, rated

if TYPE_CHECKING:
    from tests.end_to_end.harness import Environment


async def test_who_is_barred_from_rated_play_plays_unrated_for_a_place(env: Environment) -> None:
    await ladder(env, 3)
    await exclude(env, env.ben)
    number = await play(env, env.ben, env.ann)
    assert (await env.app.get(Matches).view(number)).match.casual
    await resign(env, number, env.ann)
    assert await order(env) == "BAC"
    assert await rated(env, "tablut") == set()
    # The others go on to be rated.
    number = await play(env, env.carol, env.ann)
    await resign(env, number, env.ann)
    assert await rated(env, "tablut") == {env.ann.id, env.carol.id}


async def test_after_180_days_without_a_game_somebody_is_taken_off(env: Environment) -> None:
    await ladder(env, 3, idle_days=120)
    await env.advance(days=100)
    await resign(env, await play(env, env.carol, env.ben), env.carol)
    await env.advance(days=79)
    assert sorted(await order(env)) == ["A", "B", "C"]
    await env.advance(days=7)
    assert await order(env) == "BC"
    told = (await env.ben.slash("/ladder history")).text
    assert f"{env.ann.mention} is off the ladder after a long time without games" in told
    assert "at place 3" in (await env.ann.press(post(env), "Join")).text
