"""Two processes, simultaneous presses, and seats given up meanwhile, on both databases."""

from __future__ import annotations

import asyncio
import dataclasses
import itertools

import pytest

from bot.core.errors import MatchOver, NotForYou, OldBoard
from bot.play.matches.positions import Position, may_move
from engine.placing import placed
from engine.record import read, write
from engine.verification import verify
from tests.bot.conftest import ANN, BEN, CAROL, Club
from tests.bot.play.matches.proofs import record_of

PEOPLE = (ANN, BEN, CAROL)


async def three(club: Club) -> Position:
    """Begin a match of three in which everyone has made two moves."""
    return await club.play_a_while(await club.begin_match(BEN, CAROL, game="thaayam"))


def ranks(position: Position) -> dict[int, int | None]:
    """Return the ranks by user."""
    return {player.user_id: player.rank for player in position.match.players}


async def test_a_move_by_a_player_who_resigned_in_another_process_is_refused(
    clubs: tuple[Club, Club],
) -> None:
    one, other = clubs
    position = await three(one)
    held = await other.matches.position(position.match.id)
    mover = held.to_move
    assert mover is not None
    move = held.game.write(held.game.legal_moves(held.state)[0])
    await one.matches.resign(position.match.id, mover.user_id)
    with pytest.raises(NotForYou, match="taken your seat"):
        await other.matches.play(held, may_move(held, mover.user_id), move)
    assert (await one.matches.position(position.match.id)).ply == position.ply


async def test_a_move_still_counts_after_another_player_resigns(
    clubs: tuple[Club, Club],
) -> None:
    one, other = clubs
    position = await three(one)
    held = await other.matches.position(position.match.id)
    mover = held.to_move
    assert mover is not None
    loser = next(user for user in PEOPLE if user != mover.user_id)
    move = held.game.write(held.game.legal_moves(held.state)[0])
    await one.matches.resign(position.match.id, loser)
    after = await other.matches.play(held, may_move(held, mover.user_id), move)
    assert after.ply > position.ply
    assert after.match.given_up == 1


async def test_only_one_of_two_processes_resigns_a_seat(clubs: tuple[Club, Club]) -> None:
    position = await three(clubs[0])
    await clubs[1].matches.position(position.match.id)
    done = await asyncio.gather(
        *(club.matches.resign(position.match.id, BEN) for club in clubs), return_exceptions=True
    )
    assert sum(isinstance(one, NotForYou) for one in done) == 1
    assert (await clubs[0].matches.position(position.match.id)).match.given_up == 1


async def test_simultaneous_resignations_leave_one_winner(clubs: tuple[Club, Club]) -> None:
    position = await three(clubs[0])
    work = [club.matches.resign(position.match.id, user) for club in clubs for user in PEOPLE]
    done = await asyncio.gather(*work, return_exceptions=True)
    refused = [one for one in done if isinstance(one, BaseException)]
    assert all(isinstance(one, MatchOver | NotForYou) for one in refused)
    assert len(refused) == len(work) - 2
    ended = await clubs[0].matches.position(position.match.id)
    assert sorted(rank or 0 for rank in ranks(ended).values()) == [1, 2, 3]


async def test_a_simultaneous_move_and_resignation_both_count(clubs: tuple[Club, Club]) -> None:
    one, other = clubs
    position = await three(one)
    mover = position.to_move
    assert mover is not None
    loser = next(user for user in PEOPLE if user != mover.user_id)
    move = position.game.write(position.game.legal_moves(position.state)[0])
    await asyncio.gather(
        one.matches.play(position, may_move(position, mover.user_id), move),
        other.matches.resign(position.match.id, loser),
    )
    now = await one.matches.position(position.match.id)
    assert now.ply > position.ply
    assert now.match.given_up == 1


async def test_the_record_names_who_resigned_and_verifies_only_unchanged(
    clubs: tuple[Club, Club],
) -> None:
    club = clubs[0]
    position = await three(club)
    number = position.match.id
    await club.matches.resign(number, BEN)
    await club.matches.resign(number, CAROL)
    ended = await club.matches.position(number)
    assert ranks(ended) == {ANN: 1, CAROL: 2, BEN: 3}
    record = await record_of(club, number)
    names = {p.user_id: ended.game.seat_names[p.seat] for p in ended.match.players}
    assert record.gave_up == (
        (names[BEN], position.ply, "resigned"),
        (names[CAROL], position.ply, "resigned"),
    )
    assert write(record) == write(read(write(record)))
    assert verify(record) == ()
    swapped = {names[ANN]: 1, names[BEN]: 2, names[CAROL]: 3}
    forged = dataclasses.replace(record, ranks=tuple(swapped[seat] for seat in record.seats))
    assert verify(forged) != ()


async def test_a_resigned_player_cannot_move_and_deadlines_are_those_of_active_players(
    clubs: tuple[Club, Club],
) -> None:
    club = clubs[0]
    position = await three(club)
    loser = position.to_move
    assert loser is not None
    after = await club.matches.resign(position.match.id, loser.user_id)
    assert after.called is None
    with pytest.raises(NotForYou):
        may_move(after, loser.user_id)
    with pytest.raises(NotForYou):
        await club.matches.resign(position.match.id, loser.user_id)
    assert position.match.id not in {one.id for one in await club.matches.of_player(loser.user_id)}
    late, seat = position.version + 1, (loser.seat + 1) % 3
    async with club.store.write() as tx:
        with pytest.raises(OldBoard):
            await club.matches.give_up(tx, position.match.id, seat, "forfeited", by=None, ply=late)


def test_the_remaining_players_are_ranked_among_themselves() -> None:
    assert placed((1, 2, 3), ()) == (1, 2, 3)
    assert placed((1, 2, 2), ()) == (1, 2, 2)
    assert placed((1, 2, 3), (0,)) == (3, 1, 2), "those behind the computer move up"
    assert placed((2, 1, 3), (0,)) == (3, 1, 2)
    assert placed((1, 2, 2), (0,)) == (2, 1, 1), "the computer came first, so the others share"
    assert placed((4, 1, 2, 3), (1, 3)) == (2, 4, 1, 3), "giving up later ranks higher"
    for ranks_ in itertools.product((1, 2, 3), repeat=3):
        once = placed(ranks_, (1,))
        assert placed(once, (1,)) == once
        assert once[1] == max(once)
        assert list(once).count(once[1]) == 1
