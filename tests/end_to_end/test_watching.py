"""``/watch``: the matches played here, and one message when a followed one ends."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from datetime import time
from functools import partial

import pytest

from bot.core.computers import computers
from bot.core.posts.poster import Poster
from bot.features.watching import service
from bot.features.watching.service import Watching
from data.matches import matches
from data.matches.match import THREAD, Match, Player
from data.store.store import Transaction
from engine import registry
from playground.model import Message
from playground.people import Person
from tests.end_to_end.gateways import until
from tests.end_to_end.harness import Environment
from tests.end_to_end.people import (
    SLUG,
    about_letters_to,
    begin_in_thread,
    confirm,
    follow,
    hide,
    inbox,
    labels,
    resign_there,
)
from tests.routes import CHANNEL, POST


async def page(person: Person) -> Message:
    reply = await person.slash("/watch", channel="general")
    assert reply.ephemeral
    return reply.shown


def options(message: Message) -> list[str]:
    return [
        option.label
        for menu in message.menus
        if (menu.custom_id or "").startswith("watch-match")
        for option in menu.options
    ]


async def put(
    env: Environment,
    number: int,
    *,
    channel: str = "games",
    computer: bool = False,
    threads: bool = False,
) -> list[int]:
    """Begin matches of Ann and Ben, or of Ann and a computer, without their boards.

    With ``threads`` each is in an archived thread of that channel, as if made by the bot.
    """
    game, place, world = registry.game(SLUG), env.channel(channel), env.world
    where = [place.id] * number
    if threads:
        made = [world.add_thread(place, "at rest", env.ann.user) for _ in range(number)]
        where = [thread.id for thread in made]
        for thread in made:
            world.archive(thread, archived=True)
        await env.settled()
    people = (env.ann.id, computers(1, 1)[0] if computer else env.ben.id)
    seated = tuple(Player(seat, user) for seat, user in enumerate(people))

    async def begin(tx: Transaction) -> list[int]:
        begun = []
        for here in where:
            match = await matches.add(
                tx,
                Match(
                    0,
                    game=SLUG,
                    rules_version=game.rules_version,
                    options=game.settle(),
                    guild_id=env.guild.id,
                    channel_id=here,
                    seed=bytes(32),
                    commitment="c0ffee",
                    created_at=env.now(),
                    players=seated,
                ),
            )
            if threads:
                await matches.set_channel(
                    tx, match, kind=THREAD, channel_id=here, parent_id=place.id
                )
            begun.append(match)
        return begun

    return await env.store.run_write(begin)


def listed(message: Message) -> list[int]:
    return [int(number) for number in re.findall(r"#(\d+) \*\*Tablut", message.text)]


async def test_the_list_offers_to_follow_matches_played_here(env: Environment) -> None:
    empty = await page(env.carol)
    assert "Nothing you can see is being played here" in empty.text
    await env.begin(SLUG)
    board = env.board()
    message = await page(env.carol)
    assert "#1 **Tablut** · " in message.text
    assert env.ann.mention in message.text
    assert env.ben.mention in message.text
    assert "· move 1 ·" in message.text
    assert message.pinged == ()
    assert f"/{board.channel.id}/{board.id})" in message.text
    assert options(message) == ["Follow #1 Tablut"]
    assert options(await page(env.ann)) == [], "players know when their match ends"
    await env.carol.choose(message, "follow 1", menu=0)
    assert "· following" in message.text
    assert options(message) == ["Stop following #1 Tablut"]
    await env.carol.choose(message, "leave 1", menu=0)
    assert "· following" not in message.text


async def test_followers_of_a_match_get_one_message_when_it_ends(env: Environment) -> None:
    await env.begin(SLUG)
    reply = await follow(env.carol, match=1)
    assert reply.ephemeral
    assert "You're following match [#1](https://" in reply.text
    await env.play_a_while()
    assert inbox(env, env.carol) == []
    await resign_there(env, "games")
    await env.advance(days=1)
    [message] = inbox(env, env.carol)
    assert "### Tablut on " in message.text
    assert f"{env.ben.mention}) won** against {env.ann.mention}" in message.text
    assert "[The last board](" in message.text
    assert message.buttons == []
    assert inbox(env, env.ann) == inbox(env, env.ben) == []


async def test_followers_of_a_player_are_told_until_they_stop(env: Environment) -> None:
    reply = await follow(env.carol, player=env.ann)
    assert f"You're following {env.ann.mention}" in reply.text
    await env.begin(SLUG)
    await resign_there(env, "games")
    [message] = inbox(env, env.carol)
    stopped = await env.carol.press(message, "Stop following")
    assert f"You no longer follow {env.ann.mention}" in stopped.text
    await env.begin(SLUG)
    await env.play_a_while(2)
    await confirm(
        env, env.ann, await env.ann.slash(f"/{SLUG} resign", channel="games", match=2), "Resign"
    )
    await env.advance(days=1)
    assert len(inbox(env, env.carol)) == 1


async def test_players_to_follow_are_chosen_from_a_user_menu(env: Environment) -> None:
    message = await page(env.carol)
    await env.carol.choose(message, env.ann, env.ben, menu=0)
    assert f"You follow {env.ann.mention} and {env.ben.mention}" in message.text or (
        f"You follow {env.ben.mention} and {env.ann.mention}" in message.text
    )
    await env.carol.choose(message, env.ben, menu=0)
    assert f"You follow {env.ben.mention}." in message.text
    await env.carol.choose(message, menu=0)
    assert "You follow" not in message.text


async def test_hidden_matches_are_not_listed_followed_or_announced(env: Environment) -> None:
    env.expected.add(404)  # who is no member of a thread
    await begin_in_thread(env, private=True)
    assert "#1" not in (await page(env.carol)).text
    reply = await follow(env.carol, match=1)
    assert "There's no match #1 here." in reply.text
    await follow(env.carol, player=env.ann)
    await resign_there(env, "our corner")
    await env.advance(days=3)
    assert inbox(env, env.carol) == []


async def hide_the_channel(env: Environment) -> None:
    hide(env, "games", env.carol)


async def leave_the_server(env: Environment) -> None:
    env.expected |= {404}
    env.world.remove_member(env.guild, env.carol.user)


async def block(env: Environment) -> None:
    await env.ann.slash("/block", user=env.carol)


@pytest.mark.parametrize("happens", [hide_the_channel, leave_the_server, block])
async def test_who_may_not_see_a_match_any_more_is_not_told(
    env: Environment, happens: Callable[[Environment], Awaitable[None]]
) -> None:
    await env.begin(SLUG)
    for person in (env.carol, env.dan):
        await follow(person, match=1)
        await follow(person, player=env.ann)
    await happens(env)
    await resign_there(env, "games")
    await env.advance(days=3)
    assert inbox(env, env.carol) == []
    assert len(inbox(env, env.dan)) == 1


async def test_a_block_prevents_following_without_revealing_itself(env: Environment) -> None:
    await env.begin(SLUG)
    await env.ann.slash("/block", user=env.carol)
    blocked = await follow(env.carol, player=env.ann)
    await env.change_player(env.ben, profile=False)
    private = await follow(env.carol, player=env.ben)
    assert blocked.text == f"{env.ann.mention} can't be followed."
    assert private.text == f"{env.ben.mention} can't be followed."
    assert "You can't follow match #1." in (await follow(env.carol, match=1)).text


async def test_matches_of_private_players_cannot_be_followed(env: Environment) -> None:
    await env.change_player(env.ben, profile=False)
    await env.begin(SLUG)
    private = await follow(env.carol, match=1)
    assert private.text == "You can't follow match #1."
    message = await page(env.dan)
    assert "You can't follow match #1." in (await env.dan.choose(message, "follow 1", menu=0)).text
    await follow(env.dan, player=env.ann)
    await resign_there(env, "games")
    await env.advance(days=1)
    assert inbox(env, env.carol) == []
    assert inbox(env, env.dan) == [], "it would reveal Ben, too"


async def test_no_one_is_told_of_a_player_whose_profile_became_private(env: Environment) -> None:
    await env.begin(SLUG)
    await follow(env.carol, match=1)
    await follow(env.dan, player=env.ben)
    await env.change_player(env.ann, profile=False)
    await resign_there(env, "games")
    await env.advance(days=1)
    assert inbox(env, env.carol) == inbox(env, env.dan) == []


async def test_notifications_respect_quiet_hours_and_pings(env: Environment) -> None:
    await env.change_player(env.carol, quiet_from=time(20), quiet_to=time(7))
    await env.change_player(env.dan, pings=False)
    await env.begin(SLUG)
    for person in (env.carol, env.dan):
        await follow(person, match=1)
    await resign_there(env, "games")
    assert len(inbox(env, env.dan)) == 1
    assert inbox(env, env.carol) == []
    await env.advance(hours=10)
    assert inbox(env, env.carol) == []
    await env.advance(hours=1)
    assert len(inbox(env, env.carol)) == 1


async def test_closed_direct_messages_do_no_harm(env: Environment) -> None:
    env.expected |= {403}
    await env.begin(SLUG)
    await follow(env.carol, match=1)
    env.faults.respond(POST, status=403, code=50007, when=about_letters_to(env, env.carol))
    await resign_there(env, "games")
    await env.advance(days=1)
    assert inbox(env, env.carol) == []


async def test_a_restart_loses_and_repeats_no_notification(env: Environment) -> None:
    await env.begin(SLUG)
    await follow(env.carol, match=1)
    env.expected |= {500}
    env.faults.drop(POST, after=True, when=about_letters_to(env, env.carol))
    await resign_there(env, "games")
    await env.restart()
    await env.advance(minutes=5)
    assert len(inbox(env, env.carol)) == 1


async def server_unavailable(env: Environment) -> Callable[[], None]:
    env.world.set_unavailable(env.guild, unavailable=True)
    await until(lambda: env.bot.is_available(env.guild.id) is False)
    return partial(env.world.set_unavailable, env.guild, unavailable=False)


async def shard_not_connected(env: Environment) -> Callable[[], None]:
    """Take the bot back to where it owns a shard, and knows nothing of its servers yet."""
    connection, shards = env.bot._connection, env.app.get(Poster).shards
    guild = env.bot.get_guild(env.guild.id)
    assert guild is not None
    connection._remove_guild(guild)
    shards._ready.clear()

    def connect() -> None:
        connection._add_guild(guild)
        shards._ready.add(0)
        env.bot.dispatch("guild_available", guild)

    return connect


@pytest.mark.parametrize("lost", [server_unavailable, shard_not_connected])
async def test_followers_are_told_though_the_server_was_out_of_reach(
    env: Environment, lost: Callable[[Environment], Awaitable[Callable[[], None]]]
) -> None:
    env.expected |= {500}
    await env.begin(SLUG)
    await follow(env.carol, match=1)
    env.faults.respond(POST, status=500, times=None, when=about_letters_to(env, env.carol))
    await resign_there(env, "games")
    come_back = await lost(env)
    env.faults.clear()
    await env.advance(hours=1)
    assert inbox(env, env.carol) == [], "nobody knows yet whether she may see the match"
    come_back()
    await env.advance(minutes=1)
    assert len(inbox(env, env.carol)) == 1


async def test_followers_are_told_though_the_shard_was_lost_as_their_letter_was_written(
    env: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    await env.begin(SLUG)
    await follow(env.carol, match=1)
    ended, connect = Watching.ended, list[Callable[[], None]]()

    async def lose(watching: Watching, match_id: int, user_id: int) -> object:
        if not connect:
            connect.append(await shard_not_connected(env))
        return await ended(watching, match_id, user_id)

    monkeypatch.setattr(Watching, "ended", lose)
    await resign_there(env, "games")
    assert connect
    connect[0]()
    await env.advance(minutes=1)
    assert len(inbox(env, env.carol)) == 1


async def test_follows_are_limited(env: Environment, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "MAX_FOLLOWED", 1)
    monkeypatch.setattr(service, "MAX_FOLLOWERS", 1)
    await env.begin(SLUG)
    await follow(env.carol, player=env.ann)
    assert "Stop following one first" in (await follow(env.carol, match=1)).text
    assert "You're following" in (await follow(env.carol, player=env.ann)).text
    assert "Too many people" in (await follow(env.dan, player=env.ann)).text
    assert "You're following" in (await follow(env.dan, match=1)).text


async def test_oneself_computers_and_finished_matches_cannot_be_followed(env: Environment) -> None:
    await env.begin(SLUG)
    assert "Pick someone else" in (await follow(env.carol, player=env.carol)).text
    assert "your own game" in (await follow(env.ann, match=1)).text
    await resign_there(env, "games")
    assert "match #1 is already over" in (await follow(env.carol, match=1)).text.lower()


async def test_practice_matches_do_not_crowd_out_matches_between_people(env: Environment) -> None:
    older = await put(env, 1)
    await put(env, 25, computer=True)
    newer = await put(env, 1)
    await put(env, 25, computer=True)
    message = await page(env.carol)
    assert listed(message) == [*newer, *older]
    assert labels(message) == []
    practice = newer[0] + 1
    assert f"You're following match #{practice}." in (await follow(env.carol, match=practice)).text


async def test_hidden_matches_do_not_hide_older_ones(env: Environment) -> None:
    [visible] = await put(env, 1)
    await put(env, 100, channel="elsewhere")
    hide(env, "elsewhere", env.carol)
    message = await page(env.carol)
    assert listed(message) == []
    assert "Nothing you can see on this page" in message.text
    assert labels(message) == ["Older"]
    for _ in range(2):
        await env.carol.press(message, "Older")
        assert listed(message) == [visible]
        assert labels(message) == ["Newest"]
        await env.carol.press(message, "Newest")
        assert listed(message) == []
        assert labels(message) == ["Older"]
    everybody = await page(env.dan)
    assert len(listed(everybody)) == 10
    assert labels(everybody) == ["Older"]


async def test_archived_threads_of_unseen_channels_are_not_requested(env: Environment) -> None:
    await put(env, 100, channel="elsewhere", threads=True)
    visible = await put(env, 1)
    hide(env, "elsewhere", env.carol)
    message = await page(env.carol)
    assert listed(message) == visible
    await env.carol.press(message, "Older")
    assert listed(message) == []
    assert env.requests_to(CHANNEL) == []


async def test_a_page_requests_ten_archived_threads_and_older_continues(env: Environment) -> None:
    env.expected |= {404}
    oldest = await put(env, 12, threads=True)
    deleted = await put(env, 25, threads=True)
    for thread in list(env.guild.threads.values())[len(oldest) :]:
        env.world.remove_channel(thread)
    newest = await put(env, 1)
    message = await page(env.carol)
    found, asked = listed(message), [len(env.requests_to(CHANNEL))]
    assert found == newest
    while "Older" in labels(message):
        await env.carol.press(message, "Older")
        found += listed(message)
        asked.append(len(env.requests_to(CHANNEL)))
    assert found == [*newest, *oldest[::-1]]
    assert asked == [10, 20, 30, len(deleted) + len(oldest)]


@pytest.mark.parametrize(
    "runs",
    [
        pytest.param((7, 90, 5), id="ten and the last one looked at are at once the end of a page"),
        pytest.param((3, 89, 11), id="one more than a page"),
        pytest.param((10,), id="a page and nothing else"),
        pytest.param((12,), id="two pages"),
        pytest.param((10, 15), id="a page, and nothing that can be seen above it"),
        pytest.param((2, 200, 9, 30, 12), id="several pages, some without a match"),
        pytest.param((0, 120, 4), id="nothing at the end"),
    ],
)
async def test_older_pages_show_each_match_once(env: Environment, runs: tuple[int, ...]) -> None:
    """Visible and hidden matches alternate in runs, the oldest first."""
    visible: list[int] = []
    for turn, number in enumerate(runs):
        if turn % 2:
            await put(env, number, channel="elsewhere")
        else:
            visible += await put(env, number)
    hide(env, "elsewhere", env.carol)
    message = await page(env.carol)
    found = listed(message)
    for _ in range(sum(runs) // 10 + 1):
        if "Older" not in labels(message):
            break
        await env.carol.press(message, "Older")
        assert len(listed(message)) <= 10
        assert "Start a game" not in message.text, "the others were on earlier pages"
        found += listed(message)
    assert "Older" not in labels(message)
    assert found == visible[::-1]
