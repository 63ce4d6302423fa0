"""Launching the application's Activity: who may, what opens, and who is in it."""

from __future__ import annotations

from typing import Any

import discord
import pytest

from playground.app import Playground
from playground.errors import Impossible
from tests.playground.sample_bot import Ask, SampleBot, board, refusing

PAGE = "http://127.0.0.1:8081"


@pytest.fixture
def enabled(playground: Playground, bot: SampleBot) -> Playground:
    """A playground whose application gets Activities once its bot has registered its commands."""
    assert bot.is_ready()
    playground.enable_activities(PAGE)
    return playground


async def test_without_activities_a_launch_is_refused_and_the_interaction_stays_open(
    playground: Playground, bot: SampleBot
) -> None:
    async def tries(interaction: Ask) -> None:
        with refusing(50035):
            await interaction.response.launch_activity()
        await interaction.response.send_message("A link instead.")

    bot.do = tries
    reply = await playground.person("Ann").slash("/do")
    assert (reply.text, reply.activity) == ("A link instead.", None)
    [refused] = playground.violations
    assert str(refused).endswith(
        "Value must be one of [4, 5, 9]. (INTERACTION_RESPONSE_TYPE_INVALID)"
    )


async def test_a_command_and_a_button_launch_the_activity_for_who_used_them(
    enabled: Playground, bot: SampleBot
) -> None:
    launched: list[Any] = []

    async def launch(interaction: Ask) -> None:
        answer = await interaction.response.launch_activity()
        launched.append(answer.resource)

    bot.do = launch
    reply = await enabled.person("Ann").slash("/do")
    assert reply.activity is not None
    assert reply.activity.users == [enabled.person("Ann").user]
    assert reply.message is None
    assert [one.id for one in launched] == [reply.activity.id]
    assert enabled.violations == []

    bot.do = lambda i: i.response.send_message(view=board(0))
    shown = await enabled.person("Ann").slash("/do")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tests.playground.sample_bot.Count.callback", lambda _, i: launch(i))
        pressed = await enabled.person("Ben").press(shown.shown, "More")
    assert pressed.activity is reply.activity, "they meet in the channel's instance"
    assert [u.display for u in reply.activity.users] == ["Ann", "Ben"]


async def test_suggestions_cannot_launch_it(enabled: Playground, bot: SampleBot) -> None:
    @bot.tree.command(name="find", description="Finds")
    async def _find(interaction: Ask, what: str) -> None: ...

    @_find.autocomplete("what")
    async def _what(interaction: Ask, _: str) -> list[discord.app_commands.Choice[str]]:
        with refusing(50035):
            await interaction.response.launch_activity()
        return []

    body = [c.to_dict(bot.tree) for c in bot.tree.get_commands()]
    entry = {"name": "launch", "type": 4, "handler": 2}
    await bot.http.bulk_upsert_global_commands(enabled.world.application.id, [*body, entry])
    assert await enabled.person("Ann").autocomplete("/find", "what", "x") == []


async def test_an_instance_ends_with_the_last_who_leaves(enabled: Playground) -> None:
    place, elsewhere = enabled.channel("games"), enabled.channel("general")
    ann, ben = enabled.person("Ann").user, enabled.person("Ben").user
    first = enabled.activities.launch(ann, place)
    second = enabled.activities.launch(ben, place)
    twice = enabled.activities.launch(ben, place)
    assert first.instance is second.instance is twice.instance
    assert enabled.activities.launch(ann, elsewhere).instance is not first.instance
    instance = first.instance
    assert instance.id == f"i-{instance.launch_id}-gc-{enabled.guild.id}-{place.id}"
    for frame in (first, second, second):
        enabled.activities.close(frame)
    assert enabled.activities.instance(instance.id).users == [ben]
    enabled.activities.close(twice)
    with pytest.raises(Exception, match="404"):
        enabled.activities.instance(instance.id)
    assert enabled.activities.launch(ann, place).instance.id != instance.id


