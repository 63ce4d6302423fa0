"""How much time a turn has, and when to remind the player: pure rules.

A match sets the time per move, perhaps with a limit for the whole game, or uses a time bank: each
player starts with days in stock, which turns use up and moves add to. The clock of a turn runs until
the stock is used up, so everything that follows a deadline follows it too. A limit for the whole
game is a stock to which nothing is added, and of which a turn may use no more than the time per move.

The reminder comes when a quarter of the time is left, but at least half a day and at most a day
before the end; a large stock has one before that, when half of it is used up. Of less than a day,
half is left then.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import groupby
from typing import Final, NamedTuple

from bot.core import move_times
from bot.core.errors import Refusal
from bot.core.posts.quiet_hours import reminder_time
from bot.core.settings.player_settings import PlayerSettings
from bot.core.settings.server_settings import ServerSettings
from data.matches.match import Match, MatchClock, Player
from data.time_per_move import DAY
from engine.phrase import Phrase, plural, say

INCREMENT: Final = DAY
"""What a move adds to a stock."""
TIMES: Final = 2
"""Maximum stock, as a multiple of the days at the start."""
MIN_AFTER_TAKEBACK: Final = timedelta(hours=12)
"""Minimum time for a move that is played again, however little was left for it before."""
MIN_REMINDER: Final = timedelta(hours=12)
MAX_REMINDER: Final = timedelta(hours=24)
MIN_AFTER_QUIET: Final = timedelta(hours=2)
"""Minimum time left after quiet hours for a reminder to wait until they end."""
MIN_BETWEEN_REMINDERS: Final = DAY
"""Minimum time between the two reminders of a time bank; otherwise there is only one."""


def has_stock(match: Match) -> bool:
    """Return whether a match's players have a stock of time."""
    return match.bank is not None or match.game_days is not None


def turn_time(match: Match, seat: int) -> timedelta | None:
    """Return the time for a seat's next turn; ``None`` for no limit."""
    if match.per_move is None:
        return None
    stock = next(bank_left(match, player) for player in match.players if player.seat == seat)
    return _of_stock(match, stock) if has_stock(match) else match.per_move


def _of_stock(match: Match, stock: timedelta) -> timedelta:
    return stock if match.bank is not None else min(stock, _per_move(match))


def _per_move(match: Match) -> timedelta:
    return match.per_move or timedelta()


def after_move(left: timedelta, bank: int, added: timedelta) -> timedelta:
    """Return the stock after a move that had ``left`` remaining, with what it ``added``.

    Time granted after an outage is kept, even if it exceeds the maximum.
    """
    return max(left, min(left + added, TIMES * bank * DAY))


def after_takeback(stock: timedelta, added: timedelta) -> timedelta:
    """Return the stock for a move that is played again: without what it had added."""
    return max(stock - added, min(stock, MIN_AFTER_TAKEBACK))


def ended(actors: Sequence[int | None], to_move: int) -> list[int]:
    """Return the seats whose turns have ended, given the actors in order; chance is ``None``.

    Several moves in a row are one turn, which continues while the same seat is to move.
    """
    turns = [seat for seat, _ in groupby(actor for actor in actors if actor is not None)]
    return turns[:-1] if turns and turns[-1] == to_move else turns


def bank_left(match: Match, player: Player) -> timedelta:
    """Return a player's stock while another is to move."""
    if player.bank_left is not None:
        return timedelta(seconds=player.bank_left)
    return (match.bank or match.game_days or 0) * DAY


def settled(
    match: Match, last: MatchClock | None, actors: Sequence[int | None], to_move: int, now: datetime
) -> Match:
    """Return a match with the stocks of time that its players have once the last turn is paid for.

    ``last`` is the clock of that turn, if one ran; after a takeback the log is shorter than then.
    ``actors`` have made the log's entries since, ``None`` for chance, and the seat ``to_move`` is next.
    """
    had = {player.seat: bank_left(match, player) for player in match.players}
    stocks, user = dict(had), None if last is None else last.user_id
    ran = next((player.seat for player in match.players if player.user_id == user), None)
    if last is not None and ran is not None:
        # If an outage or a vacation added to the turn's time, that is added to the stock.
        stocks[ran] += _left(last, now) - _of_stock(match, stocks[ran])
        if match.bank is not None and match.plies > last.ply:
            for seat in ended(actors, to_move):
                stocks[seat] = after_move(stocks[seat], match.bank, _per_move(match))
        elif match.bank is not None and match.plies < last.ply and to_move != ran:
            stocks[to_move] = after_takeback(stocks[to_move], _per_move(match))
    seconds = {seat: int(stock.total_seconds()) for seat, stock in stocks.items()}
    players = (
        player
        if seconds[player.seat] == int(had[player.seat].total_seconds())
        else dataclasses.replace(player, bank_left=seconds[player.seat])
        for player in match.players
    )
    return dataclasses.replace(match, players=tuple(players))


