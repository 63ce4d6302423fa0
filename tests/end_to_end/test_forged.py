"""Custom IDs and options that no Discord client would send: each gets a friendly answer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from bot.core.interactions import components, controls
from bot.core.interactions.controls import Button, Form, Menu
from bot.core.interactions.dispatch import UNEXPECTED
from playground.errors import JSON
from playground.interaction import InteractionType
from playground.people import Person
from playground.reply import Reply
from tests.end_to_end.fake_clients import offered, sent, usual
from tests.end_to_end.harness import Environment
from tests.recorded import CONTROLS as RECORDED

HUGE = tuple(str(number) for number in (2**31 - 1, 2**31, 2**63 - 1, 2**63, 10**30, -1))
VALUES = (*HUGE, "", "x", "1_0", "१", "i999999999999999999")
TEXTS = ("", "x", str(2**63), "१", "i999999999999999999")
"""The values of a part that may be any text."""
CHOSEN: tuple[list[str], ...] = ([], ["x"], [str(2**63)])
"""What may be chosen in a menu."""
FORGED: tuple[Any, ...] = (
    *CHOSEN,
    [""],
    ["1", "x"],
    ["0"],
    ["-1"],
    ["²"],
    ["x" * 100],
    ["x" * 4000],
    [7],
    None,
)
"""What no client would choose in a menu."""
SELECTS = (components.STRING_SELECT, components.USER_SELECT, components.CHANNEL_SELECT, 6, 7)
"""Every kind of menu, those of roles and of both users and roles too."""
TYPED: tuple[list[tuple[str, str]], ...] = (
    [],
    [("reason", "")],
    [("no-such-field", "x")],
    *(
        [(name, text) for name in ("reason", "word", "note", "zone", "quiet", "daily")]
        for text in ("", " ", "\u3164", "\0", "x" * 4000, "\u202e\u2028", "9" * 4000)
    ),
)
"""What may stand in a form's fields."""
PREFIXES = sorted({address.partition(":")[0] for address, _ in RECORDED})


def forged(prefix: str) -> Iterator[str]:
    """Yield custom IDs of one kind of control: a recorded one with each part changed.

    Those that parse to no control are all handled alike, so one stands for all. If a bound is lost
    and one parses after all, it is among those yielded.
    """
    refused = False
    for address in dict.fromkeys(_changed(prefix)):
        if controls.find(address) is not None:
            yield address
        elif not refused:
            refused = True
            yield address


def _changed(prefix: str) -> Iterator[str]:
    for address, _ in RECORDED:
        first, *parts = address.split(":")
        if first != prefix:
            continue
        yield prefix
        yield f"{address}:1"
        yield ":".join([first, *parts[:-1]])
        for place in range(len(parts)):
            before, after = [first, *parts[:place]], parts[place + 1 :]
            anything = controls.find(":".join([*before, "x", *after])) is not None
            for value in TEXTS if anything else VALUES:
                made = ":".join([*before, value, *after])
                if len(made) <= controls.MAX_CUSTOM_ID:
                    yield made


async def pressed(
    env: Environment, person: Person, data: JSON, kind: int, on: Reply | None = None
) -> Reply:
    """Use a component of the help, an ephemeral message, as if it had this custom ID.

    Args:
        env: where.
        person: who presses.
        data: what is sent, without the kind of component.
        kind: of component.
        on: the help shown before; if missing, it is called up.
    """
    reply = await person.slash("/help") if on is None else on
    data = {**data, "id": 1, "component_type": kind}
    return await sent(env, person, InteractionType.COMPONENT, data, reply)


@pytest.mark.parametrize("tenth", range(10))
async def test_any_custom_id_gets_a_polite_answer(env: Environment, tenth: int) -> None:
    env.expected |= {404}  # Discord is asked for a user it does not know
    await env.begin()
    ply = await env.ply()
    for prefix in PREFIXES[tenth::10]:
        await tried(env, prefix)
    await env.settled()
    assert await env.ply() == ply


