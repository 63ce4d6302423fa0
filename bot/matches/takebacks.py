"""Taking a decision back by consent: the use cases, without Discord.

Against computers no agreement is needed: see `undo`.

Only the very last entry of a log can be taken back, and only where it is a decision. Throws never
are: what luck has shown cannot be unseen. So no draw is ever made twice, and a record verifies
after a takeback as it did before.

An offer is its message: it names the version of the match that it was made at, and lapses with
it. Where several opponents must agree, the address of its button also tells who has, and what is
remembered here only keeps two who agree at the same moment from overlooking each other.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from cachetools import LRUCache

from bot.delivery.jobs import BOARD_JOB
from bot.errors import MatchOver, NotForYou, OldBoard, Refusal
from bot.i18n.mentions import all_of, who
from bot.matches.computers import is_practice
from bot.matches.positions import MatchView
from bot.matches.turns import Turn
from data import matches, outbox
from engine.game import CHANCE
from engine.phrase import say

if TYPE_CHECKING:
    from bot.matches.service import Matches
    from bot.scheduling.wall_clock import WallClock
    from data.matches import Player
    from data.store import Store
    from engine.phrase import Phrase
    from engine.replay import Played

_REMEMBERED: Final = 1024
"""How many offers are remembered."""


@dataclass(frozen=True, slots=True)
class Offer:
    """What a player asks of the others."""

    match_id: int
    version: int
    """The version of the match that it was made at."""
    user_id: int
    """Who asks."""
    agreed: frozenset[int] = frozenset()
    """The seats that have agreed."""


class Takebacks:
    """All offers to take a decision back."""

    def __init__(self, store: Store, matches_: Matches, *, clock: WallClock) -> None:
        """Work on a store, with the time of day from ``clock``."""
        self._store = store
        self._matches = matches_
        self._clock = clock
        self._agreed: LRUCache[tuple[int, int, int], set[int] | None] = LRUCache(_REMEMBERED)

    async def offer(self, match_id: int, user_id: int) -> tuple[Offer, MatchView]:
        """Return the offer of a player to take back what they decided last.

        Raises:
            NoSuchMatch, MatchOver, NotForYou: as their names say.
            Refusal: the last entry of the log is not a decision of this player.

        """
        view = await self._matches.view(match_id)
        _check(view, user_id)
        made = Offer(match_id, view.version, user_id)
        self._agreed[_key(made)] = set()
        return made, view

    async def undo(self, match_id: int, user_id: int) -> Turn:
        """Take a player's last decision back in a practice match, with all that answered it.

        Raises:
            NoSuchMatch, MatchOver, NotForYou: as their names say.
            Refusal: there is none, or sticks were thrown since.
            OldBoard: the match went on meanwhile.

        """
        view = await self._matches.view(match_id)
        assert view.practice
        return await self._remove(view, _since_own(view, user_id), user_id)

    async def agree(self, offer: Offer, user_id: int) -> tuple[Offer, MatchView, Turn | None]:
        """Record a player's agreement; the last one takes the decision back.

        Returns:
            The offer as it stands now, the match, and what was done when all had agreed.

        Raises:
            NoSuchMatch, MatchOver, NotForYou: as their names say.
            OldBoard: the offer has lapsed or was declined.

        """
        view = await self._matches.view(offer.match_id)
        player = _player(view, user_id)
        if user_id == offer.user_id:
            others = all_of(p.user_id for p in view.match.players if p.user_id != user_id)
            raise NotForYou(
                say("You asked to take the move back: {players} must answer.", players=others)
            )
        self._still_open(offer, view)
        agreed = self._agreed.get(_key(offer), set()) or set()
        agreed |= {*offer.agreed, player.seat}
        self._agreed[_key(offer)] = agreed
        now = dataclasses.replace(offer, agreed=frozenset(agreed))
        if missing(now, view):
            return now, view, None
        return now, view, await self._take_back(view, offer.user_id, user_id)

    async def refuse(self, offer: Offer, user_id: int) -> MatchView:
        """Decline as an opponent, or withdraw as the one who asked.

        Raises:
            NoSuchMatch, NotForYou: as their names say.

        """
        view = await self._matches.view(offer.match_id)
        _player(view, user_id)
        self._agreed[_key(offer)] = None
        return view

    def _still_open(self, offer: Offer, view: MatchView) -> None:
        number = view.match.id
        if view.to_move is None:
            raise _over(number)
        if view.version != offer.version:
            raise OldBoard(
                say("A move was made since, or taken back: the offer has lapsed."),
                match_id=number,
            )
        if self._agreed.get(_key(offer), set()) is None:
            raise OldBoard(
                say("This offer has been declined or withdrawn already."), match_id=number
            )

    async def _take_back(self, before: MatchView, asker: int, user_id: int) -> Turn:
        return await self._remove(before, (_check(before, asker),), user_id)

    async def _remove(
        self, before: MatchView, removed: tuple[Played[Any, Any], ...], user_id: int
    ) -> Turn:
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
                    )
                called = await self._matches.deadlines.turn(
                    tx, after.match, after.to_move, after.ply, now
                )
                # Not from who decides next: so the outbox worker posts a new board and calls them.
                payload: dict[str, Any] = {"ply": after.version, "after": user_id, "undone": True}
                if called.quietly or is_practice(match):
                    payload["quietly"] = True
                job = await outbox.put(
                    tx,
                    match_id=number,
                    kind=BOARD_JOB,
                    payload=payload,
                    nonce=f"m{number}p{after.version}",
                    at=now,
                )
        except matches.StalePly as error:
            raise OldBoard(
                say("A move was made since, or taken back: the offer has lapsed."),
                match_id=number,
            ) from error
        except matches.Finished as error:
            raise _over(number) from error
        after = dataclasses.replace(
            after, match=dataclasses.replace(after.match, clock=called.clock)
        )
        self._matches.positions.hold(after)
        return Turn(before, after, user_id, job)


def _since_own(view: MatchView, user_id: int) -> tuple[Played[Any, Any], ...]:
    """Return a player's last decision and the decisions that followed it."""
    player = _player(view, user_id)
    if view.to_move is None:
        raise _over(view.match.id)
    found: list[Played[Any, Any]] = []
    for entry in reversed(view.tail):
        actor = view.game.actor(entry.before)
        if actor is CHANCE:
            break
        found.append(entry)
        if actor == player.seat:
            return tuple(reversed(found))
    moved = any(view.game.actor(entry.before) == player.seat for entry in view.tail)
    raise Refusal(
        _thrown_since()
        if moved
        else say("You have not moved yet in match #{number}.", number=view.match.id),
        match_id=view.match.id,
    )


