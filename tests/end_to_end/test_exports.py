"""Exporting and importing records, as files and as text, over Discord."""

from __future__ import annotations

import pytest

from bot.play.replays.replay import Replays
from engine import record, registry
from engine.__main__ import main
from tests.end_to_end.harness import Environment
from tests.end_to_end.records import exported, file, import_record, play_and_resign


@pytest.mark.parametrize("slug", sorted(registry.games()))
async def test_a_match_is_exported_imported_and_replayed(env: Environment, slug: str) -> None:
    await play_and_resign(env, slug)
    moves = len((await env.app.get(Replays).of_match(1)).turns)
    text = await exported(env, env.carol)
    assert "[Id " not in text
    assert str(env.ann.id) in await exported(env, env.carol, people=True)
    assert record.read(text).game == slug
    path = env.folder / "match.txt"
    path.write_text(text, "utf-8")
    assert main(["verify", str(path)]) == 0

    reply = await import_record(env, env.dan, file=file(text))
    message = reply.message
    assert message is not None, reply.text
    assert "record i1" in message.text
    assert "Imported as **i1**." in message.text
    assert message.picture
    assert f"Move {moves} of {moves}" in message.text
    assert env.ann.mention not in message.text
    opened = (await env.dan.press(message, "Replay")).shown
    message = opened
    assert f"Move 0 of {moves}" in message.text
    await env.restart()
    await env.dan.press(message, "Last »")
    assert f"Move {moves} of {moves}" in message.text
    assert "resigned" in message.text
    assert message.picture
    assert await exported(env, env.dan, "i1") == text
    film = (await env.dan.slash("/match gif", number="i1")).shown
    assert film.attachments
    offered = await env.dan.autocomplete("/match export", "number", "")
    assert [one.value for one in offered] == ["i1"]
    assert "no record i1" in (await env.carol.slash("/match replay", number="i1")).text


async def test_a_record_can_be_pasted_as_text(env: Environment) -> None:
    await play_and_resign(env, "tablut", plies=2)
    text = await exported(env, env.ann)
    assert "i1" in (await import_record(env, env.ann, text=text)).text


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({}, "Attach a record"),
        ({"file": file("x"), "text": "x"}, "Attach a record"),
        ({"file": file(b"\x89PNG\r\n\x1a\n\xff\xfe", "board.png")}, "UTF-8"),
        ({"file": file(b"a" * 70_000)}, "64 KB"),
        ({"text": "1. e4 e5"}, "is not a header"),
    ],
)
async def test_invalid_files_are_refused_with_the_reason(
    env: Environment, options: dict[str, object], why: str
) -> None:
    reply = (await import_record(env, env.ann, **options)).shown
    assert why in reply.text
    assert not reply.buttons


async def test_an_expired_attachment_is_asked_for_again(env: Environment) -> None:
    asking = env.ann.slash("/match import", options={"file": file("x")})
    env.world.uploads.clear()
    reply = await asking
    assert reply.ephemeral
    assert "Attach a record" in reply.text
