"""Starts the clock of each turn: its deadline, and when to remind the player.

How long a turn takes is in `bot.play.matches.time_controls`. While the player to move is on
vacation the clock is stopped; it resumes with the time that was left, at least a day.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Final, NamedTuple

from bot.core.computers import is_practice
from bot.core.posts.quiet_hours import quiet
from bot.core.settings.player_settings import PlayerSettings
from bot.core.settings.service import SettingsStore
from bot.play.matches import computer_players, jobs, time_controls
from data.matches import absences, clocks, match_log
from data.matches.match import Match, MatchClock, Player
from data.store.store import Transaction

MIN_AFTER_VACATION: Final = timedelta(hours=24)


class StartedTurn(NamedTuple):
    """A turn that has begun."""

    clock: MatchClock | None = None
    """The running clock; ``None`` if the match has no limit or is over."""
    quietly: bool = False
    """Whether the board notifies no one, as the player is in quiet hours."""
    stocks: Mapping[int, int] = MappingProxyType({})
    """The seconds in the time banks by seat, if the match has them."""

    def on(self, match: Match) -> Match:
        """Return a match with its time as counted from now on."""
        players = tuple(time_controls.holding(match, one, self.stocks) for one in match.players)
        return dataclasses.replace(match, clock=self.clock, players=players)


@dataclass(eq=False, repr=False)
class Deadlines:
    """Sets the clocks of all matches."""

    players: SettingsStore
    """The settings of players."""

    async def next_turn(
        self,
        tx: Transaction,
        match: Match,
        to_move: Player | None,
        now: datetime,
        *,
        by: int | None,
        settings: Mapping[int, PlayerSettings] = MappingProxyType({}),
        quietly: bool = False,
    ) -> StartedTurn:
        """Start the clock of a turn like `start_turn`, and queue its board.

        A computer answers in a moment; its move is shown together with this one.
        """
        started = await self.start_turn(tx, match, to_move, now, by=by, settings=settings)
        if to_move is None or computer_players.computer_level(to_move) is None:
            still = started.quietly or quietly
            await jobs.show(tx, match, by, now, ended=to_move is None, quietly=still)
        return started

    async def start_turn(
        self,
        tx: Transaction,
        match: Match,
        to_move: Player | None,
        now: datetime,
        *,
        by: int | None = None,
        settings: Mapping[int, PlayerSettings] = MappingProxyType({}),
    ) -> StartedTurn:
        """Start the clock of a turn in the transaction of the move before it.

        Args:
            tx: that transaction.
            match: the match at this turn.
            to_move: the player to move; ``None`` if the match is over.
            now: the start of the turn.
            by: the player who moved before; players who move again are not pinged.
            settings: by user; if that player's are given, only the transaction is used.

        """
        await computer_players.queue_move(tx, match, to_move, now)
        stocks: Mapping[int, int] = MappingProxyType({})
        if time_controls.has_stock(match) and to_move is not None:
            stocks = await _settle(tx, match, to_move, now)
        if to_move is None or computer_players.computer_level(to_move) is not None:
            await clocks.remove(tx, match.id)
            return StartedTurn(stocks=stocks)
        if is_practice(match) and match.days is None:
            return StartedTurn()  # practice needs no pings
        user = to_move.user_id
        chosen = settings.get(user) or await self.players.player_in(tx, user)
        hours = quiet(chosen, now)
        if hours is not None and chosen.pings and user != by:
            await jobs.notify(
                tx, match, "turn", at=now, ply=match.plies, not_before=hours.end, user=user
            )
        quietly = hours is not None
        if match.days is None:
            return StartedTurn(quietly=quietly)
        time = timedelta(days=match.days)
        if stocks:
            time = time_controls.turn_time(match, timedelta(seconds=stocks[to_move.seat]))
        clock = MatchClock(match.id, user, match.plies, now, None, now + time)
        away = await absences.present(tx, user, now)
        if away is not None:
            clock = time_controls.stopped(clock, now, until=away.ends_at)
        else:
            clock = time_controls.running(clock, match, chosen)
        await clocks.put(tx, clock)
        return StartedTurn(clock, quietly, stocks)

    async def resume(
        self, tx: Transaction, clock: MatchClock, match: Match, nonce: str, now: datetime
    ) -> None:
        """Restart a stopped clock and update the board."""
        time = max(timedelta(seconds=clock.left or 0), MIN_AFTER_VACATION)
        moving = dataclasses.replace(clock, due_at=now + time)
        settings = await self.players.player_in(tx, clock.user_id)
        # A player just back is not pinged at once.
        changed = time_controls.running(moving, match, settings, earliest=now + time / 2)
        if await clocks.take(tx, clock, changed):
            await jobs.redraw(tx, match, clock.user_id, nonce, now)


async def _settle(
    tx: Transaction, match: Match, to_move: Player, now: datetime
) -> Mapping[int, int]:
    """Settle the time banks in the transaction that ends a turn; return their seconds by seat."""
    last, actors = await clocks.of(tx, match.id), []
    if match.bank is not None and last is not None and match.plies > last.ply:
        actors = [entry.actor for entry in await match_log.read(tx, match.id, after=last.ply)]
    stocks = time_controls.stocks_after(match, last, actors, to_move.seat, now)
    for player in match.players:
        if time_controls.holding(match, player, stocks) is not player:
            await clocks.put_bank(tx, match.id, player.seat, stocks[player.seat])
    return stocks