def _thrown_since() -> Phrase:
    return say(
        "The sticks have been thrown since your move. What luck has shown cannot be unseen, "
        "so a throw is never taken back, and neither is what came before it."
    )


def missing(offer: Offer, view: MatchView) -> list[Player]:
    """Return the players who have still to agree."""
    return [
        player
        for player in view.match.players
        if player.user_id != offer.user_id and player.seat not in offer.agreed
    ]


def _key(offer: Offer) -> tuple[int, int, int]:
    return (offer.match_id, offer.version, offer.user_id)


def _over(number: int) -> MatchOver:
    return MatchOver(
        say("Match #{number} is over, nothing can be taken back any more.", number=number),
        match_id=number,
    )


def _player(view: MatchView, user_id: int) -> Player:
    player = view.player_of(user_id)
    if player is None:
        players = all_of(p.user_id for p in view.match.players)
        raise NotForYou(
            say("Match #{number} belongs to {players}.", number=view.match.id, players=players)
        )
    return player


def _check(view: MatchView, user_id: int) -> Played[Any, Any]:
    """Return the decision that this player may ask to take back."""
    player = _player(view, user_id)
    number = view.match.id
    if view.to_move is None:
        raise _over(number)
    last = view.tail[-1] if view.tail else None
    if last is not None and view.game.actor(last.before) == player.seat:
        return last
    decided = (view.game.actor(p.before) for p in reversed(view.tail))
    mover = next((actor for actor in decided if actor is not CHANCE), None)
    if mover is None:
        words = say("Nobody has moved yet in match #{number}.", number=number)
    elif mover == player.seat:
        words = _thrown_since()
    else:
        words = say(
            "{player} has moved since you did, and only the very last move can be taken back.",
            player=who(view.player_at(mover).user_id),
        )
    raise Refusal(words, match_id=number)
