"""Starts the clock of each turn: its deadline, and when to remind the player.

How long a turn takes is in `bot.play.matches.time_controls`. While the player to move is on
vacation the clock is stopped. It resumes with the time that was left, but at least a day: nobody has to
be there the moment a vacation ends. Who ends it is there, and gets no more than a whole turn.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Final

from bot.core.computers import is_practice
from bot.core.posts.quiet_hours import quiet
from bot.core.settings.player_settings import PlayerSettings
from bot.core.settings.service import SettingsStore
from bot.play.matches import computer_players, jobs, time_controls
from data.matches import absences, clocks, match_log
from data.matches.match import Match, MatchClock, Player
from data.store.store import Transaction

MIN_AFTER_VACATION: Final = timedelta(hours=24)


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
    ) -> Match:
        """Start the clock of a turn like `start_turn`, and queue its board.

        A computer answers in a moment; its move is shown together with this one.
        """
        match, quiet_now = await self.start_turn(tx, match, to_move, now, by=by, settings=settings)
        if to_move is None or computer_players.computer_level(to_move) is None:
            still = quietly or quiet_now
            await jobs.show(tx, match, by, now, ended=to_move is None, quietly=still)
        return match

    async def start_turn(
        self,
        tx: Transaction,
        match: Match,
        to_move: Player | None,
        now: datetime,
        *,
        by: int | None = None,
        settings: Mapping[int, PlayerSettings] = MappingProxyType({}),
    ) -> tuple[Match, bool]:
        """Start the clock of a turn in the transaction of the move before it.

        Returns the match with its time as counted from now on, and whether its board notifies no
        one, as the player is in quiet hours. Players who move again, as ``by`` did before, are not
        pinged. If the player's ``settings`` are given, by user, only the transaction is used.
        """
        await computer_players.queue_move(tx, match, to_move, now)
        if time_controls.has_stock(match) and to_move is not None:
            match = await _settled(tx, match, to_move, now)
        if to_move is None or computer_players.computer_level(to_move) is not None:
            await clocks.remove(tx, match.id)
            return dataclasses.replace(match, clock=None), False
        if is_practice(match) and match.per_move is None:
            return dataclasses.replace(match, clock=None), False  # practice needs no pings
        user = to_move.user_id
        chosen = settings.get(user) or await self.players.player_in(tx, user)
        hours = quiet(chosen, now)
        if hours is not None and chosen.pings and user != by:
            await jobs.notify(
                tx, match, "turn", at=now, ply=match.plies, not_before=hours.end, user=user
            )
        time = time_controls.turn_time(match, to_move.seat)
        if time is None:
            return dataclasses.replace(match, clock=None), hours is not None
        clock = MatchClock(match.id, user, match.plies, now, None, now + time)
        away = await absences.present(tx, user, now)
        if away is not None:
            clock = time_controls.stopped(clock, now, until=away.ends_at)
        else:
            clock = time_controls.running(clock, match, chosen)
        await clocks.put(tx, clock)
        return dataclasses.replace(match, clock=clock), hours is not None

    async def resume(
        self,
        tx: Transaction,
        clock: MatchClock,
        match: Match,
        nonce: str,
        now: datetime,
        *,
        back: bool = False,
    ) -> None:
        """Restart a stopped clock and update the board; ``back`` if its player has asked for it."""
        least = MIN_AFTER_VACATION
        if back and match.per_move is not None:
            least = min(least, match.per_move)
        time = max(timedelta(seconds=clock.left or 0), least)
        moving = dataclasses.replace(clock, due_at=now + time)
        settings = await self.players.player_in(tx, clock.user_id)
        # A player just back is not pinged at once.
        changed = time_controls.running(moving, match, settings, earliest=now + time / 2)
        if await clocks.take(tx, clock, changed):
            await jobs.redraw(tx, match, clock.user_id, nonce, now)


async def _settled(tx: Transaction, match: Match, to_move: Player, now: datetime) -> Match:
    """Settle the time banks in the transaction that ends a turn, and return the match with them."""
    last, actors = await clocks.of(tx, match.id), []
    if match.bank is not None and last is not None and match.plies > last.ply:
        actors = [entry.actor for entry in await match_log.read(tx, match.id, after=last.ply)]
    after = time_controls.settled(match, last, actors, to_move.seat, now)
    for player in after.players:
        if player not in match.players and player.bank_left is not None:
            await clocks.put_bank(tx, match.id, player.seat, player.bank_left)
    return after
