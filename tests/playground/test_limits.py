"""Discord's limits: requests are refused as by Discord, and violations recorded."""

from __future__ import annotations

import io
from typing import Any

import discord
import pytest
from discord import app_commands, ui

from playground.app import Playground
from playground.limits.commands import check_commands
from playground.limits.problems import Problems
from tests.playground.sample_bot import SampleBot, board, picture


async def raw(bot: SampleBot, playground: Playground, **body: Any) -> set[str]:
    """Send a message as is, bypassing discord.py's own checks; return its errors."""
    route = discord.http.Route(
        "POST", "/channels/{channel_id}/messages", channel_id=playground.channel("general").id
    )
    with pytest.raises(discord.HTTPException) as refusal:
        await bot.http.request(route, json=body)
    assert refusal.value.status == 400
    assert playground.person("Ann").sees("general") == []
    return {violation.problem.code for violation in playground.violations}


def row(*components: dict[str, Any]) -> dict[str, Any]:
    return holding(1, *components)


def holding(kind: int, *components: dict[str, Any]) -> dict[str, Any]:
    return {"type": kind, "components": list(components)}


def button(custom_id: str | None = "a", **more: Any) -> dict[str, Any]:
    return {"type": 2, "style": 2, "label": "Press", "custom_id": custom_id, **more}


def words(text: str) -> dict[str, Any]:
    return {"type": 10, "content": text}


V2 = 1 << 15


async def test_an_error_names_the_invalid_field(playground: Playground, bot: SampleBot) -> None:
    view = ui.View()
    view.add_item(ui.Button(label="x" * 81, custom_id="a"))
    with pytest.raises(discord.HTTPException) as refusal:
        await bot.room(playground.channel("general")).send("Hello.", view=view)
    assert refusal.value.code == 50035
    assert "components.0.components.0.label: Must be 80 or fewer in length." in str(refusal.value)
    assert "label" in str(playground.violations[0])


def menu(*values: str) -> dict[str, Any]:
    options = [{"label": "x", "value": value} for value in values]
    return {"type": 3, "custom_id": "a", "options": options}


PICTURE = {"type": 12, "items": [{"media": {"url": "attachment://no.png"}}]}
TEXT_INPUT = {"type": 4, "custom_id": "a", "style": 1}
BOTH = {"parse": ["users"], "users": ["1"]}
NUMBERED = [button(str(n)) for n in range(6)]


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"content": "x" * 2001}, "BASE_TYPE_MAX_LENGTH"),
        ({"content": ""}, "50006"),
        ({"nonce": "x" * 26}, "BASE_TYPE_MAX_LENGTH"),
        ({"components": [row(button("x" * 101))]}, "BASE_TYPE_BAD_LENGTH"),
        ({"components": [row(button(None))]}, "BASE_TYPE_REQUIRED"),
        ({"components": [row(button("a"), button("a"))]}, "COMPONENT_CUSTOM_ID_DUPLICATED"),
        ({"components": [row(button("b"), menu("x"))]}, "COMPONENT_LAYOUT_WIDTH_EXCEEDED"),
        ({"components": [row(one) for one in NUMBERED]}, "BASE_TYPE_BAD_LENGTH"),
        ({"components": [row(*NUMBERED)]}, "BASE_TYPE_BAD_LENGTH"),
        ({"components": [words("V2 without the flag")]}, "UNION_TYPE_CHOICES"),
        ({"components": [row(menu(*map(str, range(26))))]}, "BASE_TYPE_BAD_LENGTH"),
        ({"components": [row(menu("x", "x"))]}, "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED"),
        ({"components": [row(TEXT_INPUT)]}, "UNION_TYPE_CHOICES"),
        ({"embeds": [{"description": "x" * 3001}] * 2}, "MAX_EMBED_SIZE_EXCEEDED"),
        ({"embeds": [{"title": "x" * 257}]}, "BASE_TYPE_MAX_LENGTH"),
        ({"embeds": [{"title": "x"}] * 11}, "BASE_TYPE_BAD_LENGTH"),
        ({"allowed_mentions": BOTH}, "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE"),
        ({"attachments": [{"id": 0}]}, "ATTACHMENT_NOT_FOUND"),
        (
            {"flags": V2, "components": [words("x")]},
            "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
        ),
    ],
)
async def test_a_message_beyond_a_limit_is_refused(
    playground: Playground, bot: SampleBot, body: dict[str, Any], code: str
) -> None:
    assert code in await raw(bot, playground, **{"content": "x", **body})


@pytest.mark.parametrize(
    ("components", "code"),
    [
        ([words("x" * 2001), words("x" * 2000)], "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED"),
        (
            [holding(17, *[words("x")] * 20), holding(17, *[words("x")] * 19)],
            "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED",
        ),
        ([PICTURE], "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND"),
        ([holding(9, words("x"))], "BASE_TYPE_REQUIRED"),
    ],
)
async def test_components_beyond_a_limit_are_refused(
    playground: Playground, bot: SampleBot, components: list[dict[str, Any]], code: str
) -> None:
    assert code in await raw(bot, playground, flags=V2, components=components)


async def test_a_message_at_the_limits_passes(playground: Playground, bot: SampleBot) -> None:
    view = ui.LayoutView()
    container: ui.Container[Any] = ui.Container(ui.TextDisplay("x" * 4000))
    for group in range(5):
        line: ui.ActionRow[Any] = ui.ActionRow()
        for n in range(5):
            line.add_item(ui.Button(label="x" * 80, custom_id=f"{group}{n}".ljust(100, "x")))
        container.add_item(line)
    view.add_item(container)
    await bot.room(playground.channel("general")).send(view=view)
    await bot.room(playground.channel("games")).send("x" * 2000)
    assert playground.violations == []


