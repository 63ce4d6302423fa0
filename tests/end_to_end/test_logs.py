"""The program's log: a line for each interaction, no moves, and JSON to the last line."""

from __future__ import annotations

import asyncio
import json
import random
import re
import signal
import sqlite3
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, closing
from typing import Any

import pytest

from engine import registry
from playground.model import Message
from playground.reply import Reply
from tests.end_to_end.harness import Environment, playable
from tests.end_to_end.program import AFRESH, Program
from tests.routes import CALLBACK

WORD = "heliotrope"
"""Typed as a note, and as a move that is none."""


def parsed(output: str) -> list[dict[str, Any]]:
    """Return the lines of a log, each of which is a JSON object."""
    return [json.loads(line) for line in output.splitlines()]


@asynccontextmanager
async def logging_everything(program: Program, **settings: str) -> AsyncIterator[list[str]]:
    """Run the program while the block lasts; its log is then in the list."""
    await program.env.save_settings()
    process = await program.launch(LOG_FORMAT="json", **settings)
    said = [await program.logged('"ready"')] if settings.get("LOG_LEVEL") != "WARNING" else []
    assert process.stderr is not None
    reading = asyncio.create_task(process.stderr.read())
    await program.env.gateway.wait_connected()
    try:
        yield said
        process.send_signal(signal.SIGTERM)
    except BaseException:
        process.kill()
        raise
    finally:
        said.append((await reading).decode())
    assert await process.wait() == 0


async def begun(env: Environment) -> Message:
    offered = await env.challenge("tablut")
    await env.ben.press(await offered.filled(), "Accept")
    return await env.playground.wait_for("games", playable)


async def play(env: Environment) -> None:
    """Play in all ways that tell the bot a move or a text."""
    dice, board = random.Random(3), await begun(env)
    for _ in range(4):
        board = await env.turn_outside(board, dice)
    mover = env.mover(board)
    await mover.slash("/tablut move", move=WORD)
    await mover.slash("/tablut move", move=legal(env))
    await mover.autocomplete("/tablut move", "move", WORD)
    form = await mover.slash("/match note")
    await mover.submit(form.modal, {field.custom_id: WORD for field in fields(form)})
    stranger = env.carol
    await stranger.slash("/tablut move", move="e1-e2")
    board = await env.playground.wait_for(
        "games", lambda found: playable(found) and found.id > board.id
    )
    await env.turn_outside(board, dice)


def fields(form: Reply) -> Sequence[Any]:
    assert form.modal is not None
    return form.modal.fields


def moves(env: Environment) -> list[str]:
    with closing(sqlite3.connect(env.folder / "games.db")) as database:
        found = database.execute("SELECT notation FROM moves ORDER BY ply").fetchall()
    return [notation for (notation,) in found]


def legal(env: Environment) -> str:
    """Return a move that can be typed now."""
    game = registry.game("tablut")
    state = game.initial()
    for notation in moves(env):
        state = game.apply(state, game.read(state, notation))
    return game.write(game.legal_moves(state)[0])


async def test_no_level_logs_moves_names_or_typed_texts(program: Program) -> None:
    env = program.env
    async with logging_everything(program, LOG_LEVEL="DEBUG") as said:
        await play(env)
    output = "".join(said)
    lines = parsed(output)
    assert any(line["level"] == "debug" for line in lines)
    assert len(moves(env)) >= 5
    for text in (*moves(env), WORD, "custom_id", "t:1:", env.playground.token):
        assert text not in output, next(line for line in output.splitlines() if text in line)
    for person in env.people:
        assert not re.search(rf"\b{person.name}\b", output, re.IGNORECASE)
        assert str(person.id) not in output


async def test_each_interaction_ends_with_a_line(program: Program) -> None:
    env = program.env
    async with logging_everything(program, MONITORING_ADDRESS="0") as said:
        dice, board = random.Random(3), await begun(env)
        await env.turn_outside(board, dice)
        await env.ann.slash("/tablut move", move="a1-a9")
        form = await env.ann.slash("/match note")
        await env.ann.submit(form.modal, {field.custom_id: WORD for field in fields(form)})
    lines = [line for line in parsed("".join(said)) if line["event"] == "interaction"]
    assert len({line["request"] for line in lines}) == len(lines), "each has one line"
    told = Counter((line["kind"], line["name"], line["outcome"]) for line in lines)
    assert told.pop(("component", "MoveControl", "done")) >= 1
    assert told == {
        ("application_command", "tablut challenge", "done"): 1,
        ("component", "ChallengeButton", "done"): 1,
        ("application_command", "tablut move", "refused"): 1,
        ("application_command", "match note", "done"): 1,
        ("modal_submit", "NoteForm", "done"): 1,
    }
    for line in lines:
        assert line["level"] == "info"
        assert line["shard"] == 0
        assert 0 < line["acknowledged_ms"] <= line["total_ms"] + 1000
    before_the_match = {"tablut challenge", "ChallengeButton"}
    assert {line.get("match") for line in lines if line["name"] not in before_the_match} == {1}


