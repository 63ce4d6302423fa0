"""Records: exported, imported, and analysed like a match, but privately."""

from __future__ import annotations

import random
import re

import pytest
from sqlalchemy import delete

from bot.core.errors import NoSuchMatch
from bot.core.workers.fair_queue import Requester
from bot.features.analysis.service import Analyses
from bot.play.replays.replay import Replays
from data.puzzles import imported_records
from data.puzzles.imported_records import imports
from engine import record, registry
from engine.__main__ import main
from tests.end_to_end.harness import BRIEF_TASKS, Environment
from tests.end_to_end.people import data_copy, delete_data, finish, labels
from tests.end_to_end.records import (
    analyse_record,
    analysis_of,
    exported,
    file,
    forged,
    import_record,
    play_and_resign,
)

pytestmark = pytest.mark.usefixtures("kernels")


async def running(env: Environment, slug: str, plies: int) -> str:
    await env.begin(slug)
    await env.hurry(random.Random(1), lambda position: position.ply >= plies)
    return await exported(env.ann)


async def test_hand_written_throws_are_pointed_out(env: Environment) -> None:
    await play_and_resign(env, "tablan")
    text = await exported(env.ann)
    salted = re.sub(r'\[Challenge "\d+"', '[Challenge "77"', text, count=1)
    assert salted != text
    await import_record(env.dan, file=file(salted))
    await analyse_record(env, env.dan)
    assert "-# ⚠ Its throws don't check out" in await analysis_of(env.dan)


@pytest.mark.parametrize("slug", ["tablan", "tablut"])
async def test_an_imported_record_is_analysed_like_a_match(env: Environment, slug: str) -> None:
    await play_and_resign(env, slug)
    text = await exported(env.carol)
    taken = await import_record(env.dan, file=file(text))
    assert labels(taken.shown) == ["Replay", "Analysis", "Show as GIF"]
    await analyse_record(env, env.dan)
    reply = await env.dan.slash("/match analysis", number="i1")
    assert reply.ephemeral, reply.text
    assert (await env.dan.press(taken.shown, "Analysis")).text == reply.text
    message = reply.shown
    assert message.picture is not None
    assert "win chance" in (message.alt or "")
    assert "record i1" in reply.text
    assert "<@" not in reply.text
    assert "former player" not in reply.text
    sides = registry.game(slug)
    first = sides.side(sides.initial(dict(record.read(text).options), 2), sides.seats(2)[0])
    assert first.capitalize() in reply.text.split("\n", 2)[2]
    cards = re.findall(
        r"^[^<\n]+: (\d+) % at the start, luck ([+−]\d+), skill ([+−]\d+), "
        r"(?:early end ([+−]\d+), )?(\d+) % in the end\.$",
        reply.text,
        re.MULTILINE,
    )
    thrown = "**Luck and skill**" in reply.text
    assert len(cards) == (2 if thrown else 0)
    assert ("-# ✓ Its throws check out" in reply.text) == thrown
    for *parts, result in cards:
        assert sum(int(part.replace("−", "-") or 0) for part in parts) == int(result)
    for label in labels(message):
        answer = (await env.dan.press(message, label)).private
        assert "record i1" in answer
        assert label == "Replay" or "✓ Better" in answer
    assert "no record i1" in await analysis_of(env.carol)


async def test_a_records_analysis_is_kept_across_a_restart(env: Environment) -> None:
    await play_and_resign(env, "tablut", plies=8)
    text = await exported(env.ann)
    await import_record(env.ann, file=file(text))
    await analyse_record(env, env.ann)
    first = await env.ann.slash("/match analysis", number="i1")
    env.worker_tasks = "tests.bot.core.workers.tasks:TASKS"  # which have no analysis
    await env.restart()
    assert await analysis_of(env.ann, "#I1") == first.text
    assert "Better:" in first.text
    for label in labels(first.shown):
        assert "record i1" in (await env.ann.press(first.shown, label)).text
    # An identical record is not stored again.
    await import_record(env.ann, file=file(text))
    assert await analysis_of(env.ann) == first.text


