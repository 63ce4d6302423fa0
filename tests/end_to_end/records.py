"""What people do with records of matches: export, import and analyse them."""

from __future__ import annotations

import random

from bot.core.workers.fair_queue import Requester
from bot.features.analysis.service import Analyses
from bot.play.replays.replay import Replays
from engine import record
from playground.people import Person
from playground.reply import Reply
from playground.uploads import Upload
from tests.end_to_end.harness import Environment
from tests.end_to_end.people import finish


def file(data: bytes | str, name: str = "match.txt") -> Upload:
    return Upload(name, "text/plain", data.encode() if isinstance(data, str) else data)


async def exported(person: Person, number: str = "1", **options: object) -> str:
    """Export a match and return the text."""
    reply = await person.slash("/match export", options={"number": number, **options})
    assert reply.ephemeral, reply.text
    (attached,) = reply.shown.attachments
    return attached.data.decode()


async def play_and_resign(
    env: Environment, slug: str, *, plies: int = 16, players: int = 2
) -> None:
    """Play a match for a while, without boards on the way, then resign as Ann."""
    dice = random.Random(6)
    await env.begin(slug, players=players)
    await env.hurry(dice, lambda position: position.ply >= plies)
    while await env.hardly_begun():
        await env.turn(env.board(), dice)
    await finish(env, env.ann, slug)


async def import_record(person: Person, **options: object) -> Reply:
    reply = await person.slash("/match import", options=options)
    assert reply.ephemeral
    return reply


async def analysis_of(person: Person, name: str = "i1") -> str:
    """Request an analysis, which must be ephemeral, and return its text."""
    return (await person.slash("/match analysis", number=name)).private


def forged(text: str, ranks: tuple[int, ...] = (1, 2)) -> str:
    seats = record.read(text).seats
    result = " ".join(f"{seat}:{rank}" for seat, rank in zip(seats, ranks, strict=True))
    head, body = text.split("\n\n", 1)
    return f'{head}\n[Result "{result}"]\n[Reason "so it was"]\n\n{body}'


async def analyse_record(env: Environment, person: Person, number: int = 1) -> None:
    """Analyse a record beforehand; on a busy machine that may take minutes."""
    record = await env.app.get(Replays).of_import(number, person.id)
    await env.app.get(Analyses).of(record, Requester(0, person.id))
