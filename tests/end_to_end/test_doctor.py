"""The doctor: what it finds, what it advises, and what it never shows."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing

import pytest
from pydantic import SecretStr
from sqlalchemy import text

from bot.app import doctor, machine_checks
from bot.app.machine_checks import Level, error
from bot.app.page_checks import Asked
from bot.core.config import Config
from data.store.inspection import inspect
from data.store.process_lock import process_lock
from data.store.store import Store
from playground.permissions import Permission
from tests.data.schema import expand
from tests.end_to_end.harness import Environment
from tests.end_to_end.monitoring import of_discord
from tests.end_to_end.program import AFRESH, Program


async def test_a_working_bot_passes_every_check(env: Environment) -> None:
    found = await of_discord(env)
    assert {"token", "intents", "shards", "connects", "commands", "channels", "clock"} == set(found)
    assert [one for some in found.values() for one in some if one.level is not Level.OK] == []


async def test_the_program_reports_success_and_exits_with_zero(env: Environment) -> None:
    await env.begin()
    await env.settled()
    program = Program(env)
    process = await program.launch(arguments=["doctor"])
    output, _ = await process.communicate()
    assert process.returncode == 0, output.decode()
    assert "The bot can work." in output.decode()
    assert "none runs on this database" in output.decode()
    assert env.playground.token not in output.decode()
    await env.turn(env.board(), random.Random(3))


async def test_commands_that_the_program_has_registered_are_up_to_date(env: Environment) -> None:
    """Both start afresh, and import their modules in another order."""
    await env.stop()
    program = Program(env)
    await program.start(AFRESH)
    await program.logged("commands synced")
    await program.stop()
    process = await program.launch(program=AFRESH, arguments=["doctor"])
    output, _ = await process.communicate()
    assert "registered and up to date" in output.decode()


AS_RESTRICTED_AS_A_GATEWAY = """
import ctypes, runpy, sys
if ctypes.CDLL(None).prctl(65, 1, 0, 0, 0):  # PR_SET_MDWE, as MemoryDenyWriteExecute does it
    sys.exit(77)
