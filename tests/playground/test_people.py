"""People can do what Discord's client allows, and no more."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import discord
import pytest
import pytest_asyncio
from discord import app_commands, ui

from playground.app import Playground
from playground.errors import Impossible
from playground.model import Overwrite
from playground.permissions import Permission
from tests.playground.sample_bot import Ask, SampleBot, board

GERMAN = {"challenge": "fordern", "opponent": "gegner", "slow": "langsam"}


class German(app_commands.Translator):
    """Knows a few words."""

    async def translate(
        self,
        string: app_commands.locale_str,
        locale: discord.Locale,
        context: app_commands.TranslationContextTypes,
    ) -> str | None:
        """Return the German word, if known."""
        return GERMAN.get(string.message) if locale is discord.Locale.german else None


class Host(SampleBot):
    """A bot with groups, choices, completion and context menus."""

    def __init__(self) -> None:
        super().__init__()
        group = app_commands.Group(name="chess", description="A game")
        self.asked: list[Any] = []

        @group.command(name="challenge", description="Asks for a game")
        @app_commands.choices(pace=[app_commands.Choice(name="slow", value="s")])
        async def challenge(
            interaction: Ask,
            opponent: discord.Member,
            pace: str = "f",
            days: app_commands.Range[int, 1, 7] = 1,
            place: discord.TextChannel | None = None,
        ) -> None:
            self.asked.append((opponent.display_name, pace, days, place and place.name))
            await interaction.response.send_message(f"{opponent.mention}, will you play?")

        @group.command(name="move", description="Moves")
        async def move(interaction: Ask, move: str) -> None:
            await interaction.response.send_message(move)

        @move.autocomplete("move")
        async def complete(_: Ask, typed: str) -> list[app_commands.Choice[str]]:
            moves = ["k1-l2", "k1-k2", "a1-a2"]
            return [app_commands.Choice(name=m, value=m) for m in moves if m.startswith(typed)]

        @self.tree.command(name="secret", description="For those in charge")
        @app_commands.default_permissions(manage_guild=True)
        @app_commands.guild_only()
        async def secret(interaction: Ask) -> None:
            await interaction.response.send_message("Well.")

        @self.tree.context_menu(name="Standing")
        async def standing(interaction: Ask, user: discord.Member) -> None:
            await interaction.response.send_message(f"{user.display_name}: 0", ephemeral=True)

        @self.tree.context_menu(name="Report")
        async def report(interaction: Ask, message: discord.Message) -> None:
            await interaction.response.send_message(message.content, ephemeral=True)

        self.tree.add_command(group)

    async def setup_hook(self) -> None:
        """Sync the commands in two languages."""
        await self.tree.set_translator(German())
        await super().setup_hook()


@pytest_asyncio.fixture
async def host(meet: Callable[[SampleBot], Awaitable[SampleBot]]) -> Host:
    bot = await meet(Host())
    assert isinstance(bot, Host)
    return bot


async def test_a_command_with_its_options_reaches_the_bot(
    playground: Playground, host: Host
) -> None:
    ann, ben = playground.person("Ann"), playground.person("Ben")
    reply = await ann.slash(
        "/chess challenge",
        opponent=ben,
        pace="slow",
        days=3,
        place=playground.channel("games"),
    )
    assert host.asked == [("Ben", "s", 3, "games")]
    assert reply.message is not None
    assert reply.message.pinged == (ben.user,)
    assert playground.violations == []


@pytest.mark.parametrize(
    ("line", "options", "why"),
    [
        ("/chess resign", {}, "There is no /chess resign"),
        ("/chess", {}, "There is no /chess here"),
        ("/chess challenge", {}, "needs the option 'opponent'"),
        ("/chess challenge", {"opponent": "Ben"}, "takes a user"),
        ("/chess challenge", {"opponent": "ben", "colour": "red"}, "no option 'colour'"),
        ("/chess challenge", {"opponent": None, "days": 8}, "between 1 and 7"),
        ("/chess challenge", {"opponent": None, "days": "2"}, "takes a whole number"),
        ("/chess challenge", {"opponent": None, "pace": "fast"}, "offers 'slow'"),
        ("/secret", {}, "There is no /secret"),
    ],
)
async def test_requests_discord_would_not_send_are_impossible(
    playground: Playground, host: Host, line: str, options: dict[str, Any], why: str
) -> None:
    ann = playground.person("Ann")
    if options.get("opponent", "") is None:
        options = options | {"opponent": playground.person("Ben")}
    with pytest.raises(Impossible, match=why):
        await ann.slash(line, options=options)
    assert host.asked == []


async def test_permissions_decide_which_commands_a_person_is_offered(
    playground: Playground, host: Host
) -> None:
    lines = [leaf.line("en-US") for leaf in playground.person("Ann").slash_commands()]
    assert lines == ["/do", "/chess challenge", "/chess move"]
    everyone = playground.guild.roles[playground.guild.id]
    everyone.permissions |= Permission.MANAGE_GUILD
    assert (await playground.person("Ann").slash("/secret")).text == "Well."
    with pytest.raises(Impossible):
        await playground.person("Ann").slash("/secret", channel=playground.person("Ann").dm)


async def test_people_use_commands_in_their_own_language(
    playground: Playground, host: Host
) -> None:
    ann = playground.person("Ann")
    ann.locale = "de"
    assert "/chess fordern" in [leaf.line(ann.locale) for leaf in ann.slash_commands()]
    await ann.slash("/chess fordern", gegner=playground.person("Ben"), pace="langsam")
    assert host.asked == [("Ben", "s", 1, None)]


async def test_options_can_be_completed(playground: Playground, host: Host) -> None:
    ann = playground.person("Ann")
    offered = await ann.autocomplete("/chess move", "move", "k1")
    assert [s.value for s in offered] == ["k1-l2", "k1-k2"]
    assert (await ann.slash("/chess move", move=offered[0].value)).text == "k1-l2"
    with pytest.raises(Impossible, match="completes no option"):
        await ann.autocomplete("/chess challenge", "opponent", "B")


async def test_users_and_messages_have_context_menus(playground: Playground, host: Host) -> None:
    ann, ben = playground.person("Ann"), playground.person("Ben")
    reply = await ann.user_command("Standing", on=ben)
    assert (reply.text, reply.ephemeral) == ("Ben: 0", True)
    message = ben.says("Ha!")
    assert (await ann.message_command("Report", on=message)).text == "Ha!"
    with pytest.raises(Impossible, match="no 'Block'"):
        await ann.user_command("Block", on=ben)


async def test_only_existing_enabled_buttons_can_be_pressed(
    playground: Playground, bot: SampleBot
) -> None:
    view = ui.View()
    view.add_item(ui.Button(label="Off", custom_id="off", disabled=True))
    view.add_item(ui.Button(label="Rules", url="https://example.org"))
    sent = await bot.room(playground.channel("general")).send("Press.", view=view)
    ann = playground.person("Ann")
    message = ann.sees("general")[0]
    for label, why in (("Off", "disabled"), ("Rules", "link"), ("On", "no button 'On'")):
        with pytest.raises(Impossible, match=why):
            await ann.press(message, label)
    await sent.delete()
    with pytest.raises(Impossible, match="deleted"):
        await ann.press(message, "Off")


async def test_only_offered_entries_can_be_chosen(playground: Playground, bot: SampleBot) -> None:
    chosen: list[Any] = []

    class Pick(ui.View):
        @ui.select(
            placeholder="Which move?",
            min_values=1,
            max_values=2,
            options=[discord.SelectOption(label=x, value=x.lower()) for x in ("A1", "B2", "C3")],
        )
        async def pick(self, interaction: Ask, select: ui.Select[Any]) -> None:
            chosen.append(select.values)
            await interaction.response.edit_message(content="Chosen.")

        @ui.select(cls=ui.UserSelect, placeholder="Who?")
        async def who(self, interaction: Ask, select: ui.UserSelect[Any]) -> None:
            chosen.append([user.display_name for user in select.values])
            await interaction.response.defer()

    bot.do = lambda i: i.response.send_message("Choose.", view=Pick())
    ann = playground.person("Ann")
    message = await (await ann.slash("/do")).filled()
    assert [menu.placeholder for menu in message.menus] == ["Which move?", "Who?"]
    for values, menu, why in (
        (("D4",), 0, "does not offer 'D4'"),
        (("A1", "B2", "C3"), 0, "between 1 and 2"),
        ((), 0, "between 1 and 2"),
        (("A1", "a1"), 0, "only be picked once"),
        (("A1",), "Whither?", "no menu 'Whither\\?'"),
        (("A1",), "Who?", "does not offer"),
    ):
        with pytest.raises(Impossible, match=why):
            await ann.choose(message, *values, menu=menu)
    reply = await ann.choose(message, "A1", "c3", menu="Which move?")
    assert reply.text == "Chosen."
    await ann.choose(message, playground.person("Ben"), menu="Who?")
    assert chosen == [["a1", "c3"], ["Ben"]]


async def test_people_can_do_nothing_in_a_channel_they_cannot_see(
    playground: Playground, bot: SampleBot
) -> None:
    bot.do = lambda i: i.response.send_message(view=board(0))
    message = await (await playground.person("Ann").slash("/do", channel="games")).filled()
    ben = playground.person("Ben")
    playground.channel("games").overwrites[ben.id] = Overwrite(1, deny=Permission.VIEW_CHANNEL)
    with pytest.raises(Impossible, match="cannot see"):
        await ben.press(message, "More")
    with pytest.raises(Impossible, match="cannot see"):
        await ben.slash("/do", channel="games")
    assert "games" not in [channel.name for channel in ben.channels()]


async def test_a_server_without_the_bot_offers_no_commands(
    playground: Playground, bot: SampleBot
) -> None:
    playground.world.remove_member(playground.guild, playground.world.bot)
    with pytest.raises(Impossible, match="no commands at all"):
        await playground.person("Ann").slash("/do")


async def test_invalid_messages_cannot_be_sent(playground: Playground) -> None:
    ann = playground.person("Ann")
    for text in ("", "   ", "x" * 2001):
        with pytest.raises(Impossible, match="between 1 and 2000"):
            ann.says(text)
    with pytest.raises(Impossible, match="nobody else can see"):
        ann.dismisses(ann.says("Hello."))


async def test_the_error_for_an_unknown_name_lists_the_known_ones(playground: Playground) -> None:
    with pytest.raises(LookupError, match="Known: Ann, Ben, Carol, Dan"):
        playground.person("Eve")
    with pytest.raises(LookupError, match="Known: #general"):
        playground.channel("kitchen")
