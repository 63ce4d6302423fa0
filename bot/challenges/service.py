"""Making and answering challenges.

The seed is drawn and its commitment shown with the challenge, before the last player adds a
salt by accepting: from then on nobody, the bot included, can choose a throw.
"""

from __future__ import annotations

import secrets
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from bot.challenges import invitations, limits, refusals, starting
from bot.errors import ChallengeGone, NotForYou
from bot.i18n.mentions import who
from data import challenge_responses, challenges, open_challenges
from data.challenges import Challenge, State
from engine import registry
from engine.luck import SEED_BYTES
from engine.phrase import say

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from bot.challenges.invitations import Invitation
    from bot.matches.positions import MatchView
    from bot.matches.service import Matches
    from bot.scheduling.wall_clock import WallClock
    from data.store import Store, Transaction

OPEN_FOR: Final = timedelta(days=7)
"""How long a challenge stays open."""


class Challenges:
    """All challenges in the store."""

    def __init__(
        self,
        store: Store,
        matches: Matches,
        *,
        clock: WallClock,
        seeds: Callable[[int], bytes] = secrets.token_bytes,
    ) -> None:
        """Work on a store, with the time of day from ``clock`` and secret seeds from ``seeds``."""
        self._store = store
        self._matches = matches
        self._clock = clock
        self._seeds = seeds

    async def offer(self, invitation: Invitation) -> Challenge:
        """Record a challenge.

        Raises:
            BadOpponent: see `bot.challenges.invitations.places`.
            BadOption: no such option or value.
            Unwelcome, RematchAsked, ChallengeGone, TooMany: see `bot.challenges.limits.check`.

        """
        game = registry.game(invitation.game)
        places = invitations.places(invitation, game)
        number = places or 1 + len(invitation.opponents)
        invitations.check_seat(invitation, game, number)
        options = game.settle(invitation.options)
        now = self._clock()
        async with self._store.write() as tx:
            await limits.check(tx, invitation, options, now)
            return await challenges.add(
                tx,
                game=game.slug,
                options=options,
                guild_id=invitation.guild_id,
                channel_id=invitation.channel_id,
                challenger_id=invitation.challenger_id,
                challenger_salt=invitation.salt,
                opponents=invitation.opponents,
                seed=self.seed(),
                seat=invitation.seat,
                at=now,
                expires_at=now + OPEN_FOR,
                places=places,
                days=invitation.days,
                rematch_of=invitation.rematch_of,
                casual=invitation.casual,
            )

    async def set_message(self, challenge_id: int, message_id: int) -> None:
        """Record which message shows a challenge."""
        async with self._store.write() as tx:
            await challenges.set_message(tx, challenge_id, message_id)

    async def get(self, challenge_id: int) -> Challenge:
        """Return a challenge.

        Raises:
            ChallengeGone: none of that number.

        """
        async with self._store.read() as tx:
            return refusals.found(await challenges.get(tx, challenge_id))

    async def forget_message(self, challenge_id: int) -> None:
        """Record that the message of a closed challenge shows that it is closed."""
        async with self._store.write() as tx:
            await challenges.forget_message(tx, challenge_id)

    async def made_by(self, user_id: int, *, game: str | None = None) -> tuple[Challenge, ...]:
        """Return the open challenges that a player has made, in one game or in all."""
        now = self._clock()
        async with self._store.read() as tx:
            mine = await open_challenges.made_by(tx, user_id)
        return tuple(one for one in mine if game in {None, one.game} and not one.expired(now))

    async def accept(
        self, challenge_id: int, user_id: int, salt: str, *, place: str | None = None
    ) -> tuple[Challenge, MatchView | None]:
        """Join; the last one to join starts the match, with its first throws.

        Args:
            challenge_id: the challenge.
            user_id: the player who joins.
            salt: what this player adds to the luck of the match.
            place: what kind of place the match is played in, if known already.

        Raises:
            ChallengeGone: not open any more.
            NotForYou: others are invited, and no place is free.
            Unwelcome: one of the players has blocked the other.

        """
        now = self._clock()
        try:
            async with self._store.write() as tx:
                self._check_time(refusals.found(await challenges.get(tx, challenge_id)), now)
                challenge = await challenge_responses.accept(tx, challenge_id, user_id, salt)
                others = [one.user_id for one in challenge.invited if one.user_id != user_id]
                await limits.check_blocks(tx, user_id, others)
                if not challenge.complete:
                    return challenge, None
                match_id = await self.begin(tx, challenge, now, place)
                await challenges.started(tx, challenge_id, match_id)
                challenge = refusals.found(await challenges.get(tx, challenge_id))
        except challenges.NotInvited as error:
            raise refusals.stranger(error.challenge) from error
        except challenges.AlreadyAnswered as error:
            raise refusals.joined(error.challenge) from error
        except challenges.NotOpen as error:
            raise refusals.gone(error.challenge) from error
        return challenge, await self._matches.view(match_id)

    async def leave(self, challenge_id: int, user_id: int) -> Challenge:
        """Take one's acceptance back while the challenge waits for others.

        Raises:
            ChallengeGone: not open any more.
            NotForYou: the player has not joined, or is the challenger.

        """
        try:
            async with self._store.write() as tx:
                refusals.found(await challenges.get(tx, challenge_id))
                return await challenge_responses.leave(tx, challenge_id, user_id)
        except challenges.NotInvited as error:
            if user_id == error.challenge.challenger_id:
                raise NotForYou(
                    say("This is your own challenge: you cannot leave it, but withdraw it.")
                ) from error
            raise NotForYou(say("You have not joined this challenge.")) from error
        except challenges.NotOpen as error:
            raise refusals.gone(error.challenge) from error

    async def refuse(self, challenge_id: int, user_id: int) -> Challenge:
        """Decline as a named opponent, or withdraw as the challenger.

        Raises:
            ChallengeGone: not open any more.
            NotForYou: others are named.

        """
        now = self._clock()
        try:
            async with self._store.write() as tx:
                challenge = refusals.found(await challenges.get(tx, challenge_id))
                if user_id == challenge.challenger_id:
                    return await challenges.close(tx, challenge_id, State.WITHDRAWN, now)
                mine = challenge.of(user_id)
                if mine is None or not mine.named:
                    raise refusals.not_to_decline(challenge, joined=mine is not None)
                return await challenge_responses.decline(tx, challenge_id, user_id, now)
        except challenges.NotOpen as error:
            raise refusals.gone(error.challenge) from error

    async def withdraw(self, challenge_id: int, user_id: int) -> Challenge:
        """Withdraw one's own challenge.

        Raises:
            ChallengeGone: not open any more.
            NotForYou: another player has made it.

        """
        challenge = await self.get(challenge_id)
        if user_id != challenge.challenger_id:
            raise NotForYou(
                say(
                    "Only {challenger} can withdraw this challenge.",
                    challenger=who(challenge.challenger_id),
                )
            )
        return await self.refuse(challenge_id, user_id)

    def seed(self) -> bytes:
        """Return a new secret seed."""
        return self._seeds(SEED_BYTES)

    async def begin(
        self, tx: Transaction, challenge: Challenge, now: datetime, place: str | None
    ) -> int:
        """Begin the match of a challenge that everybody has joined; return its number.

        Args:
            tx: the transaction in which the last player joined.
            challenge: the challenge.
            now: the present moment.
            place: what kind of place it is played in, if known already.

        """
        return await starting.start(tx, challenge, self._matches.deadlines, at=now, place=place)

    @staticmethod
    def _check_time(challenge: Challenge, now: datetime) -> None:
        if challenge.challenger_id <= 0:
            raise ChallengeGone(say("Who made this challenge does not play any more."))
        if challenge.state is State.OPEN and challenge.expired(now):
            raise ChallengeGone(refusals.ending(State.EXPIRED, None))
