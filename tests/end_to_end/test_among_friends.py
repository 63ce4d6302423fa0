"""Playing where the bot is only while somebody uses it: among friends, in a server without it."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from engine import registry
from playground import Impossible
from playground.town import GROUP
from tests.end_to_end.harness import playable

if TYPE_CHECKING:
    from playground.model import Channel
    from tests.end_to_end.harness import House


@pytest.mark.parametrize("slug", list(registry.games()))
async def test_each_game_is_played_in_a_group_without_the_bot(house: House, slug: str) -> None:
    dice = random.Random(4)
    first = await house.begin(slug, channel=GROUP)
    assert playable(first)
    called = house.mover(first)
    second = await house.play_until(
        dice, lambda board: board is not first and house.mover(board) is not called, channel=GROUP
    )
    assert not playable(first), "the board before has lost its controls"
    assert second.pinged == (house.mover(second).user,), "who is to move is called"
    assert not [one for one in house.sent("POST") if one.status == 403], "nothing is forced"


async def test_three_friends_play_together(house: House) -> None:
    dice = random.Random(1)
    first = await house.begin("thaayam", players=3, channel=GROUP)
    movers = {house.mover(first)}

    def all_have_played(board: object) -> bool:
        movers.add(house.mover(house.board(channel=GROUP)))
        return len(movers) == 3

    await house.play_until(dice, all_have_played, channel=GROUP)


async def test_nobody_outside_the_group_sees_the_match(house: House) -> None:
    await house.begin("tablut", channel=GROUP)
    told = await house.dan.slash("/match replay", channel="games", number="1")
    assert told.ephemeral
    assert "There is no match #1 here." in told.text


async def test_who_is_not_in_the_group_cannot_be_challenged_there(house: House) -> None:
    told = await house.ann.slash("/tablut challenge", channel=GROUP, opponent=house.dan)
    assert told.ephemeral
    assert "is not here" in told.text


async def test_friends_who_have_not_installed_it_play_with_the_buttons(house: House) -> None:
    dice = random.Random(2)
    house.ben.user.installed = False
    await house.begin("tablut", channel=GROUP)
    with pytest.raises(Impossible):
        await house.ben.slash("/tablut board", channel=GROUP)
    await house.play_until(dice, lambda _: len(house.boards(channel=GROUP)) == 5, channel=GROUP)


async def test_a_board_that_is_gone_comes_back_with_a_command(house: House) -> None:
    first = await house.begin("tablut", channel=GROUP)
    person = house.mover(first)
    await house.restart()
    assert house.boards(channel=GROUP) == [first]
    house.town.messages.delete(first)
    await person.slash("/tablut board", channel=GROUP)
    await house.settled()
    assert playable(house.board(channel=GROUP))


async def test_typed_moves_and_resigning_answer_in_the_group(house: House) -> None:
    first = await house.begin("tablut", channel=GROUP)
    person = house.mover(first)
    reply = await person.slash("/tablut move", channel=GROUP, move="e7-h7")
    assert reply.ephemeral
    await house.settled()
    assert playable(house.board(channel=GROUP))
    asked = await person.slash("/tablut resign", channel=GROUP)
    assert asked.message is not None
    yes = asked.message.buttons[0].label
    assert yes is not None
    await person.press(asked.message, yes)
    await house.settled()
    assert not playable(house.board(channel=GROUP))


async def test_what_is_due_is_told_alone_where_nothing_can_be_posted(house: House) -> None:
    first = await house.begin("tablut", channel=GROUP)
    called = house.mover(first)
    await house.let(days=2, hours=23)
    assert any("#1" in message.text for message in called.sees(called.direct)), "the reminder"
    await house.let(days=1)
    other = house.ben if called is house.ann else house.ann
    assert any("#1" in message.text for message in other.sees(other.direct)), "the claim"


async def test_two_friends_play_in_their_direct_messages(house: House) -> None:
    place = house.town.world.direct(house.ann.user, house.ben.user)
    await begun_in(house, place)


async def test_alone_with_the_bot_nobody_can_be_challenged(house: House) -> None:
    for options in ({}, {"opponent": house.ben}):
        told = await house.ann.slash("/tablut challenge", channel=house.ann.direct, options=options)
        assert told.ephemeral
        assert "Nobody else reads this" in told.text


async def test_a_server_without_the_bot_is_a_place_like_a_group(house: House) -> None:
    world = house.town.world
    elsewhere = world.add_guild("Elsewhere", world.application.owner)
    elsewhere.invites_bots = False
    lobby = world.add_channel(elsewhere, "lobby")
    for person in (house.ann, house.ben):
        world.add_member(elsewhere, person.user)
    await begun_in(house, lobby)


async def begun_in(house: House, place: Channel) -> None:
    """Let Ann and Ben begin a match in a place and make a move."""
    reply = await house.ann.slash("/tablut challenge", channel=place, opponent=house.ben)
    assert reply.message is not None
    assert not reply.ephemeral
    await house.ben.press(reply.message, "Accept")
    await house.settled()

    def boards() -> list[str]:
        return [m.text for m in house.ann.sees(place) if m.attachments and not m.ephemeral]

    assert len(boards()) == 1
    person = house.mover(next(m for m in house.ann.sees(place) if m.attachments))
    await person.slash("/tablut move", channel=place, move="e7-h7")
    await house.settled()
    assert len(boards()) == 2
