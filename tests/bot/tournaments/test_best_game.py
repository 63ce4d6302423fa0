"""The best game of a tournament, chosen by the analyses of its matches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bot.tournaments import best_game
from bot.tournaments.model import Format, Plan
from data import analyses, computer_tasks
from data.computer_tasks import Kind
from tests.moves import play

if TYPE_CHECKING:
    from tests.bot.tournaments.hall import Hall

PEOPLE = (11, 22, 33, 44)


async def _played(hall: Hall, *, moves: int = 10) -> tuple[int, list[int]]:
    """Play a round of two matches, each resigned after this many moves per player.

    Returns:
        The tournament and its matches.
    """
    number = await hall.begin(*PEOPLE, plan=Plan(Format.SWISS, rounds=1))
    found = []
    for game in await hall.open_games(number):
        assert game.match_id is not None
        view = await hall.matches.view(game.match_id)
        for turn in range(2 * moves):
            assert view.to_move is not None
            legal = view.game.legal_moves(view.state)
            text = view.game.write(legal[(7 * turn) % len(legal)])
            view = await play(hall.matches, view.match.id, view.to_move.user_id, text)
        assert view.to_move is not None
        await hall.matches.resign(view.match.id, view.to_move.user_id)
        found.append(game.match_id)
    await hall.run()
    return number, found


async def _analysed(hall: Hall, match: int, *lost: tuple[int, float]) -> None:
    """Store an analysis with each mistake's seat and cost."""
    mistakes = [[ply, place, "a1-a2", "a1-a3", loss] for ply, (place, loss) in enumerate(lost, 1)]
    found: dict[str, Any] = {"mistakes": mistakes}
    async with hall.store.write() as tx:
        await analyses.put(tx, match, found, hall.clock())


async def _best(hall: Hall, number: int) -> best_game.BestGame | None:
    async with hall.store.read() as tx:
        return await best_game.best(tx, await hall.seen(number))


async def test_the_best_game_is_the_one_whose_weaker_player_gave_away_least(hall: Hall) -> None:
    number, (first, other) = await _played(hall)
    assert await _best(hall, number) is None
    await _analysed(hall, first, (0, 0.5))
    await _analysed(hall, other, (0, 0.2), (1, 0.2))
    found = await _best(hall, number)
    assert found is not None
    assert (found.match_id, found.moves, found.lost) == (other, 20, 0.2)
    await _analysed(hall, first, (0, 0.1), (1, 0.15))
    again = await _best(hall, number)
    assert again is not None
    assert (again.match_id, again.lost, again.rate) == (first, 0.15, 0.015)


async def test_games_that_are_too_short_are_ignored(hall: Hall) -> None:
    number, matches = await _played(hall, moves=best_game.LEAST_MOVES - 1)
    for match in matches:
        await _analysed(hall, match)
    assert await _best(hall, number) is None


async def test_it_waits_only_for_analyses_that_are_still_pending(hall: Hall) -> None:
    number, matches = await _played(hall)

    async def waits() -> bool:
        async with hall.store.read() as tx:
            return await best_game.awaits_analysis(tx, await hall.seen(number))

    assert await waits()
    await _analysed(hall, matches[0])
    assert await waits()
    # The computers gave up on analysing the other match.
    async with hall.store.write() as tx:
        assert await computer_tasks.task_exists(tx, Kind.ANALYSIS, str(matches[1]))
        await computer_tasks.remove(tx, Kind.ANALYSIS, str(matches[1]))
    assert not await waits()
