"""Challenges when people and channels disappear, or the bot stops halfway."""

from __future__ import annotations

from sqlalchemy import update

from bot.core.permissions.members import Members
from bot.features.challenges.service import Challenges
from bot.play.matches.service import Matches
from data.challenges.challenges import challenges
from playground.people import Person
from playground.permissions import Permission
from tests.end_to_end.harness import Environment
from tests.end_to_end.people import finish, labels, message_of


async def departed(env: Environment, *people: Person) -> frozenset[int]:
    """Ask who has left the server, as a page does; the bot keeps the answer for a while."""
    members = env.app.get(Members)
    return await members.departed(env.playground.guild.id, [person.id for person in people])


async def test_nobody_starts_a_game_with_someone_who_has_left_the_server(env: Environment) -> None:
    env.ben.user.dms_open = False  # which no challenge needs
    named = message_of(await env.challenge())
    joined = message_of(await env.carol.slash("/thaayam challenge", players=3))
    await env.ann.press(joined, "Accept")
    assert await departed(env, env.ann, env.ben) == frozenset()
    env.ann.leaves_server()
    reply = await env.ben.press(named, "Accept")
    assert reply.ephemeral
    assert "The challenger is no longer here." in reply.text
    assert labels(message_of(await env.dan.slash("/seek"))) == ["Accept 1"]
    await env.dan.press(joined, "Accept")
    await env.settled()
    assert f"Joined so far: {env.dan.mention}." in joined.text
    assert "One seat is free." in joined.text

    env.ann.joins()
    await env.ann.slash("/seek")  # now the bot knows that she is back
    await env.ben.press(named, "Accept")
    await env.settled()
    last = await finish(env, env.ann)
    env.ben.leaves_server()
    reply = await env.ann.press(last, "Rematch")
    assert reply.ephemeral
    assert f"{env.ben.mention} isn't on this server." in reply.text


async def test_a_challenge_whose_channel_disappears_is_refused_and_withdrawn(
    env: Environment,
) -> None:
    env.expected |= {403, 404}
    thread = env.playground.world.add_thread(
        env.playground.channel("games"), "A corner", env.playground.world.bot
    )
    await env.ann.slash("/tablan challenge", channel="general")
    await env.carol.slash("/tablut challenge", channel=thread.name)
    hidden = message_of(await env.dan.slash("/tablaaza challenge"))
    await env.settled()
    listed = message_of(await env.ben.slash("/seek"))
    env.playground.world.remove_channel(env.playground.channel("general"))
    env.playground.world.archive(thread, archived=True)
    env.forbid(Permission.VIEW_CHANNEL)
    await env.settled()
    for label in ("Accept 1", "Accept 2"):
        reply = await env.ben.press(listed, label)
        assert reply.ephemeral
        assert "I can't see this challenge's channel any more" in reply.text
    reply = await env.ben.press(hidden, "Accept")
    assert "**View Channel**" in reply.text

    env.allow(Permission.VIEW_CHANNEL)
    await env.settled()
    again = await env.ann.slash("/tablan challenge")
    assert labels(message_of(again)) == ["Withdraw"]
    assert "Withdrawn" in (await env.ann.press(message_of(again), "Withdraw")).text
    assert not (await env.ann.slash("/tablan challenge")).ephemeral
    await env.settled()
    await env.ben.press(hidden, "Accept")
    await env.settled()
    assert env.board(1).picture


async def test_a_challenge_in_an_archived_thread_is_found_and_accepted(env: Environment) -> None:
    env.expected |= {400}  # an edit that is first to find the thread archived reopens it
    world, games = env.playground.world, env.playground.channel("games")
    thread = world.add_thread(games, "A corner", world.bot)
    offered = message_of(await env.carol.slash("/tablut challenge", channel=thread.name))
    world.archive(thread, archived=True)
    await env.settled()
    listed = message_of(await env.ben.slash("/seek"))
    assert labels(listed) == ["Accept 1"]
    await env.ben.press(listed, "Accept 1")
    await env.settled()
    assert env.board(1).picture
    assert not thread.archived
    assert "Accept" not in labels(offered)


