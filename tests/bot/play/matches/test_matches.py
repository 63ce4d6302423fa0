"""Playing a match in the store: nothing lost, nothing twice, no one out of turn."""

from __future__ import annotations

import asyncio
import dataclasses
import random

import pytest
from sqlalchemy import delete

from bot.core.errors import MatchOver, NotForYou, NotYourTurn, OldBoard
from bot.play.controls.commands import open_games
from bot.play.matches import positions
from bot.play.matches.positions import Position
from data.matches import matches, outbox
from data.matches.match import moves as moves_table
from data.ratings import scores
from engine import registry
from engine.errors import BadNotation, BadOption, IllegalMove
from tests.bot.conftest import ANN, BEN, CAROL, GUILD, Club
from tests.moves import play, play_on


def legal(position: Position, choice: random.Random | None = None) -> str:
    """Return a legal move in notation: the first, or a random one."""
    moves = position.game.legal_moves(position.state)
    return position.game.write(choice.choice(moves) if choice else moves[0])


def mover(position: Position) -> int:
    """Return the player to move."""
    assert position.to_move is not None
    return position.to_move.user_id


def other(user: int) -> int:
    """Return the opponent."""
    return BEN if user == ANN else ANN


async def play_out(club: Club, position: Position) -> Position:
    """Play random moves to the end."""
    choice = random.Random(7)
    while position.to_move is not None:
        move = legal(position, choice)
        position = await play_on(club.matches, position, move)
    return position


async def test_a_match_begins_with_throws_until_a_player_has_a_choice(club: Club) -> None:
    position = await club.start()
    assert position.to_move is not None
    assert position.ply == position.match.plies > 0
    assert {p.user_id for p in position.match.players} == {ANN, BEN}


async def test_seats_are_random_without_a_request(club: Club) -> None:
    white = set()
    for _ in range(12):
        white.add((await club.start()).match.players[0].user_id)
    assert white == {ANN, BEN}


@pytest.mark.parametrize("rules", ["walker", "bell"])
async def test_a_whole_game_is_the_same_after_a_restart(club: Club, rules: str) -> None:
    position = await play_out(club, await club.start(rules=rules))
    assert position.outcome is not None
    club.forget()
    again = await club.matches.position(position.match.id)
    assert again.state == position.state
    assert again.match == position.match
    async with club.store.read() as tx:
        ann, ben = [await scores.of_player(tx, GUILD, user) for user in (ANN, BEN)]
    assert [(row.won, row.lost) for row in ann] == [(row.lost, row.won) for row in ben]
    assert len(ann) == 1


async def test_of_two_simultaneous_presses_one_counts_and_the_other_is_told(club: Club) -> None:
    position = await club.start()
    move = legal(position)
    presses = [
        play(club.matches, position.match.id, mover(position), move, ply=position.ply)
        for _ in range(2)
    ]
    results = await asyncio.gather(*presses, return_exceptions=True)
    assert sorted(isinstance(result, OldBoard) for result in results) == [False, True]
    now = await club.matches.position(position.match.id)
    assert [p.ply for p in now.tail if p.ply == position.ply + 1] == [position.ply + 1]


async def test_no_one_moves_out_of_turn_twice_or_in_matches_of_others(club: Club) -> None:
    position = await club.start()
    with pytest.raises(NotYourTurn, match=f"<@{mover(position)}>"):
        await play(club.matches, position.match.id, other(mover(position)), legal(position))
    with pytest.raises(NotForYou, match=f"<@{ANN}>"):
        await play(club.matches, position.match.id, CAROL, legal(position))
    with pytest.raises(NotForYou):
        await club.matches.resign(position.match.id, CAROL)
    now = await play(
        club.matches, position.match.id, mover(position), legal(position), ply=position.ply
    )
    with pytest.raises(OldBoard):
        await play(club.matches, position.match.id, mover(now), legal(now), ply=position.ply)


async def test_an_illegal_move_changes_nothing_and_names_its_rule(club: Club) -> None:
    position = await club.start()
    with pytest.raises(IllegalMove) as refused:
        await play(club.matches, position.match.id, mover(position), "a1-a4")
    assert refused.value.rule in position.game.rules
    with pytest.raises(BadNotation):
        await play(club.matches, position.match.id, mover(position), "castle long")
    assert (await club.matches.position(position.match.id)).ply == position.ply


async def test_resigning_ends_the_match_for_good(club: Club) -> None:
    position = await club.play_a_while(await club.start())
    after = await club.matches.resign(position.match.id, ANN)
    assert after.to_move is None
    assert {p.user_id: p.rank for p in after.match.players} == {ANN: 2, BEN: 1}
    with pytest.raises(MatchOver):
        await club.matches.resign(position.match.id, BEN)
    with pytest.raises(MatchOver):
        await play(club.matches, position.match.id, mover(position), legal(position))


async def test_each_turn_queues_one_outbox_job_in_its_transaction(club: Club) -> None:
    position = await club.start()
    first = await club.read(outbox.pending, position.match.id)
    assert [job.payload["ply"] for job in first] == [position.ply]
    after = await play(club.matches, position.match.id, mover(position), legal(position))
    jobs = await club.read(outbox.pending, position.match.id)
    assert [job.payload["ply"] for job in jobs] == [position.ply, after.ply]
    assert len({job.nonce for job in jobs}) == len(jobs)
    assert all(len(job.nonce) <= 25 for job in jobs)


async def test_a_players_matches_are_listed_with_their_turn_first(club: Club) -> None:
    views = [await club.start() for _ in range(6)]
    listed = await club.matches.of_player(ANN, game="tablan")
    waiting = [mover(await club.matches.position(match.id)) == ANN for match in listed]
    assert len(listed) == len(views)
    assert waiting == sorted(waiting, reverse=True)


@pytest.mark.parametrize("slug", registry.games())
async def test_whose_turn_it_is_stands_in_the_store(club: Club, slug: str) -> None:
    position = await club.begin_match(BEN, game=slug)
    choice = random.Random(5)
    for _ in range(80):
        stored = await club.read(matches.get, position.match.id)
        assert stored is not None
        assert stored == position.match
        assert positions.deciding_player(stored) == position.to_move
        if position.to_move is None:
            break
        position = await play_on(club.matches, position, legal(position, choice))


async def test_lists_and_completions_read_no_log(club: Club) -> None:
    views = [await club.start() for _ in range(3)]
    expected = {position.match.id: mover(position) for position in views}
    async with club.store.write() as tx:
        await tx.run(delete(moves_table))
    club.forget()
    listed = await club.matches.of_player(ANN, game="tablan")
    assert {m.id: p.user_id for m in listed if (p := positions.deciding_player(m))} == expected
    words, _ = await open_games(club.store, ANN, "", 0)
    waiting = sum(user == ANN for user in expected.values())
    assert str(words).count("your turn") == waiting


async def test_a_seat_that_does_not_exist_for_the_player_count_is_refused(club: Club) -> None:
    invitation = dataclasses.replace(club.invitation(BEN, seat=3), game="thaayam")
    with pytest.raises(BadOption, match="South and North"):
        await club.challenges.offer(invitation)
