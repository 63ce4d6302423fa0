"""Time banks: what a turn takes, what a move adds, and when time counts."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, time, timedelta
from typing import Any

import pytest

from bot.core import move_times
from bot.core.errors import OldBoard, Refusal
from bot.core.settings.player_settings import PlayerSettings
from bot.core.settings.server_settings import ServerSettings
from bot.features.conditional_moves.service import ConditionalMoves, typed
from bot.play.clocks.service import Vacations
from bot.play.matches import time_controls
from bot.play.matches.luck import Sealed
from bot.play.matches.offers import Offers
from bot.play.matches.positions import Position
from bot.play.matches.service import Terms, start
from bot.play.matches.time_controls import TimeControl, after_move, after_takeback, bank_left, ended
from data.matches import clocks
from data.matches.match import MatchClock, Player
from data.time_per_move import columns
from engine import registry
from engine.game import CHANCE
from engine.luck import SEED_BYTES
from tests.bot.conftest import ANN, BEN, CAROL, CHANNEL, GUILD, Club
from tests.data.people import a_match
from tests.moves import play

DAY = timedelta(days=1)
HOUR = timedelta(hours=1)


async def begin(
    club: Club, slug: str = "tablut", *opponents: int, bank: int = 7
) -> tuple[Position, int, int]:
    """Begin a match with a time bank; return it, the player to move, and the player waiting."""
    position = await club.begin_match(*(opponents or (BEN,)), game=slug, days=1, bank=bank)
    assert position.to_move is not None
    mover = position.to_move.user_id
    return position, mover, ANN + BEN - mover


async def left(club: Club, user: int) -> timedelta:
    """Return a player's stored time."""
    club.forget()
    match = (await club.matches.position(1)).match
    clock = match.clock
    if clock is not None and clock.user_id == user:
        if clock.due_at is None:
            return timedelta(seconds=clock.left or 0)
        return clock.due_at - club.clock()
    return bank_left(match, next(player for player in match.players if player.user_id == user))


# Counting


MATCH = a_match(ANN, BEN, game="tablut")


def test_a_move_adds_its_days_up_to_the_banks_maximum() -> None:
    assert after_move(5 * DAY, 7, DAY) == 6 * DAY
    assert after_move(13 * DAY + 6 * HOUR, 7, DAY) == 14 * DAY
    assert after_move(14 * DAY, 7, DAY) == 14 * DAY
    assert after_move(timedelta(), 7, DAY) == DAY, "time ran out before"
    assert after_move(14 * DAY + HOUR, 7, DAY) == 14 * DAY + HOUR, "extra time is not lost"


def test_a_takeback_takes_back_the_added_day_but_leaves_time_to_move() -> None:
    assert after_takeback(6 * DAY, DAY) == 5 * DAY
    assert after_takeback(DAY + HOUR, DAY) == 12 * HOUR
    assert after_takeback(5 * HOUR, DAY) == 5 * HOUR


def test_several_moves_in_a_row_are_one_turn() -> None:
    assert ended([0], 1) == [0]
    assert ended([0, 0], 1) == [0]
    assert ended([0, 0], 0) == [], "the turn continues"
    assert ended([0, None, 0], 0) == [], "a throw does not end the turn"
    assert ended([0, 1], 0) == [0, 1], "a planned reply counts as a turn"
    assert ended([0, 1, 2], 0) == [0, 1, 2]
    assert ended([None], 0) == []
    assert ended([0, 1, 0], 0) == [0, 1], "the replayed turn continues"


@pytest.mark.parametrize(
    ("time", "words"),
    [
        (5 * DAY + 3 * HOUR, "5 days 3 hours"),
        (DAY, "1 day"),
        (DAY + HOUR + HOUR / 2, "1 day 1 hour"),
        (HOUR - timedelta(seconds=1), "59 minutes"),
        (23 * HOUR + timedelta(minutes=59), "23 hours"),
        (timedelta(minutes=12, seconds=59), "12 minutes"),
        (timedelta(), "0 minutes"),
    ],
)
def test_time_in_the_bank_is_shown_in_days_and_hours(time: timedelta, words: str) -> None:
    assert move_times.span(time) == words


