"""The bot's metrics, health checks and log lines."""

from __future__ import annotations

import asyncio
import json
import random
import re
import threading
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Any

import aiohttp
import promql_parser
import pytest

from bot import full_version
from bot.app.monitoring import Monitoring, monitored
from bot.core.metrics import Metrics
from bot.features.web import guard
from data import posts
from data.store.store import Store
from tests.end_to_end.alert_rules import FOLDER, rules
from tests.end_to_end.harness import Environment, playable
from tests.end_to_end.monitoring import asked, figures, told_by_discord
from tests.end_to_end.pages import link, serve, window
from tests.end_to_end.program import Program
from tests.routes import POST


async def test_presses_are_counted_and_timed(env: Environment, monitoring: Monitoring) -> None:
    board = await env.begin_by_challenge()
    await env.turn(board, random.Random(1))
    await env.settled()
    seen = await figures(monitoring)
    presses = seen["boardgames_interactions_total"]
    assert presses["component"] >= 2
    assert presses["application_command"] >= 1
    answered = seen["boardgames_acknowledge_seconds_count"]
    assert answered == presses, "each was acknowledged, and each once"
    assert seen["boardgames_discord_responses_total"]["2xx"] > 0
    assert seen["boardgames_store_transaction_seconds_count"]["write"] > 0
    assert seen["boardgames_store_up"][""] == 1
    assert seen["boardgames_open_matches"][""] == 1
    assert seen["boardgames_outbox_jobs"] == {"pending": 0, "blocked": 0, "later": 0}
    assert seen["boardgames_servers"][""] == 1
    assert seen["process_resident_memory_bytes"][""] > 0
    await told_by_discord(monitoring)
    assert (await figures(monitoring))["boardgames_identifies_left"][""] > 0
    _, text = await asked(monitoring, "/metrics")
    for private in (env.ann.id, env.ann.name, env.ben.id, env.ben.name, env.guild.id):
        assert str(private) not in text
    assert env.playground.token not in text


async def test_rate_limited_requests_are_counted(env: Environment, monitoring: Monitoring) -> None:
    env.expected |= {429}
    env.faults.respond("POST /channels/{channel_id}/messages", status=429, times=1)
    await env.begin()
    await env.settled()
    seen = await figures(monitoring)
    assert seen["boardgames_discord_responses_total"]["429"] == 1
    assert sum(seen["boardgames_rate_limited_total"].values()) == 1


async def test_posts_are_counted_by_state(env: Environment, monitoring: Monitoring) -> None:
    later = datetime(2999, 1, 1, tzinfo=UTC)
    async with env.store.write() as tx:
        for number in range(2):
            await posts.want(tx, "kind", number, at=env.now(), guild_id=None, not_before=later)
        failing = await posts.find(tx, "kind", 1)
        assert failing is not None
        await posts.postpone(tx, failing, later)
    seen = await figures(monitoring)
    assert seen["boardgames_posts"] == {"kind,due": 0, "kind,later": 1, "kind,failing": 1}
    assert seen["boardgames_posts_oldest_seconds"] == {"": 0}


async def test_a_late_notice_is_not_a_late_board(env: Environment, monitoring: Monitoring) -> None:
    env.expected |= {403}
    await env.begin()
    env.faults.respond("POST /channels/{channel_id}/messages", code=50013, times=None)
    await env.advance(days=2, hours=23)
    seen = await figures(monitoring)
    assert seen["boardgames_posts"]["notice,failing"] == 1
    assert seen["boardgames_outbox_oldest_seconds"] == {"": 0}


async def test_a_bot_handing_over_is_not_ready(env: Environment, monitoring: Monitoring) -> None:
    assert (await asked(monitoring, "/ready"))[0] == 200
    await env.app.drain()
    assert (await asked(monitoring, "/ready"))[0] == 503
    assert (await asked(monitoring, "/live"))[0] == 200
    assert (await figures(monitoring))["boardgames_ready"][""] == 0


async def test_often_scraped_the_store_is_read_once(
    env: Environment, monitoring: Monitoring
) -> None:
    await asyncio.gather(*(asked(monitoring, "/metrics") for _ in range(20)))
    assert monitoring.store.reads == 1


async def test_a_failing_store_is_reported(env: Environment, monitoring: Monitoring) -> None:
    await env.begin()
    await env.settled()
    assert (await figures(monitoring))["boardgames_open_matches"][""] == 1
    monitoring.store._read_at = float("-inf")
    await env.stop()
    await env.store.close()
    seen = await figures(monitoring)
    assert seen["boardgames_store_up"][""] == 0
    assert seen["boardgames_open_matches"][""] == 1


