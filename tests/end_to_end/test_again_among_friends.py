"""Playing again where the bot is only while somebody uses it, and with more than two."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from engine import registry
from playground.town import GROUP
from tests.end_to_end.harness import playable
from tests.end_to_end.test_open_challenges import labels, shown

if TYPE_CHECKING:
    from playground.model import Channel, Message
    from playground.people import Person
    from tests.end_to_end.harness import House


async def given_up(house: House, by: Person, slug: str = "tablut", number: int = 1) -> Message:
    """Let somebody resign in the group, and return the last board."""
    question = await by.slash(f"/{slug} resign", channel=GROUP, match=number)
    await by.press(shown(question), "Resign")
    await house.settled()
    return house.board(number, channel=GROUP)


@pytest.mark.parametrize("how", ["Accept", "Rematch"])
async def test_a_rematch_in_a_group_is_played_there(house: House, how: str) -> None:
    await house.begin("tablut", channel=GROUP)
    last = await given_up(house, house.ann)
    asked = await house.ben.press(last, "Rematch")
    assert not asked.ephemeral
    told = await house.ann.press(shown(asked) if how == "Accept" else last, how)
    await house.settled()
    board = house.board(2, channel=GROUP)
    assert playable(board)
    assert board.pinged == (house.mover(board).user,)
    assert "match #2" in told.text
    dice = random.Random(1)
    await house.play_until(dice, lambda one: one is not board, number=2, channel=GROUP)
    again = await house.carol.press(last, "Rematch")
    assert again.ephemeral
    assert not [one for one in house.sent("POST") if one.status == 403]


async def test_three_friends_find_each_other_in_a_group(house: House) -> None:
    offered = await house.ann.slash("/thaayam challenge", channel=GROUP, players=3)
    assert "Accept" in labels(shown(offered))
    for person in (house.ben, house.carol):
        await person.press(shown(offered), "Accept")
        await house.settled()
    board = house.board(channel=GROUP)
    assert playable(board)
    last = await given_up(house, house.ben, "thaayam")
    asked = await house.carol.press(last, "Rematch")
    await house.ann.press(last, "Rematch")
    await house.ben.press(shown(asked), "Accept")
    await house.settled()
    assert playable(house.board(2, channel=GROUP))


@pytest.mark.parametrize("where", ["group", "direct", "server"])
async def test_the_menu_of_a_person_challenges_them_among_friends(house: House, where: str) -> None:
    place = friends_meet(house, where)
    picked = shown(
        await house.ann.user_command("Challenge to a game…", on=house.ben, channel=place)
    )
    await house.ann.choose(picked, "tablut")
    await house.ann.press(picked, "Challenge")
    await house.settled()
    assert "is posted" in picked.text
    offered = said_last(house, place)
    await house.ben.press(offered, "Accept")
    await house.settled()
    assert playable(said_last(house, place))


@pytest.mark.parametrize("where", ["group", "direct", "server"])
async def test_every_command_of_a_match_works_among_friends(house: House, where: str) -> None:
    place = friends_meet(house, where)
    offered = await house.ann.slash("/tablut challenge", channel=place, opponent=house.ben)
    await house.ben.press(shown(offered), "Accept")
    await house.settled()
    person = house.mover(said_last(house, place))
    other = house.ben if person is house.ann else house.ann
    for line, options in (
        ("/tablut board", {}),
        ("/tablut games", {}),
        ("/games", {}),
        ("/tablut since", {"match": 1}),
        ("/match replay", {"number": "1"}),
        ("/match gif", {"number": "1"}),
        ("/match board", {"number": "1", "as": "text"}),
        ("/match export", {"number": "1"}),
        ("/match verify", {"number": 1}),
    ):
        told = await person.slash(line, channel=place, options=options)
        await house.settled()
        assert "1" in told.text, line
        assert "no match" not in told.text, line
        assert "went wrong" not in told.text, line
    names = await person.autocomplete("/match replay", "number", "", channel=place)
    assert [name.value for name in names] == ["1"]
    await person.slash("/tablut move", channel=place, move="e7-h7")
    await house.settled()
    offer = await person.slash("/tablut takeback", channel=place)
    await other.press(shown(offer), "Agree to take it back")
    await house.settled()
    assert playable(said_last(house, place))


def friends_meet(house: House, where: str) -> Channel:
    """Return a place where Ann and Ben are and the bot is not."""
    world = house.town.world
    if where == "group":
        return house.town.channel(GROUP)
    if where == "direct":
        return world.direct(house.ann.user, house.ben.user)
    elsewhere = world.add_guild("Elsewhere", world.application.owner)
    elsewhere.invites_bots = False
    lobby = world.add_channel(elsewhere, "lobby")
    for person in (house.ann, house.ben):
        world.add_member(elsewhere, person.user)
    return lobby


def said_last(house: House, place: Channel) -> Message:
    """Return the newest message for everybody in a place."""
    return [m for m in house.ann.sees(place) if not m.ephemeral][-1]


@pytest.mark.parametrize("where", ["group", "direct", "server"])
async def test_a_draw_that_is_agreed_among_friends_shows_the_last_board(
    house: House, where: str
) -> None:
    place = friends_meet(house, where)
    slug = next(slug for slug, game in registry.games().items() if game.agreed_draw)
    offered = await house.ann.slash(f"/{slug} challenge", channel=place, opponent=house.ben)
    await house.ben.press(shown(offered), "Accept")
    await house.settled()
    offer = await house.ann.slash(f"/{slug} draw", channel=place)
    yes = next(b for b in shown(offer).buttons if (b.custom_id or "").endswith(":yes"))
    await house.ben.press(shown(offer), custom_id=yes.custom_id)
    await house.settled()
    assert labels(said_last(house, place)) == ["Rematch", "Analysis"]
    assert "A draw" in said_last(house, place).text