async def test_an_unused_picture_is_recorded_but_accepted(
    playground: Playground, bot: SampleBot
) -> None:
    await bot.room(playground.channel("general")).send(view=board(0), file=picture())
    assert [v.problem.code for v in playground.violations] == ["ATTACHMENT_NOT_SHOWN"]
    assert not playground.violations[0].problem.refused


async def test_an_unknown_key_is_recorded_but_accepted(
    playground: Playground, bot: SampleBot
) -> None:
    route = discord.http.Route(
        "POST", "/channels/{channel_id}/messages", channel_id=playground.channel("general").id
    )
    await bot.http.request(route, json={"content": "Hello.", "colour": "red"})
    assert [v.problem.code for v in playground.violations] == ["UNKNOWN_KEY"]


async def test_a_file_beyond_ten_mebibytes_is_refused(
    playground: Playground, bot: SampleBot
) -> None:
    big = discord.File(io.BytesIO(bytes(10 * 1024 * 1024 + 1)), "big.bin")
    with pytest.raises(discord.HTTPException) as refusal:
        await bot.room(playground.channel("general")).send(file=big)
    assert refusal.value.status == 413


async def test_the_v2_flag_can_never_be_removed(playground: Playground, bot: SampleBot) -> None:
    message = await bot.room(playground.channel("general")).send(view=board(0))
    with pytest.raises(discord.HTTPException) as refusal:
        await message.edit(content="Plain words.", view=None)
    assert refusal.value.code in {50035, 50006}
    post = playground.person("Ann").sees("general")[0]
    assert post.v2
    assert post.text == "Counted 0."


async def test_a_plain_message_becomes_components_once_its_text_is_removed(
    playground: Playground, bot: SampleBot
) -> None:
    message = await bot.room(playground.channel("general")).send("Plain words.")
    with pytest.raises(discord.HTTPException):
        await message.edit(view=board(0))
    await message.edit(content=None, embeds=[], attachments=[], view=board(0))
    assert playground.person("Ann").sees("general")[0].text == "Counted 0."


# Commands


def command(name: str = "go", **more: Any) -> dict[str, Any]:
    return {"name": name, "description": "Goes", "type": 1, **more}


def option(name: str = "where", kind: int = 3, **more: Any) -> dict[str, Any]:
    return {"name": name, "description": "Where to", "type": kind, **more}


LONG = [{"name": f"{n}".rjust(90, "x"), "value": "x" * 90} for n in range(3)]


@pytest.mark.parametrize(
    ("definitions", "code"),
    [
        ([command("Go")], "APPLICATION_COMMAND_INVALID_NAME"),
        ([command("go there")], "APPLICATION_COMMAND_INVALID_NAME"),
        ([command("x" * 33)], "BASE_TYPE_BAD_LENGTH"),
        ([command(description="")], "BASE_TYPE_BAD_LENGTH"),
        ([command(description="x" * 101)], "BASE_TYPE_BAD_LENGTH"),
        ([command(), command()], "APPLICATION_COMMANDS_DUPLICATE_NAME"),
        ([command(f"go{n}") for n in range(101)], "APPLICATION_COMMANDS_MAX"),
        (
            [command(options=[option("a"), option("b", required=True)])],
            "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID",
        ),
        (
            [command(options=[option(), option()])],
            "APPLICATION_COMMAND_OPTIONS_NAME_INVALID",
        ),
        ([command(options=[option(str(n)) for n in range(26)])], "BASE_TYPE_BAD_LENGTH"),
        (
            [command(options=[option(choices=[{"name": "x", "value": "x"}] * 2)])],
            "APPLICATION_COMMAND_OPTIONS_CHOICE_NAME_EXISTS",
        ),
        (
            [command(options=[option("a", 2, options=[option("b", 2, options=[])])])],
            "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID",
        ),
        (
            [command(options=[option("a", 1), option("b", 3)])],
            "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID",
        ),
        (
            [command(options=[option(f"o{n}", choices=LONG) for n in range(20)])],
            "APPLICATION_COMMAND_TOO_LARGE",
        ),
        ([command(name_localizations={"sr": "idi"})], "BASE_TYPE_CHOICES"),
        (
            [{"name": "Look", "type": 2, "description": "no"}],
            "APPLICATION_COMMAND_CONTEXT_MENU_FIELD",
        ),
    ],
)
def test_a_command_beyond_a_limit_is_refused(definitions: list[dict[str, Any]], code: str) -> None:
    problems = Problems()
    check_commands(problems, definitions)
    assert code in {problem.code for problem in problems.found if problem.refused}


def test_commands_within_the_limits_pass() -> None:
    problems = Problems()
    check_commands(
        problems,
        [
            command("พูด"),
            command("नमस्ते"),
            command("go-on_now", name_localizations={"de": "weiter", "ja": "進む"}),
            command(
                options=[
                    option("here", 1, options=[option(required=True), option("b", 5)]),
                    option("group", 2, options=[option("there", 1, options=[])]),
                ]
            ),
            {"name": "Look At", "type": 2, "description": ""},
        ],
    )
    assert problems.found == []


async def test_refused_commands_are_not_synced(playground: Playground, bot: SampleBot) -> None:
    before = playground.world.commands.syncs

    @bot.tree.command(name="again", description="x")
    @app_commands.rename(first="same", second="same")
    async def _again(_: Any, first: str, second: str) -> None: ...

    with pytest.raises(app_commands.CommandSyncFailure):
        await bot.tree.sync()
    assert playground.world.commands.syncs == before
    assert [leaf.line("en-US") for leaf in playground.person("Ann").slash_commands()] == ["/do"]
