"""Another program with the same token, on a database of its own: noticed, and nothing else taken for it."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from bot.app import backups, maintenance
from bot.app.machine_checks import Level
from bot.core.interactions.same_token import NOTICED
from bot.core.metrics import Metrics
from playground.interaction import InteractionState, InteractionType
from playground.request_log import Request
from tests.databases import copy_sqlite, value_of
from tests.end_to_end.harness import Environment
from tests.end_to_end.monitoring import of_discord
from tests.end_to_end.program import Program
from tests.routes import CALLBACK

SAID = "another program answers with this bot's token"


def reports(env: Environment) -> int:
    return sum(SAID in line for line in env.error_log.lines)


def signs(env: Environment, sign: str) -> float:
    registry = env.app.get(Metrics).registry
    return registry.get_sample_value("boardgames_same_token_signs_total", {"sign": sign}) or 0.0


def answered_elsewhere(env: Environment) -> None:
    """Have another program answer each interaction a moment before the bot does."""

    def first(request: Request) -> bool:
        number, token = int(request.params["interaction_id"]), request.path.split("/")[-2]
        waiting = env.playground.interactions.waiting(number, token)
        waiting.state = InteractionState.RESPONDED
        return False

    env.faults.drop(CALLBACK, when=first, times=None)


async def ask(env: Environment, times: int) -> None:
    for _ in range(times):
        env.ann.slash("/me settings")
        await env.settled()


async def test_answers_that_another_program_gave_first_are_reported(env: Environment) -> None:
    env.expected |= {400}
    env.expected_errors.append(SAID)
    answered_elsewhere(env)
    await ask(env, 2)
    assert (reports(env), signs(env, "acknowledged")) == (0, 2)
    await ask(env, 3)
    assert (reports(env), signs(env, "acknowledged")) == (1, 5)
    assert await value_of(env.database, NOTICED) == env.now().isoformat()
    env.clock.advance(11 * 60)
    await ask(env, 2)
    assert reports(env) == 1
    await ask(env, 1)
    assert reports(env) == 2


async def test_answers_whose_replies_were_lost_are_no_sign(env: Environment) -> None:
    """Discord carries out the first attempt, so the second learns that it is answered."""
    env.expected |= {400, 503}
    for _ in range(4):
        env.faults.respond(CALLBACK, status=503, after=True)
        await ask(env, 1)
    assert [one.code for one in env.requests_to(CALLBACK)].count(40060) >= 4
    assert (reports(env), signs(env, "acknowledged")) == (0, 0)


async def test_a_lost_acknowledgement_is_no_sign(empty_env: Environment) -> None:
    """The answer that follows it learns that the interaction is acknowledged."""
    env = empty_env
    env.expected |= {400}
    env.acknowledge_after = 0.0
    await env.start()
    env.faults.drop(CALLBACK, after=True)
    await ask(env, 1)
    assert [one.code for one in env.requests_to(CALLBACK)] == [0, 40060]
    assert (reports(env), signs(env, "acknowledged")) == (0, 0)


async def test_boards_of_unknown_matches_are_reported(env: Environment) -> None:
    env.expected_errors.append(SAID)
    board = await env.begin()
    await env.settled()
    await env.stop()
    copy_sqlite(env.migrated, env.folder / "games.db")  # as of a second installation
    for beside in ("-wal", "-shm"):
        (env.folder / f"games.db{beside}").unlink(missing_ok=True)
    await env.start()
    for number in range(3):
        assert reports(env) == 0
        told = await env.ann.press(board, "More")
        assert "There's no match #1" in told.text
        assert signs(env, "match") == number + 1
    await env.settled()
    assert reports(env) == 1


async def test_after_a_restore_newer_boards_are_no_sign(env: Environment) -> None:
    await env.settled()
    await backups.write(env.database, env.folder / "backup")
    board = await env.begin()
    await env.settled()
    await env.stop()
    await maintenance.restore_database(env.database, env.folder / "backup")
    await env.start()
    for _ in range(4):
        told = await env.ann.press(board, "More")
        assert "There's no match #1" in told.text
    assert (reports(env), signs(env, "match")) == (0, 0)


async def test_what_a_client_claims_to_have_pressed_is_no_sign(env: Environment) -> None:
    board = await env.begin()
    real = next(one.custom_id for one in board.buttons if one.label == "More")
    assert real is not None
    forged = {"custom_id": real.replace("1", "999"), "component_type": 2, "id": 1}
    for _ in range(4):
        told = env.ann._interact(InteractionType.COMPONENT, board.channel, forged, message=board)
        assert "There's no match #999" in (await told).text
    await env.settled()
    assert (reports(env), signs(env, "match")) == (0, 0)


@pytest.mark.parametrize(
    ("ago", "level"), [(timedelta(minutes=5), Level.ERROR), (timedelta(hours=5), Level.WARNING)]
)
async def test_the_doctor_says_so(env: Environment, ago: timedelta, level: Level) -> None:
    at = datetime.now(UTC) - ago
    found = (await of_discord(env, pairs={NOTICED: at.isoformat()}))["token"]
    (one,) = (one for one in found if one.level is not Level.OK)
    assert one.level is level
    assert f"another program answers with it, last noticed at {at:%Y-%m-%d %H:%M} UTC" in one.fact
    old = (datetime.now(UTC) - timedelta(days=2)).isoformat()
    assert len((await of_discord(env, pairs={NOTICED: old}))["token"]) == 1


async def test_a_second_installation_says_so_itself(env: Environment) -> None:
    env.expected |= {400, 404}
    env.expected_errors.append(SAID)
    board = await env.begin()
    await env.settled()
    other = Program(env)
    url = f"sqlite:///{env.folder}/other.db"
    await other.launch(DATABASE_URL=url)
    await other.logged("bot.app.client", "ready")
    heard = asyncio.create_task(other.logged(SAID))
    for _ in range(3):
        env.ann.press(board, "More")
        await env.settled()
    await heard
    process = await Program(env).launch(arguments=["doctor"], DATABASE_URL=url)
    output, _ = await process.communicate()
    assert process.returncode == 1
    assert "another program answers with it" in output.decode()
    await other.stop_beside()
