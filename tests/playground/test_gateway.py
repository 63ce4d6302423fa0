"""The gateway: login, dispatches, resuming."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import discord
import pytest

from playground.app import Playground
from playground.clock import ManualClock
from tests.playground.conftest import running
from tests.playground.sample_bot import SampleBot, board

Meet = Callable[[SampleBot], Awaitable[SampleBot]]


async def test_a_wrong_token_is_a_login_failure(playground: Playground) -> None:
    async with SampleBot() as bot:
        with pytest.raises(discord.LoginFailure):
            await bot.login("wrong" + playground.token)


async def test_the_playgrounds_records_do_not_contain_the_token(
    playground: Playground, bot: SampleBot
) -> None:
    bot.do = lambda i: i.response.send_message("Hello.")
    reply = await playground.person("Ann").slash("/do")
    text = f"{playground.requests!r} {playground!r} {reply!r} {reply.interaction!r} {playground.gateway!r}"
    assert playground.token not in text
    assert reply.interaction.token not in text


async def test_privileged_intents_must_be_granted(playground: Playground) -> None:
    with pytest.raises(discord.PrivilegedIntentsRequired):
        async with running(
            playground, SampleBot(intents=discord.Intents(guilds=True, members=True))
        ):
            pass


async def test_when_ready_the_bot_knows_the_server_its_channels_and_itself(
    playground: Playground, bot: SampleBot
) -> None:
    guild = bot.get_guild(playground.guild.id)
    assert guild is not None
    assert guild.name == "The Games Club"
    assert [c.name for c in guild.text_channels] == ["general", "games", "quiet", "elsewhere"]
    assert guild.me is not None
    quiet = discord.utils.get(guild.text_channels, name="quiet")
    assert quiet is not None
    assert not quiet.permissions_for(guild.me).attach_files
    assert quiet.permissions_for(guild.me).send_messages


async def test_a_broken_connection_is_resumed_without_missing_anything(
    playground: Playground, bot: SampleBot
) -> None:
    bot.do = lambda i: i.response.send_message(view=board(0))
    message = await (await playground.person("Ann").slash("/do")).filled()
    playground.gateway.drop()
    press = playground.person("Ben").press(message, "More")
    await press
    assert message.text == "Counted 1."
    assert playground.gateway.resumes == 1
    assert playground.gateway.identifies == 1
    assert "RESUMED" in bot.heard


@pytest.mark.parametrize("code", [4000, 4009, 1000])
async def test_after_a_resumable_close_the_bot_resumes(
    playground: Playground, bot: SampleBot, code: int
) -> None:
    playground.gateway.close(code)
    bot.do = lambda i: i.response.send_message("Back.")
    assert (await playground.person("Ann").slash("/do")).text == "Back."
    assert playground.gateway.resumes + playground.gateway.identifies == 2


async def test_asked_to_reconnect_the_bot_resumes(playground: Playground, bot: SampleBot) -> None:
    playground.gateway.reconnect()
    await playground.gateway.wait_connected(present=False)
    await playground.gateway.wait_connected()
    bot.do = lambda i: i.response.send_message("Back.")
    assert (await playground.person("Ann").slash("/do")).text == "Back."
    assert playground.gateway.resumes == 1


@pytest.fixture
def skip_identify_delay(bot: SampleBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """Remove the five seconds that discord.py waits before it identifies again."""

    async def no_wait(*_: Any, **__: Any) -> None:
        await asyncio.sleep(0)

    monkeypatch.setattr(bot, "before_identify_hook", no_wait)


@pytest.mark.usefixtures("skip_identify_delay")
async def test_an_invalid_session_makes_the_bot_identify_again(
    playground: Playground, bot: SampleBot
) -> None:
    playground.gateway.invalidate()
    await playground.gateway.wait_connected()
    assert playground.gateway.identifies == 2
    assert playground.gateway.resumes == 0


@pytest.mark.usefixtures("skip_identify_delay")
async def test_a_session_that_is_too_old_cannot_be_resumed(
    playground: Playground, bot: SampleBot, clock: ManualClock
) -> None:
    playground.gateway.drop()
    clock.advance(600)
    await playground.gateway.wait_connected()
    assert playground.gateway.identifies == 2


async def test_without_the_intent_the_bot_receives_no_messages(
    playground: Playground, bot: SampleBot
) -> None:
    playground.person("Ann").says("Good evening.")
    bot.do = lambda i: i.response.send_message("Hello.")
    await playground.person("Ann").slash("/do")
    assert "MESSAGE_CREATE" not in bot.heard


async def test_with_the_intent_it_receives_them_but_only_relevant_content(
    playground: Playground, meet: Meet
) -> None:
    bot = await meet(SampleBot(intents=discord.Intents(guilds=True, guild_messages=True)))
    heard: asyncio.Queue[discord.Message] = asyncio.Queue()

    @bot.event
    async def on_message(message: discord.Message) -> None:
        await heard.put(message)

    playground.person("Ann").says("Good evening.")
    assert (await heard.get()).content == ""
    playground.person("Ann").says(f"Good evening, {playground.world.bot.mention}.")
    named = await heard.get()
    assert named.content.startswith("Good evening, ")
    assert isinstance(named.author, discord.Member)


async def test_edits_deletions_threads_and_channels_are_dispatched(
    playground: Playground, meet: Meet
) -> None:
    bot = await meet(SampleBot(intents=discord.Intents(guilds=True, guild_messages=True)))
    general = bot.room(playground.channel("general"))
    message = await general.send("One.")
    await message.edit(content="Two.")
    thread = await message.create_thread(name="A game")
    await message.delete()
    shop = playground.world.add_channel(playground.guild, "shop")
    playground.world.remove_channel(shop)
    bot.do = lambda i: i.response.send_message("Hello.")
    await playground.person("Ann").slash("/do")
    for name in [
        "MESSAGE_CREATE",
        "MESSAGE_UPDATE",
        "THREAD_CREATE",
        "MESSAGE_DELETE",
        "CHANNEL_CREATE",
        "CHANNEL_DELETE",
    ]:
        assert name in bot.heard
    assert general.guild.get_thread(thread.id) is not None


async def test_members_are_sent_on_request(playground: Playground, bot: SampleBot) -> None:
    guild = bot.get_guild(playground.guild.id)
    assert guild is not None
    found = await guild.query_members("ca")
    assert [member.display_name for member in found] == ["Carol"]


async def test_a_sharded_bot_receives_its_servers(playground: Playground) -> None:
    class Sharded(discord.AutoShardedClient):
        pass

    bot = Sharded(intents=discord.Intents(guilds=True))
    bot._connection.guild_ready_timeout = 0.05
    async with running(playground, bot):
        assert [guild.name for guild in bot.guilds] == ["The Games Club"]


async def test_an_unreachable_gateway_accepts_no_connection(playground: Playground) -> None:
    playground.gateway.unreachable = True
    async with SampleBot() as bot:
        await bot.login(playground.token)
        with pytest.raises(Exception, match=r"sequence|503"):
            await bot.connect(reconnect=False)


async def test_a_bot_removed_from_a_server_is_notified(
    playground: Playground, bot: SampleBot
) -> None:
    gone = asyncio.create_task(bot.wait_for("guild_remove"))
    await asyncio.sleep(0)
    playground.world.remove_member(playground.guild, playground.world.bot)
    assert (await gone).id == playground.guild.id
    back = asyncio.create_task(bot.wait_for("guild_join"))
    await asyncio.sleep(0)
    playground.world.invite_bot(playground.guild)
    assert (await back).id == playground.guild.id
