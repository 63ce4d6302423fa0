"""Stores the puzzles shipped with games, for when those from matches run out."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Iterable, Mapping
from datetime import datetime
from functools import cache
from typing import Any

from ai.puzzle_sets import shipped
from bot.play.matches.fingerprints import fingerprint
from data.puzzles import puzzles
from data.sql import key_values
from data.store.store import Store
from engine import registry


async def add_shipped_puzzles(store: Store, games: Iterable[str], at: datetime) -> bool:
    """Store the shipped puzzles of some games; return whether there were any new ones."""
    new = False
    for slug in games:
        sets = shipped(slug)
        name = hashlib.sha256(repr(sets).encode()).hexdigest()[:16]
        async with store.read() as tx:
            known = await key_values.get(tx, f"puzzles:{slug}")
        if not sets or known == name:
            continue
        rows = await asyncio.to_thread(_rows, slug)
        async with store.write() as tx:
            for row in rows:
                await puzzles.add(tx, **row, at=at)
            await key_values.set(tx, f"puzzles:{slug}", name)
        new = True
    return new


@cache
def _rows(slug: str) -> tuple[Mapping[str, Any], ...]:
    game = registry.game(slug)
    rows = []
    for one in shipped(slug):
        options = game.settle(dict(one.options))
        number = fingerprint(game, game.read_position(one.position, options))
        assert number is not None, "somebody decides in every puzzle"
        rows.append(
            {
                "game": slug,
                "options": options,
                "position": one.position,
                "solution": one.solution,
                "evaluation": {"expected": one.expected, "margin": one.margin},
                "fingerprint": number,
                "level": one.level,
            }
        )
    return tuple(rows)
