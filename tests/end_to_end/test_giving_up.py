"""Resigning a match of three or four: a computer takes over, and the others play on."""

from __future__ import annotations

import random
import re

import pytest

from bot.core.permissions.members import KEPT, Members
from bot.play.matches.service import Matches
from data import computer_tasks
from data.computer_tasks import Kind
from data.matches import clocks
from data.matches.match import Player
from data.ratings import results
from data.store.store import Store
from playground.model import Message
from playground.people import Person
from tests.clocks import HandClock
from tests.end_to_end.harness import Environment, playable
from tests.end_to_end.people import confirm, messages_with, move_without_throw
from tests.end_to_end.verification import verify_match
from tests.toy import SLUG as TOY

TABLES = [(TOY, 3), ("thaayam", 4)]
"""With two players left after a resignation, and with more."""

pytestmark = pytest.mark.usefixtures("toy_game")


async def table(env: Environment, slug: str, players: int, number: int = 1) -> list[Person]:
    """Begin a match and make two moves each; return the players, the one to move first."""
    options = {"track": "long"} if slug == TOY else {}
    await env.begin(slug, players=players, **options)
    await env.play_a_while(number)
    mover = env.mover(env.board(number))
    return [mover, *(one for one in env.people[:players] if one is not mover)]


async def seat_of(env: Environment, person: Person, number: int = 1) -> Player:
    player = (await env.position(number)).player_of(person.id)
    assert player is not None
    return player


async def resign(env: Environment, person: Person, slug: str, number: int = 1) -> str:
    question = await person.slash(f"/{slug} resign", match=number)
    reply = await env.done(person.press(question.shown, "Resign"))
    return reply.text


async def ranks(env: Environment, people: list[Person], number: int = 1) -> list[int | None]:
    return [(await seat_of(env, person, number)).rank for person in people]


async def made_by(env: Environment, seat: int, number: int = 1) -> int:
    """Return the number of moves by a seat among the last entries."""
    position = await env.position(number)
    return sum(position.game.actor(played.before) == seat for played in position.tail)


async def check_rest(env: Environment, people: list[Person], gone: list[Person]) -> None:
    """Check that a match goes on, and that boards ping only remaining players."""
    board = env.board()
    assert playable(board)
    assert env.mover(board) in [person for person in people if person not in gone]
    for person in gone:
        assert f"Computer (level 3) plays for {person.mention}" in board.text


@pytest.mark.parametrize(("slug", "players"), TABLES)
async def test_resigning_out_of_turn_is_quiet(env: Environment, slug: str, players: int) -> None:
    people = await table(env, slug, players)
    mover, loser = people[0], people[1]
    board = env.board()
    text = await resign(env, loser, slug)
    assert "A computer plays on for you" in text
    assert env.board() is board, "the board waiting for its player is unchanged"
    assert env.mover(env.board()) is mover
    await check_rest(env, people, [loser])
    (notice,) = messages_with(env, f"{loser.mention} resigned")
    assert "A computer (level 3) takes over" in notice.text
    for person in people:
        assert (person.mention in notice.text.partition("takes over")[2]) is (person is not loser)
    assert not (await env.position()).match.finished
    assert await ranks(env, people) == [None] * players


@pytest.mark.parametrize(("slug", "players"), TABLES)
async def test_a_resigning_players_turn_is_played(
    env: Environment, slug: str, players: int
) -> None:
    people = await table(env, slug, players)
    loser, before = people[0], await env.ply()
    seat = (await seat_of(env, loser)).seat
    await resign(env, loser, slug)
    position = await env.position()
    first = next(played for played in position.tail if played.ply == before + 1)
    assert position.game.actor(first.before) == seat
    await check_rest(env, people, [loser])
    async with env.store.read() as tx:
        clock = await clocks.of(tx, 1)
        assert not await computer_tasks.waiting(tx, Kind.MOVE)
    assert clock is not None
    assert clock.user_id == env.mover(env.board()).id


