"""The bot's owner has a voice in direct messages; nobody else learns that there is one."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import discord
import pytest

from bot.core.interactions import controls
from bot.core.owner_decisions import OwnerDecisions
from bot.features.owner.message_commands import owners_of
from bot.features.owner.service import OwnerOrders
from bot.play.matches.erasure import Erased, Erasure
from data.matches import matches, watching
from data.people import owner_orders
from data.people.owner_orders import BotBlock, Order
from data.store.store import Store
from data.tournaments.tournaments import State
from playground.errors import SAFETY_SECONDS
from playground.people import Person
from tests.data.schema import columns_naming
from tests.end_to_end.harness import Environment
from tests.end_to_end.ladders import ladder, ladder_view
from tests.end_to_end.people import follow, letters
from tests.end_to_end.tournaments import start, tournament_view
from tests.routes import APPLICATION, LEAVE


def olive(env: Environment) -> Person:
    """Return the owner of the application, who also owns the server."""
    return env.playground.person("Olive")


async def told(env: Environment, text: str, *, by: Person | None = None) -> str:
    """Write to the bot, and return its answer."""
    person = by or olive(env)
    before = len(letters(env, person))
    person.says(text, channel=person.dm)
    await env.settled()
    new = letters(env, person)[before:]
    return new[-1].text if new else ""


async def block(env: Environment, person: Person, reason: str = "spam") -> str:
    """Have the owner block a person."""
    answer = await told(env, f"owner block user {person.id} --reason {reason} --yes")
    await env.app.get(OwnerDecisions).work.idle()
    return answer


async def test_nobody_else_is_answered_by_anything_but_the_welcome(env: Environment) -> None:
    await env.begin()
    asked = len(env.requests_to(APPLICATION))
    for text in ("owner servers", "owner", f"OWNER block user {env.ben.id} --yes"):
        answer = await told(env, text, by=env.ann)
        assert "Servers" not in answer
        assert "block" not in answer
    assert len(env.requests_to(APPLICATION)) <= asked + 1, (
        "strangers cannot make it ask all the time"
    )
    assert "Play the computer" in [b.label for b in letters(env, env.ann)[0].buttons]
    olive(env).says(f"{env.world.bot.mention} owner servers", channel="games")
    olive(env).says("owner servers", channel="games")
    await env.settled()
    assert not any("Servers" in one.text for one in env.channel("games").messages.values())
    assert await env.read(owner_orders.newest, limit=1) == ()


async def test_who_leaves_the_team_has_no_voice_any_more(env: Environment) -> None:
    assert "Players" in await told(env, "owner totals")
    env.world.application.owner = env.ann.user
    assert "Players" in await told(env, "owner totals"), "Discord is asked once a minute"
    env.bot._owners_at -= 60
    assert "Players" not in await told(env, "owner totals")
    assert "Players" in await told(env, "owner totals", by=env.ann)


async def test_no_command_and_no_control_of_it_is_registered(env: Environment) -> None:
    for place in (olive(env).dm, None):
        names = {command.root.data["name"] for command in olive(env).slash_commands(place)}
        assert "play" in names
        assert "owner" not in names
    assert not [
        kind for kind in controls.registered().values() if "features.owner" in kind.__module__
    ]


async def test_the_owner_reads_size_activity_and_totals(env: Environment) -> None:
    await env.begin("tablut")
    await env.begin("tablan")
    await env.play_a_while(2)
    await env.resign(env.ann, 2)
    guild = env.guild
    answer = await told(env, "owner servers")
    assert f"Servers: 1, with {len(guild.members)} members" in answer
    assert f"{guild.id}  1 open, 1 finished in 30 days" in answer
    assert guild.name in answer
    answer = await told(env, "owner totals")
    assert "Servers with a match: 1. Players: 2." in answer
    (line,) = [one for one in answer.splitlines() if one.startswith("tablut")]
    assert line.split()[1:4] == ["1", "0", "1"]
    assert (await told(env, "owner log")).strip("`\n") == "No orders yet."


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("owner", "size and activity of each server"),
        ("owner help", "announce [TEXT] --until 2h"),
        ("owner fly", "invalid choice"),
        ("owner block user ann", "is no id"),
        ("owner block user 1", "is no id"),
        ("owner block", "required"),
        ("owner announce Soon", "Say until when"),
        ("owner announce Soon --until yesterday", "Say until when"),
        ("owner announce Soon --until 9999d", "Say until when"),
        ("owner announce <@1234567890123456> --until 2h", "notifies no one"),
        ("owner announce " + "x" * 201 + " --until 2h", "The limit is 200"),
        ("owner presence " + "x" * 129, "The limit is 128"),
        ("owner log --page two", "invalid int"),
        ("owner log --page 7", "no such page"),
        ("owner leave 1234567890123456 `; rm -rf", "unrecognized"),
    ],
)
async def test_what_cannot_be_read_is_answered_with_what_to_type(
    env: Environment, typed: str, says: str
) -> None:
    assert says in await told(env, typed)
    assert await env.read(owner_orders.newest, limit=1) == ()


async def test_what_cannot_be_undone_is_explained_first(env: Environment) -> None:
    await env.begin()
    for typed in (
        f"owner block user {env.ann.id}",
        f"owner delete {env.ann.id}",
        f"owner leave {env.guild.id}",
    ):
        answer = await told(env, typed)
        assert "Open matches now: 1. Nothing has happened yet. To do it, add --yes." in answer
    assert not (await env.position()).match.finished


async def test_a_blocked_user_is_told_at_the_next_press_and_loses_their_games(
    env: Environment,
) -> None:
    await env.begin("tablut")
    await env.play_a_while()
    offered = (await env.ann.slash("/tablan challenge", opponent=env.carol)).shown
    assert await env.ann.autocomplete("/match replay", "number", "")
    assert "Matches given up: 1. Challenges closed: 1." in await block(env, env.ann)
    assert not offered.buttons
    board = env.board()
    assert f"{env.ben.mention}) won" in board.text
    for reply in (
        await env.ann.press(board, "Rematch"),
        await env.ann.slash("/play"),
        await env.ann.slash("/tablan challenge", opponent=env.ben),
    ):
        assert "The bot's owner has blocked you" in reply.text
        assert "Reason: spam" in reply.text
        assert reply.shown.ephemeral
    assert await env.ann.autocomplete("/match replay", "number", "") == []
    assert await env.ben.autocomplete("/match replay", "number", "")
    reply = await env.ben.slash("/tablan challenge", opponent=env.ann)
    assert "isn't taking challenges right now" in reply.text
    before = len(letters(env, env.ann))
    assert not await told(env, "hello", by=env.ann)
    assert len(letters(env, env.ann)) == before
    answer = await told(env, "owner blocks")
    assert f"user {env.ann.id}  spam" in answer
    await env.advance(minutes=1)
    assert await told(env, f"owner unblock {env.ann.id}") == "```\nUnblocked.\n```"
    await env.app.get(OwnerDecisions).work.idle()
    assert (await env.ann.slash("/play")).shown.buttons
    assert "Nobody with this id" in await told(env, f"owner unblock {env.ann.id}")


async def test_a_blocked_user_gets_no_more_messages_about_what_they_followed(
    env: Environment,
) -> None:
    await env.begin_between([env.ben, env.carol], "tablut")
    await env.begin_between([env.ben, env.dan], "tablan")
    for followed in ({"match": 1}, {"player": env.ben}):
        assert "llow" in (await follow(env.ann, **followed)).text
    await block(env, env.ann)
    await env.resign(env.ben, 1)
    await env.resign(env.ben, 2)
    await env.advance(minutes=1)
    assert letters(env, env.ann) == []
    assert await env.read(watching.count_followed, env.ann.id) == 0


async def test_a_blocked_user_can_still_have_their_data_copied_and_deleted(
    env: Environment,
) -> None:
    await env.begin()
    await block(env, env.ann, "cheating")
    copy = await env.ann.slash("/privacy export")
    assert copy.shown.attachments
    assert b"cheating" in copy.shown.attachments[0].data
    question = (await env.ann.slash("/privacy delete")).shown
    await env.ann.press(question, custom_id="erase:sure")
    await env.done(env.ann.press(question, custom_id="erase:now"))
    assert "Your data is deleted" in question.text
    kept = await env.read(columns_naming, env.ann.id)
    assert kept <= {"bot_blocks.blocked_id", "spent_limits.user_id", "hourly_uses.user_id"}
    await env.advance(minutes=1)
    assert "blocked you" in (await env.ann.slash("/play")).text
    assert "a former player" in await told(env, "owner log")


async def test_a_game_that_began_before_another_process_heard_of_the_block_ends_too(
    env: Environment,
) -> None:
    await block(env, env.ann)
    await env.begin()  # as if a process with an old cache had begun it
    assert not (await env.position()).match.finished
    await env.advance(seconds=31)
    assert (await env.position()).match.finished


async def test_an_unblocked_user_keeps_what_they_have_begun_since(env: Environment) -> None:
    await block(env, env.ann)
    await told(env, f"owner unblock {env.ann.id}")
    await env.app.get(OwnerDecisions).work.idle()
    await env.begin()
    await env.advance(seconds=31)
    assert not (await env.position()).match.finished
    assert "Unblocked since." in await told(env, "owner log")


async def test_the_owner_cannot_end_their_own_match_in_their_favour(env: Environment) -> None:
    await env.begin_between([olive(env), env.ben])
    await env.play_a_while()
    for typed in (
        f"owner block user {env.ben.id} --yes",
        f"owner delete {env.ben.id} --yes",
        f"owner leave {env.guild.id} --yes",
        f"owner block server {env.guild.id} --yes",
    ):
        assert "would decide their own match" in await told(env, typed)
    assert not (await env.position()).match.finished
    assert (await env.ben.slash("/play")).shown.buttons
    assert "one of the bot's owners" in await told(env, f"owner block user {olive(env).id} --yes")
    await env.resign(olive(env))
    assert "Blocked." in await block(env, env.ben)


async def test_a_blocked_user_leaves_running_tournaments_and_ladders(env: Environment) -> None:
    await start(env, 4)
    await ladder(env, 2)
    assert "Blocked." in await block(env, env.ann)
    view = await tournament_view(env)
    assert env.ann.id not in view.present
    assert len(view.present) == 3
    assert [one.user_id for one in (await ladder_view(env)).rungs] == [env.ben.id]
    refused = await env.ann.slash("/ladder join")
    assert "blocked you" in refused.text


async def test_a_users_data_is_deleted_as_they_would_have_done_it(env: Environment) -> None:
    await env.begin()
    answer = await told(env, f"owner delete {env.ann.id} --reason asked by mail --yes")
    assert "Their data is deleted. Matches given up: 1." in answer
    assert await env.read(columns_naming, env.ann.id) <= {"spent_limits.user_id"}
    log = await told(env, "owner log")
    assert "delete a former player “asked by mail”: Their data is deleted." in log
    assert str(env.ann.id) not in log


async def test_a_deletion_killed_before_its_answer_is_answered_after_the_restart(
    env: Environment,
) -> None:
    await env.begin()
    order = Order(0, env.now(), None, "delete", env.ann.id, None, {}, env.now() + timedelta(1))
    async with env.store.write() as tx:
        given = await owner_orders.add(tx, order)
    await env.app.get(Erasure).erase(env.ann.id)  # and then the process was killed
    await env.stop()
    env.clock.advance(86_400)
    await env.start()
    await env.settled()
    found = await env.read(owner_orders.get, given.id)
    assert found is not None
    assert found.answer == "Their data is deleted."
    assert found.due_at is None


async def test_a_block_killed_before_it_ended_anything_is_completed_after_the_restart(
    env: Environment,
) -> None:
    await env.begin()
    await env.stop()
    store = await Store.open(env.database)
    async with store.write() as tx:
        await owner_orders.block(tx, BotBlock(env.ann.id, server=False, reason="", since=env.now()))
        order = Order(0, env.now(), None, "block", env.ann.id, None, {}, env.now())
        await owner_orders.add(tx, order)
    await store.close()
    await env.start()
    await env.settled()
    assert (await env.position()).match.finished
    assert "Matches given up: 1." in await told(env, "owner log")


async def test_an_order_that_fails_holds_up_no_other_and_is_tried_again(env: Environment) -> None:
    orders = env.app.get(OwnerOrders)
    works = orders.erasure

    class Broken(Erasure):
        async def erase(self, _: int) -> Erased:
            raise RuntimeError("broken")

    orders.erasure = Broken(works.store, works.matches, works.settings, works.clock, works.hold)
    env.expected_errors.append("an order of the owner failed")
    assert "It failed, and the log says why." in await told(env, f"owner delete {env.ann.id} --yes")
    assert "The status is changed." in await told(env, "owner presence Hello")
    orders.erasure = works
    await env.advance(minutes=1)
    assert "Their data is deleted." in await told(env, "owner log")


async def test_an_order_waits_while_discord_does_not_say_who_the_owners_are(
    env: Environment,
) -> None:
    await told(env, "owner totals")
    orders, ask = env.app.get(OwnerOrders), env.app.get(OwnerOrders).owners

    async def unknown() -> None:
        return None

    orders.owners = unknown
    answer = await told(env, f"owner block user {env.ann.id} --yes")
    assert "Not yet: Discord does not say who the bot's owners are. Trying again." in answer
    assert (await env.ann.slash("/play")).shown.buttons
    orders.owners = ask
    await env.advance(minutes=1)
    assert "blocked you" in (await env.ann.slash("/play")).text


async def test_a_server_is_left_once_its_players_know(env: Environment) -> None:
    await env.begin("tablut")
    await env.play_a_while()
    offered = (await env.ann.slash("/tablan challenge", opponent=env.carol)).shown
    answer = await told(env, f"owner leave {env.guild.id} --yes")
    assert "ended without a result. The bot leaves in a moment." in answer
    board = env.board()
    assert "**No result**" in board.text
    assert "I'm leaving this server" in board.text
    assert not offered.buttons
    assert env.requests_to(LEAVE) == []
    await env.advance(seconds=31)
    assert len(env.requests_to(LEAVE)) == 1
    assert env.world.bot.id not in env.guild.members
    assert "The bot has left." in await told(env, "owner log")
    env.allow_pending = True


async def test_a_blocked_server_is_left_again_when_it_invites_the_bot(env: Environment) -> None:
    await told(env, f"owner block server {env.guild.id} --yes")
    await env.app.get(OwnerDecisions).work.idle()
    assert "blocked this server" in (await env.ann.slash("/play")).text
    await env.advance(seconds=31)
    assert env.world.bot.id not in env.guild.members
    env.world.invite_bot(env.guild)
    await env.settled()
    assert env.world.bot.id not in env.guild.members
    await env.stop()
    await env.start()
    await env.settled()
    assert env.world.bot.id not in env.guild.members, "it was invited while the bot was away"


async def test_leaving_goes_on_after_a_kill(env: Environment) -> None:
    await env.begin()
    await told(env, f"owner leave {env.guild.id} --yes")
    await env.restart()
    await env.advance(seconds=31)
    assert env.world.bot.id not in env.guild.members
    env.allow_pending = True


async def test_discord_may_refuse_to_let_the_bot_leave_for_a_while(env: Environment) -> None:
    env.expected.add(503)
    fault = env.faults.respond(LEAVE, status=503)
    await told(env, f"owner leave {env.guild.id} --yes")
    await env.advance(seconds=31)
    assert "does not let the bot leave yet" in await told(env, "owner log")
    env.faults.active.remove(fault)
    await env.advance(minutes=2)
    assert env.world.bot.id not in env.guild.members
    env.allow_pending = True


async def test_tournaments_and_ladders_of_a_server_that_is_left_are_over(env: Environment) -> None:
    await start(env, 4)
    await ladder(env, 2)
    await told(env, f"owner leave {env.guild.id} --yes")
    assert (await tournament_view(env)).tournament.state is State.CANCELLED
    assert (await ladder_view(env)).ladder.closed_at is not None
    assert await env.read(matches.open_in, env.guild.id, limit=9) == ()


async def test_an_announcement_is_on_boards_and_at_play_until_it_ends(env: Environment) -> None:
    await env.begin("tablut")
    answer = await told(env, "owner announce --until 2h")
    assert "Announced" in answer
    await env.app.get(OwnerDecisions).work.idle()
    assert "Maintenance until" in (await env.ann.slash("/play")).text
    before = env.board()
    assert "Maintenance" not in before.text, "boards that are there are not edited"
    asked = await env.done(env.mover(before).slash("/tablut board"))
    assert "Maintenance until <t:" in asked.shown.text, "a board that is asked for has it"
    mover = env.mover(env.board())
    await env.done(mover.slash("/tablut move", options={"move": (await env.legal())[0]}))
    board = env.board()
    assert "Maintenance until <t:" in board.text
    assert [user.id for user in board.pinged] == [env.mover(board).id]
    env.ann.locale = "de"
    assert "Wartung bis" in (await env.ann.slash("/play")).text
    await told(env, "owner announce We are moving, back soon --until 30m")
    await env.app.get(OwnerDecisions).work.idle()
    assert "We are moving, back soon (until <t:" in (await env.ben.slash("/play")).text
    await env.advance(minutes=31)
    assert "moving" not in (await env.ben.slash("/play")).text
    mover = env.mover(env.board())
    await env.done(mover.slash("/tablut move", options={"move": (await env.legal())[0]}))
    assert "moving" not in env.board().text
    await told(env, "owner announce Again --until 30m")
    await told(env, "owner announce --off")
    await env.app.get(OwnerDecisions).work.idle()
    assert "Again" not in (await env.ben.slash("/play")).text


async def test_the_status_is_shown_and_shown_again_by_the_next_process(env: Environment) -> None:
    await told(env, "owner presence Playing since 1283")
    await env.app.get(OwnerDecisions).work.idle()
    await presence(env, "Playing since 1283")
    await env.restart()
    await presence(env, "Playing since 1283")
    await told(env, "owner presence")
    await env.app.get(OwnerDecisions).work.idle()
    await presence(env, "")


async def presence(env: Environment, text: str) -> None:
    async with asyncio.timeout(SAFETY_SECONDS):
        while env.gateway.presence != text:  # noqa: ASYNC110 -- no event to await
            await asyncio.sleep(0.01)


def test_of_a_team_only_members_who_accepted_and_may_change_it_own_the_bot() -> None:
    def member(user_id: int, state: int, role: str) -> dict[str, object]:
        user = {"id": str(user_id), "username": "x", "discriminator": "0", "avatar": None}
        return {"user": user, "membership_state": state, "role": role, "team_id": "1"}

    data = {
        "id": "1",
        "name": "Games",
        "description": "",
        "icon": None,
        "bot_public": True,
        "bot_require_code_grant": False,
        "verify_key": "",
        "flags": 0,
        "owner": {"id": "9", "username": "team", "discriminator": "0", "avatar": None},
        "team": {
            "id": "1",
            "name": "Team",
            "icon": None,
            "owner_user_id": "2",
            "members": [
                member(2, 2, "admin"),
                member(3, 2, "developer"),
                member(4, 2, "read_only"),
                member(5, 1, "admin"),
            ],
        },
    }
    client = discord.Client(intents=discord.Intents.none())
    application = discord.AppInfo(client._connection, data)  # type: ignore[arg-type]
    assert owners_of(application) == {2, 3}
    application = discord.AppInfo(client._connection, {**data, "team": None})  # type: ignore[typeddict-item]
    assert owners_of(application) == {9}
