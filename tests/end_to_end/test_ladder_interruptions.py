"""Ladders with barred or long-idle players, and ladders that the bot cannot reach."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest

from bot.features.ladder.service import Ladders
from data.ladders import ladders
from playground.model import Overwrite
from playground.permissions import Permission
from playground.request_log import Request
from tests.end_to_end.harness import Environment, unlinked
from tests.end_to_end.ladders import (
    call,
    challenge,
    ladder,
    order,
    play,
    post,
    posts,
    resign_ladder_match,
)
from tests.end_to_end.people import letters
from tests.routes import EDIT, HISTORY, POST


async def idle_since(env: Environment, days: float, *, slides_in: float) -> None:
    """Store that all three players last played so long ago, and when each would next slide."""
    active_at = env.now() - timedelta(days=days)
    slide_at = env.now() + timedelta(days=slides_in)
    async with env.store.write() as tx:
        for person in (env.ann, env.ben, env.carol):
            await ladders.change_rung(tx, 1, person.id, active_at=active_at, slide_at=slide_at)


async def test_no_one_loses_a_place_while_the_bot_is_off_the_server(env: Environment) -> None:
    env.expected |= {403, 404}
    await ladder(env, 3, idle_days=7, answer_days=1)
    await idle_since(env, 6, slides_in=1.5)
    await challenge(env, env.carol, env.ann)
    world, guild = env.world, env.guild
    world.remove_member(guild, world.bot)
    while env.bot.get_guild(guild.id) is not None:
        await env.bot.wait_for("guild_remove")
    await env.advance(days=2)
    assert await order(env) == "ABC"
    world.invite_bot(guild)
    while env.bot.get_guild(guild.id) is None:
        await env.bot.wait_for("guild_join")
    await env.advance(hours=23)
    assert await order(env) == "ABC"
    # The missed announcement is made now, with a day to answer.
    assert posts(env, f"{env.ann.mention}, {env.carol.mention} is waiting for your answer")
    assert "by <t:" in call(env).text
    await env.advance(hours=2)
    assert await order(env) == "CAB"


@pytest.mark.fast_timers
@pytest.mark.parametrize("status", [500, 403])
async def test_a_ladder_goes_on_while_messages_can_be_neither_searched_nor_edited(
    env: Environment, status: int
) -> None:
    env.expected |= {status, 429}  # at last, several old messages are edited
    for route in (HISTORY, EDIT):
        env.faults.respond(route, status=status, times=None)
    before = await ladder(env, 2)
    await env.advance(minutes=3)
    assert f"**2.** {env.ben.mention}" in post(env).text
    await challenge(env, env.ben, env.ann)
    assert call(env).buttons
    await env.advance(days=3, minutes=5)
    assert posts(env, f"{env.ann.mention}, {env.ben.mention} is waiting for your answer")
    assert posts(env, f"{env.ben.mention} takes place 1")
    assert f"**1.** {env.ben.mention}" in post(env).text
    env.faults.clear()
    await env.advance(hours=4)  # Discord may limit how many old messages are edited at once
    assert "goes on in" in before.text
    assert not call(env).buttons
    assert len([one for one in posts(env) if one.buttons]) == 1


async def moved(env: Environment, channel: str = "elsewhere") -> None:
    """Type the command in another channel as Ann."""
    there = env.channel(channel)
    there.overwrites[env.ann.id] = Overwrite(1, allow=Permission.MANAGE_GUILD)
    reply = await env.ann.slash("/ladder open", channel=channel, options={"game": "tablut"})
    assert "goes on in" in reply.text
    await env.settled()


async def test_the_old_post_loses_its_buttons_and_links_to_the_new_one(env: Environment) -> None:
    before = await ladder(env, 3)
    await challenge(env, env.carol, env.ann)
    message = call(env)
    await moved(env)
    there = f"The Tablut ladder goes on in <#{env.channel('elsewhere').id}>."
    for left in (before, message):
        assert left.text == there
        assert not left.buttons
    assert post(env, "elsewhere").buttons
    (again,) = posts(env, "### Tablut ladder: place", "elsewhere")
    await env.done(env.ann.press(again, "Accept"))
    assert "Accepted" in again.text
    assert message.text == there


async def test_an_unreachable_old_channel_delays_nothing(env: Environment) -> None:
    env.expected |= {403}
    before = await ladder(env, 2)
    number = await play(env, env.ben, env.ann)
    env.forbid(Permission.VIEW_CHANNEL, "games")
    await resign_ladder_match(env, number, env.ann)
    await moved(env)
    assert before.buttons
    assert post(env, "elsewhere").buttons
    # The winner could not be announced before.
    assert len(posts(env, f"{env.ben.mention} beat", "elsewhere")) == 1
    env.allow(Permission.VIEW_CHANNEL, "games")
    await env.advance(hours=1, minutes=1)
    assert not before.buttons
    assert "goes on in" in before.text
    assert await order(env) == "BA"


async def test_a_deleted_old_post_does_no_harm(env: Environment) -> None:
    env.expected |= {404}
    before = await ladder(env, 2)
    env.playground.messages.delete(before)
    await moved(env)
    assert post(env, "elsewhere").buttons
    await env.advance(hours=2)
    assert posts(env, "The Tablut ladder goes on") == []


async def test_moving_there_and_back_leaves_one_post_with_buttons(env: Environment) -> None:
    before = await ladder(env, 2)
    await moved(env)
    await moved(env, "games")
    assert not before.buttons
    assert not posts(env, "### Tablut ladder\n", "elsewhere")
    assert post(env) is not before
    assert post(env).buttons
    assert (await env.app.get(Ladders).get(1, env.guild.id)).ladder.lost_at is None


async def test_a_game_that_ends_after_the_move_is_told_in_its_challenges_own_post(
    env: Environment,
) -> None:
    await ladder(env, 2)
    number = await play(env, env.ben, env.ann)
    message = call(env)
    await moved(env)
    assert f"match #{number}" in unlinked(message.text), "it is left as it is"
    await resign_ladder_match(env, number, env.ann)
    assert f"{env.ben.mention} beat" in message.text
    assert len(posts(env, f"{env.ben.mention} beat", "elsewhere")) == 1


async def test_a_result_is_told_in_the_next_channel_if_the_last_one_was_deleted(
    env: Environment,
) -> None:
    env.expected |= {404}
    await ladder(env, 2)
    number = await play(env, env.ben, env.ann)
    await moved(env)
    env.world.remove_channel(env.channel("elsewhere"))
    await resign_ladder_match(env, number, env.ann)
    assert await order(env) == "BA"
    await env.advance(days=3)
    await moved(env, "games")
    assert len(posts(env, f"{env.ben.mention} beat")) == 1
    assert len(letters(env, env.ann)) == 1, "told once that the channel is gone"


def elsewhere(env: Environment) -> Callable[[Request], bool]:
    """Return whether a request is for the channel that ladders move to."""
    channel = str(env.channel("elsewhere").id)
    return lambda request: request.params["channel_id"] == channel


async def test_a_new_channel_that_refuses_a_challenge_gives_more_time_to_answer(
    env: Environment,
) -> None:
    env.expected |= {403}
    await ladder(env, 2, answer_days=1)
    await challenge(env, env.ben, env.ann)
    env.faults.respond(POST, status=403, code=50001, times=None, when=elsewhere(env))
    await moved(env)
    await env.advance(days=3)
    assert await order(env) == "AB"
    env.faults.clear()
    await env.advance(hours=1)
    (message,) = posts(env, "### Tablut ladder: place", "elsewhere")
    await env.done(env.ann.press(message, "Accept"))
    assert "Accepted" in message.text