async def test_the_leader_keeps_the_win_and_who_resigned_is_last(env: Environment) -> None:
    people = await table(env, TOY, 3)
    loser = people[1]
    seat = (await seat_of(env, loser)).seat
    made = await made_by(env, seat)
    await resign(env, loser, TOY)
    dice = random.Random(5)
    for _ in range(200):
        board = env.board()
        if not playable(board):
            break
        await env.turn(board, dice)
    position = await env.position()
    outcome = position.outcome
    assert outcome is not None
    final = {player.seat: player.rank for player in position.match.players}
    assert list(final.values()).count(final[seat]) == 1, "no one shares the last place"
    assert final[seat] == max(rank for rank in final.values() if rank is not None)
    order = sorted((s for s in final if s != seat), key=lambda s: outcome.ranks[s])
    assert final[order[0]] == 1
    assert position.match.ending is None
    record = await verify_match(env)
    assert "[GaveUp " in record
    assert f"{loser.mention}" in (await env.dan.slash("/leaderboard", game=TOY)).text
    assert await made_by(env, seat) > made, "the computer played for that seat"
    result = await env.read(results.of_match, 1)
    assert result is not None
    counted = next(one.moves for one in result.players if one.user_id == loser.id)
    assert counted == made, "but its moves do not count for the player"


async def test_the_last_one_left_wins_and_later_resignations_rank_higher(env: Environment) -> None:
    people = await table(env, "thaayam", 4)
    *gone, winner = people
    for person in gone[:-1]:
        assert "the others play on" in (await person.slash("/thaayam resign", match=1)).text
        assert "You resigned" in await resign(env, person, "thaayam")
        assert not (await env.position()).match.finished
        assert winner.mention in env.board().text
    assert "the others play on" not in (await gone[-1].slash("/thaayam resign", match=1)).text
    assert "won" in await resign(env, gone[-1], "thaayam")
    board = env.board()
    assert not playable(board)
    assert f"{winner.mention}) won**" in board.text
    assert await ranks(env, [winner, *reversed(gone)]) == [1, 2, 3, 4]
    ranked = (await env.ann.slash("/leaderboard", game="thaayam")).text
    for person, counted in ((winner, "1 won · 0 drawn · 0"), (gone[0], "0 won · 0 drawn · 1")):
        assert re.search(f"{person.mention} .*{counted} lost", ranked)
    record = await verify_match(env)
    assert record.count("[GaveUp ") == 3


async def test_a_resigned_player_is_not_pinged_and_can_watch(env: Environment) -> None:
    people = await table(env, "thaayam", 3)
    mover, loser = people[0], people[2]
    await resign(env, loser, "thaayam")
    assert "taken your seat" in (await loser.slash("/thaayam resign", match=1)).text
    board = env.board()
    assert "taken your seat" in (await env.start_pick(board, loser, env.choices(board)[0])).private
    typed = await loser.slash("/thaayam move", match=1, move=(await env.legal())[0])
    assert "taken your seat" in typed.text
    assert "going" in (await loser.slash("/games")).text
    assert "#1" in (await mover.slash("/games")).text
    watched = await loser.slash("/thaayam board", match=1)
    assert watched.shown.picture is not None
    assert not playable(watched.shown)
    dice = random.Random(2)
    for _ in range(6):
        await env.turn(env.board(), dice)
    later = [message for message in env.boards() if message.id > board.id]
    assert later
    assert all(loser.user not in message.pinged for message in later)
    await env.advance(days=2, hours=23)
    (reminder,) = messages_with(env, "your turn in match")
    assert reminder.pinged == (env.mover(env.board()).user,)


@pytest.mark.parametrize("slug", [TOY, "thaayam"])
async def test_a_kill_before_the_computer_moved_loses_nothing(env: Environment, slug: str) -> None:
    people = await table(env, slug, 3)
    loser = people[0]
    seat, before = (await seat_of(env, loser)).seat, await env.ply()
    await env.stop()
    store = await Store.open(env.database)
    elsewhere = Matches(store, env.app.get(Matches).deadlines, clock=HandClock(env.clock))
    await elsewhere.resign(1, loser.id)
    async with store.read() as tx:
        assert await computer_tasks.waiting(tx, Kind.MOVE) == (1,)
    await store.close()
    await env.start()
    await env.settled()
    position = await env.position()
    first = next(played for played in position.tail if played.ply == before + 1)
    assert position.game.actor(first.before) == seat
    assert len(messages_with(env, f"{loser.mention} resigned")) == 1
    await check_rest(env, people, [loser])


