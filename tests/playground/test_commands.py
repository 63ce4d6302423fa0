"""Registered commands."""

from __future__ import annotations

from typing import Any

import discord

from playground.app import Playground
from tests.playground.sample_bot import Ask, SampleBot, refusing


async def test_syncing_replaces_all_commands_and_is_counted(
    playground: Playground, bot: SampleBot
) -> None:
    assert playground.world.commands.syncs == 1
    before = {c.name: c.id for c in playground.world.commands.registered(None).values()}

    @bot.tree.command(name="more", description="Another one")
    async def _more(interaction: Ask) -> None: ...

    await bot.tree.sync()
    after = {c.name: c.id for c in playground.world.commands.registered(None).values()}
    assert set(after) == {"do", "more"}
    assert after["do"] == before["do"]
    bot.tree.remove_command("do")
    await bot.tree.sync()
    assert [leaf.line("") for leaf in playground.person("Ann").slash_commands()] == ["/more"]
    assert playground.world.commands.syncs == 3
    assert [c.name for c in await bot.tree.fetch_commands()] == ["more"]


async def test_server_commands_hide_global_ones(playground: Playground, bot: SampleBot) -> None:
    guild = discord.Object(playground.guild.id)

    @bot.tree.command(name="do", description="The server's own", guild=guild)
    async def _do(interaction: Ask) -> None:
        await interaction.response.send_message("The server's own.")

    await bot.tree.sync(guild=guild)
    assert (await playground.person("Ann").slash("/do")).text == "The server's own."
    offered = playground.person("Ann").slash_commands(playground.person("Ann").dm)
    assert [leaf.root.guild_id for leaf in offered] == [None]


async def test_at_most_two_hundred_new_commands_are_allowed_per_day(
    playground: Playground, bot: SampleBot
) -> None:
    bot.tree.clear_commands(guild=None)
    codes = []
    for day in range(3):
        names = [f"c{day}x{n}" for n in range(90)]
        body = [{"name": n, "description": "x", "type": 1} for n in names]
        try:
            await bot.http.bulk_upsert_global_commands(playground.world.application.id, body)
        except discord.HTTPException as refusal:
            codes.append(refusal.code)
    assert codes == [30034]


async def test_an_activitys_entry_point_command_is_removed_by_no_bulk_update(
    playground: Playground, bot: SampleBot
) -> None:
    entry = playground.world.commands.add_entry_point(name_localizations={"de": "start"})
    with refusing(50240):
        await bot.tree.sync()
    assert set(playground.world.commands.registered(None)) > {entry.id}
    body: Any = [{"name": "launch", "type": 4, "description": "Launch", "handler": 2}]
    await bot.http.bulk_upsert_global_commands(playground.world.application.id, body)
    assert set(playground.world.commands.registered(None)) == {entry.id}
