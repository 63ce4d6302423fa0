"""Failures can be traced: from the log line to the press and the match."""

from __future__ import annotations

import json

from bot import VERSION
from tests.end_to_end.program import Program
from tests.routes import POST


async def test_a_failed_board_is_logged_with_the_press_that_caused_it(program: Program) -> None:
    env = program.env
    await env.save_settings()
    process = await program.launch(LOG_FORMAT="json")
    assert process.stderr is not None
    async for line in process.stderr:
        if json.loads(line)["event"] == "ready":
            break
    offered = await env.challenge()
    env.faults.drop(POST, after=False)
    pressed = env.ben.press(offered.shown, "Accept")
    async for line in process.stderr:
        told = json.loads(line)
        if told["event"] == "not delivered, trying again":
            break
    await pressed
    assert told["version"] == VERSION
    assert told["match"] == 1
    assert told["shard"] == 0
    assert int(told["request"]) == pressed.interaction.id
    await env.playground.wait_for("games", lambda message: message.picture is not None)
    await program.stop()


async def test_a_port_in_use_is_named_with_its_setting(program: Program) -> None:
    taken = program.env.playground.url.rsplit(":", 1)[1]
    await program.launch(MONITORING_ADDRESS=taken)
    assert program.process is not None
    _, output = await program.process.communicate()
    assert program.process.returncode == 1
    assert "MONITORING_ADDRESS takes another" in output.decode()
    assert "Traceback" not in output.decode()