async def test_nothing_is_taken_back_past_a_resignation(env: Environment) -> None:
    people = await table(env, "thaayam", 3)
    asker = await move_without_throw(env, random.Random(3))
    offer = await asker.slash("/thaayam takeback", match=1)
    loser = next(one for one in people if one is not asker and one is not env.mover(env.board()))
    other = next(one for one in people if one not in {asker, loser})
    version = (await env.position()).version
    snapshot = offer.shown.snapshot()
    await resign(env, loser, "thaayam")
    assert not offer.shown.buttons
    answer = await other.press(snapshot, "Agree to take it back", stale=True)
    assert "lapsed: a player gave up" in answer.text
    assert "A player has left" in (await asker.slash("/thaayam takeback", match=1)).text
    assert (await env.position()).version == version


async def test_a_practice_match_of_three_ends_when_its_player_resigns(env: Environment) -> None:
    await env.done(env.ann.slash(f"/{TOY} practice", options={"level": 1, "players": 3}))
    await resign(env, env.ann, TOY)
    assert (await env.position()).match.finished


# ------------------------------------------------------- leaving, deleting, blocking, being late


@pytest.mark.parametrize(("slug", "players"), TABLES)
async def test_a_computer_plays_for_who_left(env: Environment, slug: str, players: int) -> None:
    people = await table(env, slug, players)
    mover, gone = people[0], people[1]
    gone.leaves_server()
    env.clock.advance(KEPT.total_seconds() + 1)  # until then an earlier answer holds
    await env.done(mover.slash(f"/{slug} board", match=1))
    assert (await seat_of(env, gone)).gave_up_how == "left"
    assert f"plays for {gone.mention}, who left" in env.board().text
    (notice,) = messages_with(env, f"{gone.mention} left** match")
    assert "takes over" in notice.text
    assert env.mover(env.board()) in people
    for person in people[2:]:
        person.leaves_server()
    env.clock.advance(KEPT.total_seconds() + 1)
    await env.done(mover.slash(f"/{slug} board", match=1))
    assert f"{mover.mention}) won**" in env.board().text, "all others have left"
    assert (await ranks(env, people))[0] == 1


@pytest.mark.parametrize("when", ["the next turn", "their time runs short"])
async def test_a_player_who_left_is_noticed(env: Environment, when: str) -> None:
    people = await table(env, "thaayam", 3)
    gone = people[2] if when == "the next turn" else env.mover(env.board())
    gone.leaves_server()
    if when == "the next turn":
        env.clock.advance(KEPT.total_seconds() + 1)
        dice = random.Random(4)
        for _ in range(40):
            await env.turn(env.board(), dice)
            if (await seat_of(env, gone)).gave_up is not None:
                break
    else:
        await env.advance(days=2, hours=23)
    assert (await seat_of(env, gone)).gave_up_how == "left"
    await check_rest(env, people, [gone])


async def test_no_one_counts_as_gone_if_discord_does_not_answer(env: Environment) -> None:
    people = await table(env, "thaayam", 3)
    people[1].leaves_server()
    env.clock.advance(KEPT.total_seconds() + 1)
    env.gateway.member_requests.unresponsive = True
    env.app.get(Members)._wait = 0.0
    await env.done(people[0].slash("/thaayam board", match=1))
    assert (await env.position()).match.given_up == 0


async def erase(env: Environment, person: Person) -> None:
    reply = await person.slash("/privacy delete")
    await person.press(reply.shown, "Delete my data …")
    assert "deleted" in (await env.done(person.press(reply.shown, "Yes, delete everything"))).text


@pytest.mark.parametrize(("slug", "players", "place"), [(TOY, 3, 0), ("thaayam", 4, 1)])
async def test_a_deleted_player_leaves_a_seat(
    env: Environment, slug: str, players: int, place: int
) -> None:
    people = await table(env, slug, players)
    gone = people[place]
    await erase(env, gone)
    position = await env.position()
    assert not position.match.finished
    assert position.match.given_up == 1
    assert position.player_of(gone.id) is None
    board = env.board()
    assert playable(board)
    assert env.mover(board) in [person for person in people if person is not gone]
    assert "plays for a former player, who left" in board.text
    assert gone.mention not in board.text
    (notice,) = messages_with(env, "a former player left** match")
    assert gone.mention not in notice.text
    await resign(env, people[2], slug)
    if players == 4:
        await resign(env, people[3], slug)
    winner = people[1 - place]
    assert f"{winner.mention}) won**" in env.board().text
    assert await ranks(env, [winner, people[2]]) == [1, players - 1]
    record = await verify_match(env)
    assert str(gone.id) not in record
    result = await env.read(results.of_match, 1)
    assert result is not None
    assert result.rated, "the others' match still counts"


