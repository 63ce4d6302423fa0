"""A player chooses how they like to play, anywhere, and it shows."""

from __future__ import annotations

from datetime import time
from typing import TYPE_CHECKING

import pytest

from bot.settings.chosen import PlayerSettings
from playground.errors import Impossible

if TYPE_CHECKING:
    from playground.model import Message
    from playground.people import Person
    from playground.reply import Reply
    from tests.end_to_end.harness import House


async def opened(person: Person, channel: object = "games") -> Message:
    """Let a person open their settings."""
    reply = await person.slash("/me settings", channel=channel)  # type: ignore[arg-type]
    assert reply.message is not None
    return reply.message


async def chosen(house: House, person: Person) -> PlayerSettings:
    return await house.bot.choices.player(person.id)


def menu(message: Message, custom_id: str) -> int:
    return [m.custom_id for m in message.menus].index(custom_id)


async def typed(person: Person, shown: Message, button: str, field: str, text: str) -> Reply:
    """Let a person press a button that asks, and type an answer."""
    asked = await person.press(shown, custom_id=button)
    assert asked.modal is not None
    return await person.submit(asked.modal, {field: text})


async def test_everything_is_shown_and_every_change_at_once_to_this_person_alone(
    house: House,
) -> None:
    shown = await opened(house.ann)
    assert shown.ephemeral
    for name in ("coordinates", "pings", "reminders", "clips"):
        await house.ann.press(shown, custom_id=f"m:{name}:no")
    for name in ("turned", "confirm"):
        await house.ann.press(shown, custom_id=f"m:{name}:yes")
    await house.ann.choose(shown, "night", menu=menu(shown, "m:theme"))
    await typed(house.ann, shown, "m:ask:zone", "zone", "stockholm")
    await typed(house.ann, shown, "m:ask:quiet", "quiet", "10pm to 7:30")

    for words in ("night", "left out", "your side below", "you are asked", "without a ping"):
        assert words in shown.text, words
    assert "Europe/Stockholm" in shown.text
    assert "22:00-07:30" in shown.text
    assert await chosen(house, house.ann) == PlayerSettings(
        theme="night",
        coordinates=False,
        turned=True,
        confirm=True,
        pings=False,
        reminders=False,
        clips=False,
        zone="Europe/Stockholm",
        quiet_from=time(22),
        quiet_to=time(7, 30),
    )
    assert await chosen(house, house.ben) == PlayerSettings()
    await house.ann.press(shown, custom_id="m:ask:loud")
    assert (await chosen(house, house.ann)).quiet_from is None
    await house.ann.choose(shown, "-", menu=menu(shown, "m:theme"))
    assert (await chosen(house, house.ann)).theme is None


async def test_it_works_in_direct_messages(house: House) -> None:
    direct = house.town.world.direct(house.ann.user, house.town.world.bot)
    shown = await opened(house.ann, direct)
    await house.ann.press(shown, custom_id="m:confirm:yes")
    assert (await chosen(house, house.ann)).confirm


@pytest.mark.parametrize(
    ("button", "field", "text", "answer"),
    [
        ("m:ask:zone", "zone", "Stokholm", "Europe/Stockholm"),
        ("m:ask:zone", "zone", "qqqq", "by its city"),
        ("m:ask:quiet", "quiet", "at night", "22:00-07:30"),
        ("m:ask:quiet", "quiet", "22:00-25:00", "no such time"),
        ("m:ask:quiet", "quiet", "22:00-10pm", "all day"),
    ],
)
async def test_what_cannot_be_read_is_told_kindly_and_changes_nothing(
    house: House, button: str, field: str, text: str, answer: str
) -> None:
    shown = await opened(house.ann)
    reply = await typed(house.ann, shown, button, field, text)
    assert reply.message is not None
    assert reply.ephemeral
    assert answer in reply.text
    assert await chosen(house, house.ann) == PlayerSettings()


async def test_buttons_and_a_form_that_was_open_work_after_a_restart(house: House) -> None:
    shown = await opened(house.ann)
    asked = await house.ann.press(shown, custom_id="m:ask:quiet")
    await house.restart()
    await house.ann.submit(asked.modal, {"quiet": "23-6"})
    await house.ann.press(shown, custom_id="m:turned:yes")
    settings = await chosen(house, house.ann)
    assert (settings.quiet_from, settings.quiet_to, settings.turned) == (time(23), time(6), True)


async def test_of_two_changes_at_once_both_count(house: House) -> None:
    one, two = await opened(house.ann), await opened(house.ann)
    first = house.ann.start_press(one, custom_id="m:turned:yes")
    second = house.ann.start_press(two, custom_id="m:confirm:yes")
    await first.acknowledged()
    await second.acknowledged()
    settings = await chosen(house, house.ann)
    assert (settings.turned, settings.confirm) == (True, True)


async def test_nobody_else_can_press_what_one_person_sees(house: House) -> None:
    shown = await opened(house.ann)
    with pytest.raises(Impossible):
        await house.ben.press(shown, custom_id="m:turned:yes")


async def test_a_board_that_one_person_sees_looks_as_they_like_it(house: House) -> None:
    board = await house.begin()
    plain = (await house.ann.slash("/tablan board")).message
    settings = await opened(house.ann)
    await house.ann.press(settings, custom_id="m:coordinates:no")
    bare = (await house.ann.slash("/tablan board")).message
    await house.ann.choose(settings, "contrast", menu=menu(settings, "m:theme"))
    bright = (await house.ann.slash("/tablan board")).message
    assert plain is not None
    assert bare is not None
    assert bright is not None
    assert len({plain.picture, bare.picture, bright.picture}) == 3
    others = (await house.ben.slash("/tablan board")).message
    assert others is not None
    assert others.picture == plain.picture
    assert house.board().picture == board.picture


async def test_the_board_of_their_turn_is_turned_for_a_player_who_likes_it(house: House) -> None:
    """Only for Black, whose side is above."""
    for seat in ("black", "white"):
        await house.begin(seat=seat)
    straight = (await house.ann.slash("/tablan board", match=1)).message
    as_white = (await house.ann.slash("/tablan board", match=2)).message
    await house.ann.press(await opened(house.ann), custom_id="m:turned:yes")
    turned = (await house.ann.slash("/tablan board", match=1)).message
    same = (await house.ann.slash("/tablan board", match=2)).message
    assert straight is not None
    assert as_white is not None
    assert turned is not None
    assert same is not None
    assert turned.picture != straight.picture
    assert same.picture == as_white.picture
