"""A match's last board shows how the players' ratings changed."""

from __future__ import annotations

import random
import re
from datetime import timedelta

import pytest

from bot.play.ratings.calculator import MAX_PER_WEEK
from playground.app import GROUP
from playground.people import Person
from tests.end_to_end.harness import Environment
from tests.end_to_end.people import decided
from tests.end_to_end.results import SLUG, STRANGERS, result, season


async def resign(env: Environment, person: Person, number: int = 1, channel: str = "games") -> None:
    reply = await person.slash(f"/{SLUG} resign", match=number, channel=channel)
    await env.done(person.press(reply.shown, "Resign"))


async def test_a_void_match_says_nothing_of_ratings(env: Environment) -> None:
    await env.begin(SLUG)
    await resign(env, env.ann)
    last = env.board().text
    assert "No result" in last
    assert "ating" not in last


async def test_a_casual_match_says_that_ratings_are_unchanged(env: Environment) -> None:
    await env.begin(SLUG, casual=True)  # type: ignore[arg-type]
    await env.play_a_while()
    await resign(env, env.ann)
    assert "Unrated: no rating changes." in env.board().text


async def test_who_meet_too_often_are_told_why_ratings_are_unchanged(env: Environment) -> None:
    for hours in range(MAX_PER_WEEK):
        at = env.now() - timedelta(hours=hours + 1)
        await result(env, [env.ann.id, env.ben.id], [1, 2], at=at)
    await env.begin(SLUG)
    number = MAX_PER_WEEK + 1
    await env.play_a_while(number)
    await resign(env, env.ann, number)
    last = env.board(number).text
    assert "No rating changes: only 10 games in 7 days count between the same players." in last
    assert "→" not in last.rsplit("\n", 1)[-1]


@pytest.mark.parametrize("place", ["channel", "thread", "group"])
async def test_a_resignation_shows_both_rating_changes(empty_env: Environment, place: str) -> None:
    env = empty_env
    env.threads = place == "thread"
    await env.start()
    channel = GROUP if place == "group" else "games"
    await env.begin(SLUG, channel=channel)
    await env.play_a_while()
    if place == "group":
        await env.ann.slash(f"/{SLUG} board", match=1, channel=GROUP)
    await resign(env, env.ann, channel=channel)
    last = env.board(channel=channel)
    where = "on all servers" if place == "group" else "here"
    lost = rf"{env.ann.mention} 1500\? → 1[34]\d\d\? \(−\d+\)"
    won = rf"{env.ben.mention} 1500\? → 1[56]\d\d\? \(\+\d+\)"
    assert re.search(rf"Ratings {where}: ", last.text), last.text
    assert re.search(lost, last.text), last.text
    assert re.search(won, last.text), last.text
    assert last.pinged == ()


async def test_shown_rating_changes_stay_whatever_is_played_later(env: Environment) -> None:
    await season(env, env.ann.id, STRANGERS[:3], games=9)
    await env.begin(SLUG)
    await env.play_a_while(10)
    await resign(env, env.ben, 10)
    match = re.search(r"Ratings here: .*", env.board(10).text)
    assert match is not None
    rising = rf"{env.ann.mention} (\d+)\? → (\d+) \(\+(\d+)\)"
    risen = re.search(rising, match[0])
    assert risen is not None, "the tenth game ends the provisional rating"
    assert int(risen[2]) - int(risen[1]) == int(risen[3])
    await result(env, [env.ben.id, env.ann.id], [1, 2])
    assert match[0] in (await env.ann.slash(f"/{SLUG} board", match=10)).text


async def test_matches_ended_by_rules_or_clock_show_rating_changes_too(env: Environment) -> None:
    await env.begin("tablaaza")
    last = await env.hurry(random.Random(2), lambda view: view.to_move is None)
    assert "Ratings here: " in last.text
    await env.change_settings(forfeit="automatic")
    await env.begin(SLUG)
    await env.play_a_while(2)
    await env.advance(days=9)
    assert "Ratings here: " in env.board(2).text


async def test_a_voided_result_no_longer_shows_rating_changes(env: Environment) -> None:
    await env.begin(SLUG)
    await env.play_a_while()
    await resign(env, env.ann)
    assert "Ratings here: " in env.board().text
    done = await decided(env, "void", match=1)
    assert "Ratings are being recalculated" in done.text
    assert "Nothing is counted" in env.board().text
    assert "Ratings" not in env.board().text
    assert "ating" not in (await env.ann.slash(f"/{SLUG} board", match=1)).text