async def test_only_known_paths_are_served(monitoring: Monitoring) -> None:
    for path in ("/", "/metrics/..%2f..%2fetc/passwd", "/.env"):
        assert (await asked(monitoring, path))[0] == 404


async def test_monitoring_answers_under_its_own_names_only(new_sqlite_url: str) -> None:
    """A website that resolves its name to this machine could otherwise read the figures."""
    store = await Store.open(new_sqlite_url)
    async with (
        monitored("127.0.0.1:0", Metrics(), store, hosts={"bot.example"}) as one,
        aiohttp.ClientSession() as session,
    ):
        for path in ("/live", "/ready", "/metrics", "/none"):
            for host in ("evil.example", "evil.example:9464", "localhost.evil.example", "", "[x"):
                address = f"http://127.0.0.1:{one.port}{path}"
                async with session.get(address, headers={"Host": host}) as answer:
                    assert answer.status in {400, 403}, host
        for host in ("127.0.0.1", "[::1]:9464", "localhost:1", "10.1.2.3:9464", "Bot.Example:9464"):
            address = f"http://127.0.0.1:{one.port}/live"
            async with session.get(address, headers={"Host": host}) as answer:
                assert answer.status == 200, host
    await store.close()


async def test_a_thousand_silent_clients_do_not_silence_monitoring(new_sqlite_url: str) -> None:
    store = await Store.open(new_sqlite_url)
    async with monitored("127.0.0.1:0", Metrics(), store) as one:
        opened = []
        for _ in range(300):  # the test's own descriptors are bounded, too
            _, writer = await asyncio.open_connection("127.0.0.1", one.port)
            writer.write(b"GET /live HTTP/1.1\r\nHost: ")
            opened.append(writer)
            assert one.server.connections <= 64
        assert (await asked(one, "/live"))[0] == 200
        for writer in opened:
            writer.transport.abort()
    await store.close()


def test_a_hanging_event_loop_fails_the_liveness_check(new_sqlite_url: str) -> None:
    hang, hangs, served, over = (threading.Event() for _ in range(4))
    found: dict[str, int] = {}

    async def serve() -> None:
        store = await Store.open(new_sqlite_url)
        async with monitored("127.0.0.1:0", Metrics(), store) as one:
            found["port"] = one.port
            served.set()
            while not over.is_set():
                await asyncio.sleep(0.01)
                if hangs.is_set():
                    hang.wait()
        await store.close()

    thread = threading.Thread(target=asyncio.run, args=(serve(),))
    thread.start()
    served.wait()

    async def probe(limit: float) -> int:
        address = f"http://127.0.0.1:{found['port']}/live"
        timeout = aiohttp.ClientTimeout(total=limit)
        async with aiohttp.ClientSession(timeout=timeout) as session, session.get(address) as got:
            return got.status

    async def probe_until_silent() -> None:
        while await probe(1.0):
            pass  # it may answer once more before it hangs

    try:
        hangs.set()
        with pytest.raises(TimeoutError):
            asyncio.run(probe_until_silent())
        hangs.clear()
        hang.set()
        assert asyncio.run(probe(60.0)) == 200
    finally:
        hang.set()
        over.set()
        thread.join()


async def answers(port: int, statuses: Mapping[str, int]) -> None:
    async with aiohttp.ClientSession() as session:
        for path, status in statuses.items():
            async with session.get(f"http://127.0.0.1:{port}{path}") as answer:
                assert answer.status == status, path


async def test_the_program_serves_metrics_at_the_configured_address(empty_env: Environment) -> None:
    program = Program(empty_env)
    await program.launch(MONITORING_ADDRESS="0", LOG_FORMAT="json")
    port = json.loads(await program.logged('"monitoring"'))["port"]
    await program.logged('"ready"')
    await answers(port, {"/live": 200, "/ready": 200, "/metrics": 200})
    await program.stop()


async def test_the_bot_is_not_ready_before_it_receives_presses(empty_env: Environment) -> None:
    env = empty_env
    env.faults.drop("GET /gateway/bot", times=None)
    program = Program(env)
    process = await program.launch(MONITORING_ADDRESS="0", LOG_FORMAT="json")
    port = json.loads(await program.logged('"monitoring"'))["port"]
    await program.logged("Discord cannot be reached")
    await answers(port, {"/live": 200, "/ready": 503})
    process.kill()
    await process.communicate()


