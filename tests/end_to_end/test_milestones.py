"""Milestones: announced once where the match ends, kept in the profile, and hidden with it."""

from __future__ import annotations

from bot.play.matches.service import Matches
from data.matches import matches
from data.ratings import milestones, results
from data.ratings.milestones import CHAIN, COMEBACK, WIN, Milestone
from tests.end_to_end.harness import Environment
from tests.end_to_end.people import finish_in_channel, hide, labels, posts_of_results
from tests.end_to_end.results import SLUG, result


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
        match = (await env.app.get(Matches).view_in(tx, 1)).match
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