def running(
    clock: MatchClock, match: Match, settings: PlayerSettings, *, earliest: datetime | None = None
) -> MatchClock:
    """Return a clock that runs to its end, with its reminder set."""
    assert clock.due_at is not None
    remind = None
    if settings.reminders:
        wanted = _last_reminder(clock, match)
        half = clock.due_at - (clock.due_at - clock.since) / 2
        if match.bank is not None and wanted - half >= MIN_BETWEEN_REMINDERS:
            wanted = half
        if settings.remind_every is not None:
            wanted = min(wanted, clock.since + timedelta(hours=settings.remind_every))
        wanted = wanted if earliest is None else max(wanted, earliest)
        remind = reminder_time(settings, clock.since, wanted, clock.due_at, MIN_AFTER_QUIET)
    return dataclasses.replace(clock, remind_at=remind, left=None, next_at=remind or clock.due_at)


def next_reminder(
    clock: MatchClock, match: Match, settings: PlayerSettings, now: datetime
) -> datetime | None:
    """Return when the next reminder is due; ``None`` if there is none.

    More follow for players who want several, and a last one with a time bank.
    """
    assert clock.due_at is not None
    every = settings.remind_every
    if not settings.reminders or (every is None and match.bank is None):
        return None
    moments = [moment for moment in [_last_reminder(clock, match)] if moment > now]
    if every is not None:
        moments.append(now + timedelta(hours=every))
    wanted = min(moments, default=clock.due_at)
    if wanted >= clock.due_at:
        return None
    return reminder_time(settings, now, wanted, clock.due_at, MIN_AFTER_QUIET)


def stopped(clock: MatchClock, now: datetime, *, until: datetime) -> MatchClock:
    """Return a clock that is stopped until a moment."""
    left = int(_left(clock, now).total_seconds())
    return dataclasses.replace(clock, remind_at=None, due_at=None, left=left, next_at=until)


def before_end(turn: timedelta) -> timedelta:
    """Return how long before the deadline of a turn of this length the reminder comes."""
    return min(max(turn / 4, MIN_REMINDER), MAX_REMINDER, turn / 2)


def _left(clock: MatchClock, now: datetime) -> timedelta:
    if clock.due_at is None:
        return timedelta(seconds=clock.left or 0)
    return max(clock.due_at - now, timedelta())


def _last_reminder(clock: MatchClock, match: Match) -> datetime:
    assert clock.due_at is not None
    turn = clock.due_at - clock.since if has_stock(match) else _per_move(match)
    return clock.due_at - before_end(turn)


class TimeControl(NamedTuple):
    """How the time of a match is counted."""

    per_move: timedelta
    """With a time bank, what each move adds."""
    bank: int | None = None
    """Days in stock at the start; ``None`` without a time bank."""


def chosen(settings: ServerSettings, per_move: timedelta | None, bank: int | None) -> TimeControl:
    """Return the time control chosen for a match, or else the server's; raise Refusal for both."""
    if per_move is not None and bank is not None:
        raise Refusal(say("Choose a time per move or a time bank, not both."))
    if per_move is None and bank is None:
        bank = settings.bank
    return with_bank(bank) if bank is not None else TimeControl(per_move or settings.per_move)


def with_bank(bank: int) -> TimeControl:
    """Return the time control with a bank of ``bank`` days."""
    return TimeControl(INCREMENT, bank)


def time_control(per_move: timedelta, bank: int | None = None) -> Phrase:
    """Return a time control in a few words."""
    if bank is None:
        return move_times.words(per_move)
    return plural(
        "time bank: {n} day, +{days} per move, up to {most}",
        "time bank: {n} days, +{days} per move, up to {most}",
        bank,
        days=per_move // DAY,
        most=TIMES * bank,
    )
