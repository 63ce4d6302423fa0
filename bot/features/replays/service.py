"""The story of a match: what decided it, in two sentences beside its result."""

from __future__ import annotations

import asyncio
from typing import Final
from weakref import WeakKeyDictionary

import structlog

from bot.play.boards.board_text import Told, about_end
from bot.play.matches import match_text
from bot.play.matches.positions import Position
from bot.play.replays.replay import Replay, replay_of_match
from data.matches import match_log
from data.store.store import Store
from engine.game import Entry

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)
_KNOWN: Final[WeakKeyDictionary[Position, str]] = WeakKeyDictionary()
"""Stories of matches still in memory: several messages tell the end of one."""


def story(replay: Replay) -> str:
    """Return what decided a match, from its whole log; empty if there is little to tell."""
    entries = [Entry(one.before, one.move, replay.move(one.ply)) for one in replay.played]
    return replay.game.story(entries, replay.position.state)


@about_end(order=5)
async def told(store: Store, position: Position, _: Told) -> str:
    """Tell how a match with a result was decided; the analysis comes later, if at all."""
    if not match_text.judged(position):
        return ""
    known = _KNOWN.get(position)
    if known is None:
        known = _KNOWN[position] = await _read(store, position)
    return known


async def _read(store: Store, position: Position) -> str:
    match = position.match
    async with store.read() as tx:
        entries = tuple(entry.notation for entry in await match_log.read(tx, match.id))
    try:
        return await asyncio.to_thread(
            lambda: story(replay_of_match(str(match.id), match, entries))
        )
    except Exception as error:  # noqa: BLE001 -- no last board waits for a nicety
        log.warning("a match has no story", match=match.id, reason=repr(error))
        return ""
