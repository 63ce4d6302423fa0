"""Matches are visible to their players and to readers of their channel; if unsure, to players."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest

from bot.features.leaderboards.commands import PROFILE_OF_PERSON
from data.ladders import ladders
from data.ladders.ladders import Terms
from data.matches import matches
from data.ratings import milestones, results
from data.ratings.milestones import CHAIN, COMEBACK, COMPUTER, WIN, Milestone
from data.store.store import Transaction
from data.tournaments import tournament_entrants, tournaments
from data.tournaments.tournaments import State
from data.tournaments.values import Format, Plan
from playground.events import ChannelUpdated, ThreadCreated
from playground.model import Channel, Overwrite
from playground.people import Person
from playground.permissions import Permission
from playground.reply import Reply
from tests.end_to_end.harness import Environment
from tests.end_to_end.people import SLUG, begin_in_thread, hide, resign_there
from tests.end_to_end.results import result
from tests.routes import CHANNEL

NO = "There's no match #1 here."
BY_NUMBER = ("replay", "gif", "board", "export", "verify", "analysis", "hint", "relocate")
OF_A_GAME = ("board", "since", "move", "takeback", "resign")


async def refused(person: Person, where: Channel | str = "general") -> None:
    """Check that no command shows a person the match or names its players."""
    for name in BY_NUMBER:
        number = 1 if name in {"verify", "hint", "relocate"} else "1"
        reply = await person.slash(f"/match {name}", channel=where, options={"number": number})
        assert (await text(reply), name) == (NO, name)
    for name in OF_A_GAME:
        given = {"match": 1, **({"move": "e7-e9"} if name == "move" else {})}
        reply = await person.slash(f"/{SLUG} {name}", channel=where, options=given)
        assert (await text(reply), name) == (NO, name)


async def text(reply: Reply) -> str:
    """Return the text of a private answer, even after a public "thinking"."""
    return (await reply.followup()).text if reply.deferred else reply.text


async def can_see(person: Person, where: Channel | str = "general") -> bool:
    reply = await person.slash("/match replay", channel=where, number="1")
    assert (NO in reply.text) is not ("match #1\n" in reply.text)
    return NO not in reply.text


async def test_a_private_threads_match_is_visible_to_its_members(env: Environment) -> None:
    thread = await begin_in_thread(env, private=True)
    await refused(env.carol)
    assert not await can_see(env.dan), "membership of a thread counts only there"
    assert await can_see(env.dan, thread)
    for player in (env.ann, env.ben):
        assert await can_see(player)
    await resign_there(env, thread)
    await refused(env.carol)
    env.world.archive(thread, archived=True)
    await env.settled()
    await refused(env.carol)
    assert await can_see(env.ann)


async def test_thread_managers_see_matches_in_private_threads(env: Environment) -> None:
    await begin_in_thread(env, private=True)
    games = env.channel()
    games.overwrites[env.carol.id] = Overwrite(1, allow=Permission.MANAGE_THREADS)
    env.world.emit(ChannelUpdated(games))
    assert await can_see(env.carol)


@pytest.mark.parametrize("where", ["elsewhere", "our corner"])
async def test_only_players_see_a_deleted_channels_match(env: Environment, where: str) -> None:
    env.expected |= {404}
    if where == "our corner":
        await begin_in_thread(env)
    else:
        await env.begin(SLUG, channel=where)
    assert await can_see(env.carol)
    await resign_there(env, where)
    env.world.remove_channel(env.channel(where))
    await env.settled()
    await refused(env.carol)
    for player in (env.ann, env.ben):
        assert await can_see(player)


async def test_an_archived_threads_match_is_as_visible_as_its_channel(env: Environment) -> None:
    await env.change_settings(threads=True)
    await env.begin(SLUG)
    (thread,) = env.guild.threads.values()
    await resign_there(env, thread)
    env.world.archive(thread, archived=True)
    await env.settled()
    assert await can_see(env.carol)
    hide(env, "games", env.carol)
    await refused(env.carol)
    assert await can_see(env.dan)


@pytest.mark.parametrize("failure", [403, "broken"])
async def test_a_thread_discord_does_not_confirm_is_visible_to_its_players_only(
    env: Environment, failure: int | str
) -> None:
    env.expected |= {403}
    await env.change_settings(threads=True)
    await env.begin(SLUG)
    (thread,) = env.guild.threads.values()
    await resign_there(env, thread)
    env.world.archive(thread, archived=True)
    await env.settled()
    if failure == "broken":
        env.faults.drop(CHANNEL, after=False, times=None)
    else:
        env.faults.respond(CHANNEL, status=403, times=None)
    assert not await can_see(env.carol)
    assert await can_see(env.ben)


async def test_without_message_history_permission_matches_are_hidden(env: Environment) -> None:
    await env.begin(SLUG)
    games = env.channel()
    games.overwrites[env.carol.id] = Overwrite(1, deny=Permission.READ_MESSAGE_HISTORY)
    env.world.emit(ChannelUpdated(games))
    assert not await can_see(env.carol)


async def test_matches_in_direct_messages_are_visible_to_their_members(env: Environment) -> None:
    assert (await env.done(env.ann.slash(f"/{SLUG} practice", channel=env.ann.dm, level=1))).text
    for place in ("games", env.carol.dm):
        assert not await can_see(env.carol, place)
    assert await can_see(env.ann, "games")


async def test_an_abandoned_board_hides_where_the_match_continues(env: Environment) -> None:
    hide(env, "elsewhere", env.carol)
    board = await env.begin(SLUG)
    old, (value, *_) = board.snapshot(), env.choices(board)
    moved = await env.ann.slash("/match relocate", channel="elsewhere", number=1)
    assert "goes on in this channel" in moved.text
    await env.settled()
    pressed = await env.carol.press(old, custom_id=value, stale=True)
    assert pressed.text == NO
    assert not pressed.message or not pressed.message.attachments
    reply = await env.dan.press(old, custom_id=value, stale=True)
    assert "belongs to" in reply.text
    assert "match #1\n" in reply.text


async def profiles(env: Environment) -> tuple[Reply, Reply]:
    """Return Ann's profile as Carol sees it, and as Ann shows it to all."""
    hers = await env.carol.user_command(PROFILE_OF_PERSON, on=env.ann)
    return hers, await env.ann.slash("/profile", channel="games")


