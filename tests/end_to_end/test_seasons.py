"""Leaderboard seasons, as people see and page through them."""

from __future__ import annotations

import re

from bot.play.ratings.seasons import Season
from tests.end_to_end.harness import Environment
from tests.end_to_end.people import labels
from tests.end_to_end.results import SLUG, STRANGERS, league, result, season


def called(one: Season) -> str:
    return f"{one.year} Q{one.quarter}"


async def next_season(env: Environment) -> None:
    left = Season.at(env.now()).end - env.now()
    await env.advance(seconds=left.total_seconds() + 3600)


async def test_a_season_is_a_press_away_and_says_when_it_ends(env: Environment) -> None:
    table = (await env.ann.slash("/leaderboard", game=SLUG)).shown
    assert "This season" in labels(table)
    assert table.menus == [], "no season is over"
    empty = await env.ann.press(table, "This season")
    assert empty.updated
    assert "No rated games this season yet. Start one with" in empty.text
    await result(env, [env.ann.id, env.ben.id], [1, 2])
    reply = await env.ann.slash("/leaderboard", game=SLUG)
    reply = await env.carol.press(reply.shown, "This season")
    now = Season.at(env.now())
    assert f"### Season {called(now)} · " in reply.text
    assert f"ends <t:{int(now.end.timestamp())}:R>" in reply.text
    assert re.search(rf"a\. {env.ann.mention} · 1\d\d\d ± \d+ \? · 1 won", reply.text)
    assert "4 more games and 2 more opponents to go" in reply.text
    assert "To get a place: 5 rated games, 3 opponents in the season." in reply.text


async def test_season_pages_and_ones_own_page_work_after_a_restart(env: Environment) -> None:
    people = [*STRANGERS[:22], env.ann.id]
    await league(env, people)
    table = (await env.ann.slash("/leaderboard", game=SLUG)).shown
    await env.ann.press(table, "This season")
    assert labels(table) == ["Page 2", "Last page", "My place", "All time", "All games"]
    assert re.search(rf"…\n23\. {env.ann.mention} · ", table.text)
    assert "Ratings with their margins" in (table.alt or "")
    await env.restart()
    mine = await env.ann.press(table, "My place")
    assert re.search(rf"^23\. {env.ann.mention} · ", mine.text, re.MULTILINE)
    absent = await env.carol.slash("/leaderboard", game=SLUG)
    await env.ann.press(absent.shown, "This season")
    refused = (await env.carol.press(absent.shown, "My place")).private
    assert "games here this season. Start one with" in refused
    assert "### Leaderboard · " in (await env.ann.press(table, "All time")).text


async def test_a_past_season_remains_visible_with_its_champion(env: Environment) -> None:
    await league(env, [env.ann.id, *STRANGERS[:5], env.ben.id])
    first = Season.at(env.now())
    posts = len(env.channel().messages)
    assert "Champion" not in (await env.carol.slash("/profile", user=env.ann)).text
    await next_season(env)
    assert len(env.channel().messages) == posts + 1, "no post was requested"
    table = (await env.carol.slash("/leaderboard", game=SLUG)).shown
    past = await env.carol.choose(table, called(first))
    assert past.updated
    assert f"### Season {called(first)} · " in past.text
    assert "· ended <t:" in past.text
    assert f"**Champion:** {env.ann.mention}" in past.text
    assert f"1. {env.ann.mention} · " in past.text
    assert labels(table) == ["This season", "All time", "All games"]
    profile = await env.carol.slash("/profile", user=env.ann)
    assert f"Champion of **Tablan**, {called(first)}" in profile.text
    assert "Champion" not in (await env.carol.slash("/profile", user=env.ben)).text
    assert "No rated games this season yet." in (await env.carol.press(table, "This season")).text


async def test_a_private_profile_hides_its_titles(env: Environment) -> None:
    await season(env, env.ann.id, STRANGERS[:3])
    await league(env, [env.ann.id, *STRANGERS[:5]])
    await next_season(env)
    settings = (await env.ann.slash("/me settings")).shown
    await env.ann.press(settings, custom_id="set:me:profile:no")
    assert "Champion" not in (await env.carol.slash("/profile", user=env.ann)).text
    assert "Champion of" in (await env.ann.slash("/profile")).private