def test_the_challenge_chooses_days_or_a_bank_and_the_server_the_default() -> None:
    plain, banks = ServerSettings(), ServerSettings(bank=7)
    assert time_controls.chosen(plain, None, None) == TimeControl(3 * DAY)
    assert time_controls.chosen(plain, 5 * DAY, None) == TimeControl(5 * DAY)
    assert time_controls.chosen(plain, None, 10) == TimeControl(DAY, 10)
    assert time_controls.chosen(banks, None, None) == TimeControl(DAY, 7)
    assert time_controls.chosen(banks, 5 * DAY, None) == TimeControl(5 * DAY)
    with pytest.raises(Refusal, match="not both"):
        time_controls.chosen(plain, 5 * DAY, 7)


@pytest.mark.parametrize(
    ("days", "bank", "every", "hours"),
    [
        (1, None, None, [12]),
        (3, None, None, [54]),
        (14, None, None, [13 * 24]),
        (1, 7, None, [84, 144]),
        (1, 3, None, [54]),
        (1, 4, None, [48, 72]),
        (2, None, None, [36]),
        (4, None, None, [72]),
        (5, None, None, [96]),
        (3, None, 60, [54]),
        (1, 7, 24, [24, 48, 72, 96, 120, 144]),
        (3, None, 24, [24, 48, 54]),
        (1 / 24, None, None, [1 / 2]),
        (1 / 4, None, None, [3]),
        (1 / 2, None, None, [6]),
        (1 / 24, None, 24, [1 / 2]),
    ],
)
def test_reminders_come_before_the_end_and_at_half_a_bank(
    days: float, bank: int | None, every: int | None, hours: list[int]
) -> None:
    begun = datetime(2026, 1, 5, tzinfo=UTC)
    match = replace(MATCH, **columns(days * DAY), bank=bank)
    settings = PlayerSettings(remind_every=every)
    clock = MatchClock(1, ANN, 0, begun, None, begun + (bank or days) * DAY)
    clock, found = time_controls.running(clock, match, settings), list[datetime]()
    while clock.remind_at is not None:
        found.append(clock.remind_at)
        again = time_controls.next_reminder(clock, match, settings, clock.remind_at)
        clock = replace(clock, remind_at=again)
    assert [(moment - begun) / HOUR for moment in found] == hours
    off = time_controls.running(clock, match, PlayerSettings(reminders=False))
    assert (off.remind_at, off.next_at) == (None, clock.due_at)


def test_what_a_turn_used_is_paid_from_the_stock_once() -> None:
    match = replace(MATCH, days=1, bank=7, plies=1)
    now = datetime(2026, 1, 5, tzinfo=UTC)
    last = MatchClock(1, ANN, 0, now - 2 * DAY, None, now + 5 * DAY)

    def stocks_after(*turn: Any) -> dict[int, int]:
        after = time_controls.settled(*turn)
        return {p.seat: int(bank_left(after, p).total_seconds()) for p in after.players}

    def days(*stocks: float) -> dict[int, int]:
        return {seat: int(stock * 86400) for seat, stock in enumerate(stocks)}

    assert time_controls.settled(match, None, (), 1, now) == match, "no clock ran"
    assert stocks_after(match, replace(last, ply=1), (), 1, now) == days(5, 7), "nothing was played"
    assert stocks_after(match, last, [0], 1, now) == days(6, 7)
    assert stocks_after(match, last, [0, 1], 0, now) == days(6, 8), "a planned reply counts too"
    assert stocks_after(match, last, [0, None], 0, now) == days(5, 7), "the turn continues"
    again = replace(last, ply=2)
    assert stocks_after(match, again, (), 0, now) == days(5, 7), "one's own move was taken back"
    assert stocks_after(match, again, (), 1, now) == days(5, 6), "it loses what it had added"
    assert stocks_after(match, replace(last, user_id=9), [0], 1, now) == days(7, 7)
    limited = replace(match, bank=None, days=3, game_days=7)
    turn = replace(last, due_at=now + DAY)
    assert stocks_after(limited, turn, [0], 1, now) == days(5, 7), "nothing is added"


def test_a_stopped_clock_keeps_its_time() -> None:
    now = datetime(2026, 1, 5, tzinfo=UTC)
    clock = MatchClock(1, ANN, 0, now - DAY, now, now + 2 * DAY)
    still = time_controls.stopped(clock, now, until=now + 9 * DAY)
    assert (still.due_at, still.remind_at, still.left) == (None, None, 2 * 86400)
    assert still.next_at == now + 9 * DAY
    assert time_controls.stopped(still, now + DAY, until=now).left == still.left
    assert time_controls.stopped(clock, now + 5 * DAY, until=now).left == 0