sys.argv = ["bot", "doctor"]
runpy.run_module("bot", run_name="__main__")
"""


async def test_it_passes_where_no_memory_may_become_executable(env: Environment) -> None:
    await env.begin()
    await env.settled()
    process = await Program(env).launch(program=("-c", AS_RESTRICTED_AS_A_GATEWAY))
    output, errors = await process.communicate()
    if process.returncode == 77:
        pytest.skip("this kernel cannot forbid that")
    assert process.returncode == 0, output.decode() + errors.decode()
    assert "not examined: this service may not run compiled code" in output.decode()


async def test_a_wrong_token_is_reported_without_showing_it(env: Environment) -> None:
    env.expected |= {401}
    program = Program(env)
    process = await program.launch(arguments=["doctor"], DISCORD_TOKEN="not-the-token")
    output, errors = await process.communicate()
    assert process.returncode == 1
    assert "Discord does not accept it" in output.decode()
    assert "Reset Token" in output.decode()
    assert "The bot cannot work like this." in output.decode()
    assert "not-the-token" not in output.decode() + errors.decode()


async def test_missing_and_outdated_commands_are_named(env: Environment) -> None:
    (one,) = (await of_discord(env, pairs={}))["commands"]
    assert one.level is Level.OK
    old = {f"commands of {env.bot.application_id}": "another hash"}
    (one,) = (await of_discord(env, pairs=old))["commands"]
    assert one.level is Level.WARNING
    assert "older form" in one.fact
    registered = env.world.commands.registered(None)
    env.world.commands.sync(
        None, [command.data for command in registered.values() if command.data["name"] != "play"]
    )
    with closing(sqlite3.connect(env.folder / "games.db")) as database:
        sent = dict(database.execute("SELECT key, value FROM key_values"))
    (one,) = (await of_discord(env, pairs=sent))["commands"]
    assert one.level is Level.ERROR
    assert "/play" in one.fact


@pytest.mark.parametrize("sent", [None, "what another version sent"])
async def test_commands_that_the_next_start_registers_are_no_error(
    env: Environment, sent: str | None
) -> None:
    env.world.commands.sync(None, [])
    pairs = {} if sent is None else {f"commands of {env.bot.application_id}": sent}
    (one,) = (await of_discord(env, pairs=pairs))["commands"]
    assert one.level is Level.WARNING
    assert "not registered" in one.fact


async def test_before_the_first_start_the_program_exits_with_zero(env: Environment) -> None:
    await env.begin()
    await env.settled()
    env.world.commands.sync(None, [])
    process = await Program(env).launch(
        arguments=["doctor"], DATABASE_URL=f"sqlite:///{env.folder}/not-yet.db"
    )
    output, _ = await process.communicate()
    assert process.returncode == 0, output.decode()
    assert "not registered" in output.decode()
    assert "without tables" in output.decode()


async def test_the_servers_chosen_channels_are_checked(env: Environment) -> None:
    channel, gone = env.channel().id, 12
    env.expected |= {404}
    chosen = {env.guild.id: {"channels": [channel, gone], "log_channel": channel}}
    found = (await of_discord(env, configured=chosen))["channels"]
    assert [one.level for one in found] == [Level.WARNING, Level.OK]
    assert "it is gone" in found[0].fact
    assert "2 of 3" in found[1].fact
    env.forbid(Permission.ATTACH_FILES)
    found = (await of_discord(env, configured=chosen))["channels"]
    assert "the bot lacks Attach Files" in found[0].fact
    assert "Grant" in found[0].advice


async def test_a_server_the_bot_has_left_is_no_problem(env: Environment) -> None:
    env.expected |= {403, 404}
    found = (await of_discord(env, configured={12: {"channels": [13]}}))["channels"]
    assert [one.level for one in found] == [Level.OK]


@pytest.mark.parametrize(
    ("servers", "verified", "pages", "said"),
    [
        (74, False, False, None),
        (75, False, True, "an unverified bot can join 100"),
        (5000, True, False, "links no terms"),
        (5000, True, True, None),
    ],
)
def test_verification_is_called_to_mind_in_time(
    *, servers: int, verified: bool, pages: bool, said: str | None
) -> None:
    found = doctor._verification(servers, verified=verified, pages=pages)
    assert (said is None) == (found is None)
    if found is not None and said is not None:
        assert found.level is Level.WARNING
        assert said in found.fact


@pytest.mark.parametrize(
    ("chosen", "agreed", "level"),
    [
        (None, None, Level.OK),
        (1, None, Level.WARNING),
        (2, None, Level.OK),
        (None, 1, Level.WARNING),
        (None, 2, Level.OK),
        (2, 1, Level.OK),
    ],
)
def test_the_shard_count_is_compared_with_the_number_of_servers(
    chosen: int | None, agreed: int | None, level: Level
) -> None:
    assert doctor._shards(2000, 2, chosen, agreed).level is level


@pytest.mark.parametrize(
    ("chosen", "agreed", "advice"), [(2, 2, "SHARDS"), (None, 2, "Stop all gateways")]
)
def test_too_few_shards_are_an_error_with_advice(
    chosen: int | None, agreed: int, advice: str
) -> None:
    found = doctor._shards(5001, 5, chosen, agreed)
    assert found.level is Level.ERROR
    assert advice in (found.advice or "")


async def test_the_agreed_shard_count_is_compared_with_discords(env: Environment) -> None:
    env.gateway.shards = 3
    (found,) = (await of_discord(env, pairs={"shards": "2"}))["shards"]
    assert found.level is Level.WARNING
    assert "Discord recommends 3" in found.fact


@pytest.mark.parametrize(("left", "level"), [(999, Level.OK), (99, Level.ERROR), (0, Level.ERROR)])
def test_few_remaining_identifies_are_reported(left: int, level: Level) -> None:
    limits = {"total": 1000, "remaining": left, "reset_after": 5_000_000, "max_concurrency": 1}
    found = doctor._connects(limits)
    assert found.level is level
    assert f"{left} of 1000" in found.fact
    assert ("In 2 h" in found.advice) is (level is Level.ERROR)


@pytest.mark.long
@pytest.mark.fast_timers
async def test_an_unreachable_discord_is_reported(env: Environment) -> None:
    env.expected |= {500}
    env.faults.respond("GET /gateway/bot", status=500, times=None)
    found = await of_discord(env)
    assert found["token"][0].level is Level.OK
    assert found["Discord"][0].level is Level.ERROR


async def test_a_database_is_checked_without_changing_it(new_url: str) -> None:
    (tables, lock) = await machine_checks.database(new_url)
    assert (tables.level, lock.level) == (Level.OK, Level.OK)
    assert "without tables" in tables.fact
    (again, _) = await machine_checks.database(new_url)
    assert again == tables, "a check creates no tables"


async def test_a_database_in_use_by_a_bot_is_reported(sqlite_url: str) -> None:
    async with process_lock(sqlite_url):
        tables, lock = await machine_checks.database(sqlite_url)
    assert tables.level is Level.OK
    assert f"tables {(await inspect(sqlite_url)).newest}" in tables.fact
    assert lock.fact == "one runs on this database"


async def test_connections_to_postgresql_are_counted(postgresql_url: str) -> None:
    _, lock = await machine_checks.database(postgresql_url)
    assert lock.fact.startswith("0 connections")
    store = await Store.open(postgresql_url)
    async with store.read() as tx:
        await tx.scalar(text("SELECT 1"))
    _, lock = await machine_checks.database(postgresql_url)
    await store.close()
    assert lock.fact.startswith("1 connections")


async def test_a_newer_database_is_an_error(env: Environment) -> None:
    await env.stop()
    with closing(sqlite3.connect(env.folder / "games.db")) as database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
        database.execute("DELETE FROM key_values WHERE key = 'oldest program'")
        database.commit()
    found = (await machine_checks.database(env.database))[0]
    assert found.level is Level.ERROR
    assert "newer" in found.fact


async def test_after_a_supported_rollback_it_passes(env: Environment) -> None:
    await env.begin()
    await env.settled()
    await env.change_settings(channels=[12])
    env.expected |= {404}
    await expand(env.database)
    process = await Program(env).launch(arguments=["doctor"])
    output, _ = await process.communicate()
    assert process.returncode == 0, output.decode()
    assert "tables 9999 of a newer version" in output.decode()
    assert "it is gone" in output.decode(), "it reads what servers have chosen"


async def test_after_a_supported_rollback_each_database_is_fine(new_url: str) -> None:
    await (await Store.open(new_url)).close()
    await expand(new_url)
    found = await machine_checks.database(new_url)
    assert {one.level for one in found} == {Level.OK}


@pytest.mark.parametrize(
    "address",
    ["postgresql://me:hidden-word@127.0.0.1:1/games", "sqlite:////proc/no/such/place/games.db"],
)
async def test_an_unreachable_database_is_reported_without_its_password(address: str) -> None:
    found = await machine_checks.database(address)
    assert all("hidden-word" not in str(one) for one in found)
    settings = Config(_env_file=None, database_url=SecretStr(address))
    assert "hidden-word" not in repr(settings)


def test_a_problem_needs_advice() -> None:
    with pytest.raises(AssertionError):
        error("disk", "it is full", "")


def wanted(env: Environment, secret: str | None = None, url: str | None = "https://a.b") -> Asked:
    return Asked(SecretStr(secret or env.playground.client_secret), url)


async def test_the_board_inside_discord_is_examined_step_by_step(env: Environment) -> None:
    env.expected |= {401}

    async def found(asked: Asked) -> str:
        (one,) = (await of_discord(env, activity=asked))["activity"]
        assert one.level is (Level.OK if "boards open" in one.fact else Level.WARNING)
        assert env.playground.client_secret not in str(one)
        return str(one)

    assert "WEB_URL is not" in await found(wanted(env, url=None))
    assert "does not accept DISCORD_CLIENT_SECRET" in await found(wanted(env, "mistyped"))
    said = await found(wanted(env))
    assert "Activities are off" in said
    assert "map / to a.b" in said
    env.playground.enable_activities("http://127.0.0.1:1")
    assert "Start the bot" in await found(wanted(env))
    entry = next(o for o in env.world.commands.registered(None).values() if o.type == 4)
    entry.data["handler"] = 1
    assert "maps / to a.b" in await found(wanted(env))
    for nothing in (Asked(None, None), Asked(None, "https://a.b")):
        assert "activity" not in await of_discord(env, activity=nothing)
