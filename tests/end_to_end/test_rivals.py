"""Head-to-head results of two players, and their visibility."""

from __future__ import annotations

import re
from datetime import timedelta

from engine import registry
from tests.end_to_end.harness import Environment
from tests.end_to_end.people import labels
from tests.end_to_end.results import SLUG, record, result

TITLE = registry.game(SLUG).title


async def test_rivals_who_never_met_are_told_how_to_begin(env: Environment) -> None:
    reply = await env.ann.slash("/rivals", user=env.ann)
    assert reply.ephemeral
    assert "see your own results with `/profile`" in reply.text
    assert "is a bot" in (await env.ann.slash("/rivals", user=env.world.bot)).private
    reply = await env.ann.slash("/rivals", user=env.ben)
    assert f"You and {env.ben.mention} haven't finished a game here yet" in reply.text
    assert labels(reply.shown) == ["All servers", "Challenge"]
    reply = await env.ann.slash("/rivals", user=env.ben, game="tablut")
    assert "Start one with `/tablut challenge`" in reply.text


async def test_rivals_see_scores_games_sides_streaks_and_expectations(env: Environment) -> None:
    people = [env.ann.id, env.ben.id]
    outcomes = [
        ([1, 2], SLUG),
        ([2, 1], "tablut"),
        ([1, 1], SLUG),
        ([1, 2], "tablut"),
        ([1, 2], SLUG),
    ]
    for turn, (ranks, game) in enumerate(outcomes):
        at = env.now() - timedelta(hours=9 - turn)
        await result(env, people, ranks, game=game, at=at)
    reply = await env.ann.slash("/rivals", user=env.ben)
    assert not reply.ephemeral
    text = reply.text
    assert text.startswith(f"### {env.ann.mention} against {env.ben.mention}\n-# This server")
    assert f"**3½ : 1½** after 5 matches: {env.ann.mention} leads." in text
    assert f"**{TITLE}** 2 won · 1 drawn · 0 lost" in text
    side = registry.game("tablut").seat_names[0].capitalize()
    assert f"Tablut, {env.ann.mention} as {side}: 1 won · 0 drawn · 1 lost" in text
    assert f"{env.ann.mention} came out ahead in each of the last 2 matches." in text
    expects = rf"Expected in {TITLE}, by rating: {env.ann.mention} (\d+) %, "
    expected = re.search(expects, text)
    assert expected is not None
    assert 50 < int(expected[1]) < 100
    assert re.search(rf"#5 {TITLE}: won against {env.ben.mention}, <t:\d+:R>", text)
    one = await env.ben.slash("/rivals", user=env.ann, game="tablut")
    assert f"**1 : 1** after 2 matches: {env.ben.mention} and {env.ann.mention} are level." in (
        one.text
    )
    assert f"{env.ann.mention} came out ahead in the last match." in one.text


async def test_a_limit_to_the_last_hundred_matches_is_mentioned(env: Environment) -> None:
    people, white = [env.ann.id, env.ben.id], registry.game("tablut").seat_names[0].capitalize()
    await result(env, people, [1, 2])
    hundred = [
        (env.now() - timedelta(hours=200 - turn), people, [1, 2] if turn else [2, 1])
        for turn in range(100)
    ]
    await record(env, hundred, game="tablut")
    whole = await env.ann.slash("/rivals", user=env.ben, game="tablut")
    assert f"Tablut, {env.ann.mention} as {white}: 99 won · 0 drawn · 1 lost" in whole.text
    assert "By side" not in whole.text
    await result(env, people, [1, 2], game="tablut")
    part = await env.ann.slash("/rivals", user=env.ben, game="tablut")
    assert f"Tablut, {env.ann.mention} as {white}: 100 won · 0 drawn · 0 lost" in part.text
    assert "-# By side: only their last 100 matches." in part.text
    other = await env.ann.slash("/rivals", user=env.ben, game=SLUG)
    assert "1 won · 0 drawn · 0 lost" in other.text
    assert "By side" not in other.text


async def test_matches_on_other_servers_are_hidden_from_third_parties(env: Environment) -> None:
    await result(env, [env.ann.id, env.ben.id], [1, 2])
    await result(env, [env.ann.id, env.ben.id], [1, 2], here=False)
    message = (await env.ann.slash("/rivals", user=env.ben)).shown
    assert "after 1 match" in message.text
    refused = (await env.carol.press(message, "All servers")).private
    assert "Only these two can see their games" in refused
    for person in (env.ann, env.ben):
        assert "after 2 matches" in (await person.press(message, "All servers")).private
    assert "after 1 match" in message.text
    in_private = await env.ann.slash("/rivals", user=env.ben, channel=env.ann.dm)
    assert "after 2 matches" in in_private.text


async def test_a_private_profile_hides_the_rivalry_from_third_parties(env: Environment) -> None:
    await result(env, [env.ann.id, env.ben.id], [1, 2])
    before = (await env.ann.slash("/rivals", user=env.ben)).shown
    settings = (await env.ben.slash("/me settings")).shown
    await env.ben.press(settings, custom_id="set:me:profile:no")
    assert "after 1 match" in (await env.ann.slash("/rivals", user=env.ben)).private
    assert f"Challenge {env.ben.mention} to" in (await env.carol.press(before, "Challenge")).text


async def test_a_match_of_several_says_who_won_and_how_the_two_compare(env: Environment) -> None:
    ann, ben, carol, dan = env.ann, env.ben, env.carol, env.dan
    people = [ann.id, ben.id, carol.id, dan.id]
    for ranks in ([2, 2, 1, 2], [2, 3, 1, 4], [3, 2, 1, 1], [1, 1, 3, 3], [2, 1, 3, 3]):
        await result(env, people, ranks, game="thaayam")
    reply = await ann.slash("/rivals", user=ben)
    lines = [line.split(", <t:")[0] for line in reply.text.splitlines() if line.startswith("#")][1:]
    assert [line.split(": ", 1)[1] for line in lines] == [
        f"lost to {ben.mention} in a game of 4",
        f"level with {ben.mention} in a game won by {ann.mention} and {ben.mention}",
        f"behind {ben.mention} in a game won by {carol.mention} and {dan.mention}",
        f"ahead of {ben.mention} in a game won by {carol.mention}",
        f"level with {ben.mention} in a game won by {carol.mention}",
    ]
    assert "-# In games of three or four, only these two are compared." in reply.text
    assert f"{ben.mention} came out ahead in the last match." in reply.text
    profile = await ann.slash("/profile")
    told = [
        line.split(": ", 1)[1].split(", <t:")[0]
        for line in profile.text.splitlines()
        if line.startswith("#") and "Thaayam: " in line
    ]
    assert told == [
        f"lost to {ben.mention} in a game of 4",
        f"shared first place with {ben.mention} in a game of 4",
        f"lost to {carol.mention} and {dan.mention} in a game of 4",
        f"lost to {carol.mention} in a game of 4",
        f"lost to {carol.mention} in a game of 4",
    ]
