"""Daily puzzles on both databases: one a day, from the server's owner process, with streaks."""

from __future__ import annotations

from datetime import timedelta

from data import posts
from data.puzzles import daily_puzzles, puzzles
from data.puzzles.daily_puzzles import DailyAnswer, Tally
from data.puzzles.puzzles import Daily, Puzzle
from data.puzzles.puzzles import puzzles as puzzles_table
from data.store.store import Store, Transaction
from tests.data.people import ANN, BEN, CAROL, NOW, SERVER

CHANNEL = 77
DAY = timedelta(days=1)
TODAY = NOW.date()


async def add_puzzle(
    tx: Transaction, number: int, *, game: str = "tablut", level: int | None = 3
) -> None:
    """Store a puzzle."""
    position = f"position {number}"
    await puzzles.add(tx, Puzzle(0, game, {}, position, "a1", {}, number, level=level), NOW)


async def post_puzzle(tx: Transaction, days: int, puzzle_id: int = 1) -> Daily:
    """Post the puzzle of the day this many days ahead, and close the previous one."""
    day, moment = TODAY + days * DAY, NOW + days * DAY
    await daily_puzzles.close(tx, SERVER, moment)
    await daily_puzzles.add(tx, SERVER, day, puzzle_id=puzzle_id, channel_id=CHANNEL, at=moment)
    made = await daily_puzzles.of_day(tx, SERVER, day)
    assert made is not None
    await daily_puzzles.mark_posted(tx, made.id, 1000 + days)
    return made


def answer(streak: int, *, first_try: bool = False) -> DailyAnswer:
    return DailyAnswer(streak > 0, first_try, streak)


async def solve(
    tx: Transaction, daily: Daily, user: int, *, right: bool = True, first: bool = True
) -> DailyAnswer:
    return await daily_puzzles.record_answer(tx, daily, user, right=right, first=first, at=NOW)


async def test_a_server_has_one_puzzle_a_day_even_if_two_processes_choose_at_once(
    db: Store,
) -> None:
    async with db.write() as tx:
        await add_puzzle(tx, 1)
        await post_puzzle(tx, 0)
        await add_puzzle(tx, 2)
    async with db.write() as tx:
        await daily_puzzles.add(tx, SERVER, TODAY, puzzle_id=2, channel_id=CHANNEL, at=NOW)
    async with db.read() as tx:
        assert len(await posts.due(tx, NOW, limit=9)) == 1


async def test_a_position_is_closed_while_it_is_the_puzzle_of_the_day_anywhere(db: Store) -> None:
    other = SERVER - 1
    async with db.write() as tx:
        for number in (1, 2):
            await add_puzzle(tx, number)
        await tx.run(puzzles_table.update().values(fingerprint=7))
        assert not await puzzles.any_of_the_day(tx, [7])
        await post_puzzle(tx, 0)
        await daily_puzzles.add(tx, other, TODAY, puzzle_id=2, channel_id=CHANNEL, at=NOW)
        for server in (SERVER, other):
            assert await puzzles.any_of_the_day(tx, [*range(2000)])
            assert await puzzles.next_for(tx, ANN, ["tablut"]) is None, "nor an equivalent one"
            await daily_puzzles.close(tx, server, NOW)
        assert not await puzzles.any_of_the_day(tx, [7])
        assert await puzzles.next_for(tx, ANN, ["tablut"]) is not None


async def test_an_unposted_puzzle_can_move_to_another_channel_until_its_day_is_over(
    tx: Transaction,
) -> None:
    await add_puzzle(tx, 1)
    await daily_puzzles.add(tx, SERVER, TODAY, puzzle_id=1, channel_id=CHANNEL, at=NOW)
    waiting = await daily_puzzles.of_day(tx, SERVER, TODAY)
    assert waiting is not None
    await daily_puzzles.move(tx, waiting, CHANNEL + 1, NOW)
    [post] = await posts.due(tx, NOW, limit=9)
    assert (post.subject, post.wanted) == (waiting.id, 2)
    moved = await daily_puzzles.get(tx, waiting.id)
    assert moved is not None
    assert moved.channel_id == CHANNEL + 1
    await daily_puzzles.close(tx, SERVER, NOW + DAY)
    assert await daily_puzzles.get(tx, waiting.id) is None