@pytest.mark.parametrize(("hours", "words"), [(1, "1 hour per move"), (6, "6 hours per move")])
def test_less_than_a_day_is_described_in_hours(hours: int, words: str) -> None:
    assert time_controls.time_control(hours * HOUR) == words
    assert time_controls.chosen(ServerSettings(bank=7), hours * HOUR, None) == (hours * HOUR, None)
    server = ServerSettings(days=1, hours=hours)
    assert time_controls.chosen(server, None, None) == (hours * HOUR, None)


def test_a_time_control_is_described_briefly() -> None:
    assert time_controls.time_control(3 * DAY) == "3 days per move"
    assert time_controls.time_control(DAY, 7) == "time bank: 7 days, +1 per move, up to 14"
    assert time_controls.time_control(DAY, 1) == "time bank: 1 day, +1 per move, up to 2"


@pytest.mark.parametrize(
    ("terms", "left", "expected"),
    [
        ({"days": None}, None, None),
        ({"days": 3}, None, 3 * DAY),
        ({"days": 1, "hours": 6}, None, 6 * HOUR),
        ({"days": 1, "hours": 1, "game_days": 30}, None, HOUR),
        ({"days": 1, "hours": 1, "game_days": 30}, HOUR / 2, HOUR / 2),
        ({"days": 1, "bank": 7}, None, 7 * DAY),
        ({"days": 1, "bank": 7}, HOUR, HOUR),
        ({"days": 3, "game_days": 7}, None, 3 * DAY),
        ({"days": 3, "game_days": 7}, DAY, DAY),
    ],
)
def test_a_turn_has_its_days_or_what_is_left_in_stock(
    terms: dict[str, Any], left: timedelta | None, expected: timedelta | None
) -> None:
    seconds = None if left is None else int(left.total_seconds())
    people = Player(0, ANN, bank_left=5), Player(1, BEN, bank_left=seconds)
    assert time_controls.turn_time(replace(MATCH, players=people, **terms), 1) == expected


def test_a_reminder_waits_for_the_earliest_moment_and_sets_when_the_clock_is_next_looked_at() -> (
    None
):
    begun = datetime(2026, 1, 5, tzinfo=UTC)
    match, plain = replace(MATCH, days=3), PlayerSettings()
    clock = MatchClock(1, ANN, 0, begun, None, begun + 3 * DAY, left=5)
    for earliest, hours in ((None, 54), (begun + 50 * HOUR, 54), (begun + 60 * HOUR, 60)):
        found = time_controls.running(clock, match, plain, earliest=earliest)
        assert found.remind_at == found.next_at == begun + hours * HOUR
        assert found.left is None
    silent = PlayerSettings(reminders=False, remind_every=24)
    assert time_controls.running(clock, match, silent).next_at == clock.due_at
    assert time_controls.next_reminder(clock, match, silent, begun) is None
    assert time_controls.next_reminder(clock, match, plain, begun) is None
    often = PlayerSettings(remind_every=24)
    assert time_controls.next_reminder(clock, match, often, begun + 54 * HOUR) is None
    assert time_controls.next_reminder(clock, match, often, begun + 48 * HOUR) == begun + 54 * HOUR

    extended = replace(clock, due_at=begun + 9 * DAY)  # after an outage
    assert time_controls.running(extended, match, plain).remind_at == begun + 9 * DAY - 18 * HOUR


@pytest.mark.parametrize(
    ("begin", "end", "minutes"),
    [
        (0, 8, 30),  # the turn begins in the quiet hours: it comes without a ping
        (12, 13, 30),  # they begin after the turn
    ],
)
def test_an_hour_has_its_reminder_in_quiet_hours_too(begin: int, end: int, minutes: int) -> None:
    begun = datetime(2026, 1, 5, 3, tzinfo=UTC)
    match = replace(MATCH, **columns(HOUR))
    settings = PlayerSettings(quiet_from=time(begin), quiet_to=time(end), zone="UTC")
    clock = MatchClock(1, ANN, 0, begun, None, begun + HOUR)
    found = time_controls.running(clock, match, settings).remind_at
    assert found == begun + timedelta(minutes=minutes)


