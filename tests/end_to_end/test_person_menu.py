"""A challenge from a person's context menu, put together in menus."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.challenges.commands import CHALLENGE_PERSON
from playground.model import Overwrite
from playground.permissions import Permission
from tests.end_to_end.test_open_challenges import labels, shown

if TYPE_CHECKING:
    from tests.end_to_end.harness import Environment


async def test_a_challenge_is_put_together_over_a_restart_and_posted_for_all(
    env: Environment,
) -> None:
    picker = await env.ann.user_command(CHALLENGE_PERSON, on=env.ben)
    assert picker.ephemeral
    message = shown(picker)
    assert labels(message) == []
    await env.ann.choose(message, "tablan", menu=0)
    await env.restart()
    await env.ann.choose(message, "bell", menu=1)
    await env.ann.choose(message, "7", menu=2)
    assert labels(message) == ["Challenge"]
    done = await env.ann.press(message, "Challenge")
    assert done.updated
    await env.settled()
    assert message.buttons == []
    offered = max(
        (one for one in env.playground.channel("games").messages.values() if not one.ephemeral),
        key=lambda one: one.id,
    )
    assert f"{env.ann.mention} challenges {env.ben.mention}." in offered.text
    assert "Rules: Bell · 7 days for each move" in offered.text
    assert offered.pinged == (env.ben.user,)
    await env.ben.press(offered, "Accept")
    await env.settled()
    assert env.board().picture


async def test_a_game_with_one_set_of_rules_asks_for_none(env: Environment) -> None:
    picker = await env.ann.user_command(CHALLENGE_PERSON, on=env.ben)
    await env.ann.choose(shown(picker), "tablut", menu=0)
    assert len(shown(picker).menus) == 2
    await env.ann.press(shown(picker), "Challenge")
    again = await env.ann.user_command(CHALLENGE_PERSON, on=env.ben)
    await env.ann.choose(shown(again), "tablut", menu=0)
    told = await env.ann.press(shown(again), "Challenge")
    assert told.ephemeral
    assert "is still open" in told.text


async def test_who_cannot_be_challenged_is_refused_before_anything_is_picked(
    env: Environment,
) -> None:
    told = await env.ann.user_command(CHALLENGE_PERSON, on=env.ann)
    assert "yourself" in told.text
    told = await env.ann.user_command(CHALLENGE_PERSON, on=env.playground.world.bot)
    assert "is a bot" in told.text
    told = await env.ann.user_command(CHALLENGE_PERSON, on=env.ben, channel="quiet")
    assert "**Attach Files**" in told.text


async def test_who_has_gone_meanwhile_is_not_challenged(env: Environment) -> None:
    picker = await env.ann.user_command(CHALLENGE_PERSON, on=env.ben)
    await env.ann.choose(shown(picker), "tablut", menu=0)
    games = env.playground.channel("games")
    games.overwrites[env.ben.id] = Overwrite(1, deny=Permission.VIEW_CHANNEL)
    await env.restart()  # a playground tells of such changes at the start only
    await env.settled()
    told = await env.ann.press(shown(picker), "Challenge")
    assert "cannot see this channel" in told.text
    env.playground.world.remove_member(env.playground.guild, env.ben.user)
    env.expected.add(404)
    told = await env.ann.press(shown(picker), "Challenge")
    assert told.ephemeral
    assert "is not in this server" in told.text