async def test_blocking_a_player_at_the_table_leaves_the_match(env: Environment) -> None:
    people = await table(env, "thaayam", 3)
    mover, blocker, other = people
    reply = await blocker.slash("/block", user=mover)
    assert reply.ephemeral
    assert "[#1](https://" in reply.text
    assert "haven't blocked anyone" in (await blocker.slash("/blocked")).text
    assert "Nobody was blocked" in (await blocker.press(reply.shown, "Keep playing")).text
    assert (await env.position()).match.given_up == 0
    await confirm(env, blocker, await blocker.slash("/block", user=mover), "Leave and block")
    assert mover.mention in (await blocker.slash("/blocked")).text
    await check_rest(env, people, [blocker])
    (notice,) = messages_with(env, f"{blocker.mention} left** match")
    assert "block" not in notice.text.lower()
    assert "block" not in env.board().text.lower()
    # Blocking between the last two ends nothing: it is a match of two now.
    assert "is blocked" in (await other.slash("/block", user=mover)).text
    assert (await env.position()).match.given_up == 1


async def test_a_late_player_among_four_forfeits_and_the_match_continues(env: Environment) -> None:
    people = await table(env, "thaayam", 4)
    await env.change_settings(forfeit="automatic")
    late = people[0]
    await env.advance(days=3)
    assert (await seat_of(env, late)).gave_up_how == "forfeited"
    assert not (await env.position()).match.finished
    await check_rest(env, people, [late])
    (notice,) = messages_with(env, f"{late.mention} ran out of time")
    assert "takes over" in notice.text
    second = env.mover(env.board())
    clock = await env.read(clocks.of, 1)
    assert clock is not None
    assert clock.user_id == second.id
    await env.advance(days=3)
    assert (await seat_of(env, second)).gave_up_how == "forfeited"
    third = env.mover(env.board())
    await env.advance(days=3)
    assert "won" in env.board().text
    winner = next(one for one in people if one not in {late, second, third})
    assert await ranks(env, [winner, third, second, late]) == [1, 2, 3, 4]
    await verify_match(env)


# --------------------------------------------------------------- the rest agree to end it


async def offered(person: Person, slug: str) -> Message:
    reply = await person.slash(f"/{slug} draw", match=1)
    assert not reply.ephemeral, reply.text
    return reply.shown


@pytest.mark.parametrize(("slug", "players"), TABLES)
async def test_the_remaining_players_can_end_the_match_only_if_all_agree(
    env: Environment, slug: str, players: int
) -> None:
    people = await table(env, slug, players)
    gone, *left = [people[1], people[0], *people[2:]]
    assert "has no draw by agreement" in (await left[0].slash(f"/{slug} draw", match=1)).private
    await resign(env, gone, slug)
    offer = await offered(left[0], slug)
    assert set(offer.pinged) == {person.user for person in left[1:]}
    assert "whoever gave up stays last" in offer.text
    assert "taken your seat" in (await gone.press(offer, "Agree to a draw")).private
    for person in left[1:]:
        assert not (await env.position()).match.finished
        await env.done(person.press(offer, "Agree to a draw"))
    assert not playable(env.board())
    assert "share first place" in env.board().text
    assert f"ahead of {gone.mention}" in env.board().text
    assert await ranks(env, [*left, gone]) == [1] * len(left) + [2]
    await verify_match(env)


async def test_one_remaining_player_who_plays_on_keeps_the_match_going(env: Environment) -> None:
    people = await table(env, "thaayam", 3)
    await resign(env, people[2], "thaayam")
    offer = await offered(people[0], "thaayam")
    await env.done(people[1].press(offer, "Play on"))
    assert not (await env.position()).match.finished
    await check_rest(env, people, [people[2]])


async def test_an_offer_lapses_when_a_player_resigns_and_can_be_repeated(env: Environment) -> None:
    people = await table(env, "thaayam", 4)
    await resign(env, people[3], "thaayam")
    offer = await offered(people[0], "thaayam")
    await people[1].press(offer, "Agree to a draw")
    snapshot = offer.snapshot()
    await resign(env, people[2], "thaayam")
    late = await people[1].press(snapshot, "Agree to a draw", stale=True)
    assert not (await env.position()).match.finished, late.text
    again = await offered(people[0], "thaayam")
    assert set(again.pinged) == {people[1].user}
    await env.done(people[1].press(again, "Agree to a draw"))
    assert await ranks(env, people) == [1, 1, 2, 3]
    await verify_match(env)
