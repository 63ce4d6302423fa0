"""Leaderboards by rating and season, as people see and page through them."""

from __future__ import annotations

import re

from bot.play.ratings.seasons import Season
from data.ratings import results
from engine import registry
from tests.end_to_end.harness import Environment
from tests.end_to_end.people import begin_and_play, finish, labels
from tests.end_to_end.results import SLUG, STRANGERS, league, result, season


async def resigned(env: Environment) -> None:
    await begin_and_play(env, SLUG)
    await finish(env, env.ann)


async def test_an_empty_leaderboard_says_how_to_begin(env: Environment) -> None:
    assert "Start one with `/play`" in (await env.ann.slash("/leaderboard")).text
    reply = await env.ann.slash("/leaderboard", game="tablut")
    assert "Start one with `/tablut challenge`" in reply.text
    assert "My place" not in labels(reply.shown)
    everywhere = await env.ann.press(reply.shown, "All servers")
    assert "Start one with `/tablut challenge`" in everywhere.text


async def test_unranked_players_are_told_so_privately(env: Environment) -> None:
    await league(env, [*STRANGERS[:12], env.ann.id])
    table = (await env.ann.slash("/leaderboard", game=SLUG)).shown
    reply = (await env.carol.press(table, "My place")).private
    assert f"You have no rated {registry.game(SLUG).title} games yet" in reply
    assert f"Start one with `/{SLUG} challenge`" in reply


async def test_a_result_gives_a_provisional_rating_with_what_is_missing(env: Environment) -> None:
    await resigned(env)
    table = await env.carol.slash("/leaderboard", game=SLUG)
    assert not table.ephemeral
    assert table.shown.pinged == ()
    winner = rf"{env.ben.mention} · 1507 ± 3\d\d \? · 1 won · 0 drawn · 0 lost"
    assert re.search(winner + " · 9 more games and 2 more opponents to go", table.text)
    assert re.search(rf"{env.ann.mention} · 1493 ± 3\d\d \? · 0 won", table.text)
    assert env.carol.mention not in table.text
    everywhere = await env.ann.slash("/leaderboard", game=SLUG, scope="everywhere")
    assert "All servers" in everywhere.text
    assert env.ben.mention in everywhere.text


async def test_an_unrated_match_and_its_rematch_are_unrated_and_say_so(env: Environment) -> None:
    offered = await env.ann.slash(f"/{SLUG} challenge", opponent=env.ben, casual=True)
    assert "unrated" in offered.text
    await env.done(env.ben.press(offered.shown, "Accept"))
    assert "unrated" in env.board().text
    await env.play_a_while()
    await finish(env, env.ann)
    assert "unrated" in (await env.ann.press(env.board(), "Rematch")).text
    stored = await env.read(results.of_match, 1)
    assert stored is not None
    assert not stored.rated
    assert "No rated games here yet." in (await env.carol.slash("/leaderboard", game=SLUG)).text


async def test_lines_begin_with_a_capital_letter(env: Environment) -> None:
    offered = await env.ann.slash("/tablut challenge", opponent=env.ben, casual=True)
    await env.done(env.ben.press(offered.shown, "Accept"))
    assert "\n-# Unrated\n" in env.board().text


async def test_the_overview_has_leaders_and_the_readers_own_line(env: Environment) -> None:
    await league(env, [*STRANGERS[:8], env.ann.id, env.ben.id])
    await result(env, [env.ann.id, env.carol.id], [1, 2], game="tablut")
    reply = await env.ann.slash("/leaderboard")
    assert not reply.ephemeral
    for place, stranger in enumerate(STRANGERS[:3], start=1):
        assert f"{place}. <@{stranger}> " in reply.text
    assert f"<@{STRANGERS[3]}>" not in reply.text
    assert re.search(rf"^9\. {env.ann.mention} · \d+ ± \d+$", reply.text, re.MULTILINE)
    assert "Nobody is ranked yet." in reply.text
    assert re.search(rf"^{env.ann.mention} · 150\d ± \d+ \?$", reply.text, re.MULTILINE)
    assert "Nobody is rated in Tablaaza" in reply.text
    games = [game.title for game in registry.games().values()]
    assert labels(reply.shown) == [*games, "All servers"]
    board = await env.ben.press(reply.shown, registry.game("tablut").title)
    assert board.updated
    assert f"{env.carol.mention} · " in board.text
    assert "### Leaderboards" in (await env.ben.press(reply.shown, "All games")).text
    assert "-# All servers" in (await env.ben.press(reply.shown, "All servers")).text


async def test_page_buttons_lead_to_the_first_last_and_own_page(env: Environment) -> None:
    people = [*STRANGERS[:34], env.ann.id]
    await league(env, people)
    await result(env, [env.ben.id, STRANGERS[0]], [2, 1])
    first = await env.ann.slash("/leaderboard", game=SLUG)
    table = first.shown
    assert not first.ephemeral
    assert table.pinged == ()
    assert labels(table) == [
        "Page 2",
        "Last page",
        "My place",
        "This season",
        "All servers",
        "All games",
    ]
    assert re.search(rf"…\n35\. {env.ann.mention} · ", first.text), (
        "the reader's own line is included"
    )
    await env.restart()
    mine = await env.ann.press(table, "My place")
    assert re.search(rf"^35\. {env.ann.mention} · ", mine.text, re.MULTILINE)
    assert "…" not in mine.text
    assert "**Provisional**" in mine.text
    assert env.ben.mention in mine.text
    assert labels(table) == ["First page", "Page 3", "This season", "All servers", "All games"]
    assert f"21. <@{people[20]}> " in (await env.ann.press(table, "Page 3")).text
    assert labels(table)[:3] == ["First page", "Page 2", "Page 4"]
    assert f"1. <@{people[0]}> " in (await env.ann.press(table, "First page")).text
    assert f"31. <@{people[30]}> " in (await env.ben.press(table, "Last page")).text
    await env.ann.press(table, "First page")
    bens = await env.ben.press(table, "My place")
    assert bens.updated
    assert env.ben.mention in bens.text, "the button turns to the place of the user who presses it"


async def test_direct_messages_show_the_ratings_of_all_servers(env: Environment) -> None:
    await season(env, env.ann.id, STRANGERS[:3])
    reply = await env.ann.slash("/leaderboard", game=SLUG, channel=env.ann.dm)
    assert "-# All servers" in reply.text
    assert f"1. {env.ann.mention} · " in reply.text
    assert labels(reply.shown) == ["All games"]
    assert f"1. {env.ann.mention} · " in (await env.ann.press(reply.shown, "All games")).text


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
    assert re.search(r"Place 23: ann, \d+ ± \d+", table.alt or "", re.IGNORECASE)
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