def test_an_hour_that_ends_in_quiet_hours_has_its_reminder_before_them() -> None:
    begun = datetime(2026, 1, 5, 21, 45, tzinfo=UTC)
    match = replace(MATCH, **columns(HOUR))
    settings = PlayerSettings(quiet_from=time(22), quiet_to=time(7), zone="UTC")
    clock = MatchClock(1, ANN, 0, begun, None, begun + HOUR)
    found = time_controls.running(clock, match, settings).remind_at
    assert found == begun + timedelta(minutes=14)


@pytest.mark.parametrize(("end", "expected"), [(13, 13 * HOUR), (23, 11 * HOUR - DAY / 1440)])
def test_reminders_wait_for_quiet_hours_to_end_or_else_come_before_them(
    end: int, expected: timedelta
) -> None:
    begun = datetime(2026, 1, 5, tzinfo=UTC)
    match, clock = replace(MATCH, days=1), MatchClock(1, ANN, 0, begun, None, begun + DAY)
    quiet = {"quiet_from": time(11), "quiet_to": time(end), "zone": "UTC"}
    settings = PlayerSettings(remind_every=12, **quiet)
    assert time_controls.running(clock, match, settings).remind_at == begun + expected
    assert time_controls.next_reminder(clock, match, settings, begun) == begun + expected


# In matches


async def test_a_turn_uses_the_bank_and_a_move_adds_a_day(club: Club) -> None:
    position, mover, other = await begin(club)
    assert (await left(club, mover), await left(club, other)) == (7 * DAY, 7 * DAY)
    club.wait(days=2, hours=5)
    after = await club.play_once(position)
    assert await left(club, mover) == 5 * DAY + 19 * HOUR
    assert after.match == (await club.matches.position(1)).match
    club.wait(days=3)
    assert await left(club, other) == 4 * DAY
    await club.play_once(after)
    assert await left(club, other) == 5 * DAY
    club.wait(hours=4)
    assert await left(club, mover) == 5 * DAY + 15 * HOUR


async def test_no_player_gains_time_during_their_own_turn(club: Club) -> None:
    position, mover, _ = await begin(club, "thaayam")
    for _ in range(60):
        before = position
        had = await left(club, mover)
        club.wait(hours=3)
        position = await club.play_once(position)
        assert position.to_move is not None
        made = [position.game.actor(one.before) for one in position.tail if one.ply > before.ply]
        if position.to_move.user_id == mover and set(made) <= {position.to_move.seat, CHANCE}:
            assert await left(club, mover) == had - 3 * HOUR
            return
        mover = position.to_move.user_id
    pytest.fail("nobody has moved twice")


async def test_a_planned_answer_adds_a_day_to_both(club: Club) -> None:
    position, mover, other = await begin(club)
    planner = ConditionalMoves(club.store, club.matches)
    game, state, moves = position.game, position.state, []
    for _ in range(2):
        moves.append(game.write(game.legal_moves(state)[0]))
        state = game.after(state, game.legal_moves(state)[0])
    planning = await planner.of(1, other)
    answers = typed(planning, ", ".join(moves))
    await planner.keep(1, other, planning.position.version, answers)
    club.wait(days=2)
    after = await play(club.matches, 1, mover, moves[0])
    assert after.ply == 2
    assert (await left(club, mover), await left(club, other)) == (6 * DAY, 8 * DAY)


async def test_a_takeback_gains_no_time(club: Club) -> None:
    position, mover, other = await begin(club)
    club.wait(days=2)
    await club.play_once(position)
    club.wait(days=3)
    offers = Offers(club.store, club.matches, clock=club.clock)
    made = await offers.make(1, mover, "takeback")
    await offers.answer(made.offer.id, other, yes=True)
    assert (await left(club, mover), await left(club, other)) == (5 * DAY, 4 * DAY)
    assert (await club.matches.position(1)).ply == 0


async def test_a_vacation_stops_the_bank(club: Club) -> None:
    position, mover, other = await begin(club)
    club.wait(days=1)
    away = Vacations(club.store, club.matches.deadlines, clock=club.clock)
    await away.start(mover, 5)
    club.wait(days=4)
    assert (await left(club, mover), await left(club, other)) == (6 * DAY, 7 * DAY)
    await away.end(mover)
    club.wait(hours=12)
    assert await left(club, mover) == 5 * DAY + 12 * HOUR
    await away.start(mover, 5)
    await away.start(other, 5)
    await club.play_once(position)  # players on vacation may move
    assert await left(club, mover) == 6 * DAY + 12 * HOUR
    club.wait(days=3)
    assert await left(club, other) == 7 * DAY, "nor is time lost in a turn that began meanwhile"


