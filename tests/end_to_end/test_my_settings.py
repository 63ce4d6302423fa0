"""Personal settings can be changed anywhere and take effect."""

from __future__ import annotations

from datetime import time

import pytest

from bot.core.interactions import components
from bot.core.settings.player_settings import PlayerSettings
from bot.core.settings.service import SettingsStore
from bot.features.web.service import WebAccess
from playground.interaction import InteractionType
from playground.model import Message
from playground.people import Person
from playground.reply import Reply
from tests.end_to_end.harness import Environment
from tests.end_to_end.people import may_manage


async def opened(person: Person, channel: object = "games") -> Message:
    return (await person.slash("/me settings", channel=channel)).shown  # type: ignore[arg-type]


async def chosen(env: Environment, person: Person) -> PlayerSettings:
    return await env.app.get(SettingsStore).player(person.id)


def menu(message: Message, custom_id: str) -> int:
    return [m.custom_id for m in message.menus].index(custom_id)


async def typed(person: Person, message: Message, button: str, field: str, text: str) -> Reply:
    reply = await person.press(message, custom_id=button)
    assert reply.modal is not None
    return await person.submit(reply.modal, {field: text})


async def test_all_settings_and_changes_are_shown_at_once_and_privately(env: Environment) -> None:
    message = await opened(env.ann)
    assert message.ephemeral
    for name in ("coordinates", "pings", "clips"):
        await env.ann.press(message, custom_id=f"set:me:{name}:no")
    for name in ("turned", "confirm"):
        await env.ann.press(message, custom_id=f"set:me:{name}:yes")
    await env.ann.choose(message, "night", menu=menu(message, "pick:me:theme"))
    await env.ann.choose(message, "off", menu=menu(message, "pick:me:remind_every"))
    await typed(env.ann, message, "ask:me:zone", "zone", "stockholm")
    await typed(env.ann, message, "ask:me:quiet_from", "quiet_from", "10pm to 7:30")
    for words in ("night", "left out", "your side at the bottom", "I ask before", "none"):
        assert words in message.text, words
    assert "Europe/Stockholm" in message.text
    assert "22:00-07:30" in message.text
    assert await chosen(env, env.ann) == PlayerSettings(
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
    assert await chosen(env, env.ben) == PlayerSettings()
    await env.ann.press(message, custom_id="set:me:quiet_from:none")
    assert (await chosen(env, env.ann)).quiet_from is None
    await env.ann.choose(message, "-", menu=menu(message, "pick:me:theme"))
    assert (await chosen(env, env.ann)).theme is None


async def test_reminders_are_one_choice(env: Environment) -> None:
    message = await opened(env.ann)
    picker = menu(message, "pick:me:remind_every")
    expected = {
        "off": ("**Reminders:** none", (False, None)),
        "24": ("**Reminders:** every 24 hours", (True, 24)),
        "-": ("**Reminders:** once", (True, None)),
    }
    for value, (line, settings) in expected.items():
        await env.ann.choose(message, value, menu=picker)
        assert f"\n{line}" in message.text
        assert message.text.count("**Reminders") == 1
        stored = await chosen(env, env.ann)
        assert (stored.reminders, stored.remind_every) == settings
    assert "Remind me" not in [button.label for button in message.buttons]


async def test_a_button_of_an_earlier_version_changes_what_still_exists(env: Environment) -> None:
    reply = await env.ann.slash("/me settings", channel="games")
    for name, value, kept in (
        ("reminders", "no", False),
        ("pets", "yes", False),
        ("reminders", "yes", True),
    ):
        custom_id = f"set:me:{name}:{value}"
        data = {"custom_id": custom_id, "id": 1, "component_type": components.BUTTON}
        await env.ann._interact(
            InteractionType.COMPONENT, env.channel(), data, message=reply.message
        )
        assert (await chosen(env, env.ann)).reminders is kept
        assert f"**Reminders:** {'once' if kept else 'none'}" in reply.shown.text


async def test_settings_work_in_direct_messages(env: Environment) -> None:
    direct = env.world.dm_channel(env.ann.user, env.world.bot)
    message = await opened(env.ann, direct)
    await env.ann.press(message, custom_id="set:me:confirm:yes")
    assert (await chosen(env, env.ann)).confirm


@pytest.mark.parametrize(
    ("button", "field", "text", "answer"),
    [
        ("ask:me:zone", "zone", "Stokholm", "Europe/Stockholm"),
        ("ask:me:quiet_from", "quiet_from", "22:00-25:00", "isn't a time"),
    ],
)
async def test_invalid_input_is_refused_politely_and_changes_nothing(
    env: Environment, button: str, field: str, text: str, answer: str
) -> None:
    message = await opened(env.ann)
    reply = (await typed(env.ann, message, button, field, text)).shown
    assert reply.ephemeral
    assert answer in reply.text
    assert await chosen(env, env.ann) == PlayerSettings()


async def test_buttons_and_an_open_form_work_after_a_restart(env: Environment) -> None:
    message = await opened(env.ann)
    reply = await env.ann.press(message, custom_id="ask:me:quiet_from")
    await env.restart()
    await env.ann.submit(reply.modal, {"quiet_from": "23-6"})
    await env.ann.press(message, custom_id="set:me:turned:yes")
    settings = await chosen(env, env.ann)
    assert (settings.quiet_from, settings.quiet_to, settings.turned) == (time(23), time(6), True)


async def test_two_simultaneous_changes_both_apply(env: Environment) -> None:
    one, two = await opened(env.ann), await opened(env.ann)
    first = env.ann.press(one, custom_id="set:me:turned:yes")
    second = env.ann.press(two, custom_id="set:me:confirm:yes")
    await first
    await second
    settings = await chosen(env, env.ann)
    assert (settings.turned, settings.confirm) == (True, True)


async def test_private_boards_use_the_readers_settings(env: Environment) -> None:
    board = await env.begin()
    plain = (await env.ann.slash("/tablan board")).shown
    settings = await opened(env.ann)
    await env.ann.press(settings, custom_id="set:me:coordinates:no")
    bare = (await env.ann.slash("/tablan board")).shown
    await env.ann.choose(settings, "contrast", menu=menu(settings, "pick:me:theme"))
    bright = (await env.ann.slash("/tablan board")).shown
    assert len({plain.picture, bare.picture, bright.picture}) == 3
    others = (await env.ben.slash("/tablan board")).shown
    assert others.picture == plain.picture
    assert env.board().picture == board.picture


async def test_boards_are_rotated_for_a_player_who_prefers_that(env: Environment) -> None:
    """Only for Black, whose side is at the top."""
    for seat in ("black", "white"):
        await env.begin(seat=seat)
    straight = (await env.ann.slash("/tablan board", match=1)).shown
    as_white = (await env.ann.slash("/tablan board", match=2)).shown
    await env.ann.press(await opened(env.ann), custom_id="set:me:turned:yes")
    turned = (await env.ann.slash("/tablan board", match=1)).shown
    same = (await env.ann.slash("/tablan board", match=2)).shown
    assert turned.picture != straight.picture
    assert same.picture == as_white.picture


async def test_what_a_button_changes_has_it_beside(env: Environment) -> None:
    """And all lines and controls fit one message of Discord, whatever is chosen."""
    message = await opened(env.ann)
    beside = {
        part["components"][0]["content"]: part["accessory"]["custom_id"]
        for part in message.component_data[0]["components"]
        if part["type"] == components.SECTION
    }
    assert beside["**Coordinates** on them: shown"] == "set:me:coordinates:no"
    assert beside["**Moves:** played at once"] == "set:me:confirm:yes"
    assert beside["**Quiet hours:** none"] == "ask:me:quiet_from"
    await typed(env.ann, message, "ask:me:quiet_from", "quiet_from", "22-7")
    await env.app.get(WebAccess).open(
        await env.app.get(WebAccess).link(env.ann.id, match_id=None, locale="en-US"), device=""
    )
    again = await opened(env.ann)
    assert {"No quiet hours", "Signed in: 1 place"} <= {one.label for one in again.buttons}


async def test_the_servers_settings_fit_one_message_with_everything_chosen(
    env: Environment,
) -> None:
    may_manage(env, env.ann)
    chosen_ids = {"channels": [env.channel().id], "log_channel": env.channel().id}
    await env.change_settings(**chosen_ids, puzzle_channel=env.channel().id)
    shown = (await env.ann.slash("/server settings")).shown
    clear = {"Play in all channels", "No channel for moderators", "No puzzle of the day"}
    assert clear <= {one.label for one in shown.buttons}
