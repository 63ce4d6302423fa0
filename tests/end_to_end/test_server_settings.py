"""Server settings: their permissions, their effects, and that none is lost."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot.core.settings.server_settings import ServerSettings
from bot.core.settings.service import SettingsStore
from data.people import stored_settings
from playground.errors import Impossible
from playground.model import Message
from playground.people import Person
from playground.reply import Reply
from tests.end_to_end.harness import Environment
from tests.end_to_end.people import may_manage


@pytest.fixture(autouse=True)
async def nothing_chosen(env: Environment) -> None:
    await env.change_settings(threads=True)


async def opened(env: Environment, person: Person) -> Message:
    may_manage(env, person)
    reply = (await person.slash("/server settings")).shown
    assert reply.ephemeral
    return reply


async def chosen(env: Environment) -> ServerSettings:
    return await env.app.get(SettingsStore).server(env.guild.id)


def menu(message: Message, custom_id: str) -> int:
    return [m.custom_id for m in message.menus].index(custom_id)


async def press(person: Person, message: Message, custom_id: str) -> Reply:
    return await person.press(message, custom_id=custom_id)


async def test_the_command_is_only_offered_to_managers_in_servers(env: Environment) -> None:
    with pytest.raises(Impossible):
        await env.ann.slash("/server settings")
    direct = env.world.dm_channel(env.ann.user, env.world.bot)
    with pytest.raises(Impossible):
        await env.ann.slash("/server settings", channel=direct)


async def test_all_current_settings_and_changes_are_shown_at_once(env: Environment) -> None:
    message = await opened(env, env.ann)
    for words in (
        "in all of them",
        "a thread for each match",
        "a new message each turn",
        "3 days",
        "claim the win",
        "wood",
        "as set for this server in Discord",
        "only in `/server audit`",
    ):
        assert words in message.text, words
    await press(env.ann, message, "set:server:threads:no")
    assert "in the channel itself" in message.text
    await press(env.ann, message, "set:server:board:edit")
    assert "one message that changes" in message.text
    await press(env.ann, message, "set:server:forfeit:automatic")
    assert "lost at once" in message.text
    await env.ann.choose(message, "6h", menu=menu(message, "pick:server:days"))
    assert "**Time per move:** 6 hours" in message.text
    assert (await chosen(env)).per_move == timedelta(hours=6)
    await env.ann.choose(message, "7", menu=menu(message, "pick:server:days"))
    assert "7 days" in message.text
    await env.ann.choose(message, "contrast", menu=menu(message, "pick:server:theme"))
    assert "high contrast" in message.text
    games, quiet = env.channel(), env.channel("quiet")
    await env.ann.choose(message, games, quiet, menu=menu(message, "pick:server:channels"))
    await env.ann.choose(message, quiet, menu=menu(message, "pick:server:log_channel"))
    assert await chosen(env) == ServerSettings(
        channels=tuple(sorted((games.id, quiet.id))),
        threads=False,
        board="edit",
        days=7,
        forfeit="automatic",
        theme="contrast",
        log_channel=quiet.id,
    )
    await press(env.ann, message, "set:server:channels:none")
    await press(env.ann, message, "set:server:log_channel:none")
    assert (await chosen(env)).channels == ()
    assert (await chosen(env)).log_channel is None


async def test_the_puzzles_hour_is_asked_for_once_there_is_a_channel_for_it(
    env: Environment,
) -> None:
    message = await opened(env, env.ann)
    ids = [one.custom_id for one in message.menus]
    assert "pick:server:puzzle_channel" in ids
    assert "pick:server:puzzle_hour" not in ids
    assert "Puzzle at" not in message.text
    quiet = env.channel("quiet")
    await env.ann.choose(message, quiet, menu=menu(message, "pick:server:puzzle_channel"))
    assert "**Puzzle at:** 08:00 UTC" in message.text
    await env.ann.choose(message, "20", menu=menu(message, "pick:server:puzzle_hour"))
    assert "**Puzzle at:** 20:00 UTC" in message.text
    await press(env.ann, message, "set:server:puzzle_channel:none")
    assert "Puzzle at" not in message.text
    assert (await chosen(env)).puzzle_hour == 20, "it is kept for the next channel"


async def test_a_player_who_lost_the_permission_changes_nothing(env: Environment) -> None:
    message = await opened(env, env.ann)
    may_manage(env, env.ann, allowed=False)
    refused = await press(env.ann, message, "set:server:threads:no")
    assert "Manage Server" in refused.followups[-1].text if refused.followups else refused.text
    assert (await chosen(env)).threads


async def test_changes_by_two_managers_apply_and_survive_a_restart(env: Environment) -> None:
    mine, bens = await opened(env, env.ann), await opened(env, env.ben)
    first = env.ann.press(mine, custom_id="set:server:threads:no")
    second = env.ben.press(bens, custom_id="set:server:board:edit")
    await first
    await second
    settings = await chosen(env)
    assert (settings.board, settings.threads) == ("edit", False)
    await env.restart()
    settings = await chosen(env)
    assert (settings.board, settings.threads) == ("edit", False)
    bens = await opened(env, env.ben)
    for person, message in ((env.ann, mine), (env.ben, bens)):  # the same button twice
        await press(person, message, "set:server:threads:yes")
        assert (await chosen(env)).threads


async def test_a_deleted_channel_leaves_with_the_next_choice(env: Environment) -> None:
    message = await opened(env, env.ann)
    gone, games = env.channel("quiet"), env.channel()
    await env.ann.choose(message, gone, games, menu=menu(message, "pick:server:channels"))
    await env.ann.choose(message, gone, menu=menu(message, "pick:server:log_channel"))
    env.world.remove_channel(gone)
    while env.bot.get_channel(gone.id) is not None:
        await env.bot.wait_for("guild_channel_delete")
    again = await opened(env, env.ann)
    assert "1 channel that was deleted" in again.text
    assert "was deleted. Pick another one" in again.text
    await env.ann.choose(again, games, menu=menu(again, "pick:server:channels"))
    await press(env.ann, again, "set:server:log_channel:none")
    assert "deleted" not in again.text
    assert (await chosen(env)).channels == (games.id,)


async def test_unreadable_stored_settings_use_the_default(env: Environment) -> None:
    guild = env.guild.id
    async with env.store.write() as tx:
        stored = {"theme": "plaid", "days": 99, "threads": False}
        await stored_settings.put_server(tx, guild, stored, by=1, at=env.now())
    await env.restart()
    message = await opened(env, env.ann)
    assert "3 days" in message.text
    assert "in the channel itself" in message.text
    await press(env.ann, message, "set:server:threads:yes")
    assert await chosen(env) == ServerSettings()


async def test_public_boards_use_the_servers_settings(env: Environment) -> None:
    first = await env.begin()
    message = await opened(env, env.ann)
    await env.ann.choose(message, "contrast", menu=menu(message, "pick:server:theme"))
    second = await env.begin()
    assert first.picture is not None
    assert second.picture is not None
    assert first.picture != second.picture
