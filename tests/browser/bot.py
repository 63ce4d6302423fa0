"""A small bot that shows every kind of message, component and form in Discord."""

from __future__ import annotations

import asyncio
import os
import re
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import discord
from discord import app_commands, ui

from tests.browser.shows import Boxes, Counter, Everything, Form, Lists, Press, notes, picture
from tests.end_to_end.program import WRONG

WORDS = ("amber", "ambush", "basalt", "cedar", "cedarwood")


class German(app_commands.Translator):
    """Translates one name and one description."""

    async def translate(
        self,
        string: app_commands.locale_str,
        locale: discord.Locale,
        context: app_commands.TranslationContextTypes,
    ) -> str | None:
        """Translate two strings to German."""
        words = {"guess": "rate", "Guess a word": "Rate ein Wort", "word": "wort"}
        return words.get(string.message) if locale is discord.Locale.german else None


class Demo(app_commands.Group, name="demo", description="Show what there is"):
    """One command per thing to show."""

    def __init__(self, go_on: asyncio.Event) -> None:
        super().__init__()
        self._go_on = go_on

    @app_commands.command(name="all", description="One of each component")
    async def everything(self, interaction: discord.Interaction) -> None:
        """Show components."""
        await interaction.response.send_message(view=Everything(), files=[picture(), notes()])

    @app_commands.command(description="Menus that Discord fills")
    async def lists(self, interaction: discord.Interaction) -> None:
        """Show menus."""
        await interaction.response.send_message(view=Lists())

    @app_commands.command(description="A form")
    async def form(self, interaction: discord.Interaction) -> None:
        """Open a form."""
        await interaction.response.send_modal(Form())

    @app_commands.command(description="A form with boxes")
    async def boxes(self, interaction: discord.Interaction) -> None:
        """Open another form."""
        await interaction.response.send_modal(Boxes())

    @app_commands.command(description="Content, embed and attachment")
    async def classic(self, interaction: discord.Interaction) -> None:
        """Show a message without the new components."""
        embed = discord.Embed(title="Standings", description="By *wins*", colour=0xD9A63C)
        embed.add_field(name="Ann", value="3 won").add_field(name="Ben", value="1 won")
        embed.set_footer(text="page 1 of 1")
        view = ui.View(timeout=None)
        view.add_item(Press(label="Classic"))
        await interaction.response.send_message(
            "Classic **words**", embed=embed, file=picture("#9fb07a"), view=view
        )

    @app_commands.command(description="For your eyes only")
    async def secret(self, interaction: discord.Interaction) -> None:
        """Answer ephemerally."""
        view = ui.View(timeout=None)
        view.add_item(Press(label="Tell"))
        await interaction.response.send_message("A secret", view=view, ephemeral=True)

    @app_commands.command(description="Reads a file")
    async def hand(self, interaction: discord.Interaction, file: discord.Attachment) -> None:
        """Describe a file."""
        words = (await file.read()).decode()
        await interaction.response.send_message(f"{file.filename} says {words}")

    @app_commands.command(description="Opens the Activity")
    async def activity(self, interaction: discord.Interaction) -> None:
        """Launch the Activity."""
        await interaction.response.launch_activity()

    @app_commands.command(description="Takes its time")
    async def slow(self, interaction: discord.Interaction) -> None:
        """Defer, and answer when told to."""
        await interaction.response.defer(thinking=True)
        await self._go_on.wait()
        await interaction.followup.send("At last")

    @app_commands.command(description="Never answers")
    async def silent(self, interaction: discord.Interaction) -> None:
        """Do nothing."""

    @app_commands.command(description="A button that counts on its own message")
    async def count(self, interaction: discord.Interaction) -> None:
        """Show a counter."""
        await interaction.response.send_message("Counted 0", view=Counter(0))

    @app_commands.command(description="Open a thread and write in it")
    async def thread(self, interaction: discord.Interaction) -> None:
        """Open a thread."""
        answer = await interaction.response.send_message("A thread hangs here")
        message = answer.resource
        assert isinstance(message, discord.InteractionMessage)
        opened = await message.create_thread(name="Back room")
        await opened.send(f"Welcome, {interaction.user.mention}")


@app_commands.command(name="guess", description="Guess a word")
@app_commands.describe(word="A word", times="How often", friend="With whom")
@app_commands.choices(
    mood=[
        app_commands.Choice(name="Very merry", value="merry"),
        app_commands.Choice(name="Sad", value="sad"),
    ]
)
async def guess(  # noqa: PLR0917 - one parameter for each kind of option
    interaction: discord.Interaction,
    word: str,
    times: app_commands.Range[int, 1, 9] = 1,
    friend: discord.User | None = None,
    where: discord.TextChannel | None = None,
    mood: str = "none",
    loud: bool = False,  # noqa: FBT001, FBT002 - a yes-or-no option
) -> None:
    """Show the values given."""
    texts = [word, str(times), friend.display_name if friend else "-"]
    texts += [where.name if where else "-", mood, str(loud)]
    await interaction.response.send_message(" | ".join(texts))


@guess.autocomplete("word")
async def offer(_: discord.Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """Offer the words that contain what was typed."""
    return [app_commands.Choice(name=w, value=w) for w in WORDS if typed.lower() in w]


@app_commands.context_menu(name="Greet")
async def greet(interaction: discord.Interaction, member: discord.Member) -> None:
    """Greet a member."""
    await interaction.response.send_message(f"Hello, {member.mention}!")


class DemoBot(discord.Client):
    """The bot.

    Attributes:
        go_on: set it to fill the deferred answer of ``/demo slow``.
        ready: set once the commands are synced and the server is there.
    """

    def __init__(self) -> None:
        super().__init__(intents=discord.Intents(guilds=True), guild_ready_timeout=0.05)
        self.tree = app_commands.CommandTree(self)
        self.go_on = asyncio.Event()
        self.ready = asyncio.Event()
        self.tree.add_command(Demo(self.go_on))
        self.tree.add_command(guess)
        self.tree.add_command(greet)

    async def setup_hook(self) -> None:
        """Sync the commands."""
        await self.tree.set_translator(German())
        await self.tree.sync()

    async def on_ready(self) -> None:
        """Signal that the bot can be used."""
        self.ready.set()


ROOT = Path(__file__).parents[2]


@asynccontextmanager
async def running_program(*, demo: bool = False) -> AsyncIterator[str]:
    """Start the program as a user would and return the URL that it prints."""
    program = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "bot",
        cwd=ROOT,
        env={
            "PATH": os.environ["PATH"],
            "PLAYGROUND_PORT": "0",
            "PLAYGROUND_DEMO": str(demo),
            "ANALYSE_MATCHES": "False",
        },
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    assert program.stdout is not None
    try:
        async for line in program.stdout:
            if found := re.search(rb"http://\S+", line):
                yield found[0].decode().rstrip("/")
                break
    finally:
        program.terminate()
        _, complaints = await program.communicate()
    assert program.returncode == 0
    assert not WRONG.search(complaints.decode()), complaints.decode()
