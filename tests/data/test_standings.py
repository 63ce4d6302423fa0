"""Leaderboards: who has won, drawn and lost how often."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from data import matches, standings
from data.standings import Standing
from tests.data import people
from tests.data.people import ANN, BEN, CAROL, DAN, NOW, SERVER

if TYPE_CHECKING:
    from data.store import Store, Transaction

TABLES = [(guild, game) for guild in (SERVER, 12) for game in ("nim", "pig", None)]
RESULTS = st.lists(
    st.tuples(
        st.sampled_from([SERVER, 12, None]),
        st.sampled_from(["nim", "pig"]),
        st.lists(st.sampled_from([ANN, BEN, CAROL, DAN]), min_size=2, max_size=4, unique=True),
        st.lists(st.integers(1, 3), min_size=4, max_size=4),
        st.sampled_from(["ended", "ended", "abandoned", "open"]),
    ),
    max_size=12,
)


async def played(
    tx: Transaction,
    ranks: dict[int, int],
    *,
    game: str = "nim",
    guild_id: int | None = SERVER,
) -> None:
    """Record a whole match, its ranks by player."""
    number = await people.match(tx, list(ranks), game=game, guild_id=guild_id)
    by_seat = dict(enumerate(ranks.values()))
    await matches.finish(tx, number, ranks=by_seat, reason="it ended", at=NOW)


async def test_alone_first_has_won_sharing_first_has_drawn_all_others_have_lost(db: Store) -> None:
    async with db.write() as tx:
        await played(tx, {ANN: 1, BEN: 2})
        await played(tx, {ANN: 1, BEN: 1})
        await played(tx, {ANN: 1, BEN: 3, CAROL: 1, DAN: 4})
        assert await standings.page(tx, SERVER, "nim", limit=9, offset=0) == (
            Standing(ANN, won=1, drawn=2, lost=0),
            Standing(CAROL, won=0, drawn=1, lost=0),
            Standing(DAN, won=0, drawn=0, lost=1),
            Standing(BEN, won=0, drawn=1, lost=2),
        )


async def test_direct_messages_count_in_no_server(db: Store) -> None:
    async with db.write() as tx:
        await played(tx, {ANN: 1, BEN: 2}, guild_id=None)
        assert await standings.count(tx, SERVER, None) == 0
        await standings.rebuild(tx)
        assert await standings.count(tx, SERVER, None) == 0


async def test_a_match_without_a_result_counts_for_nobody(db: Store) -> None:
    async with db.write() as tx:
        number = await people.match(tx)
        await matches.finish(tx, number, ranks={}, reason="abandoned", at=NOW)
        assert await standings.count(tx, SERVER, None) == 0


async def test_all_games_are_added_up_and_each_has_its_own_table(db: Store) -> None:
    async with db.write() as tx:
        await played(tx, {ANN: 1, BEN: 2})
        await played(tx, {BEN: 1, ANN: 2}, game="pig")
        await played(tx, {BEN: 1, CAROL: 2}, game="pig")
        assert await standings.of(tx, SERVER, BEN, None) == (Standing(BEN, 2, 0, 1), 1)
        assert await standings.of(tx, SERVER, BEN, "nim") == (Standing(BEN, 0, 0, 1), 2)
        assert await standings.of(tx, SERVER, CAROL, "nim") is None
        assert await standings.of(tx, 999, BEN, None) is None
        assert await standings.count(tx, SERVER, None) == 3
        assert await standings.count(tx, SERVER, "nim") == 2


@given(results=RESULTS)
@settings(
    max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
async def test_the_running_table_equals_the_one_computed_from_the_matches(
    db: Store,
    results: list[tuple[int | None, str, list[int], list[int], str]],
) -> None:
    async def tables(tx: Transaction) -> list[tuple[Standing, ...]]:
        return [await standings.page(tx, guild, game, limit=99, offset=0) for guild, game in TABLES]

    async with db.write() as tx:
        for guild, game, users, ranks, fate in results:
            number = await people.match(tx, users, game=game, guild_id=guild)
            if fate != "open":
                result = dict(enumerate(ranks[: len(users)])) if fate == "ended" else {}
                await matches.finish(tx, number, ranks=result, reason="", at=NOW)
        running = await tables(tx)
        await standings.rebuild(tx)
        assert await tables(tx) == running
        for table, (guild, wanted) in zip(running, TABLES, strict=True):
            assert list(table) == sorted(
                table, key=lambda one: (-one.won, one.lost, -one.drawn, one.user_id)
            )
            assert await standings.count(tx, guild, wanted) == len(table)
            for place, one in enumerate(table, start=1):
                assert await standings.of(tx, guild, one.user_id, wanted) == (one, place)
                assert await standings.page(tx, guild, wanted, limit=1, offset=place - 1) == (one,)
