"""Profiles, milestones and head-to-head results: here, across servers, and their visibility."""

from __future__ import annotations

import re
from datetime import timedelta

from bot.features.leaderboards.commands import PROFILE_OF_PERSON
from bot.play.matches.service import Matches
from data.matches import matches
from data.ratings import milestones, results
from data.ratings.milestones import CHAIN, COMEBACK, WIN, Milestone
from engine import registry
from tests.end_to_end.harness import Environment
from tests.end_to_end.people import (
    begin_and_play,
    finish,
    finish_in_channel,
    hide,
    labels,
    posts_of_results,
)
from tests.end_to_end.results import SLUG, STRANGERS, league, record, result, season

TITLE = registry.game(SLUG).title


async def test_a_bot_has_no_profile(env: Environment) -> None:
    bot = env.world.bot
    for reply in (
        await env.ann.slash("/profile", user=bot),
        await env.ann.user_command(PROFILE_OF_PERSON, on=bot),
    ):
        assert reply.ephemeral
        assert "is a bot and has no profile" in reply.text


async def test_a_player_without_finished_matches_is_told_how_to_begin(env: Environment) -> None:
    own = await env.ann.slash("/profile")
    assert "You haven't finished a game yet. Start one with `/play`." in own.text
    other = await env.ann.slash("/profile", user=env.ben)
    assert f"{env.ben.mention} hasn't finished a game here yet." in other.text
    everywhere = await env.ann.slash("/profile", user=env.ben, scope="everywhere")
    assert f"{env.ben.mention} hasn't finished a game yet." in everywhere.text
    assert labels(everywhere.shown) == ["This server"]


async def test_a_game_the_player_has_not_played_shows_their_other_games(env: Environment) -> None:
    await result(env, [env.ann.id, env.ben.id], [1, 2])
    reply = await env.ann.slash("/profile", game="tablut")
    assert "Start one with `/tablut challenge`" in reply.text
    assert f"**{TITLE}**" in reply.text


async def test_a_private_profile_is_only_shown_to_its_player(env: Environment) -> None:
    await result(env, [env.ann.id, env.ben.id], [1, 2])
    before = (await env.carol.slash("/profile", user=env.ann, scope="here")).shown
    by_menu = (await env.carol.user_command(PROFILE_OF_PERSON, on=env.ann)).private
    assert by_menu.startswith(f"### {env.ann.mention}")
    settings = (await env.ann.slash("/me settings")).shown
    await env.ann.press(settings, custom_id="set:me:profile:no")
    assert "only you can see it" in settings.text
    for reply in (
        await env.carol.slash("/profile", user=env.ann),
        await env.carol.user_command(PROFILE_OF_PERSON, on=env.ann),
        await env.carol.press(before, "All servers"),
    ):
        assert reply.ephemeral
        assert f"{env.ann.mention} keeps their profile private." in reply.text
    assert "1 won" in (await env.ann.slash("/profile")).private
    beside = await env.ann.press(before, custom_id=f"profile:{env.ann.id}:1:")
    assert beside.ephemeral
    assert env.ann.mention in (await env.carol.slash("/leaderboard", game=SLUG)).text


async def test_a_profile_shows_ratings_records_and_last_matches(env: Environment) -> None:
    await league(env, [*STRANGERS[:4], env.ann.id, *STRANGERS[4:9]])
    for hours in range(3):
        at = env.now() + timedelta(hours=hours)
        await result(env, [env.ben.id, env.ann.id], [2, 1], at=at)
    await result(env, [env.ann.id, env.ben.id], [1, 1], game="tablut", unrated=True)
    reply = await env.carol.slash("/profile", user=env.ann)
    assert not reply.ephemeral
    assert reply.shown.pinged == ()
    text = reply.text
    assert text.startswith(f"### {env.ann.mention}\n-# This server")
    rated = rf"\*\*{TITLE}\*\* \*\*1\d\d\d ± \d+\*\* · place \d of 10 · ahead of \d+ %"
    assert re.search(rated + r" · \d+ won · 0 drawn · \d+ lost", text), text
    assert "**Tablut** 0 won · 1 drawn · 0 lost" in text
    assert f"Favourite game: {TITLE} (13 matches)" in text
    assert re.search(r"As White: \d+ won · 0 drawn · \d+ lost", text), text
    streak = re.search(r"Rated winning streak: (\d) \(best (\d)\)", text)
    assert streak is not None
    assert int(streak[2]) >= int(streak[1]) >= 3
    assert f"{env.ben.mention} · 3 won · 1 drawn · 0 lost" in text
    assert len(re.findall(r"^#\d+ ", text, re.MULTILINE)) == 5
    assert f"Tablut: drawn against {env.ben.mention}" in text


