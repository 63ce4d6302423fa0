"""Open challenges that wait for days, and expire."""

from __future__ import annotations

from sqlalchemy import update

from bot.core.permissions.members import Members
from bot.features.challenges.service import Challenges
from data.challenges.challenges import challenges
from playground.model import Overwrite
from playground.people import Person
from playground.permissions import Permission
from tests.end_to_end.harness import Environment, unlinked
from tests.end_to_end.people import finish, labels
from tests.routes import EDIT


async def test_a_challenge_expires_after_a_week_and_says_so_once(env: Environment) -> None:
    offered = await env.challenge()
    old = offered.shown.snapshot()
    await env.advance(days=6, hours=23)
    assert labels(offered.shown) == ["Accept", "Decline", "More", "How to play"]
    await env.advance(hours=1)
    assert offered.shown.buttons == []
    assert "**Expired.**" in offered.shown.text
    edits = len(env.requests_to(EDIT))
    await env.restart()
    await env.advance(days=2)
    assert len(env.requests_to(EDIT)) == edits
    assert "has expired" in (await env.ben.press(old, "Accept", stale=True)).private
    assert not (await env.challenge()).ephemeral


async def test_a_challenge_expiring_during_downtime_closes_at_startup(env: Environment) -> None:
    offered = await env.challenge()
    await env.stop()
    env.clock.advance(8 * 24 * 3600)
    await env.start()
    await env.settled()
    assert offered.shown.buttons == []
    assert "**Expired.**" in offered.shown.text


async def test_an_expired_challenge_without_its_message_does_no_harm(env: Environment) -> None:
    offered = await env.challenge()
    env.playground.messages.delete(offered.shown)
    env.expected.add(404)
    await env.advance(days=8)
    assert [request.status for request in env.requests_to(EDIT)] == [404]


async def test_the_challenger_withdraws_a_challenge_by_button_or_command(env: Environment) -> None:
    offered = await env.challenge()
    reply = await env.ben.press(offered.shown, "More")
    assert reply.ephemeral
    assert labels(reply.shown) == ["Add a word…"], "only Ann sees what concerns her alone"
    mine = await env.ann.press(offered.shown, "More")
    assert labels(mine.shown) == ["Add a word…", "Withdraw"]
    withdrawn = await env.ann.press(mine.shown, "Withdraw")
    assert "**Withdrawn.**" in withdrawn.text
    await env.settled()
    assert "**Withdrawn.**" in offered.shown.text
    assert "no open Tablan challenge" in (await env.ann.slash("/tablan withdraw")).text

    offered = await env.challenge()
    await env.settled()
    assert "**Withdrawn.**" in (await env.ann.slash("/tablan withdraw")).private
    await env.settled()
    assert offered.shown.buttons == []

    await env.challenge()
    other = await env.ann.slash("/tablan challenge", opponent=env.carol)
    await env.restart()
    answer = await env.ann.slash("/tablan withdraw")
    assert labels(answer.shown) == ["Withdraw 1", "Withdraw 2"]
    await env.done(env.ann.press(answer.shown, "Withdraw 2"))
    assert other.shown.buttons == []


async def test_an_open_challenge_goes_to_the_first_other_player_to_accept(env: Environment) -> None:
    offered = await env.ann.slash("/tablan challenge", time="5", rules="bell", seat="black")
    assert "is looking for an opponent" in offered.text
    assert "5 days per move" in offered.text
    assert f"{env.ann.mention} wants to play Black." in offered.text
    assert offered.shown.pinged == ()
    assert labels(offered.shown) == ["Accept", "More", "How to play"]
    own = await env.ann.press(offered.shown, "Accept")
    assert own.ephemeral
    await env.restart()
    one = env.carol.press(offered.shown, "Accept")
    two = env.ben.press(offered.shown, "Accept")
    await one
    await two
    await env.settled()
    assert sorted([one.ephemeral, two.ephemeral]) == [False, True]
    late = one if one.ephemeral else two
    assert "It's match #1 now" in late.text
    assert (await env.position()).match.days == 5


