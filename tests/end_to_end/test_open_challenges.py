"""Challenges that wait for days, for anyone, and end by themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playground.model import Overwrite
from playground.permissions import Permission

if TYPE_CHECKING:
    from playground.model import Message
    from playground.reply import Reply
    from tests.end_to_end.harness import House

EDIT = "PATCH /channels/{channel_id}/messages/{message_id}"


def shown(reply: Reply) -> Message:
    """Return the message of an answer."""
    assert reply.message is not None
    return reply.message


def labels(message: Message) -> list[str]:
    """Return what the buttons of a message say."""
    return [button.label for button in message.buttons]


async def test_a_challenge_is_accepted_days_later_and_after_restarts(house: House) -> None:
    offered = await house.challenge()
    for _ in range(3):
        await house.let(days=2)
        await house.restart()
    accepted = await house.ben.press(shown(offered), "Accept")
    await house.settled()
    assert "match #1" in accepted.text
    assert house.board().picture


async def test_after_a_week_a_challenge_closes_by_itself_and_says_so_once(house: House) -> None:
    offered = await house.challenge()
    old = shown(offered).snapshot()
    await house.let(days=6, hours=23)
    assert labels(shown(offered)) == ["Accept", "Decline", "Withdraw"]
    await house.let(hours=1)
    assert shown(offered).buttons == []
    assert "**Expired**" in shown(offered).text
    edits = len(house.sent(EDIT))
    await house.restart()
    await house.let(days=2)
    assert len(house.sent(EDIT)) == edits
    late = await house.ben.press(old, "Accept", stale=True)
    assert late.ephemeral
    assert "has expired" in late.text
    assert not (await house.challenge()).ephemeral


async def test_a_challenge_that_expires_while_the_bot_is_away_closes_when_it_is_back(
    house: House,
) -> None:
    offered = await house.challenge()
    await house.stop()
    house.clock.advance(8 * 24 * 3600)
    await house.start()
    await house.settled()
    assert shown(offered).buttons == []
    assert "**Expired**" in shown(offered).text


async def test_what_discord_did_not_take_is_shown_later(house: House) -> None:
    offered = await house.challenge()
    house.expected.add(503)
    failed = house.town.faults.answer(EDIT, status=503)
    await house.let(days=7)
    assert failed.hits == 1
    assert shown(offered).buttons
    await house.restart()
    await house.let(minutes=2)
    assert shown(offered).buttons == []


async def test_an_expired_challenge_whose_message_is_deleted_troubles_nobody(house: House) -> None:
    offered = await house.challenge()
    house.town.messages.delete(shown(offered))
    house.expected.add(404)
    await house.let(days=8)
    assert [request.status for request in house.sent(EDIT)] == [404]


async def test_its_maker_withdraws_a_challenge_by_button_and_by_command(house: House) -> None:
    offered = await house.challenge()
    told = await house.ben.press(shown(offered), "Withdraw")
    assert told.ephemeral
    assert f"Only {house.ann.mention} can withdraw" in told.text
    withdrawn = await house.ann.press(shown(offered), "Withdraw")
    assert "**Withdrawn.**" in withdrawn.text
    assert "no open challenge" in (await house.ann.slash("/tablan withdraw")).text

    offered = await house.challenge()
    await house.settled()
    told = await house.ann.slash("/tablan withdraw")
    assert told.ephemeral
    assert "**Withdrawn.**" in told.text
    await house.settled()
    assert shown(offered).buttons == []

    await house.challenge()
    other = await house.ann.slash("/tablan challenge", opponent=house.carol)
    await house.restart()
    asked = await house.ann.slash("/tablan withdraw")
    assert labels(shown(asked)) == ["Withdraw 1", "Withdraw 2"]
    await house.ann.press(shown(asked), "Withdraw 2")
    await house.settled()
    assert shown(other).buttons == []


async def test_a_decline_is_told_to_everybody_with_its_name(house: House) -> None:
    offered = await house.challenge()
    declined = await house.ben.press(shown(offered), "Decline")
    assert not declined.ephemeral
    assert f"**Declined** by {house.ben.mention}." in declined.text


async def test_anyone_but_its_maker_accepts_an_open_challenge_and_the_first_plays(
    house: House,
) -> None:
    offered = await house.ann.slash("/tablan challenge", days=5, rules="bell", seat="black")
    assert "is looking for an opponent" in offered.text
    assert "5 days for each move" in offered.text
    assert f"{house.ann.mention} asks to play Black." in offered.text
    assert shown(offered).pinged == ()
    assert labels(shown(offered)) == ["Accept", "Withdraw"]
    own = await house.ann.press(shown(offered), "Accept")
    assert own.ephemeral
    await house.restart()
    one = house.carol.start_press(shown(offered), "Accept")
    two = house.ben.start_press(shown(offered), "Accept")
    await one.acknowledged()
    await two.acknowledged()
    await house.settled()
    assert sorted([one.ephemeral, two.ephemeral]) == [False, True]
    late = one if one.ephemeral else two
    assert "became match #1" in late.text
    assert (await house.bot.matches.view(1)).match.days == 5


async def test_the_days_of_a_move_are_those_of_the_server_unless_said(house: House) -> None:
    assert "3 days for each move" in (await house.challenge()).text
    settings = await house.bot.choices.server(house.town.guild.id)
    await house.bot.choices.set_server(
        house.town.guild.id, settings.model_copy(update={"days": 1}), by=house.ann.id
    )
    other = await house.ann.slash("/tablan challenge", opponent=house.carol)
    assert "1 day for each move" in other.text


async def test_three_gather_one_by_one_and_may_leave_before_it_begins(house: House) -> None:
    offered = await house.ann.slash("/thaayam challenge", opponent=house.ben, players=4)
    assert "and whoever else accepts first" in offered.text
    assert "2 places are free." in offered.text
    message = shown(offered)
    joined = await house.carol.press(message, "Accept")
    assert "One place is free." in joined.text
    assert f"Joined so far: {house.carol.mention}." in joined.text
    told = await house.dan.press(message, "Leave")
    assert "You have not joined" in told.text
    left = await house.carol.press(message, "Leave")
    assert "2 places are free." in left.text
    await house.restart()
    for person in (house.carol, house.dan, house.ben):
        told = await person.press(message, "Accept")
    await house.settled()
    assert "this is match #1" in told.text
    assert all(person.mention in house.board().text for person in house.people[:4])


async def test_too_many_or_too_few_players_are_refused(house: House) -> None:
    told = await house.ann.slash(
        "/thaayam challenge",
        opponent=house.ben,
        opponent2=house.carol,
        opponent3=house.dan,
        players=2,
    )
    assert told.ephemeral
    assert "you are 4" in told.text


async def test_seek_lists_what_one_could_accept_and_accepts_it(house: House) -> None:
    nothing = await house.ben.slash("/tablan seek")
    assert nothing.ephemeral
    assert "`/tablan challenge`" in nothing.text
    offered = await house.ann.slash("/tablan challenge", rules="bell", channel="general")
    await house.carol.slash("/tablut challenge", opponent=house.dan)
    await house.settled()
    listed = await house.ben.slash("/tablan seek")
    assert f"/{shown(offered).id}" in listed.text
    assert "Rules: Bell" in listed.text
    assert "3 days for each move" in listed.text
    own = await house.ann.slash("/tablan seek")
    assert "`/tablan withdraw`" in own.text
    assert labels(shown(await house.dan.slash("/seek"))) == ["Accept 1", "Accept 2"]
    await house.restart()
    accepted = await house.ben.press(shown(listed), "Accept 1")
    await house.settled()
    assert "match #1" in accepted.text
    assert shown(offered).buttons == []
    assert "match #1" in shown(offered).text
    assert house.board(channel="general").picture
    assert labels(shown(await house.dan.slash("/seek"))) == ["Accept 1"]


async def test_a_long_list_of_challenges_has_pages(house: House) -> None:
    for number in range(7):
        guest = house.town.add_person(f"Guest {number}")
        guest.place = house.town.channel("games")
        await guest.slash("/tablan challenge")
    listed = await house.ben.slash("/tablan seek")
    assert labels(shown(listed))[-1] == "Page 2"
    await house.restart()
    second = await house.ben.press(shown(listed), "Page 2")
    assert labels(shown(second)) == ["Accept 6", "Accept 7", "Page 1"]


async def test_a_challenge_whose_message_is_deleted_is_listed_and_can_be_accepted(
    house: House,
) -> None:
    offered = await house.ann.slash("/tablan challenge")
    await house.settled()
    house.town.messages.delete(shown(offered))
    house.expected.add(404)
    listed = await house.ben.slash("/tablan seek")
    await house.ben.press(shown(listed), "Accept 1")
    await house.settled()
    assert house.board().picture


async def test_a_challenge_where_the_bot_may_not_post_any_more_names_the_permission(
    house: House,
) -> None:
    await house.ann.slash("/tablan challenge", channel="general")
    await house.settled()
    listed = await house.ben.slash("/tablan seek")
    house.forbid(Permission.ATTACH_FILES, "general")
    await house.restart()  # a playground tells of such changes at the start only
    await house.settled()
    told = await house.ben.press(shown(listed), "Accept 1")
    assert told.ephemeral
    assert "**Attach Files**" in told.text
    assert f"<#{house.town.channel('general').id}>" in told.text


async def test_who_cannot_see_a_channel_does_not_find_its_challenges(house: House) -> None:
    await house.ann.slash("/tablan challenge", channel="general")
    await house.settled()
    listed = await house.ben.slash("/tablan seek")
    general = house.town.channel("general")
    general.overwrites[house.ben.id] = Overwrite(1, deny=Permission.VIEW_CHANNEL)
    await house.restart()  # a playground tells of such changes at the start only
    await house.settled()
    assert "Nobody here is looking" in (await house.ben.slash("/tablan seek")).text
    told = await house.ben.press(shown(listed), "Accept 1")
    assert told.ephemeral
    assert "cannot see the channel" in told.text


async def test_open_challenges_belong_to_a_server(house: House) -> None:
    told = await house.ann.slash("/seek", channel=house.ann.direct)
    assert "belong to a server" in told.text


async def test_a_server_may_want_its_challenges_in_certain_channels(house: House) -> None:
    games = house.town.channel("games")
    settings = await house.bot.choices.server(house.town.guild.id)
    await house.bot.choices.set_server(
        house.town.guild.id, settings.model_copy(update={"channels": (games.id,)}), by=house.ann.id
    )
    told = await house.challenge(channel="general")
    assert told.ephemeral
    assert f"<#{games.id}>" in told.text
    assert not (await house.challenge()).ephemeral
    thread = house.town.world.add_thread(games, "A corner", house.town.world.bot)
    inside = await house.ann.slash("/tablut challenge", opponent=house.ben, channel=thread.name)
    assert not inside.ephemeral


async def test_too_many_challenges_are_refused_with_what_to_do(house: House) -> None:
    for slug in ("tablan", "tablut", "thaayam"):
        assert not (await house.challenge(slug)).ephemeral
    await house.restart()
    told = await house.challenge("tablaaza")
    assert told.ephemeral
    assert "Wait for an answer, or withdraw one" in told.text
    assert labels(shown(told)) == ["Withdraw"]
    await house.ann.press(shown(told), "Withdraw")
    assert not (await house.challenge("tablaaza")).ephemeral


async def test_a_declined_challenge_is_not_repeated_within_the_hour(house: House) -> None:
    offered = await house.challenge()
    await house.ben.press(shown(offered), "Decline")
    told = await house.challenge()
    assert told.ephemeral
    assert "has just declined" in told.text
    await house.let(hours=1)
    assert not (await house.challenge()).ephemeral
