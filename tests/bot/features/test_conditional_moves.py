"""Planned moves: played when they fit, dropped when they don't, on both databases."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import select

from bot.core.errors import MatchOver, NotForYou, OldBoard, Refusal, TooMany
from bot.features.conditional_moves.service import (
    MAX_MOVES,
    Answer,
    ConditionalMoves,
    suggestions,
    typed,
)
from bot.play.matches import offers
from bot.play.matches.moves import PLAYED_POST
from bot.play.matches.positions import Position
from bot.play.matches.verification import proof
from data import posts
from data.matches import conditional_moves, match_log, outbox
from data.matches.conditional_moves import conditional_moves as conditional_moves_table
from engine import record, registry
from engine.errors import RulesError
from engine.verification import verify
from tests.bot.conftest import ANN, BEN, CAROL, Club
from tests.data.schema import everything
from tests.moves import play

SILENT = [slug for slug, game in registry.games().items() if not game.has_luck]


def planner(club: Club) -> ConditionalMoves:
    """Return a process's use cases."""
    return ConditionalMoves(club.store, club.matches)


async def begin(club: Club, slug: str = "tablut") -> tuple[Position, int, int]:
    """Begin a match; return it, the player to move, and the player waiting."""
    invitation = replace(club.invitation(BEN), game=slug, options=registry.game(slug).settle())
    offered = await club.challenges.offer(invitation)
    _, position = await club.accept(offered.id, BEN)
    assert position is not None
    assert position.to_move is not None
    mover = position.to_move.user_id
    return position, mover, ANN + BEN - mover


def line(position: Position, length: int, first: int = 0) -> list[str]:
    """Return consecutive legal moves, choosing the one at an index where there are several."""
    game, state, found = position.game, position.state, []
    for _ in range(length):
        move = game.legal_moves(state)[first]
        found.append(game.write(move))
        state = game.after(state, move)
    return found


async def plan(club: Club, user: int, *moves: str) -> None:
    """Plan a line of replies for a player."""
    moves_ = planner(club)
    planning = await moves_.of(1, user)
    answers = typed(planning, ", ".join(moves))
    await moves_.keep(1, user, planning.position.version, answers)


async def waiting(club: Club) -> list[tuple[str, ...]]:
    """Return all plans stored for a match."""
    async with club.store.read() as tx:
        return [one.line for one in await conditional_moves.of_match(tx, 1)]


async def log(club: Club) -> list[tuple[int | None, str]]:
    """Return the match's log: who made which move."""
    async with club.store.read() as tx:
        return [(entry.actor, entry.notation) for entry in await match_log.read(tx, 1)]


async def notifications(club: Club) -> list[tuple[int, list[str], list[int]]]:
    """Return who is told privately of which moves, and which of them were theirs."""
    found = await club.read(posts.due, club.clock() + timedelta(days=1), limit=9)
    played = [post for post in found if post.kind == PLAYED_POST]
    return [(post.user_id, post.payload["line"], post.payload["own"]) for post in played]


@pytest.mark.parametrize("slug", SILENT)
async def test_a_planned_answer_is_played_with_the_move_it_answers(club: Club, slug: str) -> None:
    position, mover, owner = await begin(club, slug)
    first, answer = line(position, 2)
    await plan(club, owner, first, answer)
    after = await play(club.matches, 1, mover, first)
    seats = [position.game.actor(position.state), after.player_of(owner).seat]  # type: ignore[union-attr]
    assert await log(club) == [(seats[0], first), (seats[1], answer)]
    assert after.ply == 2
    assert after.to_move is not None
    assert after.to_move.user_id == mover
    assert await waiting(club) == []
    assert await notifications(club) == [(owner, [first, answer], [1])]
    stood = await Club(club.store).matches.position(1)
    assert stood.match == after.match, "the returned match equals the stored one"


async def test_the_clock_and_the_board_are_those_of_the_next_player(club: Club) -> None:
    position, mover, owner = await begin(club)
    first, answer = line(position, 2)
    await plan(club, owner, first, answer)
    club.wait(hours=5)
    after = await play(club.matches, 1, mover, first)
    async with club.store.read() as tx:
        jobs = [job for job in await outbox.pending(tx, 1) if job.kind == "board"]
        entries = await match_log.read(tx, 1)
    payload = jobs[-1].payload
    assert (payload["ply"], payload["after"]) == (2, owner), "the next player is called"
    assert [job.payload["ply"] for job in jobs].count(1) == 0, "one board shows both moves"
    assert {entry.made_at for entry in entries} == {club.clock()}
    clock = after.match.clock
    assert clock is None or (clock.user_id, clock.ply) == (mover, 2)


