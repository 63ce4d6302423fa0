"""Challenges: offered, accepted, declined, withdrawn and refused."""

from __future__ import annotations

import re

import pytest
from sqlalchemy import update

from data.matches.match import matches
from playground.errors import Impossible
from playground.model import Overwrite
from playground.permissions import Permission
from tests.end_to_end.harness import Environment, unlinked
from tests.end_to_end.people import finish, labels


async def test_a_challenge_is_public_and_pings_the_opponent(env: Environment) -> None:
    offered = await env.challenge(rules="bell")
    assert not offered.ephemeral
    assert offered.shown.pinged == (env.ben.user,)
    assert [b.label for b in offered.shown.buttons] == [
        "Accept",
        "Decline",
        "More",
        "How to play",
    ]
    assert "bell" in offered.text.lower()
    assert re.search(r"Fair throws, sealed: #1 · [0-9a-f]{8}\|\|[0-9a-f]{24}\|\|$", offered.text)
    assert [one.filename for one in offered.shown.attachments] == ["challenge.png"]
    assert "White is to throw" in str(offered.shown.component_data), "described for screen readers"


async def test_the_picture_of_a_challenge_seats_all_who_are_named(env: Environment) -> None:
    offered = await env.ann.slash("/thaayam challenge", opponent=env.ben, opponent2=env.carol)
    assert "West" in (offered.shown.alt or "")
    assert "East" not in (offered.shown.alt or "")


async def test_an_accepted_challenge_becomes_a_match_and_loses_its_buttons(
    env: Environment,
) -> None:
    offered = await env.challenge()
    assert "Sides are random." in offered.text
    accepted = await env.ben.press(offered.shown, "Accept")
    assert accepted.updated
    assert "Match #1 is on" in unlinked(accepted.text)
    assert "Sides are random." not in accepted.text, "its board says who got which"
    assert not offered.shown.buttons
    assert not offered.shown.attachments, "the match has a board of its own"
    await env.settled()
    sealed = re.search(r"#1 · ([0-9a-f]{8})\|\|([0-9a-f]{24})\|\|$", offered.text)
    assert sealed is not None, offered.text
    assert "".join(sealed.groups()) in (await env.carol.slash("/match verify", number=1)).text


async def test_a_challenge_can_be_declined(env: Environment) -> None:
    offered = await env.challenge()
    old = offered.shown.snapshot()
    declined = await env.ben.press(offered.shown, "Decline")
    assert not declined.ephemeral
    assert f"**Declined** by {env.ben.mention}." in declined.text
    assert not offered.shown.buttons
    assert "was declined" in (await env.ben.press(old, "Accept", stale=True)).private


async def test_a_challenge_can_be_withdrawn_by_the_challenger(env: Environment) -> None:
    offered = await env.challenge()
    withdrawn = await env.ann.press(offered.shown, "Decline")
    assert "Withdrawn" in withdrawn.text
    again = await env.challenge()
    assert not again.ephemeral


async def test_no_one_else_can_answer_a_challenge(env: Environment) -> None:
    offered = await env.challenge()
    for label in ("Accept", "Decline"):
        assert f"for {env.ben.mention}" in (await env.carol.press(offered.shown, label)).private
    own = await env.ann.press(offered.shown, "Accept")
    assert own.ephemeral
    assert offered.shown.buttons


async def test_nobody_is_challenged_where_they_cannot_read_it(env: Environment) -> None:
    games = env.channel("games")
    games.overwrites[env.ben.id] = Overwrite(1, deny=Permission.VIEW_CHANNEL)
    env.world.remove_member(env.guild, env.dan.user)
    for other, place, why in (
        (env.ben, games, "can't see this channel"),
        (env.dan.user, games, "isn't on this server"),
        (env.carol, env.ann.dm, "on a server you share"),
        (env.carol, env.channel("quiet"), "**Attach Files**"),
    ):
        reply = (await env.ann.slash("/tablan challenge", opponent=other, channel=place)).private
        assert why in reply


async def test_the_same_challenge_twice_points_to_the_first_and_offers_to_withdraw_it(
    env: Environment,
) -> None:
    offered = await env.challenge()
    await env.settled()
    again = await env.challenge()
    assert again.ephemeral
    assert f"/{offered.shown.id}" in again.text

    env.expected.add(404)  # the bot discovers that the message is gone
    env.playground.messages.delete(offered.shown)
    withdrawn = await env.ann.press(again.shown, "Withdraw")

    assert "Withdrawn" in withdrawn.text
    assert not (await env.challenge()).ephemeral


