"""The rounds of imported tournaments.

They never change, so each tournament has a single compressed document of them. It is stored in one
statement, whatever its size. Players are numbered in it in the order of joining, so that it names
no user.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Sequence
from typing import Any, Final

from sqlalchemy import select

from data.sql.columns import table
from data.sql.transaction import Transaction
from data.tournaments.tournament_rounds import Round
from data.tournaments.tournaments import Tournament
from data.tournaments.values import Game, Pairing

imported_rounds: Final = table(
    "tournament_imports",
    rows={"tournament_id": "tournaments.id", "pairings": bytes},
    key=("tournament_id",),
)
"""All rounds of an imported tournament, see `data.tournaments.tournament_imports`: they never change."""


def packed(pairings: Iterable[Pairing], people: Sequence[int]) -> bytes:
    """Return the document of pairings, by round and table, of people in the order of joining."""
    number = {user: at for at, user in enumerate(people)}
    rows = [
        [
            one.round,
            one.table,
            one.stage,
            [number[user] for user in one.players],
            [
                [[one.players.index(user) for user in game.seats], game.points, game.how]
                for game in one.games
            ],
        ]
        for one in pairings
    ]
    return zlib.compress(json.dumps(rows, separators=(",", ":")).encode())


def unpacked(document: bytes, people: Sequence[int]) -> tuple[Pairing, ...]:
    """Return the pairings in a document; large ones take long."""
    rows: list[Any] = json.loads(zlib.decompress(document))
    found = []
    for round_no, table_no, stage, numbers, games in rows:
        players = tuple(people[number] for number in numbers)
        played = (
            Game(tuple(players[seat] for seat in seats), tuple(points), how, at)
            for at, (seats, points, how) in enumerate(games, 1)
        )
        found.append(Pairing(round_no, table_no, players, tuple(played), stage))
    return tuple(found)


async def add(tx: Transaction, tournament_id: int, document: bytes) -> None:
    """Store the document of a tournament's pairings."""
    await tx.add(imported_rounds, {"tournament_id": tournament_id, "pairings": document})


async def document(tx: Transaction, tournament_id: int) -> bytes:
    """Return the document of a tournament's pairings."""
    this = imported_rounds.c.tournament_id == tournament_id
    return await tx.scalar(select(imported_rounds.c.pairings).where(this)) or b""


def rounds(tournament: Tournament) -> tuple[Round, ...]:
    """Return the rounds of an imported tournament, which all ended before it was imported."""
    at = tournament.created_at
    return tuple(
        Round(tournament.id, number, at, ended_at=at) for number in range(1, tournament.round + 1)
    )