async def test_three_players_have_a_bank_each(club: Club) -> None:
    position, _, _ = await begin(club, "thaayam", BEN, CAROL)
    position = await club.play_a_while(position)
    assert position.to_move is not None
    mover = position.to_move.user_id
    others = [user for user in (ANN, BEN, CAROL) if user != mover]
    before = {user: await left(club, user) for user in others}
    club.wait(days=2)
    had = await left(club, mover)
    await club.matches.resign(1, mover)
    club.forget()
    assert {user: await left(club, user) for user in others} == before
    match = (await club.matches.position(1)).match
    assert match.clock is None, "it is the computer's turn"
    assert bank_left(match, next(p for p in match.players if p.user_id == mover)) == had


async def test_of_two_simultaneous_moves_one_adds_a_day(clubs: tuple[Club, Club]) -> None:
    one, other = clubs
    _, mover, _ = await begin(one)
    for club in clubs:
        club.wait(days=3)
    held = [await club.matches.position(1) for club in clubs]
    texts = [held[0].game.write(move) for move in held[0].game.legal_moves(held[0].state)[:2]]
    made = await asyncio.gather(
        *(play(club.matches, 1, mover, text) for club, text in zip(clubs, texts, strict=True)),
        return_exceptions=True,
    )
    assert sum(isinstance(result, OldBoard | Refusal) for result in made) == 1, made
    assert await left(other, mover) == 5 * DAY


async def test_a_match_without_a_bank_keeps_days_per_move(club: Club) -> None:
    position = await club.begin_match(BEN, game="tablut", days=3)
    club.wait(days=2)
    position = await club.play_once(position)
    assert position.match.clock is not None
    assert position.match.clock.due_at == club.clock() + 3 * DAY
    assert [player.bank_left for player in position.match.players] == [None, None]
    assert await club.read(clocks.of, 1) == position.match.clock
    assert registry.game("tablut") is position.game


# A limit for the whole game


async def begin_limited(club: Club, *, game_days: int) -> tuple[Position, int, int]:
    """Begin a match with three days per move and a limit for the whole game."""
    terms = Terms(
        game="tablut",
        guild_id=GUILD,
        channel_id=CHANNEL,
        per_move=3 * DAY,
        game_days=game_days,
        unrated=False,
    )
    sealed = Sealed(club.seed(SEED_BYTES), "a test", {ANN: "", BEN: ""})
    async with club.store.write() as tx:
        match = await start(tx, club.matches.deadlines, terms, sealed, seats={}, at=club.clock())
    position = await club.matches.position(match.id)
    assert position.to_move is not None
    mover = position.to_move.user_id
    return position, mover, ANN + BEN - mover


async def test_turns_use_up_the_time_for_the_whole_game(club: Club) -> None:
    position, one, other = await begin_limited(club, game_days=7)
    for had in (7, 5, 3):
        assert await left(club, one) == min(had, 3) * DAY, (
            "no turn takes more than the days per move"
        )
        club.wait(days=2)
        position = await club.play_once(position)
        assert await left(club, other) == 3 * DAY
        position = await club.play_once(position)
    assert await left(club, one) == DAY, "nothing is added"
    match = (await club.matches.position(1)).match
    (waiting,) = (bank_left(match, player) for player in match.players if player.user_id == other)
    assert waiting == 7 * DAY, "those who move at once keep all of it"


async def test_time_granted_to_a_turn_is_not_taken_from_the_whole_game(club: Club) -> None:
    position, one, _ = await begin_limited(club, game_days=7)
    club.wait(days=2)
    away = Vacations(club.store, club.matches.deadlines, clock=club.clock)
    await away.start(one, 10)
    club.wait(days=10)
    await away.finish(club.clock())
    assert await left(club, one) == DAY
    position = await club.play_once(position)
    match = (await club.matches.position(1)).match
    (waiting,) = (bank_left(match, player) for player in match.players if player.user_id == one)
    assert waiting == 5 * DAY
