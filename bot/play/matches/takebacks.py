"""Takebacks: what can be taken back, and how.

Among people the others must agree (see `bot.play.matches.offers`); against computers no agreement is
needed.

Only the last choice in the log can be taken back, along with the only moves after it. Throws never
can: players have seen them. So nothing is ever drawn twice, and a record still verifies after a
takeback.
"""

from __future__ import annotations

import dataclasses
from datetime import datetime
from typing import Any

from bot.core.errors import MatchOver, OldBoard, Refusal
from bot.core.i18n.mentions import mention
from bot.core.scheduling.wall_clock import WallClock
from bot.play.matches import jobs
from bot.play.matches.deadlines import Deadlines
from bot.play.matches.positions import MatchView, deciding, was_choice
from bot.play.matches.service import Matches
from bot.play.matches.turns import check_playing, over, player_of
from data.matches import match_log, matches
from data.matches.match import StalePly
from data.store.store import Store, Transaction
from engine.game import CHANCE
from engine.phrase import say
from engine.replay import Played


class Takebacks:
    """Takes moves back in practice, where no one has to agree."""

    def __init__(self, store: Store, matches_: Matches, *, clock: WallClock) -> None:
        """Use a store, with ``clock`` for the time of day."""
        self._store = store
        self._matches = matches_
        self._clock = clock

    async def undo(self, match_id: int, user_id: int) -> None:
        """Take back a player's last move in a practice match, and the replies to it.

        Raises:
            NoSuchMatch, MatchOver, NotForYou: as named.
            Refusal: there is no such move, or sticks have been thrown since.
            OldBoard: the match has gone on meanwhile.

        """
        view = await self._matches.view(match_id)
        assert view.practice
        removed, now = to_remove(view, user_id), self._clock()
        async with self._store.write() as tx:
            after = await remove(tx, self._matches.deadlines, view, removed, by=user_id, at=now)
        self._matches.positions.cache(after)


async def remove(
    tx: Transaction,
    deadlines: Deadlines,
    before: MatchView,
    removed: tuple[Played[Any, Any], ...],
    *,
    by: int,
    at: datetime,
) -> MatchView:
    """Remove the last entries of a log, all of them decisions, and return the resulting match.

    Args:
        tx: the transaction.
        deadlines: starts the clock of the turn being replayed.
        before: the match.
        removed: its last entries.
        by: the user responsible.
        at: the current time.

    Raises:
        MatchOver, OldBoard: as named.

    """
    match, many = before.match, len(removed)
    taken = dataclasses.replace(
        match,
        plies=match.plies - many,
        takebacks=match.takebacks + many,
        to_move=deciding(before.game, removed[0].before),
    )
    after = MatchView(
        taken,
        before.game,
        removed[0].before,
        before.ply - many,
        before.tail[:-many],
        before.before,
    )
    try:
        for times, entry in enumerate(reversed(removed)):
            actor = before.game.actor(entry.before)
            assert actor is not CHANCE, "luck is never unseen"
            await match_log.remove_last(
                tx,
                match.id,
                ply=entry.ply,
                takebacks=match.takebacks + times,
                actor=actor,
                at=at,
                given_up=match.given_up,
            )
    except StalePly as error:
        words = say("A move has been made or taken back since then.")
        raise OldBoard(words, match_id=match.id) from error
    except matches.Finished as error:
        raise over(match.id) from error
    called = await deadlines.turn(tx, after.match, after.to_move, after.ply, at)
    quietly = called.quietly or before.practice
    await jobs.show(tx, after.match, by, at, ended=False, quietly=quietly, undone=True)
    return dataclasses.replace(after, match=called.on(after.match))


def to_remove(view: MatchView, user_id: int) -> tuple[Played[Any, Any], ...]:
    """Return a player's last choice and the only moves since; in practice, everything since."""
    number = view.match.id
    if view.to_move is None:
        raise _over(number)
    if any(player.gave_up_ply == view.ply for player in view.match.players):
        words = say("A player has left since the last move, so it can't be taken back.")
        raise Refusal(words, match_id=number)
    player = player_of(view, user_id)
    check_playing(view, player)
    seat = player.seat
    actors = [view.game.actor(entry.before) for entry in view.tail]
    choices = [n for n, entry in enumerate(view.tail) if was_choice(view.game, entry)]
    own = max((place for place in choices if actors[place] == seat), default=None)
    if own is not None and CHANCE not in actors[own:] and (view.practice or own == choices[-1]):
        return view.tail[own:]
    mover = actors[choices[-1]] if choices else None
    assert mover is not CHANCE
    if view.practice and own is None:
        words = say("You haven't moved yet in match #{number}.", number=number)
    elif mover is None:
        words = say("Nobody has moved yet in match #{number}.", number=number)
    elif view.practice or mover == seat:
        words = say(
            "The sticks have been thrown since your move. A throw is never taken back, and "
            "neither is what came before it."
        )
    else:
        words = say(
            "{player} has moved since. Only the very last move can be taken back.",
            player=mention(view.player_at(mover).user_id),
        )
    raise Refusal(words, match_id=number)


def _over(number: int) -> MatchOver:
    words = say("Match #{number} is over, so nothing can be taken back.", number=number)
    return MatchOver(words, match_id=number)