async def tried(env: Environment, prefix: str) -> None:
    kind = controls.registered()[prefix]
    typed = {"type": 18, "component": {"type": 4, "custom_id": "reason", "value": "so it is"}}
    shown, revision = None, 0
    for number, address in enumerate(forged(prefix)):
        if shown is None or shown.message is None or shown.message.revision != revision:
            shown = await env.carol.slash("/help")  # the previous content has been replaced
            revision = shown.shown.revision
        data: JSON = {"custom_id": address}
        if issubclass(kind, Form):
            data["components"] = [typed]
            await sent(env, env.carol, InteractionType.MODAL, data, await env.carol.slash("/help"))
            continue
        if not issubclass(kind, Menu):
            await pressed(env, env.carol, data, components.BUTTON, shown)
        if not issubclass(kind, Button):
            for values in CHOSEN if number < 3 else CHOSEN[number % 3 :][:1]:
                menu = {**data, "values": values}
                await pressed(env, env.carol, menu, components.STRING_SELECT, shown)


@pytest.mark.parametrize("half", range(2))
async def test_any_choice_in_any_menu_gets_a_polite_answer(env: Environment, half: int) -> None:
    env.expected |= {404}  # Discord is asked for a member it does not know
    await env.begin()
    ply = await env.ply()
    menus = [p for p in PREFIXES if issubclass(controls.registered()[p], Menu) or p == "t"]
    for prefix in menus[half::2]:
        address = next(one for one, _ in RECORDED if one.partition(":")[0] == prefix)
        for kind in SELECTS:
            for values in FORGED if kind in SELECTS[:2] else FORGED[:2]:
                data = {"custom_id": address, "values": values}
                await pressed(env, env.carol, data, kind)
    await env.settled()
    assert await env.ply() == ply


async def test_any_text_in_any_field_of_a_form_gets_a_polite_answer(env: Environment) -> None:
    await env.begin()
    for address, _ in RECORDED:
        if not issubclass(controls.registered()[address.partition(":")[0]], Form):
            continue
        for fields in TYPED:
            data = {
                "custom_id": address,
                "components": [
                    {"type": 18, "component": {"type": 4, "custom_id": name, "value": text}}
                    for name, text in fields
                ],
            }
            shown = await env.carol.slash("/help")
            await sent(env, env.carol, InteractionType.MODAL, data, shown)


async def test_an_unknown_custom_id_gets_advice(env: Environment) -> None:
    for address in ("", ":", "x", "x:1", "t", "t:", "no-such-thing:1:2", "c:1:acc\N{SNOWMAN}pt"):
        for kind in (components.BUTTON, components.STRING_SELECT, components.USER_SELECT):
            data = {"custom_id": address, "values": ["1"]}
            reply = await pressed(env, env.carol, data, kind)
            assert "Use the command again" in reply.text
            assert reply.ephemeral


def changed(options: list[JSON], name: str, value: object) -> list[JSON]:
    return [
        {**one, "options": changed(one["options"], name, value)}
        if "options" in one
        else {**one, "value": value if one["name"] == name else one["value"]}
        for one in options
    ]


async def test_an_option_far_out_of_range_gets_a_polite_answer(env: Environment) -> None:
    await env.begin()
    tried = 0
    for command in offered(env):
        for option in command.options:
            if option["type"] not in {3, 4}:
                continue
            given = {
                one["name"]: usual(env, one)
                for one in command.options
                if one.get("required") or one["name"] == option["name"]
            }
            data = env.ann._slash_data(command, given, env.channel())
            wrong: tuple[object, ...] = (-1, 2**31, 2**53, 2**63, 10**30)
            if option["type"] == 3:
                free = not option.get("choices")
                wrong = ("a" * (option["max_length"] + 1),) if free else ("x", "a" * 900)
            for value in wrong:
                forged = {**data, "options": changed(data["options"], option["name"], value)}
                reply = await sent(env, env.ann, InteractionType.COMMAND, forged)
                assert reply.ephemeral, (command, option["name"], value)
                tried += 1
    assert tried > 50


async def test_a_form_with_more_text_than_fits_gets_a_polite_answer(env: Environment) -> None:
    await env.begin()
    field = {"type": 18, "component": {"type": 4, "custom_id": "note", "value": "a" * 4001}}
    data: JSON = {"custom_id": "noted:1:", "components": [field]}
    reply = await sent(env, env.ann, InteractionType.MODAL, data, await env.ann.slash("/help"))
    assert "too long" in reply.text


async def test_any_match_number_gets_a_polite_answer(env: Environment) -> None:
    await env.begin()
    for number in ("0", "i0", "-1", str(2**63), "i" + str(2**63), "9" * 18, "i" + "9" * 18, "²"):
        for command in ("/match replay", "/match gif", "/match export", "/match analysis"):
            reply = await env.carol.slash(command, options={"number": number})
            assert UNEXPECTED not in reply.text
            assert reply.ephemeral
