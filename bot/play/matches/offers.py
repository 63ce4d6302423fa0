"""Use cases of draws by consent and of takebacks, free of Discord.

An offer is open until the match changes, and every other person in it must agree. Making the same
offer as another player agrees to theirs. Decisions are made under the match lock, in the
transaction that records them, so that simultaneous presses, in any process, see each other.

After an offer has failed, its maker has to wait until everyone has made a move; the number of moves
doubles with each further failure.

Only the last choice in the log can be taken back, along with the only moves after it; in practice,
where no one has to agree, also the replies. Throws never can: players have seen them. So nothing is
ever drawn twice, and a record still verifies after a takeback.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

from bot.core.errors import MatchOver, NotForYou, OldBoard, Refusal, TooMany
from bot.core.i18n.mentions import mention, mention_all, message_link
from bot.core.scheduling.scheduler import WallClock
from bot.play.matches import endings, jobs
from bot.play.matches.deadlines import Deadlines
from bot.play.matches.offer_text import closed, missing
from bot.play.matches.positions import (
    Position,
    check_playing,
    deciding,
    over,
    player_of,
    was_choice,
)
from bot.play.matches.service import Matches
from data import locks, posts
from data.matches import match_log, offers
from data.matches.match import Finished, Player, StalePly
from data.matches.offers import Kind, Offer
from data.store.store import Store, Transaction
from engine.game import CHANCE, Seat
from engine.phrase import plural, say
from engine.replay import Played

_MAX_DOUBLED: Final = 6
"""How many times the wait for another offer doubles."""
_UNDER_WAY: Final = timedelta(minutes=1)
"""How long the reply to a press, which shows what became of the offer, may take."""


class Answer(NamedTuple):
    """An offer after a player's action."""

    offer: Offer
    before: Position
    """The match before."""
    after: Position
    """The match now; changed if everyone has agreed."""


@dataclass(eq=False, repr=False)
class Offers:
    """All draw and takeback offers."""

    store: Store
    matches: Matches
    clock: WallClock

    async def make(self, match_id: int, user_id: int, kind: Kind) -> Answer:
        """Make an offer, or agree to the same one from another player.

        Raises NoSuchMatch, MatchOver, NotForYou, Refusal if this player has no move to take back or
        their offer is already open, and TooMany if their last offer failed too recently.
        """
        async with self.store.write() as tx:
            position = await self._locked(tx, match_id)
            player = player_of(position, user_id)
            if position.to_move is None:
                raise over(match_id)
            check_playing(position, player)
            known = [one for one in await offers.of(tx, match_id) if one.kind == kind]
            same = [
                one for one in known if one.is_current(position.match) and one.seat != player.seat
            ]
            if same:
                answer = await self._agree(tx, position, same[0], player)
                if answer.offer.state != "open":
                    await self._show_closed(tx, answer.offer)
            else:
                if kind == "takeback":
                    to_remove(position, user_id)
                last = next((one for one in known if one.seat == player.seat), None)
                refused = await _refused(tx, position, last)
                made = await offers.put(tx, position.match, kind, player.seat, refused=refused)
                answer = Answer(made, position, position)
        self.matches.positions.cache(answer.after)
        return answer

    async def answer(self, offer_id: int, user_id: int, *, yes: bool) -> Answer:
        """Agree to an offer or decline it, or withdraw one's own.

        Raises NotForYou for strangers and for agreeing to one's own offer, and OldBoard, which says
        what became of the offer, if it is no longer open.
        """
        async with self.store.write() as tx:
            found = await offers.get(tx, offer_id)
            if found is None:
                raise OldBoard(say("There's a newer offer. Answer that one."))
            position = await self._locked(tx, found.match_id)
            offer = await offers.get(tx, offer_id) or found
            player = player_of(position, user_id)
            check_playing(position, player)
            if not offer.is_current(position.match):
                raise OldBoard(closed(offer, position), match_id=offer.match_id)
            own = player.seat == offer.seat
            if yes and own:
                asked = mention_all(one.user_id for one in missing(offer, position))
                raise NotForYou(say("You made this offer. It's up to {players}.", players=asked))
            if yes:
                answer = await self._agree(tx, position, offer, player)
            else:
                state: offers.State = "withdrawn" if own else "declined"
                offer = dataclasses.replace(offer, state=state, answered_by=player.seat)
                await offers.close(tx, offer)
                answer = Answer(offer, position, position)
            if answer.offer.state != "open":
                await self._show_closed(tx, offer, wait=_UNDER_WAY)
        self.matches.positions.cache(answer.after)
        return answer

    async def set_message(self, offer: Offer, channel_id: int, message_id: int) -> None:
        """Record which message shows an offer, and close it if the match has changed since."""
        async with self.store.write() as tx:
            await locks.lock_match(tx, offer.match_id)
            await offers.set_message(tx, offer.id, channel_id, message_id)
            now = await offers.get(tx, offer.id)
            position = await self.matches.position_in(tx, offer.match_id)
            if now is not None and not now.is_current(position.match):
                await self._show_closed(tx, offer)

    async def shown_closed(self, offer: Offer) -> None:
        """Record that an offer's message shows its outcome."""
        async with self.store.write() as tx:
            await posts.withdraw(tx, offers.CLOSED, offer.id, self.clock())

    async def undo(self, match_id: int, user_id: int) -> None:
        """Take back a player's last move in a practice match, and the replies to it.

        Raises NoSuchMatch, MatchOver, NotForYou, OldBoard, and Refusal as in `to_remove`.
        """
        position = await self.matches.position(match_id)
        assert position.practice
        removed, now = to_remove(position, user_id), self.clock()
        async with self.store.write() as tx:
            after = await remove(tx, self.matches.deadlines, position, removed, by=user_id, at=now)
        self.matches.positions.cache(after)

    async def _show_closed(
        self, tx: Transaction, offer: Offer, *, wait: timedelta = timedelta()
    ) -> None:
        await offers.show_closed(tx, offer.id, offer.match_id, self.clock(), wait=wait)

    async def _locked(self, tx: Transaction, match_id: int) -> Position:
        await locks.lock_match(tx, match_id)
        return await self.matches.position_in(tx, match_id)

    async def _agree(
        self, tx: Transaction, position: Position, offer: Offer, player: Player
    ) -> Answer:
        """Record an agreement; the last one carries out the offer."""
        agreed = "".join(sorted({*offer.agreed, str(player.seat)}))
        offer = dataclasses.replace(offer, agreed=agreed)
        if missing(offer, position):
            await offers.agree(tx, offer)
            return Answer(offer, position, position)
        offer = dataclasses.replace(offer, state="agreed")
        await offers.agree(tx, offer)
        now, by = self.clock(), player.user_id
        if offer.kind == "draw":
            await endings.end(
                tx, position, endings.agreed(position), by=by, at=now, ply=position.version
            )
            return Answer(offer, position, await self.matches.position_in(tx, position.match.id))
        removed = to_remove(position, position.player_at(Seat(offer.seat)).user_id)
        after = await remove(tx, self.matches.deadlines, position, removed, by=by, at=now)
        return Answer(offer, position, after)