async def test_three_players_join_one_by_one_and_can_leave_before_the_start(
    env: Environment,
) -> None:
    offered = await env.ann.slash("/thaayam challenge", opponent=env.ben, players=4)
    assert "Free seats go to the first who accept" in offered.text
    assert "2 seats are free." in offered.text
    message = offered.shown
    joined = await env.carol.press(message, "Accept")
    assert "One seat is free." in joined.text
    assert f"Joined so far: {env.carol.mention}." in joined.text
    reply = await env.dan.press(message, "More")
    assert labels(reply.shown) == ["Add a word…"], "Dan has not joined"
    mine = await env.carol.press(message, "More")
    assert labels(mine.shown) == ["Add a word…", "Leave"]
    left = await env.carol.press(mine.shown, "Leave")
    assert "2 seats are free." in left.text
    await env.settled()
    assert "2 seats are free." in message.text
    await env.restart()
    for person in (env.carol, env.dan, env.ben):
        reply = await person.press(message, "Accept")
    await env.settled()
    assert "Match #1 is on" in unlinked(reply.text)
    assert all(person.mention in env.board().text for person in env.people[:4])


async def test_seek_lists_acceptable_challenges_and_accepts_one(env: Environment) -> None:
    assert "`/tablan challenge`" in (await env.ben.slash("/tablan seek")).private
    offered = await env.ann.slash("/tablan challenge", rules="bell", channel="general")
    await env.done(env.carol.slash("/tablut challenge", opponent=env.dan))
    listed = await env.ben.slash("/tablan seek")
    assert f"/{offered.shown.id}" in listed.text
    assert "Rules: Bell" in listed.text
    assert "3 days per move" in listed.text
    own = await env.ann.slash("/tablan seek")
    assert "`/tablan withdraw`" in own.text
    assert labels((await env.dan.slash("/seek")).shown) == ["Accept 1", "Accept 2"]
    await env.restart()
    accepted = await env.done(env.ben.press(listed.shown, "Accept 1"))
    assert "Match #1" in unlinked(accepted.text)
    assert offered.shown.buttons == []
    assert "Match #1 is on" in unlinked(offered.shown.text)
    assert env.board(channel="general").picture
    assert labels((await env.dan.slash("/seek")).shown) == ["Accept 1"]


async def test_a_long_challenge_list_has_pages(env: Environment) -> None:
    for number in range(7):
        guest = env.playground.add_person(f"Guest {number}")
        guest.place = env.channel("games")
        await guest.slash("/tablan challenge")
    listed = await env.ben.slash("/tablan seek")
    assert labels(listed.shown)[-1] == "Page 2"
    await env.restart()
    second = await env.ben.press(listed.shown, "Page 2")
    assert labels(second.shown) == ["Accept 6", "Accept 7", "Page 1"]


async def test_a_challenge_without_its_message_is_listed_and_can_be_accepted(
    env: Environment,
) -> None:
    offered = await env.done(env.ann.slash("/tablan challenge"))
    env.playground.messages.delete(offered.shown)
    env.expected.add(404)
    listed = await env.ben.slash("/tablan seek")
    await env.done(env.ben.press(listed.shown, "Accept 1"))
    assert env.board().picture


async def test_challenges_in_channels_the_reader_cannot_see_are_not_listed(
    env: Environment,
) -> None:
    await env.done(env.ann.slash("/tablan challenge", channel="general"))
    listed = await env.ben.slash("/tablan seek")
    general = env.channel("general")
    general.overwrites[env.ben.id] = Overwrite(1, deny=Permission.VIEW_CHANNEL)
    await env.restart()  # a playground sends such changes only at the start
    await env.settled()
    assert "Nobody here is looking" in (await env.ben.slash("/tablan seek")).text
    reply = (await env.ben.press(listed.shown, "Accept 1")).private
    assert "can't see this challenge's channel" in reply


async def test_open_challenges_belong_to_a_server(env: Environment) -> None:
    reply = await env.ann.slash("/seek", channel=env.ann.dm)
    assert "live on servers" in reply.text