async def last_matches(reply: Reply) -> bool:
    assert "1 won" in reply.text or "0 : 1" in reply.text or "1 : 0" in reply.text, reply.text
    return "#1 Tablut" in reply.text


@pytest.mark.parametrize("private", [False, True])
async def test_profiles_list_no_hidden_match(env: Environment, *, private: bool) -> None:
    thread = await begin_in_thread(env, private=private)
    await resign_there(env, thread)
    for person in (env.carol, env.ann):
        reply = await person.slash("/profile", channel="games", user=env.ben)
        assert not reply.ephemeral
        assert await last_matches(reply) is not private
    own = await env.ann.user_command(PROFILE_OF_PERSON, on=env.ben)
    assert await last_matches(own), "only the player sees it"
    strange = await env.carol.user_command(PROFILE_OF_PERSON, on=env.ben)
    assert await last_matches(strange) is not private
    assert await last_matches(await env.dan.slash("/profile", channel=thread, user=env.ben))
    both = await env.ann.slash("/rivals", channel="games", user=env.ben)
    assert await last_matches(both) is not private
    assert await last_matches(await env.ann.slash("/rivals", channel=thread, user=env.ben))


def close(env: Environment, channel: str, how: str, *to: Person) -> None:
    """Close a channel to everyone but some people, by a role, or to Carol only."""
    if how == "a member":
        hide(env, channel, env.carol)
        return
    place = env.channel(channel)
    place.overwrites[env.guild.id] = Overwrite(0, deny=Permission.VIEW_CHANNEL)
    for one in (*(person.id for person in to), env.world.bot.id):
        place.overwrites[one] = Overwrite(1, allow=Permission.VIEW_CHANNEL)
    env.world.emit(ChannelUpdated(place))


@pytest.mark.parametrize("how", ["a role", "a member"])
async def test_profiles_list_no_restricted_channels_match(env: Environment, how: str) -> None:
    await env.begin(SLUG, channel="elsewhere")
    await resign_there(env, "elsewhere")
    assert await last_matches(await env.ann.slash("/profile", channel="games", user=env.ben))
    close(env, "elsewhere", how, env.ann, env.ben)
    reply = await env.ann.slash("/profile", channel="games", user=env.ben)
    assert not await last_matches(reply)
    assert await last_matches(await env.ann.slash("/profile", channel="elsewhere", user=env.ben))
    own = await env.ann.user_command(PROFILE_OF_PERSON, on=env.ben)
    assert await last_matches(own)