async def test_a_challenge_in_a_locked_thread_is_refused(env: Environment) -> None:
    env.expected |= {403}
    world, games = env.playground.world, env.playground.channel("games")
    thread = world.add_thread(games, "A corner", world.bot)
    await env.carol.slash("/tablut challenge", channel=thread.name)
    world.archive(thread, archived=True, locked=True)
    await env.settled()
    listed = message_of(await env.ben.slash("/seek"))
    told = await env.ben.press(listed, "Accept 1")
    assert "it can't be played there" in told.text


async def test_a_message_that_was_posted_but_not_recorded_is_found_by_its_first_press(
    env: Environment,
) -> None:
    """As if the bot had died in between."""
    mine = message_of(await env.challenge())
    other = message_of(await env.carol.slash("/thaayam challenge", players=3))
    await env.settled()
    async with env.store.write() as tx:
        await tx.run(update(challenges).values(message_id=None))
    await env.restart()
    await env.dan.press(other, "Accept")
    assert "Withdrawn" in (await env.ann.slash("/tablan withdraw")).text
    assert "Withdrawn" in (await env.carol.slash("/thaayam withdraw")).text
    await env.settled()
    assert "Withdrawn" in other.text
    assert mine.buttons, "the message is not stored yet"
    assert "was withdrawn" in (await env.ben.press(mine, "Accept")).text
    await env.advance(minutes=1)
    assert "Withdrawn" in mine.text
    assert mine.buttons == []


async def test_a_rematch_that_was_committed_but_not_posted_can_be_accepted_or_asked_again(
    env: Environment,
) -> None:
    """As if the bot had died in between."""
    await env.begin()
    last = await finish(env, env.ann)
    match = (await env.app.get(Matches).view(1)).match
    await env.app.get(Challenges).ask_rematch(match, env.ann.id)
    await env.restart()
    reply = await env.ann.press(last, "Rematch")
    assert "has already asked for a rematch" in reply.text
    await env.ann.press(message_of(reply), "Withdraw")
    assert not (await env.ann.press(last, "Rematch")).ephemeral
    accepted = await env.ben.press(last, "Rematch")
    assert "match #2" in accepted.text
    await env.settled()
    assert env.board(2).picture


async def test_other_bots_and_people_named_twice_cannot_be_challenged(env: Environment) -> None:
    world = env.playground.world
    other = world.add_user("Other Bot", bot=True)
    world.add_member(env.playground.guild, other)
    reply = await env.ann.slash("/tablan challenge", opponent=other)
    assert "is a bot. To play the computer" in reply.text
    reply = await env.ann.slash("/thaayam challenge", opponent=env.ben, opponent3=other)
    assert "is a bot" in reply.text
    reply = await env.ann.slash("/thaayam challenge", opponent=env.ben, opponent2=env.ben)
    assert "same person twice" in reply.text
    reply = await env.ann.slash("/thaayam challenge", opponent=env.ben, opponent2=env.ann)
    assert "can't challenge yourself" in reply.text
    reply = await env.ann.slash("/thaayam challenge", opponent3=env.ben)
    assert message_of(reply).pinged == (env.ben.user,)


async def test_answers_that_do_not_fit_are_refused_with_what_to_do(env: Environment) -> None:
    message = message_of(await env.ann.slash("/thaayam challenge", opponent=env.ben, players=4))
    reply = await env.ann.press(message, "Accept")
    assert "You're in. 3 more players are needed." in reply.text
    reply = await env.dan.press(message, "Decline")
    assert "open to anyone, so there's no need to decline" in reply.text
    await env.carol.press(message, "Accept")
    reply = await env.carol.press(message, "Accept")
    assert "You're in. 2 more players are needed." in reply.text
    reply = await env.carol.press(message, "Decline")
    assert "To get out, press Leave" in reply.text
    more = message_of(await env.carol.press(message, "More"))
    old, before = message.snapshot(), more.snapshot()
    await env.dan.press(message, "Accept")
    await env.ben.press(message, "Decline")
    for label, person in (("Accept", env.dan), ("Decline", env.ben), ("More", env.ann)):
        assert "was declined" in (await person.press(old, label, stale=True)).text
    assert "was declined" in (await env.carol.press(before, "Leave", stale=True)).text