async def test_a_server_can_restrict_challenges_to_certain_channels(env: Environment) -> None:
    games = env.channel("games")
    await env.change_settings(channels=(games.id,))
    reply = await env.challenge(channel="general")
    assert reply.ephemeral
    assert f"<#{games.id}>" in reply.text
    assert not (await env.challenge()).ephemeral
    thread = env.world.add_thread(games, "A corner", env.world.bot)
    inside = await env.ann.slash("/tablut challenge", opponent=env.ben, channel=thread.name)
    assert not inside.ephemeral


async def test_too_many_challenges_are_refused_with_advice(env: Environment) -> None:
    for slug in ("tablan", "tablut", "thaayam"):
        assert not (await env.challenge(slug)).ephemeral
    await env.restart()
    reply = await env.challenge("tablaaza")
    assert reply.ephemeral
    assert "Wait for an answer, or withdraw one" in reply.text
    assert labels(reply.shown) == ["Withdraw"]
    await env.ann.press(reply.shown, "Withdraw")
    assert not (await env.challenge("tablaaza")).ephemeral


async def departed(env: Environment, *people: Person) -> frozenset[int]:
    """Ask who has left the server, as a page does; the bot keeps the answer for a while."""
    members = env.app.get(Members)
    return await members.departed(env.guild.id, [person.id for person in people])


async def test_nobody_starts_a_game_with_someone_who_has_left_the_server(env: Environment) -> None:
    env.ben.user.dms_open = False  # which no challenge needs
    named = (await env.challenge()).shown
    joined = (await env.carol.slash("/thaayam challenge", players=3)).shown
    await env.ann.press(joined, "Accept")
    assert await departed(env, env.ann, env.ben) == frozenset()
    env.ann.leaves_server()
    assert "The challenger is no longer here." in (await env.ben.press(named, "Accept")).private
    assert labels((await env.dan.slash("/seek")).shown) == ["Accept 1"]
    await env.done(env.dan.press(joined, "Accept"))
    assert f"Joined so far: {env.dan.mention}." in joined.text
    assert "One seat is free." in joined.text

    env.ann.joins()
    await env.ann.slash("/seek")  # now the bot knows that she is back
    await env.done(env.ben.press(named, "Accept"))
    last = await finish(env, env.ann)
    env.ben.leaves_server()
    reply = (await env.ann.press(last, "Rematch")).private
    assert f"{env.ben.mention} isn't on this server." in reply


async def test_a_challenge_whose_channel_disappears_is_refused_and_withdrawn(
    env: Environment,
) -> None:
    env.expected |= {403, 404}
    thread = env.world.add_thread(env.channel("games"), "A corner", env.world.bot)
    await env.ann.slash("/tablan challenge", channel="general")
    await env.carol.slash("/tablut challenge", channel=thread.name)
    hidden = (await env.dan.slash("/tablaaza challenge")).shown
    await env.settled()
    listed = (await env.ben.slash("/seek")).shown
    env.world.remove_channel(env.channel("general"))
    env.world.archive(thread, archived=True)
    env.forbid(Permission.VIEW_CHANNEL)
    await env.settled()
    for label in ("Accept 1", "Accept 2"):
        told = (await env.ben.press(listed, label)).private
        assert "I can't see this challenge's channel any more" in told
    reply = await env.ben.press(hidden, "Accept")
    assert "**View Channel**" in reply.text

    env.allow(Permission.VIEW_CHANNEL)
    await env.settled()
    again = await env.ann.slash("/tablan challenge")
    assert labels(again.shown) == ["Withdraw"]
    assert "Withdrawn" in (await env.ann.press(again.shown, "Withdraw")).text
    assert not (await env.ann.slash("/tablan challenge")).ephemeral
    await env.settled()
    await env.done(env.ben.press(hidden, "Accept"))
    assert env.board(1).picture


