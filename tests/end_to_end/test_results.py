"""A channel is told once how each of its matches ended, whatever fails."""

from __future__ import annotations

import re

import pytest

from bot.core.posts import failing_routes
from bot.features.analysis.service import Analyses
from bot.features.replays import service
from bot.features.replays.service import story
from bot.play.matches.service import Matches
from bot.play.replays.replay import Replays
from data import figures
from playground.permissions import Permission
from tests.end_to_end.harness import Environment
from tests.end_to_end.people import (
    begin_and_play,
    finish_in_channel,
    labels,
    posts_of_results,
    versus,
)
from tests.moves import play_on
from tests.routes import EDIT_CHANNEL, POST, THREAD

WON = "Ben beat Ann · Tablut #1"


async def begun(env: Environment) -> None:
    await env.change_settings(threads=True)
    await begin_and_play(env, "tablut")


async def test_a_threads_parent_gets_the_result_with_a_picture(env: Environment) -> None:
    thread = await finish_in_channel(env)
    (post,) = posts_of_results(env)
    assert f"<@{env.ben.id}>" in post.text.split("won")[0]
    assert "resigned" in post.text
    assert "🏆 **" in post.text
    assert re.search(r"resigned\. \d+ moves? in less than a minute\.", post.text)
    assert f"<#{thread.id}>" in post.text
    assert labels(post) == ["Rematch", "Analysis", "Replay", "Try moves"]
    assert post.pinged == ()
    assert (post.alt or "").startswith("Swedes have won: Muscovites resigned.")
    rematch = await env.ann.press(post, "Rematch")
    assert "wants a rematch" in rematch.text
    assert thread.name == WON
    assert len(env.requests_to(EDIT_CHANNEL)) == 1


async def test_the_end_is_told_as_a_story_in_the_channel_on_the_last_board_and_when_asked_for(
    env: Environment,
) -> None:
    await finish_in_channel(env)
    (post,) = posts_of_results(env)
    replay = await env.app.get(Replays).of_match(1)
    told = story(replay)
    assert "The king never had a way out." in told or "shut" in told
    asked = await env.carol.slash("/tablut board", channel="games", match=1)
    for text in (post.text, env.board().text, asked.text):
        assert told in text
        assert text.count(told) == 1


