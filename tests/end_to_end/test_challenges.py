"""Challenges: offered, accepted, declined, withdrawn and refused."""

from __future__ import annotations

import re

import pytest
from sqlalchemy import update

from bot.play.matches.service import Matches
from data.matches.match import matches
from playground.errors import Impossible
from playground.model import Overwrite
from playground.permissions import Permission
from tests.end_to_end.harness import Environment, unlinked
from tests.end_to_end.people import finish, labels, message_of


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
    assert re.search(r"Fair throws, sealed: #1 · [0-9a-f]{8}\|\|[0-9a-f]{24}\|\|$", offered.text)
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
    assert "Match #1 is on" in unlinked(accepted.text)
    assert not offered.message.buttons
    assert not offered.message.attachments, "the match has a board of its own"
    await env.settled()
    sealed = re.search(r"#1 · ([0-9a-f]{8})\|\|([0-9a-f]{24})\|\|$", offered.text)
    assert sealed is not None, offered.text
    assert "".join(sealed.groups()) in (await env.carol.slash("/match verify", number=1)).text


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
        await env.challenge(time="15")


async def test_matches_are_played_in_threads_too(env: Environment) -> None:
    thread = env.playground.world.add_thread(
        env.playground.channel("games"), "A long game", env.playground.world.bot
    )
    board = await env.begin(channel=thread.name)
    assert board.channel is thread


async def test_a_finished_match_can_be_played_again_with_the_sides_swapped(
    env: Environment,
) -> None:
    offered = await env.ann.slash(
        "/tablan challenge", opponent=env.ben, seat="white", rules="bell", time="5"
    )
    await env.ben.press(message_of(offered), "Accept")
    await env.settled()
    last = await finish(env, env.ben)
    assert labels(last) == ["Rematch", "Replay", "Try moves"]
    await env.advance(days=3)
    await env.restart()
    reply = await env.ben.press(last, "Rematch")
    assert not reply.ephemeral
    assert f"wants a rematch of match #1 against {env.ann.mention}" in reply.text
    assert "Sides are swapped." in reply.text
    assert "Rules: Bell · 5 days per move" in reply.text
    assert message_of(reply).pinged == (env.ann.user,)
    assert labels(last) == ["Rematch", "Replay", "Try moves"]
    accepted = await env.ann.press(message_of(reply), "Accept")
    await env.settled()
    assert "Match #2 is on" in unlinked(accepted.text)
    board = env.board(2)
    assert f"White {env.ben.mention}" in board.text
    assert f"Black {env.ann.mention}" in board.text


async def test_pressing_rematch_after_the_opponent_accepts_theirs(env: Environment) -> None:
    await env.begin()
    last = await finish(env, env.ann)
    reply = await env.ann.press(last, "Rematch")
    await env.settled()
    twice = await env.ann.press(last, "Rematch")
    assert twice.ephemeral
    assert f"/{message_of(reply).id}" in twice.text
    assert labels(message_of(twice)) == ["Withdraw"]
    await env.restart()
    accepted = await env.ben.press(last, "Rematch")
    await env.settled()
    assert accepted.ephemeral
    assert "match #2" in unlinked(accepted.text)
    assert message_of(reply).buttons == []
    assert "Match #2 is on" in unlinked(message_of(reply).text)
    assert env.board(2).picture
    late = await env.ben.press(last, "Rematch")
    assert late.ephemeral
    assert "match #2" in late.text


async def test_no_rematch_with_a_blocked_player_or_in_a_closed_channel(env: Environment) -> None:
    await env.begin()
    last = await finish(env, env.ann)
    general = env.playground.channel("general")
    await env.change_settings(channels=[general.id])
    reply = await env.ann.press(last, "Rematch")
    assert f"<#{general.id}>" in reply.text
    await env.change_settings(channels=[])
    await env.ben.slash("/block", user=env.ann)
    reply = await env.ann.press(last, "Rematch")
    assert reply.ephemeral
    assert "isn't taking challenges right now" in reply.text


async def test_three_players_meet_again_in_other_seats(env: Environment) -> None:
    await env.begin("thaayam", players=3)
    before = (await env.app.get(Matches).position(1)).match.players
    await finish(env, env.ben, "thaayam")
    last = await finish(env, env.carol, "thaayam")
    reply = await env.carol.press(last, "Rematch")
    assert "Everyone moves up one seat." in reply.text
    joined = await env.ann.press(last, "Rematch")
    assert joined.ephemeral
    assert "Rematch of match" in joined.text
    await env.settled()
    assert f"Joined so far: {env.ann.mention}." in message_of(reply).text
    await env.ben.press(message_of(reply), "Accept")
    await env.settled()
    after = (await env.app.get(Matches).position(2)).match.players
    assert [p.user_id for p in after] == [before[-1].user_id, *(p.user_id for p in before[:-1])]


async def test_a_rematch_from_a_thread_is_offered_in_the_parent_channel(env: Environment) -> None:
    games = env.playground.channel("games")
    thread = env.playground.world.add_thread(games, "Match #1", env.playground.world.bot)
    await env.begin(channel=thread.name)
    async with env.store.write() as tx:
        await tx.run(update(matches).values(parent_id=games.id))
    question = await env.ann.slash("/tablan resign", match=1, channel=thread.name)
    await env.ann.press(message_of(question), "Resign")
    await env.settled()
    reply = await env.ann.press(env.board(channel=thread.name), "Rematch")
    await env.settled()
    assert reply.ephemeral
    message = max(games.messages.values(), key=lambda one: one.id)
    assert f"<#{games.id}>" in reply.text
    assert message.pinged == (env.ben.user,)
    assert labels(message) == ["Accept", "Decline", "More", "How to play"]
