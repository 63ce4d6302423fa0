"""Challenges: offered, accepted, declined, withdrawn and refused."""

from __future__ import annotations

import re

import pytest

from playground.errors import Impossible
from playground.model import Overwrite
from playground.permissions import Permission
from tests.end_to_end.harness import Environment


async def test_a_challenge_is_public_and_pings_the_opponent(env: Environment) -> None:
    offered = await env.challenge(rules="bell")
    assert not offered.ephemeral
    assert offered.message is not None
    assert offered.message.pinged == (env.ben.user,)
    assert [b.label for b in offered.message.buttons] == [
        "Accept",
        "Decline",
        "More",
        "How to play",
    ]
    assert "bell" in offered.text.lower()
    assert re.search(r"Fair throws, sealed: #1 · [0-9a-f]{32}$", offered.text)
    assert [one.filename for one in offered.message.attachments] == ["challenge.png"]
    assert "White is to throw" in str(offered.message.component_data), (
        "described for screen readers"
    )


async def test_an_accepted_challenge_becomes_a_match_and_loses_its_buttons(
    env: Environment,
) -> None:
    offered = await env.challenge()
    assert offered.message is not None
    accepted = await env.ben.press(offered.message, "Accept")
    assert accepted.updated
    assert "Match #1 is on" in accepted.text
    assert not offered.message.buttons
    assert not offered.message.attachments, "the match has a board of its own"
    await env.settled()
    sealed = re.search(r"#1 · ([0-9a-f]{32})$", offered.text)
    assert sealed is not None
    assert sealed[1] in (await env.carol.slash("/match verify", number=1)).text


async def test_a_challenge_can_be_declined(env: Environment) -> None:
    offered = await env.challenge()
    assert offered.message is not None
    old = offered.message.snapshot()
    declined = await env.ben.press(offered.message, "Decline")
    assert not declined.ephemeral
    assert f"**Declined** by {env.ben.mention}." in declined.text
    assert not offered.message.buttons
    late = await env.ben.press(old, "Accept", stale=True)
    assert late.ephemeral
    assert "was declined" in late.text


async def test_a_challenge_can_be_withdrawn_by_the_challenger(env: Environment) -> None:
    offered = await env.challenge()
    assert offered.message is not None
    withdrawn = await env.ann.press(offered.message, "Decline")
    assert "Withdrawn" in withdrawn.text
    again = await env.challenge()
    assert not again.ephemeral


async def test_no_one_else_can_answer_a_challenge(env: Environment) -> None:
    offered = await env.challenge()
    assert offered.message is not None
    for label in ("Accept", "Decline"):
        reply = await env.carol.press(offered.message, label)
        assert reply.ephemeral
        assert f"for {env.ben.mention}" in reply.text
    own = await env.ann.press(offered.message, "Accept")
    assert own.ephemeral
    assert offered.message.buttons


async def test_nobody_is_challenged_where_they_cannot_read_it(env: Environment) -> None:
    games = env.playground.channel("games")
    games.overwrites[env.ben.id] = Overwrite(1, deny=Permission.VIEW_CHANNEL)
    env.playground.world.remove_member(env.playground.guild, env.dan.user)
    for other, place, why in (
        (env.ben, games, "can't see this channel"),
        (env.dan.user, games, "isn't on this server"),
        (env.carol, env.ann.dm, "on a server you share"),
        (env.carol, env.playground.channel("quiet"), "**Attach Files**"),
    ):
        reply = await env.ann.slash("/tablan challenge", opponent=other, channel=place)
        assert reply.ephemeral
        assert why in reply.text


async def test_the_same_challenge_twice_points_to_the_first_and_offers_to_withdraw_it(
    env: Environment,
) -> None:
    offered = await env.challenge()
    assert offered.message is not None
    await env.settled()
    again = await env.challenge()
    assert again.ephemeral
    assert f"/{offered.message.id}" in again.text
    assert again.message is not None

    env.expected.add(404)  # the bot discovers that the message is gone
    env.playground.messages.delete(offered.message)
    withdrawn = await env.ann.press(again.message, "Withdraw")

    assert "Withdrawn" in withdrawn.text
    assert not (await env.challenge()).ephemeral


async def test_an_acceptance_names_the_permission_if_pictures_cannot_be_posted(
    env: Environment,
) -> None:
    offered = await env.challenge()
    assert offered.message is not None
    env.forbid(Permission.ATTACH_FILES)
    reply = await env.ben.press(offered.message, "Accept")
    assert reply.ephemeral
    assert "**Attach Files**" in reply.text
    env.allow(Permission.ATTACH_FILES)
    await env.ben.press(offered.message, "Accept")
    await env.settled()
    assert env.board().picture


async def test_options_not_offered_cannot_be_chosen(env: Environment) -> None:
    with pytest.raises(Impossible):
        await env.challenge(rules="house rules")
    with pytest.raises(Impossible):
        await env.challenge(days="15")


async def test_matches_are_played_in_threads_too(env: Environment) -> None:
    thread = env.playground.world.add_thread(
        env.playground.channel("games"), "A long game", env.playground.world.bot
    )
    board = await env.begin(channel=thread.name)
    assert board.channel is thread