async def test_the_last_matches_have_links_to_their_boards(env: Environment) -> None:
    await begin_and_play(env, SLUG)
    board = await finish(env, env.ann)
    answer = await env.ann.slash("/profile")
    link = f"https://discord.com/channels/{env.guild.id}/{board.channel.id}/{board.id}"
    assert f"#1 {TITLE}: lost against {env.ben.mention}" in answer.text
    assert f"[board]({link})" in answer.text
    assert "Average time per move: less than a minute" in answer.text


async def test_global_opponents_are_only_shown_to_their_player(env: Environment) -> None:
    elsewhere = {"here": False, "guild_id": 77}
    await result(env, [env.ann.id, STRANGERS[0]], [1, 2], **elsewhere)  # type: ignore[arg-type]
    assert "You haven't finished a game yet" in (await env.ann.slash("/profile")).text
    beside = await env.carol.slash("/profile", user=env.ann)
    for reply in (
        await env.carol.press(beside.shown, "All servers"),
        await env.carol.slash("/profile", user=env.ann, scope="everywhere"),
        await env.carol.slash("/profile", user=env.ann, channel=env.carol.dm),
    ):
        assert reply.ephemeral or reply.message is not None
        assert "1 won" in reply.text
        assert f"<@{STRANGERS[0]}>" not in reply.text
        assert "Opponents on other servers stay private." in reply.text
    own = (await env.ann.slash("/profile", scope="everywhere")).private
    assert f"won against <@{STRANGERS[0]}>" in own
    assert beside.shown.text.startswith(env.ann.mention), "the public one is unchanged"


async def test_the_game_menu_works_after_a_restart(env: Environment) -> None:
    await season(env, env.ann.id, [env.ben.id], games=3)
    await result(env, [env.ben.id, env.ann.id], [1, 2], game="tablut")
    message = (await env.ann.slash("/profile")).shown
    assert "As White" in message.text
    await env.restart()
    turned = await env.carol.choose(message, "tablut")
    assert turned.updated
    side = registry.game("tablut").seat_names[1].capitalize()
    assert f"As {side}: 0 won · 0 drawn · 1 lost" in turned.text


async def test_a_player_can_be_challenged_from_their_profile(env: Environment) -> None:
    await result(env, [env.ann.id, env.ben.id], [1, 2])
    message = (await env.carol.slash("/profile", user=env.ben)).shown
    assert "You can't challenge yourself" in (await env.ben.press(message, "Challenge")).text
    picker = (await env.carol.press(message, "Challenge")).private
    assert f"Challenge {env.ben.mention} to" in picker


async def test_a_deleted_player_has_no_profile(env: Environment) -> None:
    await result(env, [env.ann.id, env.ben.id], [1, 2])
    message = (await env.ben.slash("/privacy delete")).shown
    sure = (await env.ben.press(message, custom_id="erase:sure")).shown
    await env.done(env.ben.press(sure, custom_id="erase:now"))
    assert "hasn't finished a game" in (await env.ann.slash("/profile", user=env.ben)).text
    own = await env.ann.slash("/profile")
    assert "a former player · 1 won · 0 drawn · 0 lost" in own.text
    assert env.ben.mention not in own.text


async def test_players_who_left_the_server_are_marked(env: Environment) -> None:
    await result(env, [env.ann.id, env.ben.id], [1, 2])
    env.world.remove_member(env.guild, env.ben.user)
    left = f"{env.ben.mention} (has left)"
    reply = await env.ann.slash("/profile", user=env.ben)
    assert reply.text.startswith(f"### {left}")
    own = await env.ann.slash("/profile")
    assert f"{left} · 1 won" in own.text
    assert f"won against {left}" in own.text
    assert f"{left} · 1" in (await env.ann.slash("/leaderboard", game=SLUG)).text
    rivals = await env.ann.slash("/rivals", user=env.ben)
    assert f"{env.ann.mention} against {left}" in rivals.text
    env.expected.add(404)
    assert "isn't on this server" in (await env.carol.press(reply.shown, "Challenge")).text
    everywhere = await env.ann.slash("/leaderboard", game=SLUG, scope="everywhere")
    assert "has left" not in everywhere.text