async def won(env: Environment, *names: str, channel: str) -> None:
    where = env.channel(channel).id

    async def play(tx: Transaction) -> None:
        for name in names:
            terms = tournaments.Terms(
                guild_id=env.guild.id,
                channel_id=where,
                name=name,
                game=SLUG,
                plan=Plan(Format.SWISS, rounds=3),
                created_by=env.dan.id,
                days=3,
            )
            cup = await tournaments.add(tx, terms, seed=bytes(32), at=env.now(), next_at=None)
            await tournament_entrants.enter(tx, cup.id, env.ann.id, strength=1500.0, at=env.now())
            await tournament_entrants.set_places(tx, cup.id, [(env.ann.id, 1)])
            resign_there = env.now() + timedelta(days=cup.id)
            await tournaments.change(tx, cup, state=State.FINISHED, ended_at=resign_there)

    await env.store.run_write(play)
    await env.settled()


async def climbs(env: Environment, game: str, *, channel: str) -> None:
    now, where = env.now(), env.channel(channel).id
    terms = Terms(
        guild_id=env.guild.id,
        channel_id=where,
        game=game,
        created_by=env.dan.id,
        reach=3,
        answer_days=3,
        idle_days=30,
        pause_days=7,
        days=3,
        game_days=30,
        unrated=False,
    )
    later = now + timedelta(days=30)

    async def join(tx: Transaction) -> None:
        made = await ladders.add(tx, terms, at=now, next_check_at=later)
        await ladders.enter(tx, made.id, env.ann.id, place=1, at=now, slide_at=later)

    await env.store.run_write(join)


@pytest.mark.parametrize("how", ["a role", "a member"])
async def test_profiles_name_no_hidden_tournament_or_ladder(env: Environment, how: str) -> None:
    await result(env, [env.ann.id, env.ben.id], [1, 2])
    await result(env, [env.ann.id, env.ben.id], [1, 2], game=SLUG)
    await won(env, "Open Cup", channel="games")
    await won(env, "Inner Cup", channel="elsewhere")
    await climbs(env, "tablut", channel="games")
    await climbs(env, "tablan", channel="elsewhere")
    open_lines = ("Won **Open Cup**", "**Tablut ladder:** place 1")
    inner_lines = ("Won **Inner Cup**", "**Tablan ladder:** place 1")
    before = await env.carol.user_command(PROFILE_OF_PERSON, on=env.ann)
    assert all(line in before.text for line in open_lines + inner_lines)
    public = await env.ann.slash("/profile", channel="games")
    assert not public.ephemeral
    assert all(line in public.text for line in open_lines + inner_lines)
    close(env, "elsewhere", how, env.ann)
    for reply in (
        *await profiles(env),
        await env.ben.slash("/profile", channel="games", user=env.ann),
        await env.ben.choose(public.shown, SLUG),
    ):
        assert all(line in reply.text for line in open_lines), reply.text
        assert not any(line in reply.text for line in inner_lines), reply.text
    there = await env.ann.slash("/profile", channel="elsewhere")
    assert not there.ephemeral
    assert all(line in there.text for line in inner_lines), there.text
    own = (await env.ann.user_command(PROFILE_OF_PERSON, on=env.ann)).private
    assert all(line in own for line in open_lines + inner_lines), own


async def test_hidden_tournaments_take_no_place_in_a_profile(env: Environment) -> None:
    await result(env, [env.ann.id, env.ben.id], [1, 2])
    await won(env, *(f"Open {n}" for n in range(1, 7)), channel="games")
    await won(env, *(f"Inner {n}" for n in range(1, 6)), channel="elsewhere")
    hide(env, "elsewhere", env.carol)
    for reply in await profiles(env):
        assert "Inner" not in reply.text
        assert [n for n in range(1, 7) if f"Won **Open {n}**" in reply.text] == [2, 3, 4, 5, 6]
    own = await env.ann.user_command(PROFILE_OF_PERSON, on=env.ann)
    assert "Open" not in own.text
    assert [n for n in range(1, 6) if f"Won **Inner {n}**" in own.text] == [1, 2, 3, 4, 5]


async def ended(env: Environment, number: int, *, channel: str, threads: bool = False) -> list[int]:
    """Record matches of Ann against Ben in a channel, or in its archived threads."""
    place, world = env.channel(channel), env.world
    numbers = []
    for _ in range(number):
        numbers.append(await result(env, [env.ann.id, env.ben.id], [1, 2]))
        where, parent = place, None
        if threads:
            where, parent = world.add_thread(place, "at rest", env.ann.user), place.id
            world.archive(where, archived=True)

        async def put(
            tx: Transaction,
            match: int = numbers[-1],
            there: int = where.id,
            of: int | None = parent,
        ) -> None:
            kind = "channel" if of is None else "thread"
            await matches.set_channel(tx, match, kind=kind, channel_id=there, parent_id=of)

        await env.store.run_write(put)
    await env.settled()
    return numbers


def listed(reply: Reply) -> list[int]:
    return [int(number) for number in re.findall(r"#(\d+) Tablan", reply.text)]


