"""Nobody has to be challenged by everybody."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.end_to_end.test_open_challenges import labels, shown

if TYPE_CHECKING:
    from tests.end_to_end.harness import Environment


async def test_who_is_blocked_can_neither_challenge_nor_accept_and_matches_go_on(
    env: Environment,
) -> None:
    board = await env.begin()
    told = await env.ben.slash("/block", user=env.ann)
    assert told.ephemeral
    assert "not told of it" in told.text
    await env.restart()
    refused = await env.challenge()
    assert refused.ephemeral
    assert f"{env.ben.mention} does not take challenges from you" in refused.text
    assert shown(refused).pinged == ()
    open_one = await env.ben.slash("/tablan challenge")
    late = await env.ann.press(shown(open_one), "Accept")
    assert late.ephemeral
    assert "does not take challenges from you" in late.text
    assert "Nobody here is looking" in (await env.ann.slash("/tablan seek")).text
    own = await env.ben.slash("/tablan challenge", opponent=env.ann)
    assert "`/unblock`" in own.text
    move = (await env.legal())[0]
    assert "Played" in (await env.mover(board).slash("/tablan move", move=move)).text
    await env.settled()


async def test_who_blocks_closes_what_is_open_between_the_two(env: Environment) -> None:
    theirs = await env.challenge()
    mine = await env.ben.slash("/tablut challenge", opponent=env.ann)
    await env.settled()
    await env.ben.slash("/block", user=env.ann)
    await env.settled()
    for offered in (theirs, mine):
        assert shown(offered).buttons == []
        assert "**Withdrawn.**" in shown(offered).text


async def test_blocks_are_listed_and_taken_back_by_command_and_by_button(env: Environment) -> None:
    assert "blocked nobody" in (await env.ann.slash("/blocked")).text
    for person in (env.ben, env.carol):
        await env.ann.slash("/block", user=person)
    listed = await env.ann.slash("/block")
    assert listed.ephemeral
    assert f"1. {env.ben.mention}" in listed.text
    assert shown(listed).pinged == ()
    told = await env.ann.slash("/unblock", user=env.carol)
    assert f"{env.carol.mention} can challenge you again" in told.text
    assert "not blocked" in (await env.ann.slash("/unblock", user=env.carol)).text
    await env.restart()
    assert labels(shown(listed)) == ["Unblock 1", "Unblock 2"]
    left = await env.ann.press(shown(listed), "Unblock 1")
    assert "blocked nobody" in left.text


async def test_a_long_list_of_blocks_has_pages(env: Environment) -> None:
    for number in range(12):
        guest = env.playground.add_person(f"Guest {number}")
        await env.ann.slash("/block", user=guest)
    listed = await env.ann.slash("/blocked")
    second = await env.ann.press(shown(listed), "Page 2")
    assert labels(shown(second)) == ["Unblock 11", "Unblock 12", "Page 1"]


async def test_neither_oneself_nor_a_bot_is_blocked(env: Environment) -> None:
    assert "yourself" in (await env.ann.slash("/block", user=env.ann)).text
    assert "is a bot" in (await env.ann.slash("/block", user=env.playground.world.bot)).text