async def test_a_result_added_to_an_ongoing_matchs_record_is_no_help(env: Environment) -> None:
    text = await running(env, "tablut", plies=12)
    await import_record(env.ann, file=file(text))
    assert "doesn't say who won" in await analysis_of(env.ann)
    assert await env.ann.autocomplete("/match analysis", "number", "i") == []
    await import_record(env.ann, file=file(forged(text)))
    assert "Others are playing" in await analysis_of(env.ann, "i2")
    position = await env.position()
    assert position.to_move is not None
    more = position.game.write(position.game.legal_moves(position.state)[0])
    longer = forged(f"{text.rstrip()} {position.ply + 1}. {more}\n")
    await import_record(env.ann, file=file(longer))
    assert "Others are playing" in await analysis_of(env.ann, "i3")
    await finish(env, env.ann, "tablut")
    await analyse_record(env, env.ann, 3)
    assert "record i3" in await analysis_of(env.ann, "i3")


async def test_a_failed_analysis_of_a_record_can_be_retried(empty_env: Environment) -> None:
    env = empty_env
    env.worker_tasks = "tests.bot.core.workers.tasks:ANALYSE_DIES"
    env.worker_processes = True
    await env.start()
    await play_and_resign(env, "tablut", plies=8)
    await import_record(env.ann, file=file(await exported(env.ann)))
    assert "I couldn't analyse record i1 just now." in await analysis_of(env.ann)
    assert await env.read(imported_records.analysis, 1) is None
    env.worker_tasks = BRIEF_TASKS
    await env.restart()
    await analyse_record(env, env.ann)
    assert "A computer's estimate" in await analysis_of(env.ann)


async def test_a_record_dropped_during_its_analysis_leaves_nothing(env: Environment) -> None:
    await play_and_resign(env, "tablut", plies=8)
    await import_record(env.ann, file=file(await exported(env.ann)))
    replay = await env.app.get(Replays).of_import(1, env.ann.id)
    async with env.store.write() as tx:
        await tx.run(delete(imports))
    with pytest.raises(NoSuchMatch, match="Record i1 is gone"):
        await env.app.get(Analyses).of(replay, Requester(0, env.ann.id))
    assert await env.read(imported_records.analysis, 1) is None
    assert "no record i1" in await analysis_of(env.ann)


async def test_record_analyses_are_exported_and_deleted_too(env: Environment) -> None:
    await play_and_resign(env, "tablut", plies=8)
    await import_record(env.dan, file=file(await exported(env.ann)))
    await analyse_record(env, env.dan)
    reply = await env.dan.slash("/match analysis", number="i1")
    (kept,) = (await data_copy(env, env.dan))["imports"]
    assert kept["found"]["values"]
    await delete_data(env, env.dan)
    assert await env.read(imported_records.analysis, 1) is None
    assert "no record i1" in await analysis_of(env.dan)
    assert "no record i1" in (await env.dan.press(reply.shown, "See 1")).text


@pytest.mark.parametrize("slug", ["tablan", "tablut"])
async def test_a_match_is_exported_imported_and_replayed(env: Environment, slug: str) -> None:
    await play_and_resign(env, slug)
    moves = len((await env.app.get(Replays).of_match(1)).turns)
    text = await exported(env.carol)
    assert "[Id " not in text
    assert str(env.ann.id) in await exported(env.carol, people=True)
    assert record.read(text).game == slug
    path = env.folder / "match.txt"
    path.write_text(text, "utf-8")
    assert main(["verify", str(path)]) == 0
    reply = await import_record(env.dan, file=file(text))
    message = reply.shown
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
    assert await exported(env.dan, "i1") == text
    film = (await env.dan.slash("/match gif", number="i1")).shown
    assert film.attachments
    offered = await env.dan.autocomplete("/match export", "number", "")
    assert [one.value for one in offered] == ["i1"]
    assert "no record i1" in (await env.carol.slash("/match replay", number="i1")).text


async def test_a_record_can_be_pasted_as_text(env: Environment) -> None:
    await play_and_resign(env, "tablut", plies=2)
    text = await exported(env.ann)
    assert "i1" in (await import_record(env.ann, text=text)).text


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
    reply = (await import_record(env.ann, **options)).shown
    assert why in reply.text
    assert not reply.buttons


async def test_an_expired_attachment_is_asked_for_again(env: Environment) -> None:
    asking = env.ann.slash("/match import", options={"file": file("x")})
    env.world.uploads.clear()
    reply = await asking
    assert reply.ephemeral
    assert "Attach a record" in reply.text