async def test_a_match_without_a_result_has_no_story_and_one_that_fails_holds_up_no_board(
    env: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    await env.change_settings(threads=True)
    await env.begin("tablut")
    await env.resign(env.ann)
    assert "**No result**" in env.board().text
    assert "The king" not in env.board().text

    def fails(*_: object) -> str:
        raise ValueError("no story")

    monkeypatch.setattr(service, "story", fails)
    await env.begin("tablut")
    await env.play_a_while(2)
    await env.resign(env.ann, 2)
    assert "won" in env.board(2).text
    assert len(posts_of_results(env)) == 1


@pytest.mark.parametrize("threads", [True, False])
async def test_the_challenge_shows_how_its_match_ended(env: Environment, *, threads: bool) -> None:
    await finish_in_channel(env, threads=threads)
    challenge = min(env.channel().messages.values(), key=lambda message: message.id)
    assert "resigned" in challenge.text
    assert "Accepted" not in challenge.text
    assert ("Played in" in challenge.text) is threads
    if not threads:
        assert [post for post in posts_of_results(env) if post.buttons] == [env.board()]


async def test_long_names_are_cut_to_a_thread_names_limit(env: Environment) -> None:
    for person in env.people:
        person.user.display = f"{person.user.name} {'of the very long name' * 2}"[:32]
    await env.change_settings(threads=True)
    await env.begin("thaayam", players=4)
    (thread,) = env.guild.threads.values()
    assert thread.name.count(" vs ") == 3
    assert thread.name.endswith(" · Thaayam #1")
    assert len(thread.name) <= 100


async def test_a_match_without_a_result_is_not_announced(env: Environment) -> None:
    await env.change_settings(threads=True)
    await env.begin("tablut")
    await env.resign(env.ann)
    assert posts_of_results(env) == []
    assert env.board().channel.name == f"No result · {await versus(env)} · Tablut #1"


@pytest.mark.fast_timers
@pytest.mark.parametrize("route", [POST, EDIT_CHANNEL])
@pytest.mark.parametrize("failure", ["500 after", "503", "broken after", "429"])
async def test_a_result_is_announced_once(env: Environment, route: str, failure: str) -> None:
    env.expected |= {429, 500, 503}
    await begun(env)
    how, _, after = failure.partition(" ")
    if how == "broken":
        env.faults.drop(route, after=bool(after), times=2)
    else:
        env.faults.respond(route, status=int(how), after=bool(after), times=2)
    await env.app.get(Matches).resign(1, env.ann.id)
    await env.advance(minutes=1)
    await env.restart()
    await env.settled()
    assert len(posts_of_results(env)) == 1
    assert env.board().channel.name == WON


@pytest.mark.parametrize(("status", "code"), [(500, None), (403, 50013)])
async def test_nothing_waits_for_threads_names(
    env: Environment, status: int, code: int | None
) -> None:
    env.expected |= {status}
    await begun(env)
    env.faults.respond(EDIT_CHANNEL, status=status, code=code, times=None)
    await env.resign(env.ann)
    now = await env.read(figures.read, env.now())
    assert now.pending.number == 0, "no board is late"
    assert len(posts_of_results(env)) == 1
    env.faults.clear()
    await env.advance(hours=1)
    assert env.board().channel.name == WON


async def test_the_threads_of_one_pair_have_different_names_with_the_result_in_front(
    env: Environment,
) -> None:
    await env.change_settings(threads=True)
    for number in (1, 2, 3):
        await env.begin("tablut")
        await env.play_a_while(number)
        if number < 3:
            await env.resign(env.ann, number)
    names = [thread.name for thread in env.guild.threads.values()]
    assert names == [
        "Ben beat Ann · Tablut #1",
        "Ben beat Ann · Tablut #2",
        f"{await versus(env, 3)} · Tablut #3",
    ]


async def test_a_name_that_must_wait_ten_minutes_holds_up_nobody(env: Environment) -> None:
    """Discord lets a bot rename a thread twice in ten minutes."""
    env.expected |= {429}
    await begun(env)
    renames = env.faults.respond(EDIT_CHANNEL, status=429, retry_after=600.0, times=1)
    await env.resign(env.ann)
    assert renames.hits == 1
    assert len(posts_of_results(env)) == 1
    name = f"{await versus(env)} · Tablut #1"
    assert env.board().channel.name == name, "the new name follows later"
    await env.begin("tablut")
    await env.play_a_while(2)
    await env.resign(env.ann, 2)
    assert len(posts_of_results(env)) == 2
    now = await env.read(figures.read, env.now())
    assert now.pending.number == 0, "no board is late"
    await env.advance(minutes=15)
    assert [one.channel.name for one in (env.board(1), env.board(2))] == [
        "Ben beat Ann · Tablut #1",
        "Ben beat Ann · Tablut #2",
    ]


async def test_a_name_that_is_refused_for_good_is_given_up_after_a_week(env: Environment) -> None:
    env.expected |= {403}
    await env.change_settings(threads=True)
    await env.begin("tablut")
    renames = env.faults.respond(EDIT_CHANNEL, code=50013, times=None)
    await env.app.get(Matches).resign(1, env.ann.id)
    await env.advance(days=9)
    tried = renames.hits
    assert tried > 24
    await env.advance(days=1)
    assert renames.hits == tried, "nobody waits for a name for so long"


async def test_names_that_fail_are_tried_again_within_a_bound_of_requests(
    env: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(failing_routes, "MAX_RETRIES_A_MINUTE", 2)
    env.expected |= {500}
    await env.change_settings(threads=True)
    await env.restart()
    renames = env.faults.respond(EDIT_CHANNEL, status=500, times=None)
    for number in range(1, 6):
        await env.begin("tablut")
        await env.resign(env.ann, number)
    first = renames.hits
    await env.advance(minutes=10)
    assert renames.hits - first <= 2 * 10


async def test_a_match_that_ends_before_its_thread_has_its_result(env: Environment) -> None:
    await env.change_settings(threads=True)
    env.faults.delay(THREAD, 1.0)
    offered = (await env.challenge("tablut")).shown
    await env.ben.press(offered, "Accept")
    position = await env.position()
    for _ in range(4):
        position = await play_on(env.app.get(Matches), position, (await env.legal())[0])
    await env.app.get(Matches).resign(1, env.ann.id)
    assert (await env.position()).match.channel_kind is None
    await env.settled()
    assert len(posts_of_results(env)) == 1
    assert env.board().channel.name == WON


@pytest.mark.usefixtures("kernels")
@pytest.mark.parametrize("threads", [True, False])
async def test_the_turning_point_is_added_once_known(env: Environment, *, threads: bool) -> None:
    await finish_in_channel(env, threads=threads)
    before = posts_of_results(env)[-1]
    text = before.text
    await env.app.get(Analyses).of(await env.app.get(Replays).of_match(1))
    await env.settled()
    assert posts_of_results(env)[-1] is before
    assert len(before.text.splitlines()) == len(text.splitlines()) + 1
    assert before.picture is not None
    assert labels(before) == ["Rematch", "Analysis", "Replay", "Try moves"]


async def test_a_result_that_may_not_be_posted_comes_later(env: Environment) -> None:
    env.expected |= {403}
    env.allow_pending = True
    await begun(env)
    env.forbid(Permission.SEND_MESSAGES)  # in threads it still may
    await env.resign(env.ann)
    assert posts_of_results(env) == []
    assert "resigned" in env.board().text
    assert env.board().channel.name == WON
    env.allow(Permission.SEND_MESSAGES)
    await env.advance(hours=1)
    assert len(posts_of_results(env)) == 1