async def test_a_failed_board_is_logged_with_the_press_that_caused_it(program: Program) -> None:
    env = program.env
    await env.save_settings()
    await program.launch(LOG_FORMAT="json")
    await program.logged('"ready"')
    offered = await env.challenge()
    env.faults.drop(POST, after=False)
    pressed = env.ben.press(await offered.filled(), "Accept")
    told = json.loads(await program.logged("not delivered, trying again"))
    await pressed
    assert told["version"] == full_version()
    assert told["match"] == 1
    assert told["shard"] == 0
    assert int(told["request"]) == pressed.interaction.id
    await env.playground.wait_for("games", playable)
    await program.stop()


async def test_a_port_in_use_is_named_with_its_setting(program: Program) -> None:
    taken = program.env.playground.url.rsplit(":", 1)[1]
    await program.launch(MONITORING_ADDRESS=taken)
    assert program.process is not None
    _, output = await program.process.communicate()
    assert program.process.returncode == 1
    assert "MONITORING_ADDRESS takes another" in output.decode()
    assert "Traceback" not in output.decode()


OF_PROMETHEUS = {"up"}
ACTIONS = {"page", "ticket"}


def panels() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((FOLDER / "dashboard.json").read_text())["panels"]
    return found


def expressions() -> Iterator[str]:
    yield from (rule["expr"] for rule in rules())
    for panel in panels():
        for target in panel["targets"]:
            yield target["expr"].replace("$__rate_interval", "1m").replace("$instance", ".*")


def names(node: Any) -> set[str]:
    found = set[str]()
    if isinstance(node, promql_parser.VectorSelector) and node.name is not None:
        found.add(node.name)
    for attribute in ("expr", "lhs", "rhs", "vector_selector", "param"):
        below = getattr(node, attribute, None)
        if below is not None:
            found |= names(below)
    if isinstance(node, promql_parser.Call):
        found |= {name for below in node.args for name in names(below)}
    return found


@pytest.mark.parametrize("expression", list(expressions()))
def test_every_expression_is_valid_promql(expression: str) -> None:
    found = names(promql_parser.parse(expression))
    assert found == set(re.findall(r"\b(?:boardgames_|process_)\w+|\bup\b", expression))


async def test_the_page_is_counted(
    env: Environment, monitoring: Monitoring, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guard, "_PER_SECOND", 0.0)
    board = await env.begin()
    async with window(await serve(env)) as browser:
        assert (await browser.open(await link(env, env.mover(board))))[0] == HTTPStatus.OK
        async with browser.news():
            assert (await figures(monitoring))["boardgames_page_windows"][""] == 1
        for _ in range(guard.BURST + 1):
            await browser.ask("/api/matches")
    seen = await figures(monitoring)
    assert seen["boardgames_page_responses_total"]["2xx"] > 100
    assert seen["boardgames_page_responses_total"]["429"] >= 1


async def test_each_queried_metric_exists(env: Environment, monitoring: Monitoring) -> None:
    env.expected |= {429}
    env.faults.respond("POST /channels/{channel_id}/messages", status=429, times=1)
    await env.begin_by_challenge()
    await env.settled()
    await figures(monitoring)
    await told_by_discord(monitoring)
    told = await figures(monitoring)
    asked = {name for one in expressions() for name in names(promql_parser.parse(one))}
    assert asked - OF_PROMETHEUS <= told.keys()
    ours = {name for name in told if name.startswith("boardgames_")}
    unused = {
        name
        for name in ours - asked
        if not name.endswith(("_created", "_sum", "_count", "_bucket"))
    }
    assert not unused, "each figure is on the dashboard"


def test_every_rule_says_why_and_what_to_do() -> None:
    for rule in rules():
        assert rule["labels"]["severity"] in ACTIONS, rule["alert"]
        assert rule["annotations"].keys() == {"summary", "reason", "action"}, rule["alert"]
        assert re.fullmatch(r"\d+m", rule.get("for", "0m")), rule["alert"]
    assert len({rule["alert"] for rule in rules()}) == len(rules())


def test_every_rule_has_a_comment_with_the_reason_for_its_threshold() -> None:
    text = (FOLDER / "alerts.yaml").read_text()
    for block in text.split("- alert: ")[1:]:
        assert re.search(r"^ +# ", block, re.MULTILINE), block.splitlines()[0]


def test_panels_do_not_overlap() -> None:
    taken: set[tuple[int, int]] = set()
    for panel in panels():
        at = panel["gridPos"]
        cells = {
            (x, y)
            for x in range(at["x"], at["x"] + at["w"])
            for y in range(at["y"], at["y"] + at["h"])
        }
        assert not cells & taken, panel["title"]
        taken |= cells
    assert max(x for x, _ in taken) < 24
