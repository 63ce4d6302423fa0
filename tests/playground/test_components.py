"""Every type of component and option, both ways."""

from __future__ import annotations

from typing import Any

import discord
import pytest
from discord import app_commands, ui

from playground.access import permissions_in
from playground.app import Playground
from playground.errors import Impossible
from playground.model import Overwrite, Role
from playground.permissions import ALL, EVERYONE, NOTHING, Permission
from playground.uploads import Upload
from tests.playground.sample_bot import Ask, SampleBot, picture, png


async def test_a_message_with_every_component_is_read_back_unchanged(
    playground: Playground, bot: SampleBot
) -> None:
    view = ui.LayoutView()
    section: ui.Section[Any] = ui.Section(
        ui.TextDisplay("Beside a picture."),
        accessory=ui.Thumbnail("attachment://small.png", description="A small picture."),
    )
    pressed: ui.Section[Any] = ui.Section(
        "Beside a button.", accessory=ui.Button(label="Press", custom_id="p")
    )
    view.add_item(ui.Container(section, ui.Separator(), pressed, accent_colour=0x112233))
    view.add_item(ui.File("attachment://log.txt"))
    view.add_item(
        ui.MediaGallery(
            discord.MediaGalleryItem("https://example.org/a.png", description="From elsewhere."),
            discord.MediaGalleryItem("attachment://small.png"),
        )
    )
    files = [picture("small.png"), discord.File(__file__, "log.txt")]
    sent = await bot.room(playground.channel("general")).send(view=view, files=files)
    assert playground.violations == []
    message = playground.person("Ann").sees("general")[0]
    assert message.text == "Beside a picture.\nBeside a button."
    assert [button.label for button in message.buttons] == ["Press"]
    assert message.alt == "A small picture."
    again = ui.LayoutView.from_message(sent)
    assert again.total_children_count == view.total_children_count
    with pytest.raises(discord.HTTPException, match="Scheme"):
        await sent.edit(view=again)  # a file can only be named as an attachment
    again.remove_item(again.children[1])
    await sent.edit(view=again)
    assert [a.filename for a in message.attachments] == ["small.png", "log.txt"]
    assert message.alt == "A small picture."


async def test_a_form_with_every_field_can_be_filled(
    playground: Playground, bot: SampleBot
) -> None:
    got: list[Any] = []

    def options(*labels: str) -> list[Any]:
        return [{"label": label, "value": label.lower()} for label in labels]

    def label(text: str, component: dict[str, Any]) -> dict[str, Any]:
        return {"type": 18, "label": text, "component": component}

    forms = [
        [
            {"type": 10, "content": "Some words."},
            label("File", {"type": 19, "custom_id": "file"}),
            label("Side", {"type": 21, "custom_id": "side", "options": options("White", "Black")}),
            label("Days", {"type": 22, "custom_id": "days", "options": options("Mon", "Tue")}),
            label("Sure", {"type": 23, "custom_id": "sure", "default": True}),
        ],
        [
            label("Who", {"type": 5, "custom_id": "who", "required": False}),
            label("Where", {"type": 8, "custom_id": "where"}),
            label("Role", {"type": 6, "custom_id": "role"}),
            label("Words", {"type": 4, "custom_id": "words", "style": 1, "value": "As before"}),
            label("Notes", {"type": 4, "custom_id": "notes", "style": 2, "required": False}),
        ],
    ]

    @bot.event
    async def on_interaction(interaction: Ask) -> None:
        assert interaction.data is not None
        if interaction.type is discord.InteractionType.modal_submit:
            got.append(interaction.data)
            await interaction.response.defer()

    async def open_form(interaction: Ask) -> None:
        data = {"custom_id": "f", "title": "A form", "components": forms.pop(0)}
        route = discord.http.Route(
            "POST",
            "/interactions/{webhook_id}/{webhook_token}/callback",
            webhook_id=interaction.id,
            webhook_token=interaction.token,
        )
        await interaction.client.http.request(route, json={"type": 9, "data": data})

    bot.do = open_form
    ann = playground.person("Ann")
    form = (await ann.slash("/do")).modal
    assert form is not None
    assert form.text == "Some words."
    file = Upload("a.png", "image/png", png())
    good = {"File": file, "Side": "White", "Days": ["Mon", "Tue"]}
    for wrong, why in (
        (good | {"Side": "Blue"}, "does not offer"),
        (good | {"Days": []}, "takes between"),
        (good | {"File": []}, "takes between"),
        ({"File": file, "Days": "Mon"}, "'Side' takes between"),
    ):
        with pytest.raises(Impossible, match=why):
            await ann.submit(form, wrong)
    answer = ann.submit(form, good)
    with pytest.raises(Impossible, match="already"):
        await ann.submit(form, good)
    values = {
        c["component"]["custom_id"]: c["component"].get("values", c["component"].get("value"))
        for c in answer.interaction.data["components"]
        if "component" in c
    }
    assert values["side"] == "white"
    assert values["days"] == ["mon", "tue"]
    assert values["sure"] is True
    assert list(answer.interaction.data["resolved"]["attachments"]) == values["file"]

    second = (await ann.slash("/do")).modal
    here, everyone = playground.channel("games"), playground.guild.roles[playground.guild.id]
    with pytest.raises(Impossible, match="does not offer"):
        await ann.submit(second, {"Where": playground.person("Ben"), "Role": everyone})
    sent = ann.submit(second, {"Where": here, "Role": everyone})
    parts = [c["component"] for c in sent.interaction.data["components"]]
    assert [p.get("values", p.get("value")) for p in parts] == [
        [],
        [str(here.id)],
        [str(everyone.id)],
        "As before",
        "",
    ]
    assert playground.violations == []


