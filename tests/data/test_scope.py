"""Deadlines for the servers of some shards."""

from __future__ import annotations

from typing import Final

import pytest

from data.challenges import challenges
from data.matches import clocks, outbox
from data.matches.match import MatchClock
from data.sql.statements import Scope, shard_of
from data.store.store import Store
from tests.data import people
from tests.data.people import ANN, NOW, after

GUILDS: Final = (None, 1 << 22, 2 << 22, (3 << 22) + 12345, 1_500_000_000_000_000_000)
SHARDS: Final = 2


def test_direct_messages_belong_to_the_first_shard_and_servers_to_the_shard_of_their_id() -> None:
    assert [shard_of(guild, SHARDS) for guild in GUILDS[:4]] == [0, 1, 0, 1]
    assert all(shard_of(guild, 1) == 0 for guild in GUILDS)


@pytest.mark.parametrize("shard", range(SHARDS))
async def test_each_shard_has_the_jobs_clocks_and_challenges_of_its_servers(
    db: Store, shard: int
) -> None:
    mine = []
    async with db.write() as tx:
        for guild in GUILDS:
            number = await people.match(tx, guild_id=guild)
            await people.challenge(tx, guild_id=guild, expires_at=after(90))
            kind, payload = "board", {"ply": 0}
            for key, moment in (("now", None), ("later", after(60))):
                await outbox.put(
                    tx,
                    match_id=number,
                    kind=kind,
                    payload=payload,
                    nonce=f"{number}{key}",
                    at=NOW,
                    not_before=moment,
                )
            clock = MatchClock(number, ANN, 0, NOW, None, after(30), next_at=after(30))
            await clocks.put(tx, clock)
            if shard_of(guild, SHARDS) == shard:
                mine.append(number)
    scope = Scope(SHARDS, frozenset({shard}))
    nothing, everything = Scope(SHARDS, frozenset()), Scope(SHARDS, frozenset(range(SHARDS)))
    async with db.write() as tx:
        assert await outbox.waiting_matches(tx, NOW, limit=99, scope=scope) == tuple(mine)
        assert await outbox.due_between(tx, NOW, after(61), scope=scope) == tuple(mine)
        assert await outbox.next_due(tx, NOW, scope=scope) == after(60)
        assert await clocks.next_moment(tx, scope=scope) == after(30)
        due = await clocks.due(tx, after(31), scope=scope)
        out = await clocks.running_out(tx, after(31), scope=scope)
        assert [one.match_id for one in due] == [one.match_id for one in out] == mine
        open_ = await challenges.lock_expired(tx, after(10**9), scope=scope)
        assert [shard_of(one.guild_id, SHARDS) for one in open_] == [shard] * len(mine)
        assert await challenges.next_end(tx, scope=scope) == after(90)
        assert await outbox.next_due(tx, NOW, scope=nothing) is None
        assert await clocks.next_moment(tx, scope=nothing) is None
        assert len(await clocks.due(tx, after(31), scope=everything)) == len(GUILDS)
