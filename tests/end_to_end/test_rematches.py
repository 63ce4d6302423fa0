"""Rematches: with the sides swapped, by a button that stays."""

from __future__ import annotations

from sqlalchemy import update

from bot.play.matches.service import Matches
from data.matches.match import matches
from tests.end_to_end.harness import Environment
from tests.end_to_end.people import finish, labels, message_of


async def test_a_finished_match_can_be_played_again_with_the_sides_swapped(
    env: Environment,
) -> None:
    offered = await env.ann.slash(
        "/tablan challenge", opponent=env.ben, seat="white", rules="bell", days=5
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
    assert "Match #2 is on" in accepted.text
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
    assert "match #2" in accepted.text
    assert message_of(reply).buttons == []
    assert "Match #2 is on" in message_of(reply).text
    assert env.board(2).picture
    late = await env.ben.press(last, "Rematch")
    assert late.ephemeral
    assert "match #2" in late.text


async def test_no_rematch_with_a_blocked_player_or_in_a_closed_channel(
    env: Environment,
) -> None:
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
    before = (await env.app.get(Matches).view(1)).match.players
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
    after = (await env.app.get(Matches).view(2)).match.players
    assert [p.user_id for p in after] == [before[-1].user_id, *(p.user_id for p in before[:-1])]


async def test_a_rematch_from_a_thread_is_offered_in_the_parent_channel(
    env: Environment,
) -> None:
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
