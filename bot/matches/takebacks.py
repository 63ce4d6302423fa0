"""Taking a decision back by consent: the use cases, without Discord.

Against computers no agreement is needed: see `Takebacks.undo`.

Only the very last entry of a log can be taken back, and only where it is a decision. Throws never
are: what luck has shown cannot be unseen. So no draw is ever made twice, and a record verifies
after a takeback as it did before.

An offer is its message: it names the version of the match that it was made at, and lapses with
it. Where several opponents must agree, the address of its button also tells who has, and what is
remembered here only keeps two who agree at the same moment from overlooking each other.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from cachetools import LRUCache

from bot.delivery import jobs
from bot.errors import MatchOver, NotForYou, OldBoard, Refusal
from bot.i18n.mentions import all_of, who
from bot.matches.positions import MatchView
from bot.matches.stand_ins import playing
from bot.matches.turns import belongs, check_plays
from data import matches
from engine.game import CHANCE
from engine.phrase import say

if TYPE_CHECKING:
    from bot.matches.service import Matches
    from bot.scheduling.wall_clock import WallClock
    from data.matches import Player
    from data.store import Store
    from engine.replay import Played

_REMEMBERED: Final = 1024
"""How many offers are remembered."""


class Offer(NamedTuple):
    """What a player asks of the others."""

    match_id: int
    version: int
    """The version of the match that it was made at."""
    user_id: int
    """Who asks."""
    agreed: str = ""
    """The seats that have agreed, a digit each."""


class Takebacks:
    """All offers to take a decision back."""

    def __init__(self, store: Store, matches_: Matches, *, clock: WallClock) -> None:
        """Work on a store, with the time of day from ``clock``."""
        self._store = store
        self._matches = matches_
        self._clock = clock
        self._agreed: LRUCache[tuple[int, int, int], str | None] = LRUCache(_REMEMBERED)
        """By match, version and who asks: who has agreed; ``None`` once somebody declined."""

    async def offer(self, match_id: int, user_id: int) -> tuple[Offer, MatchView]:
        """Return the offer of a player to take back what they decided last.

        Raises:
            NoSuchMatch, MatchOver, NotForYou: as their names say.
            Refusal: the last entry of the log is not a decision of this player.

        """
        view = await self._matches.view(match_id)
        _to_remove(view, user_id)
        made = Offer(match_id, view.version, user_id)
        self._agreed[made[:3]] = ""
        return made, view

    async def undo(self, match_id: int, user_id: int) -> None:
        """Take a player's last decision back in a practice match, with all that answered it.

        Raises:
            NoSuchMatch, MatchOver, NotForYou: as their names say.
            Refusal: there is none, or sticks were thrown since.
            OldBoard: the match went on meanwhile.

        """
        view = await self._matches.view(match_id)
        assert view.practice
        await self._remove(view, _to_remove(view, user_id), user_id)

    async def agree(self, offer: Offer, user_id: int) -> tuple[Offer, MatchView]:
        """Record a player's agreement; the last one takes the decision back.

        Returns:
            The offer as it stands now, and the match before anything was taken back.

        Raises:
            NoSuchMatch, MatchOver, NotForYou: as their names say.
            OldBoard: the offer has lapsed or was declined.

        """
        view = await self._matches.view(offer.match_id)
        player = _player(view, user_id)
        if user_id == offer.user_id:
            others = all_of(p.user_id for p in playing(view.match) if p.user_id != user_id)
            raise NotForYou(
                say("You asked to take the move back: {players} must answer.", players=others)
            )
        if view.to_move is None:
            raise _over(offer.match_id)
        if view.version != offer.version:
            raise _lapsed(offer.match_id)
        before = self._agreed.get(offer[:3], "")
        if before is None:
            raise OldBoard(
                say("This offer has been declined or withdrawn already."), match_id=offer.match_id
            )
        agreed = "".join(sorted({*before, *offer.agreed, str(player.seat)}))
        self._agreed[offer[:3]] = agreed
        offer = offer._replace(agreed=agreed)
        if not missing(offer, view):
            await self._remove(view, _to_remove(view, offer.user_id), user_id)
        return offer, view

    async def refuse(self, offer: Offer, user_id: int) -> None:
        """Decline as an opponent, or withdraw as the one who asked.

        Raises:
            NoSuchMatch, NotForYou: as their names say.

        """
        _player(await self._matches.view(offer.match_id), user_id)
        self._agreed[offer[:3]] = None

    async def _remove(
        self, before: MatchView, removed: tuple[Played[Any, Any], ...], user_id: int
    ) -> None:
        """Remove the last entries of a log, which are all decisions."""
        match, many = before.match, len(removed)
        number, now = match.id, self._clock()
        after = MatchView(
            dataclasses.replace(match, plies=match.plies - many, takebacks=match.takebacks + many),
            before.game,
            removed[0].before,
            before.ply - many,
            before.tail[:-many],
        )
        try:
            async with self._store.write() as tx:
                for times, entry in enumerate(reversed(removed)):
                    actor = before.game.actor(entry.before)
                    assert actor is not CHANCE, "luck is never unseen"
                    await matches.remove_last(
                        tx,
                        number,
                        ply=entry.ply,
                        takebacks=match.takebacks + times,
                        actor=actor,
                        given_up=match.given_up,
                    )
                called = await self._matches.deadlines.turn(
                    tx, after.match, after.to_move, after.ply, now
                )
                quietly = called.quietly or before.practice
                await jobs.show(
                    tx, after.match, user_id, now, ended=False, quietly=quietly, undone=True
                )
        except matches.StalePly as error:
            raise _lapsed(number) from error
        except matches.Finished as error:
            raise _over(number) from error
        match = dataclasses.replace(after.match, clock=called.clock)
        self._matches.positions.hold(dataclasses.replace(after, match=match))


def missing(offer: Offer, view: MatchView) -> list[Player]:
    """Return the players who have still to agree."""
    return [
        player
        for player in playing(view.match)
        if player.user_id != offer.user_id and str(player.seat) not in offer.agreed
    ]


def _to_remove(view: MatchView, user_id: int) -> tuple[Played[Any, Any], ...]:
    """Return a player's last decision; in practice also the decisions that followed it."""
    number = view.match.id
    if view.to_move is None:
        raise _over(number)
    if any(player.gave_up_ply == view.ply for player in view.match.players):
        words = say("A seat was given up since the last move, so that move stays.")
        raise Refusal(words, match_id=number)
    seat = _player(view, user_id).seat
    actors = [view.game.actor(entry.before) for entry in view.tail]
    own = max((place for place, actor in enumerate(actors) if actor == seat), default=None)
    if own is not None:
        since = actors[own + 1 :]
        if not since or (view.practice and CHANCE not in since):
            return view.tail[own:]
    mover = next((actor for actor in reversed(actors) if actor is not CHANCE), None)
    if view.practice and own is None:
        words = say("You have not moved yet in match #{number}.", number=number)
    elif mover is None:
        words = say("Nobody has moved yet in match #{number}.", number=number)
    elif view.practice or mover == seat:
        words = say(
            "The sticks have been thrown since your move. What luck has shown cannot be unseen, "
            "so a throw is never taken back, and neither is what came before it."
        )
    else:
        words = say(
            "{player} has moved since you did, and only the very last move can be taken back.",
            player=who(view.player_at(mover).user_id),
        )
    raise Refusal(words, match_id=number)


def _player(view: MatchView, user_id: int) -> Player:
    player = view.player_of(user_id)
    if player is None:
        raise NotForYou(belongs(view))
    check_plays(view, player)
    return player


def _lapsed(number: int) -> OldBoard:
    words = say("A move was made since, or taken back: the offer has lapsed.")
    return OldBoard(words, match_id=number)


def _over(number: int) -> MatchOver:
    words = say("Match #{number} is over, nothing can be taken back any more.", number=number)
    return MatchOver(words, match_id=number)