async def test_a_challenge_in_an_archived_thread_is_found_and_accepted(env: Environment) -> None:
    env.expected |= {400}  # an edit that is first to find the thread archived reopens it
    world, games = env.world, env.channel("games")
    thread = world.add_thread(games, "A corner", world.bot)
    offered = (await env.carol.slash("/tablut challenge", channel=thread.name)).shown
    world.archive(thread, archived=True)
    await env.settled()
    listed = (await env.ben.slash("/seek")).shown
    assert labels(listed) == ["Accept 1"]
    await env.done(env.ben.press(listed, "Accept 1"))
    assert env.board(1).picture
    assert not thread.archived
    assert "Accept" not in labels(offered)


async def test_a_challenge_in_a_locked_thread_is_refused(env: Environment) -> None:
    env.expected |= {403}
    world, games = env.world, env.channel("games")
    thread = world.add_thread(games, "A corner", world.bot)
    await env.carol.slash("/tablut challenge", channel=thread.name)
    world.archive(thread, archived=True, locked=True)
    await env.settled()
    listed = (await env.ben.slash("/seek")).shown
    told = await env.ben.press(listed, "Accept 1")
    assert "it can't be played there" in told.text


async def test_a_message_that_was_posted_but_not_recorded_is_found_by_its_first_press(
    env: Environment,
) -> None:
    """As if the bot had died in between."""
    mine = (await env.challenge()).shown
    other = (await env.carol.slash("/thaayam challenge", players=3)).shown
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
    match = (await env.position()).match
    await env.app.get(Challenges).ask_rematch(match, env.ann.id)
    await env.restart()
    reply = await env.ann.press(last, "Rematch")
    assert "has already asked for a rematch" in reply.text
    await env.ann.press(reply.shown, "Withdraw")
    assert not (await env.ann.press(last, "Rematch")).ephemeral
    accepted = await env.ben.press(last, "Rematch")
    assert "match #2" in unlinked(accepted.text)
    await env.settled()
    assert env.board(2).picture


async def test_other_bots_and_people_named_twice_cannot_be_challenged(env: Environment) -> None:
    world = env.world
    other = world.add_user("Other Bot", bot=True)
    world.add_member(env.guild, other)
    for named, why in (
        ({"opponent": env.ben, "opponent3": other}, "is a bot"),
        ({"opponent": env.ben, "opponent2": env.ben}, "same person twice"),
        ({"opponent": env.ben, "opponent2": env.carol, "opponent3": env.carol}, "twice"),
        ({"opponent": env.ben, "opponent2": env.ann}, "can't challenge yourself"),
    ):
        reply = await env.ann.slash("/thaayam challenge", options=named)
        assert why in reply.private
        assert reply.shown.pinged == ()
    refused = await env.ann.slash("/tablan challenge", opponent=other)
    assert "is a bot. To play the computer" in refused.private
    reply = await env.ann.slash("/thaayam challenge", opponent3=env.ben)
    assert f"challenges {env.ben.mention}." in reply.text
    assert reply.shown.pinged == (env.ben.user,)


async def test_answers_that_do_not_fit_are_refused_with_what_to_do(env: Environment) -> None:
    message = (await env.ann.slash("/thaayam challenge", opponent=env.ben, players=4)).shown
    reply = await env.ann.press(message, "Accept")
    assert "You're in. 3 more players are needed." in reply.text
    reply = await env.dan.press(message, "Decline")
    assert "open to anyone, so there's no need to decline" in reply.text
    await env.carol.press(message, "Accept")
    reply = await env.carol.press(message, "Accept")
    assert "You're in. 2 more players are needed." in reply.text
    reply = await env.carol.press(message, "Decline")
    assert "To get out, press Leave" in reply.text
    more = (await env.carol.press(message, "More")).shown
    old, before = message.snapshot(), more.snapshot()
    await env.dan.press(message, "Accept")
    assert "Declined" in (await env.ben.press(message, "Decline")).text
    assert not message.buttons
    for label, person in (("Accept", env.dan), ("Decline", env.ben), ("More", env.ann)):
        assert "was declined" in (await person.press(old, label, stale=True)).text
    assert "was declined" in (await env.carol.press(before, "Leave", stale=True)).text
    await env.settled()
    assert env.boards() == []
