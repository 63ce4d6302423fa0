"""A server chooses how it plays: who may, what they see, and that nothing of it is lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bot.settings.chosen import ServerSettings
from playground.errors import Impossible
from playground.model import Overwrite
from playground.permissions import Permission

if TYPE_CHECKING:
    from playground.model import Message
    from playground.people import Person
    from playground.reply import Reply
    from tests.end_to_end.harness import House


@pytest.fixture(autouse=True)
async def nothing_chosen(house: House) -> None:
    """Begin with what a server has that chooses nothing."""
    await house.choose(threads=True)


def may_manage(house: House, person: Person, *, allowed: bool = True) -> None:
    """Let a person manage the server, or not any more."""
    place = house.town.channel("games")
    permission = Permission.MANAGE_GUILD if allowed else Permission(0)
    place.overwrites[person.id] = Overwrite(1, allow=permission)


async def opened(house: House, person: Person) -> Message:
    """Let a person who may manage the server open its settings."""
    may_manage(house, person)
    reply = await person.slash("/server settings", channel="games")
    assert reply.ephemeral
    assert reply.message is not None
    return reply.message


async def chosen(house: House) -> ServerSettings:
    return await house.bot.choices.server(house.town.guild.id)


def menu(message: Message, custom_id: str) -> int:
    """Return the place of a menu in a message."""
    return [m.custom_id for m in message.menus].index(custom_id)


async def press(person: Person, message: Message, custom_id: str) -> Reply:
    return await person.press(message, custom_id=custom_id)


async def test_the_command_is_neither_offered_to_others_nor_in_direct_messages(
    house: House,
) -> None:
    with pytest.raises(Impossible):
        await house.ann.slash("/server settings", channel="games")
    direct = house.town.world.direct(house.ann.user, house.town.world.bot)
    with pytest.raises(Impossible):
        await house.ann.slash("/server settings", channel=direct)


async def test_everything_is_shown_as_it_is_and_every_change_at_once(house: House) -> None:
    shown = await opened(house, house.ann)
    for words in (
        "in all of them",
        "a thread of its own",
        "a new message each turn",
        "3 days",
        "claim the win",
        "wood",
        "the one that Discord tells",
        "only in the list",
    ):
        assert words in shown.text, words

    await press(house.ann, shown, "s:threads:no")
    assert "in the channel itself" in shown.text
    await press(house.ann, shown, "s:board:edit")
    assert "one message that changes" in shown.text
    await press(house.ann, shown, "s:forfeit:automatic")
    assert "lost at once" in shown.text
    await house.ann.choose(shown, "7", menu=menu(shown, "s:days"))
    assert "7 days" in shown.text
    await house.ann.choose(shown, "contrast", menu=menu(shown, "s:theme"))
    assert "high contrast" in shown.text
    games, quiet = house.town.channel("games"), house.town.channel("quiet")
    await house.ann.choose(shown, games, quiet, menu=menu(shown, "s:channels"))
    await house.ann.choose(shown, quiet, menu=menu(shown, "s:log_channel"))

    assert await chosen(house) == ServerSettings(
        channels=tuple(sorted((games.id, quiet.id))),
        threads=False,
        board="edit",
        days=7,
        forfeit="automatic",
        theme="contrast",
        log_channel=quiet.id,
    )
    await press(house.ann, shown, "s:channels:all")
    await press(house.ann, shown, "s:log_channel:none")
    assert (await chosen(house)).channels == ()
    assert (await chosen(house)).log_channel is None


async def test_who_lost_the_permission_meanwhile_changes_nothing(house: House) -> None:
    shown = await opened(house, house.ann)
    may_manage(house, house.ann, allowed=False)

    refused = await press(house.ann, shown, "s:threads:no")

    assert "Manage Server" in refused.followups[-1].text if refused.followups else refused.text
    assert (await chosen(house)).threads


async def test_settings_and_their_message_outlive_a_restart(house: House) -> None:
    shown = await opened(house, house.ann)
    await press(house.ann, shown, "s:board:edit")
    await house.restart()
    await press(house.ann, shown, "s:threads:no")
    settings = await chosen(house)
    assert (settings.board, settings.threads) == ("edit", False)


async def test_of_two_managers_who_change_different_things_at_once_both_are_heard(
    house: House,
) -> None:
    mine, bens = await opened(house, house.ann), await opened(house, house.ben)
    first = house.ann.start_press(mine, custom_id="s:threads:no")
    second = house.ben.start_press(bens, custom_id="s:board:edit")
    await first.acknowledged()
    await second.acknowledged()
    settings = await chosen(house)
    assert (settings.board, settings.threads) == ("edit", False)
    await house.restart()
    settings = await chosen(house)
    assert (settings.board, settings.threads) == ("edit", False)


async def test_the_same_button_pressed_twice_means_the_same_twice(house: House) -> None:
    mine, bens = await opened(house, house.ann), await opened(house, house.ben)
    await press(house.ann, mine, "s:threads:no")
    await press(house.ben, bens, "s:threads:no")
    assert not (await chosen(house)).threads


async def test_a_deleted_channel_is_told_of_and_goes_with_the_next_choice(house: House) -> None:
    shown = await opened(house, house.ann)
    gone, games = house.town.channel("quiet"), house.town.channel("games")
    await house.ann.choose(shown, gone, games, menu=menu(shown, "s:channels"))
    await house.ann.choose(shown, gone, menu=menu(shown, "s:log_channel"))
    house.town.world.remove_channel(gone)
    while house.bot.get_channel(gone.id) is not None:
        await house.bot.wait_for("guild_channel_delete")

    again = await opened(house, house.ann)

    assert "1 channel that was deleted" in again.text
    assert "was deleted; choose another one" in again.text
    await house.ann.choose(again, games, menu=menu(again, "s:channels"))
    await press(house.ann, again, "s:log_channel:none")
    assert "deleted" not in again.text
    assert (await chosen(house)).channels == (games.id,)


async def test_what_is_stored_and_cannot_be_read_has_its_default(house: House) -> None:
    guild = house.town.guild.id
    from data import choices  # noqa: PLC0415 - only here, past what the bot would ever write

    async with house.store.write() as tx:
        stored = {"theme": "plaid", "days": 99, "threads": False}
        await choices.put_server(tx, guild, stored, by=1, at=house.now())
    await house.restart()
    shown = await opened(house, house.ann)
    assert "3 days" in shown.text
    assert "in the channel itself" in shown.text
    await press(house.ann, shown, "s:threads:yes")
    assert await chosen(house) == ServerSettings()


async def test_boards_in_the_channel_look_as_the_server_likes_them(house: House) -> None:
    first = await house.begin()
    shown = await opened(house, house.ann)
    await house.ann.choose(shown, "contrast", menu=menu(shown, "s:theme"))
    second = await house.begin()
    assert first.picture is not None
    assert second.picture is not None
    assert first.picture != second.picture
