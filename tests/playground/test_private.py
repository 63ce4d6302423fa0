"""User-installed applications, where the bot is not a member."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import discord
import pytest
from discord import app_commands

from playground.app import GROUP, Playground
from playground.errors import Impossible
from tests.playground.sample_bot import Ask, SampleBot, board, refusing


class Guest(SampleBot):
    """A bot with a command that anyone who installed it may use everywhere."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[Ask] = []

        @self.tree.command(name="play", description="Shows a counter")
        @app_commands.allowed_installs(guilds=True, users=True)
        @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
        async def _play(interaction: Ask) -> None:
            self.seen.append(interaction)
            await interaction.response.send_message(view=board(0))


@pytest.fixture
async def guest(meet: Callable[[SampleBot], Awaitable[Any]]) -> Guest:
    """The bot, connected and with its commands synced."""
    bot = Guest()
    await meet(bot)
    return bot


async def test_a_group_can_play_if_one_member_installed_the_bot(
    playground: Playground, guest: Guest
) -> None:
    ann, ben, carol = (playground.person(name) for name in ("Ann", "Ben", "Carol"))
    ben.user.installed = carol.user.installed = False
    reply = await ann.slash("/play", channel=GROUP)
    assert reply.message is not None
    assert reply.message in ben.sees(GROUP), "everyone sees a public answer"
    (asked,) = guest.seen
    assert asked.context.private_channel
    assert asked.is_user_integration()
    assert not asked.is_guild_integration()
    pressed = await ben.press(reply.message, "More")
    assert pressed.updated, "everyone who sees a button can press it"
    assert "Counted 1." in reply.message.text


async def test_people_who_have_not_installed_the_bot_are_not_offered_its_commands(
    playground: Playground, guest: Guest
) -> None:
    ben = playground.person("Ben")
    ben.user.installed = False
    assert ben.slash_commands(GROUP) == []
    with pytest.raises(Impossible):
        await ben.slash("/play", channel=GROUP)
    assert guest.seen == []
    assert [leaf.line("en-US") for leaf in ben.slash_commands("games")] == ["/do", "/play"]


async def test_server_only_commands_are_not_offered_in_groups(
    playground: Playground, guest: Guest
) -> None:
    assert [leaf.line("en-US") for leaf in playground.person("Ann").slash_commands(GROUP)] == [
        "/play"
    ]


async def test_others_do_not_see_the_group(playground: Playground, guest: Guest) -> None:
    dan = playground.person("Dan")
    assert all(channel.name != GROUP for channel in dan.channels())
    with pytest.raises(Impossible):
        await dan.slash("/play", channel=GROUP)


async def test_the_bot_itself_has_no_access_to_the_group(
    playground: Playground, guest: Guest
) -> None:
    place = guest.get_partial_messageable(playground.channel(GROUP).id)
    with refusing(50001, discord.Forbidden):
        await place.send("Hello")
    direct = playground.world.dm_channel(
        playground.person("Ann").user, playground.person("Ben").user
    )
    with pytest.raises(discord.Forbidden):
        await guest.get_partial_messageable(direct.id).send("Hello")


async def test_direct_messages_between_two_people_are_private_too(
    playground: Playground, guest: Guest
) -> None:
    ann, ben = playground.person("Ann"), playground.person("Ben")
    place = playground.world.dm_channel(ann.user, ben.user)
    reply = await ann.slash("/play", channel=place)
    assert reply.message is not None
    assert guest.seen[-1].context.private_channel
    with_bot = await ann.slash("/play", channel=ann.dm)
    assert with_bot.message is not None
    assert guest.seen[-1].context.dm_channel


async def test_at_most_five_follow_up_messages_are_allowed(
    playground: Playground, guest: Guest
) -> None:
    reply = await playground.person("Ann").slash("/play", channel=GROUP)
    for number in range(5):
        await guest.seen[-1].followup.send(f"further {number}")
    with refusing(40094):
        await guest.seen[-1].followup.send("one too many")
    assert len(reply.followups) == 5


async def test_a_server_without_the_bot_can_be_played_in(
    playground: Playground, meet: Callable[[SampleBot], Awaitable[Any]]
) -> None:
    world = playground.world
    elsewhere = world.add_guild("Elsewhere", world.application.owner)
    elsewhere.invites_bots = False
    lobby = world.add_channel(elsewhere, "lobby")
    ann, ben = playground.person("Ann"), playground.person("Ben")
    for person in (ann, ben):
        world.add_member(elsewhere, person.user)
    guest = Guest()
    await meet(guest)
    reply = await ann.slash("/play", channel=lobby)
    assert reply.message is not None
    assert guest.seen[-1].context.guild
    assert not guest.seen[-1].is_guild_integration()
    assert (await ben.press(reply.message, "More")).updated
    with pytest.raises(discord.Forbidden):
        await guest.get_partial_messageable(lobby.id).send("Hello")
