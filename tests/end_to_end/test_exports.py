"""Exporting and importing records, as files and as text, over Discord."""

from __future__ import annotations

import random

import pytest

from bot.play.replays.service import Replays
from engine import record, registry
from engine.__main__ import main
from playground.errors import Impossible
from playground.people import Person
from playground.reply import Reply
from playground.uploads import Upload
from tests.end_to_end.harness import Environment


def file(data: bytes | str, name: str = "match.txt") -> Upload:
    """Return a file to attach."""
    return Upload(name, "text/plain", data.encode() if isinstance(data, str) else data)


async def exported(env: Environment, person: Person, number: str = "1", **options: object) -> str:
    """Export a match and return the text."""
    reply = await person.slash("/match export", options={"number": number, **options})
    assert reply.ephemeral, reply.text
    assert reply.message is not None
    (attached,) = reply.message.attachments
    return attached.data.decode()


async def played(env: Environment, slug: str, *, plies: int = 16, players: int = 2) -> None:
    """Play a match for a while, without boards on the way, then resign as Ann."""
    dice = random.Random(6)
    await env.begin(slug, players=players)
    await env.hurry(dice, lambda view: view.ply >= plies)
    while await env.hardly_begun():
        await env.turn(env.board(), dice)
    question = await env.ann.slash(f"/{slug} resign")
    assert question.message is not None
    await env.ann.press(question.message, "Resign")
    await env.settled()


async def import_record(env: Environment, person: Person, **options: object) -> Reply:
    """Import a record."""
    reply = await person.slash("/match import", options=options)
    assert reply.ephemeral
    return reply


@pytest.mark.parametrize("slug", sorted(registry.games()))
async def test_a_match_is_exported_imported_and_replayed(env: Environment, slug: str) -> None:
    await played(env, slug)
    moves = len((await env.app.get(Replays).of_match(1)).turns)
    text = await exported(env, env.carol)
    assert "[Id " not in text
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
    opened = await env.dan.press(message, "Replay")
    assert opened.message is not None
    message = opened.message
    assert f"Move 0 of {moves}" in message.text
    await env.restart()
    await env.dan.press(message, "Last »")
    assert f"Move {moves} of {moves}" in message.text
    assert "resigned" in message.text
    assert message.picture
    assert await exported(env, env.dan, "i1") == text
    film = await env.dan.slash("/match gif", number="i1")
    assert film.message is not None
    assert film.message.attachments
    offered = await env.dan.autocomplete("/match export", "number", "")
    assert [one.value for one in offered] == ["i1"]
    reply = await env.carol.slash("/match replay", number="i1")
    assert "no record i1" in reply.text


async def test_a_record_has_ids_only_on_request(env: Environment) -> None:
    await played(env, "tablut", plies=2)
    text = await exported(env, env.carol, people=True)
    assert str(env.ann.id) in text


async def test_a_record_can_be_pasted_as_text(env: Environment) -> None:
    await played(env, "tablut", plies=2)
    text = await exported(env, env.ann)
    assert "i1" in (await import_record(env, env.ann, text=text)).text


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({}, "Attach a record"),
        ({"file": file("x"), "text": "x"}, "Attach a record"),
        ({"file": file(b"\x89PNG\r\n\x1a\n\xff\xfe", "board.png")}, "UTF-8"),
        ({"file": file(b"a" * 70_000)}, "64 KB"),
        ({"file": file(b"")}, "record is empty"),
        ({"text": "1. e4 e5"}, "is not a header"),
        ({"file": file('[Record "1"]\n[Game "go"]\n')}, "missing"),
    ],
)
async def test_invalid_files_are_refused_with_the_reason(
    env: Environment, options: dict[str, object], why: str
) -> None:
    reply = await import_record(env, env.ann, **options)
    assert why in reply.text
    assert reply.message is not None
    assert not reply.message.buttons


async def test_an_expired_attachment_is_asked_for_again(env: Environment) -> None:
    asking = env.ann.slash("/match import", options={"file": file("x")})
    env.playground.world.uploads.clear()
    reply = await asking
    assert reply.ephemeral
    assert "Attach a record" in reply.text


async def test_an_illegal_move_is_refused_with_line_and_rule(env: Environment) -> None:
    await played(env, "tablut", plies=4)
    text = await exported(env, env.ann)
    entry = record.read(text).log[2]
    reply = await import_record(env, env.ann, file=file(text.replace(f"3. {entry}", "3. e5-a1")))
    assert "Line " in reply.text
    assert "Rule " in reply.text
    assert "3" in reply.text


async def test_the_driver_takes_only_files_where_a_file_is_wanted(env: Environment) -> None:
    with pytest.raises(Impossible):
        await env.ann.slash("/match import", file="match.txt")
