"""Places that go away, permissions that come back, and who is told."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from playground.events import ChannelChanged
from playground.model import Overwrite
from playground.permissions import Permission
from tests.end_to_end.test_permissions import blocked_turn

if TYPE_CHECKING:
    from playground.model import Channel, Message
    from playground.people import Person
    from tests.end_to_end.harness import House

pytestmark = pytest.mark.hurried


def letters(house: House, person: Person) -> list[Message]:
    """Return what the bot wrote to somebody directly."""
    direct = house.town.world.direct(person.user, house.town.world.bot)
    return [m for m in direct.messages.values() if m.author is house.town.world.bot]


def owners_letters(house: House) -> list[Message]:
    """Return what the bot wrote to the owner of the server."""
    world = house.town.world
    owner = world.users[house.town.guild.owner_id]
    return list(world.direct(owner, world.bot).messages.values())


def thread(house: House) -> Channel:
    """Return the newest thread."""
    return list(house.town.guild.threads.values())[-1]


async def test_a_board_that_was_deleted_comes_back_when_somebody_asks_for_it(house: House) -> None:
    house.expected |= {404}
    board = await house.begin()
    house.town.messages.delete(board)
    await house.ben.slash("/tablan board")
    await house.settled()
    (again,) = house.boards()
    assert again.buttons or again.menus
    await house.ben.slash("/tablan board")
    await house.settled()
    assert house.boards() == [again]
    await house.turn(again, random.Random(51))


async def test_a_deleted_thread_lets_the_match_go_on_in_a_new_one(house: House) -> None:
    house.expected |= {404}
    await house.choose(threads=True)
    await house.begin()
    for _ in range(2):
        old = thread(house)
        house.town.world.remove_channel(old)
        await house.ann.slash("/tablan board", channel="games")
        await house.settled()
        assert thread(house) is not old
        assert house.board().channel is thread(house)
        said = [m for m in thread(house).messages.values() if "was deleted" in m.text]
        assert len(said) == 1
        assert said[0].id < house.board().id
        await house.turn(house.board(), random.Random(52))
        assert house.board().channel is thread(house)


async def test_a_deleted_thread_without_the_right_to_a_new_one_leads_to_the_channel(
    house: House,
) -> None:
    house.expected |= {404}
    await house.choose(threads=True)
    await house.begin()
    house.forbid(Permission.CREATE_PUBLIC_THREADS)
    house.town.world.remove_channel(thread(house))
    await house.ann.slash("/tablan board", channel="games")
    await house.settled()
    assert house.board().channel is house.town.channel("games")
    await house.turn(house.board(), random.Random(53))


async def test_a_deleted_channel_is_told_to_the_players_who_go_on_elsewhere(house: House) -> None:
    house.expected |= {404}
    board = await house.begin(channel="elsewhere")
    house.town.world.remove_channel(house.town.channel("elsewhere"))
    for _ in range(2):
        await house.ann.slash("/tablan board", channel="games")
        await house.settled()
    for person in (house.ann, house.ben):
        (letter,) = letters(house, person)
        assert "/match move number:1" in letter.text
    assert owners_letters(house) == []

    moved = await house.ben.slash("/match move", channel="games", number=1)
    assert "goes on in this channel" in moved.text
    await house.settled()
    assert house.board().channel is house.town.channel("games")
    assert house.board().id > board.id
    said = [m for m in house.town.channel("games").messages.values() if "moved match" in m.text]
    assert [m.pinged for m in said] == [(house.ann.user,)]
    await house.turn(house.board(), random.Random(54))


async def test_closed_direct_messages_are_no_trouble(house: House) -> None:
    house.expected |= {403, 404}
    house.may_wait = True
    await house.begin(channel="elsewhere")
    house.ann.user.dms_open = False
    house.town.world.remove_channel(house.town.channel("elsewhere"))
    await house.ann.slash("/tablan board", channel="games")
    await house.settled()
    assert len(letters(house, house.ben)) == 1


async def test_a_match_moves_while_its_channel_is_there_and_its_old_board_is_closed(
    house: House,
) -> None:
    board = await house.begin()
    await house.ann.slash("/match move", channel="elsewhere", number=1)
    await house.settled()
    assert house.board(channel="elsewhere").buttons or house.board(channel="elsewhere").menus
    assert not board.buttons
    assert not board.menus
    again = await house.ann.slash("/match move", channel="elsewhere", number=1)
    assert "already" in again.text
    offered = await house.ann.autocomplete("/match move", "number", "", channel="games")
    assert [choice.value for choice in offered] == [1]


async def test_who_may_not_move_a_match_is_told_why(house: House) -> None:
    await house.begin()
    stranger = await house.carol.slash("/match move", channel="elsewhere", number=1)
    assert "Only its players" in stranger.text
    nothing = await house.ann.slash("/match move", channel="elsewhere", number=7)
    assert "no match #7" in nothing.text
    quiet = await house.ann.slash("/match move", channel="quiet", number=1)
    assert "**Attach Files**" in quiet.text
    place = house.town.channel("elsewhere")
    await house.choose(channels=(house.town.channel("games").id,))
    unwanted = await house.ann.slash("/match move", channel="elsewhere", number=1)
    assert f"elsewhere: move the match to <#{house.town.channel('games').id}>" in unwanted.text
    await house.choose(channels=())
    hidden = place.overwrites.setdefault(house.ben.id, _overwrite())
    hidden.deny |= Permission.VIEW_CHANNEL
    house.town.world.tell(ChannelChanged(place))
    blind = await house.ann.slash("/match move", channel="elsewhere", number=1)
    assert f"{house.ben.mention} cannot see this channel" in blind.text
    question = await house.ann.slash("/tablan resign")
    assert question.message is not None
    await house.ann.press(question.message, "Resign")
    over = await house.ann.slash("/match move", channel="elsewhere", number=1)
    assert "over already" in over.text


def _overwrite() -> Overwrite:
    return Overwrite(1)


async def test_the_owner_is_asked_once_a_day_and_what_waits_comes_when_it_is_allowed(
    house: House,
) -> None:
    house.expected |= {403}
    await house.begin()
    house.forbid(Permission.ATTACH_FILES)
    await blocked_turn(house, random.Random(55))
    await house.settled()
    (asked,) = owners_letters(house)
    assert "**Attach Files**" in asked.text
    assert house.town.channel("games").name in asked.text or "<#" in asked.text
    await house.ann.slash("/tablan board")
    await house.settled()
    assert len(owners_letters(house)) == 1
    house.clock.advance(86_400)
    await house.ann.slash("/tablan board")
    await house.settled()
    assert len(owners_letters(house)) == 2

    ply, boards = await house.ply(), len(house.boards())
    house.allow(Permission.ATTACH_FILES)
    await house.town.wait_for("games", lambda m: f"Turn {ply}" in m.text and not m.ephemeral)
    await house.settled()
    assert house.board().picture
    assert len(house.boards()) == boards + 1


async def test_what_changes_elsewhere_lets_nothing_be_tried_in_vain(house: House) -> None:
    house.expected |= {403}
    house.may_wait = True
    await house.begin()
    house.forbid(Permission.ATTACH_FILES)
    await blocked_turn(house, random.Random(56))
    await house.settled()
    tried = len(house.town.requests)
    house.forbid(Permission.ADD_REACTIONS, "elsewhere")
    await house.carol.slash("/leaderboard")
    await house.settled()
    routes = [request.route for request in list(house.town.requests)[tried:]]
    assert not [route for route in routes if route.startswith("POST /channels")]


async def test_a_bot_that_comes_back_to_a_server_goes_on_with_its_matches(house: House) -> None:
    house.expected |= {403, 404}
    board = await house.begin()
    ply = await house.ply()
    world, guild = house.town.world, house.town.guild
    world.remove_member(guild, world.bot)
    player = house.mover(board)
    await house.bot.matches.play(1, player.id, (await house.legal())[0])
    house.bot.courier.nudge(1)
    await house.settled()
    assert await house.ply() > ply
    assert f"Turn {await house.ply()}" not in house.board().text
    assert letters(house, house.ann) == []
    world.admit_bot(guild)
    now = await house.ply()
    await house.town.wait_for("games", lambda m: f"Turn {now}" in m.text)
    await house.settled()
    await house.turn(house.board(), random.Random(57))


async def test_a_locked_thread_is_told_and_waited_for(house: House) -> None:
    house.expected |= {400, 403}
    await house.choose(threads=True)
    board = await house.begin()
    shown = await house.mover(board).slash("/tablan board", channel="games")
    mover = house.mover(board)
    house.town.world.archive(thread(house), archived=True, locked=True)
    assert shown.message is not None
    picked = await house.turn_from(shown.message, mover, random.Random(58))
    told = await picked.followup()
    assert "is locked" in told.text
    ply = await house.ply()
    house.town.world.archive(thread(house), archived=False, locked=False)
    await house.town.wait_for(thread(house), lambda m: f"Turn {ply}" in m.text)
    await house.settled()