async def test_the_page_is_told_where_it_is(enabled: Playground) -> None:
    ann = enabled.person("Ann")
    frame = enabled.activities.launch(ann.user, enabled.channel("games"))
    assert frame.query() == {
        "instance_id": frame.instance.id,
        "location_id": f"gc-{enabled.guild.id}-{frame.instance.channel.id}",
        "launch_id": str(frame.instance.launch_id),
        "channel_id": str(frame.instance.channel.id),
        "guild_id": str(enabled.guild.id),
        "frame_id": frame.id,
    }
    private = enabled.activities.launch(ann.user, ann.dm)
    assert "guild_id" not in private.query()
    assert private.instance.location_id == f"pc-{ann.dm.id}"


async def test_the_bot_can_ask_who_is_in_an_instance(enabled: Playground, bot: SampleBot) -> None:
    frame = enabled.activities.launch(enabled.person("Ann").user, enabled.channel("games"))
    route = discord.http.Route(
        "GET",
        "/applications/{application_id}/activity-instances/{instance_id}",
        application_id=enabled.world.application.id,
        instance_id=frame.instance.id,
    )
    found = await bot.http.request(route)
    assert found == enabled.activities.described(frame.instance)
    assert found["users"] == [str(enabled.person("Ann").id)]
    enabled.activities.close(frame)
    with pytest.raises(discord.NotFound):
        await bot.http.request(route)


async def test_activities_have_a_flag_and_a_command_that_opens_them(
    playground: Playground, bot: SampleBot
) -> None:
    ann = playground.person("Ann")
    assert not (await bot.application_info()).flags.embedded
    with pytest.raises(Impossible):
        ann.slash("/launch")
    playground.enable_activities(PAGE)
    playground.enable_activities(PAGE)
    assert (await bot.application_info()).flags.embedded
    assert [leaf.line("") for leaf in ann.slash_commands()].count("/launch") == 1
    reply = await ann.slash("/launch")
    assert reply.activity is not None
    assert "INTERACTION_CREATE" not in bot.heard, "Discord launches it by itself"
    assert (await ann.slash("/launch", channel=ann.dm)).activity is not reply.activity
    with refusing(50240):
        await bot.tree.sync()


async def test_an_entry_point_of_its_own_is_answered_by_the_bot(
    enabled: Playground, bot: SampleBot
) -> None:
    registered = await bot.http.get_global_commands(enabled.world.application.id)
    [default] = [c for c in registered if c["name"] == "launch"]
    entry: Any = {
        "id": default["id"],
        "name": "board",
        "name_localizations": {"de": "brett"},
        "type": 4,
        "handler": 1,
        "contexts": [0, 1, 2],
        "integration_types": [0, 1],
    }
    await bot.http.bulk_upsert_global_commands(enabled.world.application.id, [entry])
    asked: list[Ask] = []

    async def on_interaction(interaction: Ask) -> None:
        asked.append(interaction)
        await interaction.response.launch_activity()

    bot.on_interaction = on_interaction  # type: ignore[attr-defined]
    ann = enabled.person("Ann")
    ann.locale = "de"
    reply = await ann.slash("/brett")
    assert reply.activity is not None
    assert asked[0].data is not None
    assert (asked[0].data["name"], asked[0].data["type"]) == ("board", 4)  # type: ignore[typeddict-item]


@pytest.mark.parametrize(
    ("more", "guild"), [({"handler": 3}, False), ({"handler": "x"}, False), ({}, True)]
)
async def test_an_entry_point_is_global_and_has_a_known_handler(
    enabled: Playground, bot: SampleBot, more: dict[str, Any], *, guild: bool
) -> None:
    body: Any = [{"name": "launch", "type": 4, **more}]
    application = enabled.world.application.id
    with refusing(50035):
        if guild:
            await bot.http.bulk_upsert_guild_commands(application, enabled.guild.id, body)
        else:
            await bot.http.bulk_upsert_global_commands(application, body)


@pytest.mark.parametrize("url", ["http://example.org", "https://127.0.0.1:1", "file:///etc", ""])
def test_an_activity_is_a_page_on_this_machine(url: str) -> None:
    playground = Playground()
    with pytest.raises(ValueError, match="on this machine"):
        playground.enable_activities(url)
    assert playground.world.application.flags == 0