async def test_three_answers_in_a_row_are_played_one_by_one(club: Club) -> None:
    position, mover, owner = await begin(club)
    moves = line(position, 6)
    await plan(club, owner, *moves)
    assert len(await waiting(club)) == 3
    for many in (2, 4, 6):
        assert [n for _, n in await log(club)] == moves[: many - 2]
        await play(club.matches, 1, mover, moves[many - 2])
    assert [n for _, n in await log(club)] == moves
    assert await waiting(club) == []


async def test_plans_of_both_players_play_on_by_themselves(club: Club) -> None:
    position, mover, owner = await begin(club)
    moves = line(position, 6)
    await plan(club, owner, *moves[:4])
    other = moves[0]
    await play(club.matches, 1, mover, other)  # answered at once, so the mover is to move again
    with pytest.raises(Refusal, match="your turn"):
        await planner(club).of(1, mover)
    # The owner is still waiting, so their next reply is kept; now the mover moves and plans ahead.
    assert await waiting(club) == [(moves[2], moves[3])]
    after = await play(club.matches, 1, mover, moves[2])
    assert after.ply == 4


async def test_plans_of_both_players_stop_where_one_has_to_choose(club: Club) -> None:
    position, mover, owner = await begin(club)
    moves = line(position, 5)
    await play(club.matches, 1, mover, moves[0])
    await plan(club, mover, moves[1], moves[2], moves[3], moves[4])
    after = await play(club.matches, 1, owner, moves[1])
    assert after.ply == 3
    await plan(club, mover, moves[3], moves[4])
    assert await waiting(club) == [(moves[3], moves[4])]


@pytest.mark.parametrize("after_move", [1, 5])
async def test_an_unexpected_move_drops_the_plans_it_contradicts(
    club: Club, after_move: int
) -> None:
    position, mover, owner = await begin(club)
    await plan(club, owner, *line(position, 4))
    played = position.game.write(position.game.legal_moves(position.state)[after_move])
    after = await play(club.matches, 1, mover, played)
    assert after.ply == 1
    assert await waiting(club) == []
    assert await notifications(club) == []


async def test_a_takeback_drops_the_plans(club: Club) -> None:
    position, mover, owner = await begin(club)
    moves = line(position, 5)
    await plan(club, owner, *moves[:4])
    position = await play(club.matches, 1, mover, moves[0])
    removed = offers.to_remove(position, owner)
    async with club.store.write() as tx:
        await offers.remove(
            tx, club.matches.deadlines, position, removed, by=owner, at=club.clock()
        )
    assert await waiting(club) == []


@pytest.mark.parametrize("by_owner", [False, True])
async def test_the_end_of_a_match_drops_the_plans(club: Club, *, by_owner: bool) -> None:
    position, mover, owner = await begin(club)
    await plan(club, owner, *line(position, 2))
    await club.matches.resign(1, owner if by_owner else mover)
    assert await waiting(club) == []
    with pytest.raises(MatchOver):
        await planner(club).of(1, owner)


async def test_only_the_waiting_player_in_a_luckless_match_of_people_can_plan(club: Club) -> None:
    position, mover, _owner = await begin(club)
    moves = planner(club)
    with pytest.raises(NotForYou):
        await moves.of(1, CAROL)
    with pytest.raises(Refusal, match="your turn"):
        await moves.of(1, mover)
    await club.challenges.offer(club.invitation(BEN))
    await club.accept(2, BEN)
    with pytest.raises(Refusal, match="throws"):
        await moves.of(2, ANN)
    with pytest.raises(NotForYou):
        await moves.keep(1, CAROL, position.version, [Answer((), "e5-e4")])


async def test_a_plan_that_is_not_possible_is_refused_and_nothing_is_kept(club: Club) -> None:
    position, _mover, owner = await begin(club)
    moves, first = planner(club), line(position, 8)
    keep = moves.keep
    with pytest.raises(OldBoard):
        await keep(1, owner, position.version + 1, [Answer((first[0],), first[1])])
    with pytest.raises(OldBoard):  # a reply to a move that is no reply
        await keep(1, owner, position.version, [Answer((), first[0])])
    with pytest.raises(OldBoard):  # the second reply without the first
        await keep(1, owner, position.version, [Answer(tuple(first[:3]), first[3])])
    with pytest.raises(RulesError):
        await keep(1, owner, position.version, [Answer((first[0],), first[0])])
    with pytest.raises(Refusal, match="in a row"):
        await plan(club, owner, *first)
    assert await waiting(club) == []