async def _refused(tx: Transaction, position: Position, last: Offer | None) -> int:
    """Return a player's number of failed offers in a row, if they may make another.

    Raises Refusal if the last one is still open, TooMany if someone has not made enough moves since.
    """
    if last is None or last.state == "agreed" or last.given_up != position.match.given_up:
        return 0
    if last.is_current(position.match):
        where = "…"
        if last.channel_id is not None and last.message_id is not None:
            where = message_link(position.match.guild_id, last.channel_id, last.message_id)
        raise Refusal(
            say("You already made this offer. It stands until the next move: {where}", where=where)
        )
    made = await match_log.decisions(tx, position.match.id, after=last.ply)
    wanted = 2 ** min(last.refused, _MAX_DOUBLED)
    left = wanted - min(made.get(player.seat, 0) for player in position.match.players)
    if left > 0:
        raise TooMany(
            plural(
                "Your last offer wasn't accepted. You can make another one after everyone has "
                "made one more move.",
                "Your last offer wasn't accepted. You can make another one after everyone has "
                "made {n} more moves.",
                left,
            )
        )
    return last.refused + 1


async def remove(
    tx: Transaction,
    deadlines: Deadlines,
    before: Position,
    removed: tuple[Played[Any, Any], ...],
    *,
    by: int,
    at: datetime,
) -> Position:
    """Remove the last entries of a log, all of them decisions, and return the resulting match.

    ``by`` is the user responsible. Raises MatchOver, and OldBoard if the match has gone on.
    """
    match, many, state = before.match, len(removed), removed[0].before
    taken = dataclasses.replace(
        match,
        plies=match.plies - many,
        takebacks=match.takebacks + many,
        to_move=deciding(before.game, state),
    )
    after = dataclasses.replace(
        before, match=taken, state=state, ply=before.ply - many, tail=before.tail[:-many]
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
    except Finished as error:
        raise over(match.id) from error
    taken, quiet = await deadlines.start_turn(tx, taken, after.to_move, at)
    quietly = quiet or before.practice
    await jobs.show(tx, taken, by, at, ended=False, quietly=quietly, undone=True)
    return dataclasses.replace(after, match=taken)


def to_remove(position: Position, user_id: int) -> tuple[Played[Any, Any], ...]:
    """Return a player's last choice and the only moves since; in practice, everything since.

    Raises MatchOver, NotForYou, and Refusal if there is no such move, or sticks have been thrown
    since.
    """
    number = position.match.id
    if position.to_move is None:
        words = say("Match #{number} is over, so nothing can be taken back.", number=number)
        raise MatchOver(words, match_id=number)
    if any(player.gave_up_ply == position.ply for player in position.match.players):
        words = say("A player has left since the last move, so it can't be taken back.")
        raise Refusal(words, match_id=number)
    player = player_of(position, user_id)
    check_playing(position, player)
    actors = [position.game.actor(entry.before) for entry in position.tail]
    choices = [n for n, entry in enumerate(position.tail) if was_choice(position.game, entry)]
    own = max((place for place in choices if actors[place] == player.seat), default=None)
    if own is not None and CHANCE not in actors[own:] and (position.practice or own == choices[-1]):
        return position.tail[own:]
    mover = actors[choices[-1]] if choices else None
    assert mover is not CHANCE
    if position.practice and own is None:
        words = say("You haven't moved yet in match #{number}.", number=number)
    elif mover is None:
        words = say("Nobody has moved yet in match #{number}.", number=number)
    elif position.practice or mover == player.seat:
        words = say(
            "The sticks have been thrown since your move. A throw is never taken back, and "
            "neither is what came before it."
        )
    else:
        words = say(
            "{player} has moved since. Only the very last move can be taken back.",
            player=mention(position.player_at(mover).user_id),
        )
    raise Refusal(words, match_id=number)