async def test_an_acceptance_names_the_permission_if_pictures_cannot_be_posted(
    env: Environment,
) -> None:
    offered = await env.challenge()
    env.forbid(Permission.ATTACH_FILES)
    assert "**Attach Files**" in (await env.ben.press(offered.shown, "Accept")).private
    env.allow(Permission.ATTACH_FILES)
    await env.done(env.ben.press(offered.shown, "Accept"))
    assert env.board().picture


async def test_options_not_offered_cannot_be_chosen(env: Environment) -> None:
    with pytest.raises(Impossible):
        await env.challenge(rules="house rules")
    with pytest.raises(Impossible):
        await env.challenge(time="15")


async def test_matches_are_played_in_threads_too(env: Environment) -> None:
    thread = env.world.add_thread(env.channel("games"), "A long game", env.world.bot)
    board = await env.begin(channel=thread.name)
    assert board.channel is thread


async def test_a_finished_match_can_be_played_again_with_the_sides_swapped(
    env: Environment,
) -> None:
    offered = await env.ann.slash(
        "/tablan challenge", opponent=env.ben, seat="white", rules="bell", time="5"
    )
    await env.done(env.ben.press(offered.shown, "Accept"))
    last = await finish(env, env.ben)
    assert labels(last) == ["Rematch", "Replay", "Try moves"]
    await env.advance(days=3)
    await env.restart()
    reply = await env.ben.press(last, "Rematch")
    assert not reply.ephemeral
    assert f"wants a rematch of match #1 against {env.ann.mention}" in reply.text
    assert "Sides are swapped." in reply.text
    assert "Rules: Bell · 5 days per move" in reply.text
    assert reply.shown.pinged == (env.ann.user,)
    assert labels(last) == ["Rematch", "Replay", "Try moves"]
    accepted = await env.done(env.ann.press(reply.shown, "Accept"))
    assert "Match #2 is on" in unlinked(accepted.text)
    board = env.board(2)
    assert f"White {env.ben.mention}" in board.text
    assert f"Black {env.ann.mention}" in board.text


async def test_pressing_rematch_after_the_opponent_accepts_theirs(env: Environment) -> None:
    await env.begin()
    last = await finish(env, env.ann)
    reply = await env.done(env.ann.press(last, "Rematch"))
    twice = await env.ann.press(last, "Rematch")
    assert twice.ephemeral
    assert f"/{reply.shown.id}" in twice.text
    assert labels(twice.shown) == ["Withdraw"]
    await env.restart()
    assert "match #2" in unlinked((await env.done(env.ben.press(last, "Rematch"))).private)
    assert reply.shown.buttons == []
    assert "Match #2 is on" in unlinked(reply.shown.text)
    assert env.board(2).picture
    assert "match #2" in (await env.ben.press(last, "Rematch")).private


async def test_no_rematch_with_a_blocked_player_or_in_a_closed_channel(env: Environment) -> None:
    await env.begin()
    last = await finish(env, env.ann)
    general = env.channel("general")
    await env.change_settings(channels=[general.id])
    reply = await env.ann.press(last, "Rematch")
    assert f"<#{general.id}>" in reply.text
    await env.change_settings(channels=[])
    await env.ben.slash("/block", user=env.ann)
    assert "isn't taking challenges right now" in (await env.ann.press(last, "Rematch")).private


async def test_three_players_meet_again_in_other_seats(env: Environment) -> None:
    await env.begin("thaayam", players=3)
    before = (await env.position()).match.players
    await finish(env, env.ben, "thaayam")
    last = await finish(env, env.carol, "thaayam")
    reply = await env.carol.press(last, "Rematch")
    assert "Everyone moves up one seat." in reply.text
    assert "Rematch of match" in (await env.ann.press(last, "Rematch")).private
    await env.settled()
    assert f"Joined so far: {env.ann.mention}." in reply.shown.text
    await env.done(env.ben.press(reply.shown, "Accept"))
    after = (await env.position(2)).match.players
    assert [p.user_id for p in after] == [before[-1].user_id, *(p.user_id for p in before[:-1])]


async def test_a_rematch_from_a_thread_is_offered_in_the_parent_channel(env: Environment) -> None:
    games = env.channel("games")
    thread = env.world.add_thread(games, "Match #1", env.world.bot)
    await env.begin(channel=thread.name)
    async with env.store.write() as tx:
        await tx.run(update(matches).values(parent_id=games.id))
    question = await env.ann.slash("/tablan resign", match=1, channel=thread.name)
    await env.done(env.ann.press(question.shown, "Resign"))
    reply = (await env.done(env.ann.press(env.board(channel=thread.name), "Rematch"))).private
    message = max(games.messages.values(), key=lambda one: one.id)
    assert f"<#{games.id}>" in reply
    assert message.pinged == (env.ben.user,)
    assert labels(message) == ["Accept", "Decline", "More", "How to play"]
