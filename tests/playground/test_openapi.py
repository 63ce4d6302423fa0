"""Requests and responses validated against Discord's OpenAPI document."""

from __future__ import annotations

import asyncio
from typing import Any

import aiohttp
import discord
import pytest

from playground.app import Playground
from playground.openapi import OpenApi
from playground.permissions import ALL
from tests.playground.sample_bot import Ask, SampleBot, board, picture


@pytest.fixture
def present(openapi: OpenApi | None) -> OpenApi:
    """Discord's OpenAPI document; skips the test without it."""
    if openapi is None:
        pytest.skip("Discord's OpenAPI document, ../shared/discord-openapi.json, is not here")
    return openapi


@pytest.mark.usefixtures("present")
async def test_a_tour_of_all_routes_conforms_to_discords_description(
    playground: Playground, bot: SampleBot
) -> None:
    async def answers(interaction: Ask) -> None:
        await interaction.response.send_message(
            view=board(0, picture_name="a.png"), file=picture("a.png")
        )
        await interaction.original_response()
        await interaction.edit_original_response(
            view=board(1, picture_name="b.png"), attachments=[picture("b.png")]
        )
        more = await interaction.followup.send("More.", wait=True, ephemeral=True)
        await more.edit(content="Still more.")
        await interaction.followup.fetch_message(more.id)
        await more.delete()
        await interaction.delete_original_response()

    for role in playground.guild.roles.values():
        role.permissions = ALL
    bot.do = answers
    await playground.person("Ann").slash("/do")
    await bot.done.wait()
    ann = await bot.fetch_user(playground.person("Ann").id)
    await ann.send(view=board(0))
    room = bot.room(playground.channel("general"))
    sent = await room.send(
        "Words.", embed=discord.Embed(title="A title", description="Words."), file=picture()
    )
    await sent.reply("An answer.")
    await sent.edit(content="Other words.")
    await room.typing()
    await sent.pin()
    [pinned async for pinned in room.pins()]
    await sent.unpin()
    await room.fetch_message(sent.id)
    [message async for message in room.history()]
    thread = await sent.create_thread(name="A game")
    await thread.join()
    await thread.add_user(ann)
    await asyncio.gather(thread.fetch_members(), thread.fetch_member(ann.id))
    await thread.remove_user(ann)
    await thread.leave()
    await (await room.create_thread(name="Talk")).delete()
    await thread.edit(archived=True)
    await bot.fetch_channel(thread.id)
    guild = await bot.fetch_guild(playground.guild.id)
    await asyncio.gather(guild.fetch_member(ann.id), guild.fetch_channels())
    assert [one.id async for one in bot.fetch_guilds()] == [guild.id]
    await bot.http.get_bot_gateway()
    await bot.application_info()
    await bot.http.request(discord.http.Route("GET", "/applications/@me"))
    await bot.tree.fetch_commands()
    await bot.tree.sync(guild=guild)
    await bot.tree.fetch_commands(guild=guild)
    await sent.delete()
    await guild.leave()
    await _allow(playground)
    assert bot.problems == []
    assert playground.schema_errors == []
    assert [str(v) for v in playground.violations] == []
    assert playground.rest.routes == {request.route for request in playground.requests}


async def _allow(playground: Playground) -> None:
    """Ask for a person's token, for what it stands, and for the Activity they are in."""
    ann = playground.person("Ann")
    playground.enable_activities("http://127.0.0.1:1")
    instance = playground.activities.launch(ann.user, playground.channel("general")).instance
    application = str(playground.world.application.id)
    client = {"Authorization": aiohttp.encode_basic_auth(application, playground.client_secret)}
    bot = {"Authorization": f"Bot {playground.token}"}
    code = playground.oauth2.code(ann.user, ["identify", "email"])
    form = {"grant_type": "authorization_code", "code": code}
    async with aiohttp.ClientSession(playground.rest_url + "/", raise_for_status=True) as session:
        async with session.post("oauth2/token", data=form, headers=client) as answer:
            token = (await answer.json())["access_token"]
        for path in ("users/@me", "oauth2/@me"):
            async with session.get(path, headers={"Authorization": f"Bearer {token}"}) as answer:
                assert (await answer.json()).get("error") is None
        path = f"applications/{application}/activity-instances/{instance.id}"
        async with session.get(path, headers=bot) as answer:
            assert (await answer.json())["users"] == [str(ann.id)]
        async with session.post("oauth2/token/revoke", data={"token": token}, headers=client):
            pass


@pytest.mark.parametrize(
    ("body", "where"),
    [
        ({"content": 7}, "content"),
        ({"embeds": [{"title": "x" * 300}]}, "embeds"),
        ({"components": [{"type": 99}]}, "components"),
    ],
)
def test_differences_are_reported_with_their_location(
    present: OpenApi, body: dict[str, Any], where: str
) -> None:
    from playground.uploads import Body  # noqa: PLC0415

    found = present.check_request("POST /channels/{channel_id}/messages", Body(body))
    assert found
    assert found[0].startswith(where)


def test_a_route_without_a_description_is_not_checked(present: OpenApi) -> None:
    assert present.check_response("GET /nowhere", 200, {"a": 1}) == []