async def test_puzzles_from_matches_come_before_shipped_ones_and_none_repeats_early(
    tx: Transaction,
) -> None:
    await add_puzzle(tx, 1)
    await add_puzzle(tx, 2, level=None)
    await add_puzzle(tx, 3, game="tablan")
    order = []
    for day in range(3):
        found = await daily_puzzles.pick(tx, SERVER, "tablut")
        assert found is not None
        order.append((found[0].id, found[1]))
        await post_puzzle(tx, day, found[0].id)
    assert order == [(2, False), (1, False), (2, True)]
    assert await daily_puzzles.pick(tx, SERVER, "tablaaza") is None


async def test_a_streak_counts_consecutive_puzzles_even_across_a_day_without_one(
    tx: Transaction,
) -> None:
    await add_puzzle(tx, 1)
    streaks = [(await solve(tx, await post_puzzle(tx, day), ANN)).streak for day in (0, 1, 3)]
    assert streaks == [1, 2, 3]
    await post_puzzle(tx, 4)
    assert (await solve(tx, await post_puzzle(tx, 5), ANN)).streak == 1


async def test_a_wrong_answer_costs_only_the_first_try(tx: Transaction) -> None:
    await add_puzzle(tx, 1)
    daily = await post_puzzle(tx, 0)
    assert await solve(tx, daily, ANN, right=False) == answer(0)
    assert await solve(tx, daily, ANN, first=False) == answer(1)
    assert await solve(tx, daily, ANN, right=False) == answer(1)
    assert await solve(tx, daily, BEN) == answer(1, first_try=True)
    # Solving a puzzle already seen elsewhere does not count as a first answer.
    assert await solve(tx, daily, CAROL, first=False) == answer(1)
    assert await daily_puzzles.tally(tx, daily.id) == Tally(3, 3, 1)
    assert await daily_puzzles.longest_streaks(tx, daily.id, minimum=2, limit=3) == []
    assert len(await daily_puzzles.longest_streaks(tx, daily.id, minimum=1, limit=2)) == 2


async def test_only_the_newest_puzzle_counts_and_it_is_offered_nowhere_else(
    tx: Transaction,
) -> None:
    await add_puzzle(tx, 1)
    await add_puzzle(tx, 2)
    await post_puzzle(tx, 0, 1)
    newest = await post_puzzle(tx, 1, 2)
    assert await daily_puzzles.counting(tx, SERVER, 1) is None
    counting = await daily_puzzles.counting(tx, SERVER, 2)
    assert counting is not None
    assert counting.id == newest.id
    assert await daily_puzzles.counting(tx, SERVER - 1, 2) is None
    following = await puzzles.next_for(tx, CAROL, ["tablut"])
    assert following is not None
    assert following.id == 1
    await daily_puzzles.close(tx, SERVER, NOW)
    assert await daily_puzzles.counting(tx, SERVER, 2) is None


async def test_answers_are_deleted_after_a_month(tx: Transaction) -> None:
    await add_puzzle(tx, 1)
    old = await post_puzzle(tx, 0)
    await solve(tx, old, ANN)
    await daily_puzzles.close(tx, SERVER, NOW + 30 * DAY)
    assert await daily_puzzles.answer_of(tx, old.id, ANN) is not None
    await daily_puzzles.close(tx, SERVER, NOW + 32 * DAY)
    assert await daily_puzzles.answer_of(tx, old.id, ANN) is None
    assert await daily_puzzles.get(tx, old.id) is not None