async def test_a_match_keeps_at_most_ten_planned_answers(club: Club) -> None:
    position, _, owner = await begin(club)
    legal = [position.game.write(move) for move in position.game.legal_moves(position.state)]
    for number in range(MAX_MOVES):
        answer = _answers(position, legal[number])[0]
        await plan(club, owner, legal[number], answer)
    with pytest.raises(TooMany, match="10 moves"):
        await plan(club, owner, legal[MAX_MOVES], *_answers(position, legal[MAX_MOVES]))
    assert len(await waiting(club)) == MAX_MOVES
    await plan(club, owner, legal[0], _answers(position, legal[0], place=1)[0])
    assert len(await waiting(club)) == MAX_MOVES, "another answer replaces the first"


def _answers(position: Position, notation: str, place: int = 0) -> list[str]:
    state = position.game.after(position.state, position.game.read(position.state, notation))
    return [position.game.write(position.game.legal_moves(state)[place])]


async def test_replacing_an_answer_drops_the_plans_that_followed_it(club: Club) -> None:
    position, _, owner = await begin(club)
    moves = line(position, 4)
    await plan(club, owner, *moves)
    await plan(club, owner, *moves)
    assert len(await waiting(club)) == 2, "repeating it changes nothing"
    other = _answers(position, moves[0], place=3)[0]
    await plan(club, owner, moves[0], other)
    assert await waiting(club) == [(moves[0], other)]


async def test_removing_an_answer_removes_those_that_follow_it(club: Club) -> None:
    position, _, owner = await begin(club)
    moves = line(position, 6)
    await plan(club, owner, *moves)
    planning = await planner(club).of(1, owner)
    after = await planner(club).remove(1, owner, planning.moves[1].id)
    assert [one.line for one in after.moves] == [tuple(moves[:2])]
    again = await planner(club).remove(1, owner, planning.moves[1].id)
    assert again.moves == after.moves, "a second press still finds it removed"


async def test_planned_moves_can_be_typed_in_any_unambiguous_way(club: Club) -> None:
    position, _, owner = await begin(club)
    one, two = line(position, 2)
    planning = await planner(club).of(1, owner)
    wanted = [Answer((one,), two)]
    plain = [text.replace("-", " to ").upper() for text in (one, two)]
    for between in (", ", " then ", "; ", " → ", ">"):
        assert typed(planning, between.join((one, two))) == wanted
        assert typed(planning, between.join(plain)) == wanted
    with pytest.raises(Refusal, match="your answer"):
        typed(planning, one)
    with pytest.raises(RulesError):
        typed(planning, f"{one}, nonsense")
    assert suggestions(planning, f"{one}, ")[0].startswith(f"{one}, ")
    assert suggestions(planning, "nonsense, ") == []


async def test_two_processes_can_play_and_plan_at_once(clubs: tuple[Club, Club]) -> None:
    one, other = clubs
    position, mover, owner = await begin(one)
    moves = line(position, 4)
    await plan(one, owner, *moves)
    seen = await other.matches.position(1)
    presses = await asyncio.gather(
        play(one.matches, 1, mover, moves[0]),
        play(other.matches, 1, mover, moves[0]),
        planner(other).keep(1, owner, seen.version, [Answer((moves[0],), moves[1])]),
        return_exceptions=True,
    )
    assert [n for _, n in await log(one)] == moves[:2], presses
    assert len(await notifications(one)) == 1
    assert await waiting(one) == [(moves[2], moves[3])] or await waiting(one) == []
    await play(other.matches, 1, mover, moves[2])
    assert [n for _, n in await log(other)][:3] == moves[:3]


async def test_a_planned_move_that_has_become_illegal_delays_no_one(club: Club) -> None:
    position, mover, owner = await begin(club)
    moves = line(position, 2)
    await plan(club, owner, *moves)
    async with club.store.write() as tx:
        await tx.run(conditional_moves_table.update().values(notation="a1-a1"))
    after = await play(club.matches, 1, mover, moves[0])
    assert after.ply == 1
    assert await waiting(club) == []


async def test_a_match_with_planned_moves_verifies(club: Club) -> None:
    position, mover, owner = await begin(club)
    moves = line(position, 4)
    await plan(club, owner, *moves)
    await play(club.matches, 1, mover, moves[0])
    await play(club.matches, 1, mover, moves[2])
    await club.matches.resign(1, mover)
    text = (await proof(club.store, 1)).record
    assert text is not None
    assert verify(record.read(text)) == ()


async def test_a_data_export_has_only_the_players_own_plans(club: Club) -> None:
    position, mover, owner = await begin(club)
    await plan(club, owner, *line(position, 2))
    async with club.store.read() as tx:
        own, others = [await everything(tx, user) for user in (owner, mover)]
        assert len(await tx.rows(select(conditional_moves_table))) == 1
    assert [row["notation"] for row in own["conditional_moves"]] == [line(position, 2)[1]]
    assert others["conditional_moves"] == []
