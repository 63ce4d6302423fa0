"""Time banks: each player starts with days in stock, which turns use up and moves add to.

The clock of a turn runs until the stock is used up, so everything that follows a deadline follows
it too. The time a turn has left is counted in the transaction that ends it.

A match can instead limit each player's time for the whole game, besides the days per move: a stock
to which nothing is added, and of which a turn may use no more than the days per move.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from itertools import groupby
from typing import Final, NamedTuple

from bot.core.errors import Refusal
from bot.core.settings.server_settings import ServerSettings
from data.matches import clocks, match_log
from data.matches.match import MatchClock
from data.matches.matches import Match, Player
from data.store.store import Transaction
from engine.phrase import Phrase, lines, plural, say

INCREMENT: Final = 1
"""Days that a move adds."""
TIMES: Final = 2
"""Maximum stock, as a multiple of the days at the start."""
MIN_AFTER_TAKEBACK: Final = timedelta(hours=12)
"""Minimum time for a move that is played again, however little was left for it before."""

_DAY: Final = timedelta(days=1)


def has_stock(match: Match) -> bool:
    """Return whether a match's players have a stock of time."""
    return match.bank is not None or match.game_days is not None


def turn_time(match: Match, stock: timedelta) -> timedelta:
    """Return the time for a turn of a player with this stock."""
    if match.bank is not None:
        return stock
    return min(stock, (match.days or 0) * _DAY)


def max_days(bank: int) -> int:
    """Return the maximum days in a stock that starts with ``bank`` days."""
    return TIMES * bank


def after_move(left: timedelta, bank: int, days: int) -> timedelta:
    """Return the stock after a move that had ``left`` remaining.

    Time granted after an outage is kept, even if it exceeds the maximum.
    """
    return max(left, min(left + days * _DAY, max_days(bank) * _DAY))


def after_takeback(stock: timedelta, days: int) -> timedelta:
    """Return the stock for a move that is played again: without what it had added."""
    return max(stock - days * _DAY, min(stock, MIN_AFTER_TAKEBACK))


def ended(actors: Sequence[int | None], to_move: int) -> list[int]:
    """Return the seats whose turns have ended, given the actors in order; chance is ``None``.

    Several moves in a row are one turn, which continues while the same seat is to move.
    """
    turns = [seat for seat, _ in groupby(actor for actor in actors if actor is not None)]
    return turns[:-1] if turns and turns[-1] == to_move else turns


def left_of(clock: MatchClock, now: datetime) -> timedelta:
    """Return the time left on a clock, running or not."""
    if clock.due_at is None:
        return timedelta(seconds=clock.left or 0)
    return max(clock.due_at - now, timedelta())


def bank_left(match: Match, player: Player) -> timedelta:
    """Return a player's stock while another is to move."""
    if player.bank_left is not None:
        return timedelta(seconds=player.bank_left)
    return _full(match)


def holding(match: Match, player: Player, stocks: Mapping[int, int]) -> Player:
    """Return a player with their current stock, from the seconds by seat."""
    now = stocks.get(player.seat)
    if now is None or now == int(bank_left(match, player).total_seconds()):
        return player
    return dataclasses.replace(player, bank_left=now)


async def settle(
    tx: Transaction, match: Match, to_move: Player, ply: int, now: datetime
) -> dict[int, int]:
    """Settle the time of the turn that ends, in the transaction that ends it.

    Args:
        tx: that transaction; it holds the lock of the match.
        match: a match with a stock of time.
        to_move: the player to move now.
        ply: the length of the log now; after a takeback it is shorter than at the last turn.
        now: the current time.

    Returns:
        The seconds in stock, by seat.

    """
    assert match.days is not None
    known = await clocks.banks_of(tx, match.id)
    before = await clocks.of(tx, match.id)
    had = {
        one.seat: _full(match) if one.seconds is None else timedelta(seconds=one.seconds)
        for one in known
    }
    stocks = dict(had)
    ran = None if before is None else next((s for s in known if s.user_id == before.user_id), None)
    if before is not None and ran is not None:
        # If an outage or a vacation added to the turn's time, that is added to the stock.
        stocks[ran.seat] += left_of(before, now) - turn_time(match, had[ran.seat])
        if match.bank is None:
            pass
        elif ply > before.ply:
            log = await match_log.read(tx, match.id, after=before.ply)
            for seat in ended([entry.actor for entry in log], to_move.seat):
                stocks[seat] = after_move(stocks[seat], match.bank, match.days)
        elif ply < before.ply and to_move.seat != ran.seat:
            stocks[to_move.seat] = after_takeback(stocks[to_move.seat], match.days)
    seconds = {seat: int(stock.total_seconds()) for seat, stock in stocks.items()}
    for one in known:
        if stocks[one.seat] != had[one.seat]:
            await clocks.put_bank(tx, match.id, one.seat, seconds[one.seat])
    return seconds


def _full(match: Match) -> timedelta:
    return (match.bank or match.game_days or 0) * _DAY


class TimeControl(NamedTuple):
    """How the time of a match is counted."""

    days: int
    """Days per move; with a time bank, the days that each move adds."""
    bank: int | None = None
    """Days in stock at the start; ``None`` without a time bank."""


def chosen(settings: ServerSettings, days: int | None, bank: int | None) -> TimeControl:
    """Return the time control chosen for a match, or else the server's default.

    Raises:
        Refusal: both kinds were chosen.

    """
    if days is not None and bank is not None:
        raise Refusal(say("Choose days per move or a time bank, not both."))
    if days is None and bank is None:
        days, bank = settings.days, settings.bank
    return with_bank(bank) if bank is not None else TimeControl(days or settings.days)


def with_bank(bank: int) -> TimeControl:
    """Return the time control with a bank of ``bank`` days."""
    return TimeControl(INCREMENT, bank)


def time_control(days: int, bank: int | None = None) -> Phrase:
    """Return a time control in a few words."""
    if bank is None:
        return plural("{n} day per move", "{n} days per move", days)
    return plural(
        "time bank: {n} day, +{days} per move, up to {most}",
        "time bank: {n} days, +{days} per move, up to {most}",
        bank,
        days=days,
        most=max_days(bank),
    )


def span(time: timedelta) -> Phrase:
    """Return an amount of time: days and hours, or hours, or minutes."""
    hours, seconds = divmod(int(time.total_seconds()), 3600)
    days, hours = divmod(hours, 24)
    minutes = seconds // 60
    parts = []
    if days:
        parts.append(plural("{n} day", "{n} days", days))
    if hours:
        parts.append(plural("{n} hour", "{n} hours", hours))
    if not parts:
        parts.append(plural("{n} minute", "{n} minutes", minutes))
    return lines(parts, " ")
