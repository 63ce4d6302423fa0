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


@pytest.mark.parametrize("seat", ["white", "black"])
async def test_the_requested_seat_is_given(env: Environment, seat: str) -> None:
    board = await env.begin(seat=seat)
    assert f"{seat.capitalize()} {env.ann.mention}" in board.text


async def test_options_are_shown_and_kept(env: Environment) -> None:
    board = await env.begin(rules="walker", tie="first-finisher")
    assert "walker" in board.text.lower()
    assert "first-finisher" in board.text.lower()


async def test_a_challenge_can_be_declined(env: Environment) -> None:
    offered = await env.challenge()
    assert offered.message is not None
    old = offered.message.snapshot()
    declined = await env.ben.press(offered.message, "Decline")
    assert "Declined" in declined.text
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


async def test_of_two_acceptances_only_one_starts_the_match(env: Environment) -> None:
    offered = await env.challenge()
    assert offered.message is not None
    one = env.ben.press(offered.message, "Accept")
    two = env.ben.press(offered.message, "Accept")
    await one
    await two
    await env.settled()
    assert sorted([one.ephemeral, two.ephemeral]) == [False, True]
    late = one if one.ephemeral else two
    assert "match #1" in late.text
    assert len(env.boards(1)) == 1
    assert (await env.ann.slash("/tablan board", match=2)).text == "There's no match #2 here."


async def test_players_who_cannot_see_the_channel_cannot_be_challenged_there(
    env: Environment,
) -> None:
    games = env.playground.channel("games")
    games.overwrites[env.ben.id] = Overwrite(1, deny=Permission.VIEW_CHANNEL)
    reply = await env.ann.slash("/tablan challenge", opponent=env.ben)
    assert reply.ephemeral
    assert "can't see this channel" in reply.text


async def test_people_outside_the_server_cannot_be_challenged(env: Environment) -> None:
    guild = env.playground.guild
    env.playground.world.remove_member(guild, env.dan.user)
    reply = await env.ann.slash("/tablan challenge", opponent=env.dan.user)
    assert reply.ephemeral
    assert "isn't on this server" in reply.text


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


async def test_players_cannot_be_challenged_where_they_cannot_read_it(env: Environment) -> None:
    reply = await env.ann.slash("/tablan challenge", opponent=env.ben, channel=env.ann.dm)
    assert reply.ephemeral
    assert "on a server you share" in reply.text


async def test_a_challenge_names_the_permission_if_pictures_cannot_be_posted(
    env: Environment,
) -> None:
    reply = await env.ann.slash("/tablan challenge", channel="quiet", opponent=env.ben)
    assert reply.ephemeral
    assert "**Attach Files**" in reply.text
    assert f"<#{env.playground.channel('quiet').id}>" in reply.text


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