async def test_rivals_who_never_met_are_told_how_to_begin(env: Environment) -> None:
    own = (await env.ann.slash("/rivals", user=env.ann)).private
    assert "see your own results with `/profile`" in own
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


def everything(env: Environment) -> str:
    channel = env.channel()
    places = [channel, *env.guild.threads.values()]
    return "\n".join(one.text for place in places for one in place.messages.values())


async def milestone(env: Environment, kind: str, game: str, rules: str, amount: int = 0) -> None:
    number = await result(env, [env.ann.id, env.ben.id], [1, 2], game="tablut")
    async with env.store.write() as tx:
        stored = await results.of_match(tx, number)
        assert stored is not None
        await milestones.put(tx, [Milestone(env.ann.id, kind, game, rules, stored.id, amount)])


async def test_only_a_threads_result_post_shows_the_milestone(env: Environment) -> None:
    await finish_in_channel(env)
    (post,) = posts_of_results(env)
    text = f"Milestone: {env.ben.mention} won Tablut for the first time."
    assert text in post.text
    assert everything(env).count("Milestone") == 1
    profile = await env.carol.slash("/profile", user=env.ben)
    assert "**Milestones**\nFirst win in Tablut (<t:" in profile.text
    assert "Milestones" not in (await env.carol.slash("/profile", user=env.ann)).text


async def test_in_a_channel_the_last_board_shows_it_even_after_a_restart(env: Environment) -> None:
    await finish_in_channel(env, threads=False)
    assert env.board().text.count("won Tablut for the first time.") == 1
    await env.restart()
    await env.settled()
    assert everything(env).count("Milestone") == 1


async def test_milestones_found_by_the_analysis_join_the_post(env: Environment) -> None:
    await finish_in_channel(env)
    async with env.store.write() as tx:
        stored = await results.of_match(tx, 1)
        assert stored is not None
        await milestones.put(
            tx,
            [
                Milestone(env.ben.id, CHAIN, "tablut", "", stored.id, 4),
                Milestone(env.ben.id, COMEBACK, "tablut", "", stored.id, 2),
            ],
        )
        match = (await env.app.get(Matches).position_in(tx, 1)).match
        await matches.show_turning_point(tx, match, env.now())
    await env.settled()
    (post,) = posts_of_results(env)
    assert f"Milestone: {env.ben.mention} made 4 captures in a row, a personal best." in post.text
    assert f"Milestone: {env.ben.mention} won from a 2 % win chance." in post.text
    assert everything(env).count("Milestone") == 3
    assert post.pinged == ()


async def test_milestones_of_private_profiles_are_not_shown(env: Environment) -> None:
    settings = (await env.ben.slash("/me settings")).shown
    await env.ben.press(settings, custom_id="set:me:profile:no")
    await finish_in_channel(env)
    assert "Milestone" not in everything(env)
    assert "First win in Tablut" in (await env.ben.slash("/profile")).private


async def test_a_profile_shows_three_milestones_and_a_button(env: Environment) -> None:
    for kind, game, rules, amount in (
        (WIN, SLUG, "bell", 0),
        (WIN, SLUG, "walker", 0),
        (WIN, "tablut", "", 0),
        (CHAIN, "thaayam", "", 4),
    ):
        await milestone(env, kind, game, rules, amount)
    reply = await env.carol.slash("/profile", user=env.ann)
    assert "Most captures in a row in Thaayam: 4" in reply.text
    assert "First win in Tablan (Walker)" in reply.text
    assert "First win in Tablan (Bell)" not in reply.text
    table = reply.shown
    assert "All milestones" in labels(table)
    rest = (await env.carol.press(table, "All milestones")).private
    assert f"### Milestones of {env.ann.mention}" in rest
    assert "First win in Tablan (Bell)" in rest
    settings = (await env.ann.slash("/me settings")).shown
    await env.ann.press(settings, custom_id="set:me:profile:no")
    assert "keeps their profile private" in (await env.carol.press(table, "All milestones")).private
    assert "First win in Tablan (Bell)" in (await env.ann.press(table, "All milestones")).text


async def test_milestones_from_channels_the_reader_cannot_see_are_omitted(env: Environment) -> None:
    await milestone(env, WIN, SLUG, "bell")
    reply = await env.carol.slash("/profile", user=env.ann, channel="quiet")
    assert "First win in Tablan (Bell)" in reply.text
    hide(env, "games", env.carol)
    reply = await env.carol.slash("/profile", user=env.ann, channel="quiet", scope="here")
    assert "First win" not in reply.text
