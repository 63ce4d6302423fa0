"""The best game of a tournament, chosen by the analyses of its matches."""

from __future__ import annotations

from typing import Any

from bot.features.tournaments import best_game
from data import computer_tasks
from data.computer_tasks import Kind
from data.puzzles import analyses
from data.tournaments.values import Format, Plan
from tests.bot.features.tournaments.club import Cups
from tests.moves import play_on

PEOPLE = (11, 22, 33, 44)


async def _played(club: Cups, *, moves: int = 10) -> tuple[int, list[int]]:
    """Play a round of two matches, each resigned after this many moves per player.

    Returns:
        The tournament and its matches.
    """
    number = await club.begin(*PEOPLE, plan=Plan(Format.SWISS, rounds=1))
    found = []
    for game in await club.open_games(number):
        assert game.match_id is not None
        position = await club.matches.position(game.match_id)
        for turn in range(2 * moves):
            assert position.to_move is not None
            legal = position.game.legal_moves(position.state)
            text = position.game.write(legal[(7 * turn) % len(legal)])
            position = await play_on(club.matches, position, text)
        assert position.to_move is not None
        await club.matches.resign(position.match.id, position.to_move.user_id)
        found.append(game.match_id)
    await club.run()
    return number, found


async def _analysed(club: Cups, match: int, *lost: tuple[int, float]) -> None:
    """Store an analysis with each mistake's seat and cost."""
    mistakes = [[ply, place, "a1-a2", "a1-a3", loss] for ply, (place, loss) in enumerate(lost, 1)]
    found: dict[str, Any] = {"mistakes": mistakes}
    async with club.store.write() as tx:
        await analyses.put(tx, match, found, club.clock())


async def _best(club: Cups, number: int) -> best_game.BestGame | None:
    return await club.read(best_game.best, await club.view(number))


async def test_the_best_game_is_the_one_whose_weaker_player_gave_away_least(club: Cups) -> None:
    number, (first, other) = await _played(club)
    assert await _best(club, number) is None
    await _analysed(club, first, (0, 0.5))
    await _analysed(club, other, (0, 0.2), (1, 0.2))
    found = await _best(club, number)
    assert found is not None
    assert (found.match_id, found.moves, found.lost) == (other, 20, 0.2)
    await _analysed(club, first, (0, 0.1), (1, 0.15))
    again = await _best(club, number)
    assert again is not None
    assert (again.match_id, again.lost, again.rate) == (first, 0.15, 0.015)


async def test_games_that_are_too_short_are_ignored(club: Cups) -> None:
    number, matches = await _played(club, moves=best_game.MIN_MOVES - 1)
    for match in matches:
        await _analysed(club, match)
    assert await _best(club, number) is None


async def test_it_waits_only_for_analyses_that_are_still_pending(club: Cups) -> None:
    number, matches = await _played(club)

    async def waits() -> bool:
        return await club.read(best_game.awaits_analysis, await club.view(number))

    assert await waits()
    await _analysed(club, matches[0])
    assert await waits()
    # The computers gave up on analysing the other match.
    async with club.store.write() as tx:
        assert await computer_tasks.task_exists(tx, Kind.ANALYSIS, str(matches[1]))
        await computer_tasks.remove(tx, Kind.ANALYSIS, str(matches[1]))
    assert not await waits()
