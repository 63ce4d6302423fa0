"""Late players: once their time is up, the others may claim the win, abort the match, or wait.

The late player can still move until then.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from bot.core.errors import NotForYou, NotYourTurn, OldBoard, Refusal
from bot.core.i18n.mentions import mention, timestamp
from bot.core.scheduling.wall_clock import WallClock
from bot.play.matches import endings
from bot.play.matches.begun import Leaving, leaving
from bot.play.matches.positions import MatchView
from bot.play.matches.service import Matches
from bot.play.matches.stand_ins import can_continue
from bot.play.matches.turns import check_playing, over, player_of, waits_for
from data.matches import clocks, server_outages
from data.matches.matches import Player
from data.store.store import Store
from engine.phrase import say

What: TypeAlias = Literal["win", "abort"]


@dataclass(eq=False, repr=False)
class Claims:
    """Use cases for late players."""

    store: Store
    matches: Matches
    clock: WallClock

    async def leaving(self, view: MatchView, user_id: int) -> Leaving:
        """Return the consequences for a player of giving up or running out of time."""
        async with self.store.read() as tx:
            return await leaving(tx, view.match, user_id, self.clock())

    async def claim(self, match_id: int, user_id: int, ply: int, what: What) -> MatchView:
        """Make the late player to move lose the match, or abort it.

        Raises like `late_player`, and `Refusal` when aborting a match that others play on, or when
        the server of the match is unavailable.
        """
        view = await self.matches.view(match_id)
        late, clock = late_player(view, user_id, ply), view.match.clock
        async with self.store.read() as tx:
            if await server_outages.is_held(tx, view.match.guild_id):
                raise Refusal(
                    say(
                        "Discord has trouble with the server of match {match}, so {player} can't "
                        "move. Try again once that is over.",
                        match=f"#{match_id}",
                        player=mention(late.user_id),
                    )
                )
        if what == "win":
            return await self.matches.lose(
                match_id, late.seat, "forfeited", by=user_id, ply=ply, clock=clock
            )
        if can_continue(view.match):
            raise Refusal(say("Others are still playing, so you can't end this game."))
        ending = endings.aborted(view, late)
        return await self.matches.end(view, ending, by=user_id, ply=ply, clock=clock)

    async def mute(self, match_id: int, user_id: int, ply: int | None = None) -> None:
        """Mute a player's reminders for this turn.

        Raises:
            NoSuchMatch, NotForYou, MatchOver: as named.
            NotYourTurn: it is another player's turn.
            OldBoard: that turn is over.

        """
        view = await self.matches.view(match_id)
        player_of(view, user_id)
        if view.to_move is None:
            raise over(match_id)
        if ply is not None and ply != view.version:
            raise OldBoard(say("That turn is already over."), match_id=match_id)
        if not waits_for(view, user_id):
            raise NotYourTurn(
                say(
                    "It's not your turn in match {match}. Waiting for {player}.",
                    match=f"#{match_id}",
                    player=mention(view.to_move.user_id),
                )
            )
        async with self.store.write() as tx:
            await clocks.mute(tx, match_id, user_id, view.ply)


def late_player(view: MatchView, user_id: int, ply: int | None = None) -> Player:
    """Return the player to move if they are late and this user may claim that.

    Raises:
        NotForYou, MatchOver: as named.
        OldBoard: the match has gone on since ``ply``.
        Refusal: the player to move still has time, or no clock is running.

    """
    check_playing(view, player_of(view, user_id))
    match_id = view.match.id
    number = f"#{match_id}"
    if view.to_move is None:
        raise over(match_id)
    if ply is not None and ply != view.version:
        raise OldBoard(
            say("The move has arrived, so match {match} goes on.", match=number),
            match_id=match_id,
        )
    if waits_for(view, user_id):
        raise NotForYou(
            say("It's your turn in match {match}, and you can still move.", match=number),
            match_id=match_id,
        )
    clock = view.match.clock
    if clock is None:
        raise Refusal(say("Match {match} has no time limit.", match=number))
    if clock.is_paused and clock.next_at is not None:
        raise Refusal(
            say(
                "{player} is away until {day}. The clock is paused until then.",
                player=mention(clock.user_id),
                day=timestamp(clock.next_at, "D"),
            )
        )
    if clock.lapsed_at is None and clock.due_at is not None:
        raise Refusal(
            say(
                "{player} has time until {moment} ({distance}). After that you can claim the win.",
                player=mention(clock.user_id),
                moment=timestamp(clock.due_at, "f"),
                distance=timestamp(clock.due_at, "R"),
            )
        )
    return view.to_move