async def test_every_kind_of_option_reaches_the_bot(playground: Playground, bot: SampleBot) -> None:
    got: list[Any] = []

    @bot.tree.command(name="all", description="Takes everything")
    async def _all(  # noqa: PLR0917 - one option of each kind
        interaction: Ask,
        yes: bool,  # noqa: FBT001 - discord.py passes options by position and name
        half: float,
        role: discord.Role,
        anybody: discord.Member | discord.Role,
        file: discord.Attachment,
        word: app_commands.Range[str, 2, 3],
    ) -> None:
        got.extend([yes, half, role.name, str(anybody), file.filename, word])
        await interaction.response.send_message("Thank you.")

    await bot.tree.sync()
    ann, everyone = playground.person("Ann"), playground.guild.roles[playground.guild.id]
    file = Upload("a.png", "image/png", png())
    given: dict[str, Any] = {
        "yes": True,
        "half": 0.5,
        "role": everyone,
        "anybody": playground.person("Ben"),
        "file": file,
        "word": "abc",
    }
    for wrong in ({"yes": 1}, {"half": True}, {"role": ann}, {"file": b"x"}, {"word": "abcd"}):
        with pytest.raises(Impossible):
            await ann.slash("/all", options=given | wrong)
    await ann.slash("/all", options=given)
    assert got == [True, 0.5, "@everyone", "ben", "a.png", "abc"]


async def test_role_and_channel_permissions_combine_as_in_discord(playground: Playground) -> None:
    ann, games = playground.person("Ann"), playground.channel("games")
    role = Role(playground.world.ids.next(), "Players", Permission.MANAGE_MESSAGES)
    playground.guild.roles[role.id] = role
    assert permissions_in(ann.user, games) == EVERYONE
    playground.guild.members[ann.id].role_ids.append(role.id)
    assert permissions_in(ann.user, games) == EVERYONE | Permission.MANAGE_MESSAGES
    games.overwrites[playground.guild.id] = Overwrite(0, deny=Permission.SEND_MESSAGES)
    assert not permissions_in(ann.user, games) & Permission.SEND_MESSAGES
    games.overwrites[role.id] = Overwrite(0, allow=Permission.SEND_MESSAGES)
    assert permissions_in(ann.user, games) & Permission.SEND_MESSAGES
    games.overwrites[ann.id] = Overwrite(1, deny=Permission.SEND_MESSAGES)
    assert not permissions_in(ann.user, games) & Permission.SEND_MESSAGES
    with pytest.raises(Impossible, match="may not write"):
        ann.says("Hello.", channel="games")
    role.permissions |= Permission.ADMINISTRATOR
    assert permissions_in(ann.user, games) == ALL
    assert permissions_in(playground.world.application.owner, games) == ALL
    stranger = playground.world.add_user("Stranger")
    assert permissions_in(stranger, games) == NOTHING


async def test_a_private_thread_is_seen_only_by_its_members(playground: Playground) -> None:
    ann, ben = playground.person("Ann"), playground.person("Ben")
    thread = playground.world.add_thread(
        playground.channel("games"), "Secret", ann.user, private=True
    )
    assert thread in ann.channels()
    assert thread not in ben.channels()
