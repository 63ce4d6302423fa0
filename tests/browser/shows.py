"""One of each message, component and form in Discord."""

from __future__ import annotations

import io
from typing import Any

import discord
from discord import ui
from PIL import Image, ImageDraw

BOARD = "A board of four rows.\nRank 4: twelve black men.\nRank 1: twelve white men."


def picture(colour: str = "#c9a66b") -> discord.File:
    """Draw an obvious board."""
    image = Image.new("RGB", (960, 360), "#ead9b4")
    draw = ImageDraw.Draw(image)
    for column in range(12):
        for row in range(4):
            left, top = 30 + column * 75, 30 + row * 75
            draw.rectangle((left, top, left + 70, top + 70), fill=colour)
            if row in {0, 3}:
                box = (left + 12, top + 12, left + 58, top + 58)
                draw.ellipse(box, fill="#2b2420" if row == 0 else "#f6f1e6", outline="#2b2420")
    out = io.BytesIO()
    image.save(out, "PNG")
    out.seek(0)
    return discord.File(out, "board.png", description=BOARD)


def notes() -> discord.File:
    """Write a small text file."""
    return discord.File(io.BytesIO(b"one line\n"), "notes.txt")


class Press(ui.Button[Any]):
    """A button that adds its presser's name to its message."""

    async def callback(self, interaction: discord.Interaction) -> None:
        """Post who pressed which button."""
        await interaction.response.send_message(
            f"{interaction.user.display_name} pressed {self.label}"
        )


class Row(ui.ActionRow[Any]):
    """One menu that posts the choice."""

    def __init__(self, menu: ui.Item[Any]) -> None:
        super().__init__(menu)
        menu.callback = self.chosen  # type: ignore[method-assign]

    async def chosen(self, interaction: discord.Interaction) -> None:
        """Post the values."""
        data: Any = interaction.data
        values: list[str] = data["values"]
        named = ", ".join(_named(interaction, value) for value in values)
        await interaction.response.send_message(f"Chosen: {named}")


def _named(interaction: discord.Interaction, value: str) -> str:
    guild = interaction.guild
    if not value.isdecimal() or guild is None:
        return value
    channel = guild.get_channel_or_thread(int(value))
    role = guild.get_role(int(value))
    return f"#{channel.name}" if channel else role.name if role else f"<@{value}>"


class Everything(ui.LayoutView):
    """One of each component."""

    def __init__(self) -> None:
        super().__init__(timeout=None)
        buttons = ui.ActionRow[Any]()
        for label, style in (
            ("Primary", discord.ButtonStyle.primary),
            ("Secondary", discord.ButtonStyle.secondary),
            ("Success", discord.ButtonStyle.success),
            ("Danger", discord.ButtonStyle.danger),
        ):
            buttons.add_item(Press(label=label, style=style))
        more = ui.ActionRow[Any](
            Press(label="Out of use", disabled=True),
            ui.Button(label="Website", url="https://example.org/rules"),
            Press(label="Dice", emoji="🎲"),
        )
        fruits = [
            discord.SelectOption(label=name, description=f"The letter {name[0]}")
            for name in ("Apple", "Banana", "Cherry", "Damson", "Elder", "Fig", "Grape", "Hazel")
        ]
        self.add_item(ui.TextDisplay("Above the box, <t:86400:D>"))
        self.add_item(
            ui.Container(
                ui.Section(
                    ui.TextDisplay("## Everything"),
                    ui.TextDisplay("**One** of each, says <@1>"),
                    accessory=ui.Thumbnail("attachment://board.png", description="Small board"),
                ),
                ui.Separator(spacing=discord.SeparatorSpacing.large),
                ui.MediaGallery(
                    discord.MediaGalleryItem("attachment://board.png", description=BOARD)
                ),
                ui.Section(
                    ui.TextDisplay("-# a section with a button"), accessory=Press(label="Aside")
                ),
                buttons,
                more,
                Row(ui.Select(placeholder="A fruit", options=fruits)),
                Row(
                    ui.Select(
                        placeholder="Two or three", options=fruits, min_values=2, max_values=3
                    )
                ),
                ui.Separator(visible=False),
                ui.File("attachment://notes.txt"),
                accent_colour=discord.Colour(0x1E6A5D),
            )
        )


class Lists(ui.LayoutView):
    """The menus that Discord fills."""

    def __init__(self) -> None:
        super().__init__(timeout=None)
        self.add_item(Row(ui.UserSelect(placeholder="A person", max_values=1)))
        self.add_item(Row(ui.RoleSelect(placeholder="A role")))
        self.add_item(Row(ui.MentionableSelect(placeholder="Anybody")))
        self.add_item(Row(ui.ChannelSelect(placeholder="A channel")))


class Form(ui.Modal, title="A form"):
    """Every kind of field."""

    introduction: ui.TextDisplay[Any] = ui.TextDisplay("Please fill in **everything**.")
    name: ui.Label[Any] = ui.Label(
        text="Name",
        description="What to call it",
        component=ui.TextInput(min_length=2, max_length=20),
    )
    story: ui.Label[Any] = ui.Label(
        text="Story", component=ui.TextInput(style=discord.TextStyle.paragraph, required=False)
    )
    fruit: ui.Label[Any] = ui.Label(
        text="Fruit",
        component=ui.Select(options=[discord.SelectOption(label=n) for n in ("Apple", "Banana")]),
    )
    friend: ui.Label[Any] = ui.Label(text="Friend", component=ui.UserSelect(required=False))

    async def on_submit(self, interaction: discord.Interaction) -> None:
        """Post the form's values."""
        parts = [
            self.name.component.value,  # type: ignore[attr-defined]
            self.story.component.value or "no story",  # type: ignore[attr-defined]
            *self.fruit.component.values,  # type: ignore[attr-defined]
            *(user.display_name for user in self.friend.component.values),  # type: ignore[attr-defined]
        ]
        await interaction.response.send_message("Form: " + ", ".join(parts))


class Boxes(ui.Modal, title="Boxes"):
    """The fields with boxes."""

    colour: ui.Label[Any] = ui.Label(
        text="Colour",
        component=ui.RadioGroup(
            options=[discord.RadioGroupOption(label=n) for n in ("Red", "Green")]
        ),
    )
    days: ui.Label[Any] = ui.Label(
        text="Days",
        component=ui.CheckboxGroup(
            options=[discord.CheckboxGroupOption(label=n) for n in ("Monday", "Tuesday")],
            required=False,
        ),
    )
    agreed: ui.Label[Any] = ui.Label(text="Agreed", component=ui.Checkbox())

    async def on_submit(self, interaction: discord.Interaction) -> None:
        """Post the ticked boxes."""
        colour, days, agreed = (item.component for item in (self.colour, self.days, self.agreed))
        assert isinstance(colour, ui.RadioGroup)
        assert isinstance(days, ui.CheckboxGroup)
        assert isinstance(agreed, ui.Checkbox)
        text = f"{colour.value} {days.values} {agreed.value}"
        await interaction.response.send_message(f"Boxes: {text}")


class Counter(ui.View):
    """A button that edits its own message."""

    def __init__(self, count: int) -> None:
        super().__init__(timeout=None)
        self._count = count

    @ui.button(label="More", style=discord.ButtonStyle.primary, custom_id="more")
    async def more(self, interaction: discord.Interaction, _button: ui.Button[Any]) -> None:
        """Increment the counter."""
        self._count += 1
        await interaction.response.edit_message(content=f"Counted {self._count}", view=self)