async def test_above_info_interactions_leave_no_line(program: Program) -> None:
    env = program.env
    async with logging_everything(program, LOG_LEVEL="WARNING") as said:
        await env.turn_outside(await begun(env), random.Random(3))
    assert "".join(said) == ""


async def test_an_error_of_discord_is_an_outcome(program: Program) -> None:
    env = program.env
    await env.save_settings()
    await program.launch(LOG_FORMAT="json")
    await program.logged('"ready"')
    env.expected |= {500}
    env.faults.respond(CALLBACK, status=500, times=None)
    env.ann.slash("/tablut rules")
    line = json.loads(await program.logged('"event": "interaction"'))
    assert (line["name"], line["outcome"]) == ("tablut rules", "unanswered")
    assert line["acknowledged_ms"] is None


async def test_stopping_says_so_and_when_it_is_done(program: Program) -> None:
    async with logging_everything(program) as said:
        pass
    lines = [(line["event"], line.get("signal")) for line in parsed("".join(said))]
    assert ("stopping", "SIGTERM") in lines
    assert lines[-1] == ("stopped", None)


async def test_a_stopped_worker_says_so(program: Program, postgresql_url: str) -> None:
    process = await program.launch(
        arguments=["worker"],
        DATABASE_URL=postgresql_url,
        LOG_FORMAT="json",
        MONITORING_ADDRESS="0",
        PLAYGROUND_URL="",
        DISCORD_TOKEN="",
    )
    await program.logged('"monitoring"')
    process.send_signal(signal.SIGTERM)
    _, output = await process.communicate()
    lines = [(line["event"], line.get("signal")) for line in parsed(output.decode())]
    assert ("stopping", "SIGTERM") in lines
    assert lines[-1] == ("stopped", None)


@pytest.mark.parametrize(
    ("settings", "status", "words"),
    [
        ({"PICTURE_WIDTH": "huge"}, 2, "PICTURE_WIDTH"),
        ({"LOG_LEVL": "INFO", "LOG_FORMAT": "JSON"}, 2, "Did you mean LOG_LEVEL?"),
        ({"DISCORD_TOKEN": "wrong"}, 2, "does not accept DISCORD_TOKEN"),
        ({"DATABASE_URL": "mysql://games:secret@localhost/games"}, 2, "cannot be read"),
        ({"DATABASE_URL": "sqlite:////proc/games.db"}, 1, "The database cannot be used"),
        ({"MONITORING_ADDRESS": "192.0.2.1:9464"}, 1, "MONITORING_ADDRESS takes another"),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, dict) else "",
)
async def test_why_the_program_ends_is_json_where_lines_are(
    program: Program, settings: dict[str, str], status: int, words: str
) -> None:
    program.env.expected |= {401}
    await program.launch(**{"LOG_FORMAT": "json", **settings})
    ended, output = await program.ends()
    assert ended == status, output
    last = parsed(output)[-1]
    assert (last["event"], last["level"], last["status"]) == (
        "the program ends",
        "critical",
        status,
    )
    assert words in last["reason"]
    assert "secret" not in output


@pytest.mark.parametrize("ended", ["damaged", "wrong"])
async def test_the_format_in_a_file_counts_too(program: Program, ended: str) -> None:
    wrong = b"LOG_FORMAT=json\nWORKERS=none\n"
    (program.env.folder / ".env").write_bytes(wrong if ended == "wrong" else b"\xff\xfe")
    given = {} if ended == "wrong" else {"LOG_FORMAT": "json"}
    await program.launch(program=AFRESH, **given)
    status, output = await program.ends()
    assert status == 2
    (line,) = parsed(output)
    assert ("WORKERS" if ended == "wrong" else ".env cannot be read") in line["reason"]
