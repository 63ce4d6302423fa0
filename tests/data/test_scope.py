"""A process finds what is due in the servers of its shards, and nothing else."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import pytest
from sqlalchemy import select

from data import posts
from data.challenges import challenges
from data.ladders import ladder_challenges, ladders
from data.matches import clocks, matches, outbox
from data.matches.clocks import ServerOutage
from data.matches.match import MatchClock
from data.matches.match import matches as matches_table
from data.puzzles import daily_puzzles
from data.puzzles.daily_puzzles import Schedule
from data.sql.statements import Prepared, Scope, shard_of
from data.store.store import Store, Transaction
from data.tournaments import tournament_rounds, tournaments
from data.tournaments.values import Game, Pairing
from tests.data import people
from tests.data.people import ANN, BEN, CHANNEL, LADDER, NOW, TOURNAMENT, after

SERVERS: Final = (1 << 22, 2 << 22, (3 << 22) + 12345, 1_500_000_000_000_000_000)
GUILDS: Final = (None, *SERVERS)
SHARDS: Final = 2


def test_direct_messages_belong_to_the_first_shard_and_servers_to_the_shard_of_their_id() -> None:
    assert [shard_of(guild, SHARDS) for guild in GUILDS[:4]] == [0, 1, 0, 1]
    assert all(shard_of(guild, 1) == 0 for guild in GUILDS)


async def make_due(tx: Transaction, guild: int | None) -> int:
    """Make everything due that goes on in a server or in direct messages; return its match."""
    number = await people.match(tx, guild_id=guild)
    await people.challenge(tx, guild_id=guild, expires_at=after(90))
    for nonce, moment in ((f"{number}now", None), (f"{number}later", after(60))):
        await outbox.put(
            tx, match_id=number, kind="board", payload={}, nonce=nonce, at=NOW, not_before=moment
        )
    await clocks.put(tx, MatchClock(number, ANN, 0, NOW, None, after(30), next_at=after(30)))
    await posts.want(tx, "round", number, at=after(10), guild_id=guild)
    return number


async def make_due_in_server(tx: Transaction, guild: int) -> int:
    """Make everything due that servers alone have; return its tournament."""
    await daily_puzzles.set_schedule(tx, Schedule(guild, CHANNEL, 8, after(40)))
    ladder = await people.new_ladder(tx, ANN, BEN, terms=replace(LADDER, guild_id=guild))
    await people.new_challenge(tx, ladder.id, BEN, ANN)
    found = await people.new_tournament(tx, terms=replace(TOURNAMENT, guild_id=guild))
    found = await tournaments.change(tx, found, state=tournaments.State.RUNNING)
    pairing = Pairing(1, 1, (ANN, BEN), (Game((ANN, BEN), number=1),))
    await tournament_rounds.add(tx, tournament_rounds.Round(found.id, 1, NOW), [pairing])
    played = await people.match(tx, guild_id=guild)
    await tournament_rounds.set_match(tx, found.id, pairing, pairing.games[0], played)
    await matches.finish(tx, played, ranks={}, reason="", at=NOW)
    return found.id


@pytest.mark.parametrize("shards", [{0}, {1}, set(), {0, 1}])
async def test_a_process_has_what_is_due_in_the_servers_of_its_shards(
    db: Store, shards: set[int]
) -> None:
    here = [guild for guild in GUILDS if shard_of(guild, SHARDS) in shards]
    servers = [guild for guild in here if guild is not None]
    async with db.write() as tx:
        played = {guild: await make_due(tx, guild) for guild in GUILDS}
        held = {guild: await make_due_in_server(tx, guild) for guild in SERVERS}
    mine = tuple(sorted(played[guild] for guild in here))
    late = after(99)
    db.scope = lambda: Scope(SHARDS, frozenset(shards))
    async with db.write() as tx:
        assert await outbox.waiting_matches(tx, NOW, limit=99) == mine
        assert await outbox.due_between(tx, NOW, after(61)) == mine
        assert await outbox.added_since(tx, NOW, NOW) == mine
        assert tuple(one.match_id for one in await clocks.due(tx, late)) == mine
        assert tuple(one.match_id for one in await clocks.running_out(tx, late)) == mine
        assert tuple(one.subject for one in await posts.due(tx, late, limit=99)) == mine
        expired = await challenges.lock_expired(tx, late)
        assert {one.guild_id for one in expired} == set(here)
        schedules = await daily_puzzles.due_now(tx, late, limit=99)
        assert {one.guild_id for one in schedules} == set(servers)
        of_servers = tuple(held[guild] for guild in servers)
        assert await tournaments.due(tx, late) == of_servers
        assert await tournament_rounds.with_new_results(tx) == of_servers
        assert len(await ladders.due_for_check(tx, late, limit=99)) == len(servers)
        assert len(await ladder_challenges.due(tx, late, limit=99)) == len(servers)
        firsts = {
            10: await posts.next_due(tx, NOW),
            20: await ladder_challenges.next_due(tx),
            30: await clocks.next_moment(tx),
            40: await daily_puzzles.next_moment(tx),
            60: await outbox.next_due(tx, NOW),
            61: await tournaments.next_moment(tx, NOW),
            62: await ladders.next_check(tx),
            90: await challenges.next_end(tx),
        }
    moments = [after(60 if key in {61, 62} else key) for key in firsts]
    assert list(firsts.values()) == (moments if shards else [None] * len(moments))


async def test_a_transaction_can_be_limited_to_other_shards_for_a_while(db: Store) -> None:
    server = SERVERS[0]
    promised = ServerOutage(server, NOW, after(9))
    db.scope = lambda: Scope(SHARDS, frozenset({0}))
    async with db.write() as tx:
        await clocks.put_outage(tx, promised)
        assert await clocks.next_promised(tx) is None
        with tx.limited_to(Scope(SHARDS, frozenset({1}))):
            assert await clocks.next_promised(tx) == promised
        with tx.limited_to(None):
            assert await clocks.next_promised(tx) == promised
        assert await clocks.next_promised(tx) is None


async def test_a_statement_keeps_few_texts_however_often_shards_change_hands(db: Store) -> None:
    asked = Prepared(select(matches_table.c.id), matches_table.c.guild_id)
    async with db.write() as tx:
        number = await people.match(tx)
        for shards in range(1, 100):
            with tx.limited_to(Scope(shards, frozenset(range(shards)))):
                assert await tx.rows(asked) == [(number,)]
    assert len(asked._texts) <= 32