async def test_hidden_matches_take_no_place_in_a_profile(env: Environment) -> None:
    seen = await ended(env, 7, channel="games")
    hidden = await ended(env, 20, channel="elsewhere")
    hide(env, "elsewhere", env.carol)
    for reply in (
        *await profiles(env),
        await env.ann.slash("/rivals", channel="games", user=env.ben),
    ):
        assert listed(reply) == seen[:1:-1]
    own = await env.ann.user_command(PROFILE_OF_PERSON, on=env.ben)
    assert listed(own) == hidden[:-6:-1], "only the player sees it"


async def test_a_profile_requests_no_threads_of_hidden_channels(env: Environment) -> None:
    seen = await ended(env, 1, channel="games")
    await ended(env, 6, channel="elsewhere", threads=True)
    hide(env, "elsewhere", env.carol)
    reply = await env.carol.user_command(PROFILE_OF_PERSON, on=env.ann)
    assert listed(reply) == seen
    assert env.requests_to(CHANNEL) == []


async def test_a_profile_requests_few_threads_from_discord(env: Environment) -> None:
    env.expected |= {404}
    seen = await ended(env, 3, channel="games", threads=True)
    deleted = await ended(env, 30, channel="games", threads=True)
    for thread in list(env.guild.threads.values())[len(seen) :]:
        env.world.remove_channel(thread)
    reply = await env.carol.user_command(PROFILE_OF_PERSON, on=env.ann)
    assert listed(reply) == []
    assert len(deleted) > len(env.requests_to(CHANNEL)) > 0
    assert len(env.requests_to(CHANNEL)) <= 10


async def test_milestones_of_one_thread_ask_discord_for_it_once(env: Environment) -> None:
    (number,) = await ended(env, 1, channel="games", threads=True)
    async with env.store.write() as tx:
        stored = await results.of_match(tx, number)
        assert stored is not None
        kinds = (CHAIN, COMEBACK, WIN, COMPUTER)
        found = [Milestone(env.ann.id, kind, "tablut", "", stored.id, 9) for kind in kinds]
        await milestones.put(tx, found)
    reply = await env.carol.user_command(PROFILE_OF_PERSON, on=env.ann)
    assert "in Tablut: 9" in reply.text
    before = len(env.requests_to(CHANNEL))
    every = await env.carol.press(reply.shown, "All milestones")
    assert len(every.text.splitlines()) == 2 + len(found)
    assert len(env.requests_to(CHANNEL)) == before + 1


async def test_players_see_their_own_tournaments_and_ladders(env: Environment) -> None:
    await result(env, [env.ann.id, env.ben.id], [1, 2])
    await won(env, "Inner Cup", channel="elsewhere")
    await climbs(env, "tablan", channel="elsewhere")
    hide(env, "elsewhere", env.ann)
    for reply in (
        await env.ann.user_command(PROFILE_OF_PERSON, on=env.ann),
        await env.ann.slash("/profile", channel="games", scope="everywhere"),
    ):
        assert reply.ephemeral
        assert "Won **Inner Cup**" in reply.text
        assert "**Tablan ladder:**" in reply.text
    reply = await env.ann.slash("/profile", channel="games")
    assert "Inner Cup" not in reply.text
    assert "ladder" not in reply.text


async def test_a_deleted_channels_tournament_stays_in_profiles(env: Environment) -> None:
    env.expected |= {404}
    await result(env, [env.ann.id, env.ben.id], [1, 2])
    await won(env, "Old Cup", channel="elsewhere")
    env.world.remove_channel(env.channel("elsewhere"))
    await env.settled()
    for reply in await profiles(env):
        assert "Won **Old Cup**" in reply.text


async def test_a_private_threads_challenge_is_only_offered_to_its_members(env: Environment) -> None:
    world = env.world
    games = env.channel()
    thread = world.add_thread(games, "our corner", env.ann.user, private=True)
    thread.thread_members[world.bot.id] = thread.thread_members[env.ann.id]
    world.emit(ThreadCreated(thread))
    await env.ann.slash(f"/{SLUG} challenge", channel=thread)
    assert "Nobody here is looking for" in (await env.carol.slash("/seek", channel="games")).text


async def test_suggestions_are_the_players_own_matches(env: Environment) -> None:
    await env.begin(SLUG)
    for name in ("replay", "gif", "board", "export", "analysis"):
        assert await env.carol.autocomplete(f"/match {name}", "number", "") == []
    for name in ("board", "since", "takeback", "resign"):
        assert await env.carol.autocomplete(f"/{SLUG} {name}", "match", "1") == []
