"""A season of results on a store alone, and how its ratings are checked."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import pytest

from bot.play.matches.endings import void
from bot.play.ratings import recomputing
from bot.play.ratings.service import rate
from data.matches import match_log, matches
from data.matches.match import Entry
from data.matches.match import matches as matches_table
from data.ratings import ratings, results
from data.ratings.rating import Rating
from data.store.store import Store, Transaction
from engine import registry
from tests.data import derived
from tests.data.people import ANN, BEN, CAROL, DAN, NOW, SERVER, match


class Watched:
    """A transaction that records its reads."""

    def __init__(self, tx: Transaction) -> None:
        """Start with none."""
        self._tx = tx
        self.read: list[Any] = []

    def __getattr__(self, name: str) -> Any:
        """Return the transaction's attributes; record statements that return rows."""
        found = getattr(self._tx, name)
        if name not in {"row", "rows", "scalar", "scalars", "record", "records"}:
            return found

        async def reading(*parameters: Any) -> Any:
            self.read.append(parameters[name in {"record", "records"}])
            return await found(*parameters)

        return reading


on_sqlite = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
"""For rules that no database knows of; that both give the same is shown by many results."""


OTHER_SERVER = 77


PEOPLE = [ANN, BEN, CAROL, DAN, *range(1000, 1012)]


async def played(tx: Transaction, people: Sequence[int], ranks: Sequence[int], **match: Any) -> int:
    """Record a whole match and rate it, as the bot does; ``match`` is as for `ended`."""
    number = await ended(tx, people, ranks, **match)
    await rate(tx, await matches.get_existing(tx, number), match.get("at", NOW))
    return number


async def ended(
    tx: Transaction,
    people: Sequence[int],
    ranks: Sequence[int],
    *,
    game: str = "nim",
    guild_id: int | None = SERVER,
    at: datetime = NOW,
    ending: str | None = None,
    moves: int = 2,
    unrated: bool = False,
) -> int:
    """Record a whole match, not yet rated."""
    number = await match(tx, people, game=game, guild_id=guild_id)
    if unrated:
        await tx.run(
            matches_table.update().where(matches_table.c.id == number).values(unrated=True)
        )
    if moves:
        log = [
            Entry(ply, (ply - 1) % len(people), "a1", at)
            for ply in range(1, moves * len(people) + 1)
        ]
        await match_log.append(tx, number, log)
    await matches.finish(
        tx, number, ranks=dict(enumerate(ranks)), reason="it ended", at=at, ending=ending
    )
    return number


async def voided(db: Store, number: int) -> None:
    """Void a finished match, as moderators do."""
    async with db.write() as tx:
        assert await void(tx, number, reason="no", by=ANN, at=NOW) is not None


async def all_of(db: Store) -> dict[str, list[Any]]:
    """Return everything derived from the results."""
    async with db.read() as tx:
        return await derived.everything(tx)


async def check_recomputed(db: Store) -> dict[str, list[Any]]:
    """Return all that follows from the results, and see that it is what they say.

    What is marked is computed first, as the bot does.
    """
    await recomputing.recompute_outdated(db)
    running = await all_of(db)
    async with db.read() as tx:
        for game in await results.games(tx):
            counted = await derived.histogram(tx, game)
            kept = {
                (row[0], *row[2:4]): row[4] for row in running["rating_histogram"] if row[1] == game
            }
            assert kept == counted
    await recomputing.recompute_everything(db)
    again = await all_of(db)
    for name, rows in running.items():
        assert again[name] == rows, name
    return running


async def own(db: Store, user_id: int, scope: int = SERVER) -> Rating | None:
    """Return a player's standing."""
    async with db.read() as tx:
        return await ratings.get(tx, "nim", scope, user_id)


def unequal_game() -> str:
    """Return a game with unequal sides."""
    return next(slug for slug, game in registry.games().items() if game.unequal_sides)


@dataclass
class Season:
    """Random matches in sequence."""

    dice: random.Random
    people: list[int] = field(default_factory=lambda: list(PEOPLE))
    at: datetime = NOW
    ended: list[int] = field(default_factory=list)

    async def play(self, number: int, tx: Transaction) -> None:
        """Play this many, with ties, four players, unrated matches, and pairs who meet too often."""
        dice = self.dice
        for _ in range(number):
            self.at += timedelta(hours=dice.choice([0, 1, 1, 2]))
            game = dice.choice(["nim", "pig", unequal_game()])
            many = 2 if game == unequal_game() else dice.choice([2, 2, 2, 3, 4])
            ranks = dice.choice(
                [[1, 2, 3, 4], [1, 1, 1, 1], [1, 1, 2, 3], [2, 1, 1, 2], [4, 3, 2, 1]]
            )[:many]
            self.ended.append(
                await played(
                    tx,
                    dice.sample(
                        self.people if dice.random() < 0.5 else self.people[: many + 1], many
                    ),
                    [rank - min(ranks) + 1 for rank in ranks],
                    game=game,
                    guild_id=dice.choice([SERVER, SERVER, OTHER_SERVER, None]),
                    at=self.at,
                    ending=dice.choice([None, None, "resigned"]),
                    moves=dice.choice([1, 2, 2, 2]),
                    unrated=dice.random() < 0.05,
                )
            )

    def void(self) -> int:
        """Choose one of the last matches to void."""
        return self.ended.pop(-self.dice.randrange(1, 40))
