"""Every text that tells who won, by how much and where says what the log and the decisions say."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from itertools import permutations
from random import Random

import pytest

from data.store.store import Store
from tests.bot.results import surfaces
from tests.bot.results.random_matches import ENDINGS, Table, play_all
from tests.bot.results.surfaces import Said

PEOPLE = range(11, 21)
MATCHES = 200


@pytest.fixture
async def table(sqlite_url: str) -> AsyncIterator[Table]:
    """A table over a fresh store."""
    store = await Store.open(sqlite_url)
    yield Table(store, dice=Random(7))
    await store.close()


@pytest.mark.long
async def test_everything_that_tells_of_a_result_says_the_same(table: Table) -> None:
    await play_all(table, PEOPLE, MATCHES)
    assert {one.how for one in table.over} == set(ENDINGS)
    said = Compared()
    await said.matches(table)
    await said.players(table)
    assert not said.wrong, said.report()


@dataclass
class Compared:
    """What the surfaces said, compared with what is right."""

    asked: Counter[str] = field(default_factory=Counter)
    wrong: defaultdict[str, list[str]] = field(default_factory=lambda: defaultdict(list))

    def add(self, where: str, said: Said) -> None:
        """Compare what one surface said."""
        surface, told, right = said
        self.asked[surface] += 1
        if told != right:
            self.wrong[surface].append(f"{where}: {told!r} instead of {right!r}")

    async def all(self, where: str, said: AsyncIterator[Said]) -> None:
        """Compare what several surfaces said."""
        async for one in said:
            self.add(where, one)

    async def matches(self, table: Table) -> None:
        """Compare what is said of each match."""
        analysed: set[str] = set()
        for ended in table.over:
            where = f"match {ended.number} ({ended.game}, {ended.how})"
            for found in (surfaces.of_match, surfaces.of_ratings, surfaces.of_milestones):
                await self.all(where, found(table, ended))
            if ended.winners is None:
                continue
            kind = f"{ended.game} {ended.how} {len(ended.winners)}"
            most = 500 if ended.gave_up and len(ended.winners) > 1 else 100
            if 3 < len(ended.log) < most and kind not in analysed:
                analysed.add(kind)
                for said in surfaces.of_analysis(await table.matches.position(ended.number), ended):
                    self.add(where, said)

    async def players(self, table: Table) -> None:
        """Compare what is said of players, over all matches."""
        ended = table.over
        for user in PEOPLE:
            await self.all(f"<@{user}>", surfaces.of_profile(table, ended, user))
            await self.all(f"<@{user}>", surfaces.of_export(table, ended, user))
            await self.all(f"<@{user}>", surfaces.of_lists(table, user))
        for user, other in list(permutations(PEOPLE, 2))[::3]:
            pair = f"<@{user}> and <@{other}>"
            await self.all(pair, surfaces.of_rivals(table, ended, user, other))
        await self.all("leaderboards", surfaces.of_leaderboards(table, ended))

    def report(self) -> str:
        """Return what was wrong, a few of each kind."""
        return "\n".join(
            f"{surface}, {len(lines)} of {self.asked[surface]}: {line}"
            for surface, lines in self.wrong.items()
            for line in lines[:3]
        )
