"""Making, checking and answering challenges.

The seed is drawn with the challenge, which shows its commitment. Until the last player accepts,
everyone may add a word to the throws; after that they are fixed.
"""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from bot.core.errors import ChallengeGone, NotForYou
from bot.core.hooks import before_anonymised
from bot.core.i18n.mentions import mention
from bot.core.permissions import opponents
from bot.core.scheduling.wall_clock import WallClock
from bot.core.settings.server_settings import ServerSettings
from bot.core.settings.service import of_server, on_server_changed
from bot.features.challenges import invitations, limits, text
from bot.play.clocks.match_clocks import FindDeparted
from bot.play.matches.deadlines import Deadlines
from bot.play.matches.luck import Sealed, word_in
from bot.play.matches.start import Terms, start
from data import locks, posts
from data.challenges import challenges, open_challenges
from data.challenges.challenge import (
    AlreadyAnswered,
    Challenge,
    Invitation,
    NotInvited,
    NotOpen,
    State,
)
from data.matches.matches import Match
from data.store.store import Store, Transaction
from engine.luck import SEED_BYTES
from engine.phrase import say

OPEN_FOR: Final = timedelta(days=7)
"""How long a challenge stays open."""
GRACE: Final = timedelta(seconds=10)
"""How long a press may take to show the change in the challenge's message."""


@dataclass(eq=False, repr=False)
class Challenges:
    """All challenges in a store."""

    store: Store
    deadlines: Deadlines
    """Set the clocks of matches."""
    find_departed: FindDeparted
    """Returns the users known to have left a server."""
    clock: WallClock
    seeds: Callable[[int], bytes] = secrets.token_bytes
    """Draws secrets."""

    async def offer(self, invitation: Invitation) -> Challenge:
        """Record a challenge.

        Raises:
            BadOpponent, BadOption: see `bot.features.challenges.invitations.checked`.
            Unwelcome, ChallengeGone, TooMany: see `bot.features.challenges.limits.check`.

        """
        async with self.store.write() as tx:
            return await self._offer(tx, invitation)

    async def ask_rematch(
        self, match: Match, user_id: int, *, place: str | None = None
    ) -> Challenge:
        """Challenge the others in a finished match, or accept if one of them has asked.

        Raises:
            MatchOver: the match is in progress, or its rematch is, with its board shown.
            NotForYou: not one of its players.
            BadOpponent: one of its players has left the server or deleted their data.
            ChallengeGone: this player has already asked.
            Refusal: whatever `offer` and `accept` raise.

        """
        invitations.check_player(match, user_id)
        others = [player.user_id for player in match.players if player.user_id != user_id]
        departed = await self.find_departed(match.guild_id, others, afresh=True)
        async with self.store.write() as tx:
            asked = await invitations.open_rematch(tx, match.id, self.clock())
            if asked is None:
                invitations.check_here(others, departed)
                first = await challenges.of_match(tx, match.id)
                # A match is also casual if it could not be rated: repeat what was originally asked
                # for.
                casual = match.casual if first is None else first.casual
                again = invitations.rematch(match, user_id, casual=casual)
                return await self._offer(tx, again)
        invitations.check_not_asked(asked, user_id)
        return await self.accept(asked.id, user_id, place=place)

    async def practise(self, invitation: Invitation, *, place: str | None = None) -> Challenge:
        """Start a match against computers; return its challenge, which they have accepted.

        Raises:
            BadOpponent, BadOption: see `bot.features.challenges.invitations.checked`.
            TooMany: too many matches are open, or were started within an hour.
            MatchOver: the rematch has already begun; its board is shown.

        """
        async with self.store.write() as tx:
            await limits.check_practice(tx, invitation, self.clock())
            return await self.begin(tx, invitation, place=place)

    async def begin(
        self, tx: Transaction, invitation: Invitation, *, place: str | None
    ) -> Challenge:
        """Start a match at once: all opponents accept."""
        seed, now = self.seeds(SEED_BYTES), self.clock()
        challenge = await challenges.add(tx, invitations.checked(invitation), seed=seed, at=now)
        for user_id in invitation.opponents:
            challenge = await challenges.accept(tx, challenge.id, user_id)
        return await self.start(tx, challenge, place)

    async def post(self, challenge: Challenge) -> int:
        """Have a new challenge posted in its channel; return the post."""
        async with self.store.write() as tx:
            return await posts.want(
                tx,
                challenges.POST,
                challenge.id,
                at=self.clock(),
                guild_id=challenge.guild_id,
                part=challenges.FIRST_MESSAGE,
            )

    async def set_message(self, challenge_id: int, message_id: int) -> None:
        """Record the message of a challenge."""
        async with self.store.write() as tx:
            await challenges.set_message(tx, challenge_id, message_id)

    async def recover_message(self, challenge_id: int, message_id: int) -> None:
        """Record the message of a challenge that was posted just before a crash, and redraw it."""
        now = self.clock()
        async with self.store.write() as tx:
            await challenges.set_message(tx, challenge_id, message_id)
            challenge = await _found(tx, challenge_id)
            await challenges.show(tx, challenge, now, not_before=now + GRACE)

    async def shown(self, challenge: Challenge, *, in_place: bool) -> None:
        """Have a changed message redrawn at once, unless a press has shown the change in it."""
        now = self.clock()
        async with self.store.write() as tx:
            # Someone else may have changed it too: which press was drawn last is unknown.
            drawn = in_place and await posts.withdraw(tx, challenges.POST, challenge.id, now)
            if not drawn:
                await challenges.show(tx, challenge, now)

    async def get(self, challenge_id: int) -> Challenge:
        """Return a challenge; raise ChallengeGone if there is none of that number."""
        async with self.store.read() as tx:
            return await _found(tx, challenge_id)

    async def accept(
        self, challenge_id: int, user_id: int, word: str = "", *, place: str | None = None
    ) -> Challenge:
        """Join a challenge; the last to join starts the match, with its first throws.

        Players who had joined but have left the server lose their place.

        Args:
            challenge_id: the challenge.
            user_id: the joining player.
            word: what this player adds to the match's throws, if anything.
            place: the kind of place the match is played in, if already known.

        Raises:
            ChallengeGone: it is no longer open, or the challenger has left the server.
            NotForYou: others are invited, and no place is free.
            Unwelcome: see `bot.core.permissions.opponents.check_joins`.

        """
        now = self.clock()
        departed = await self._left(challenge_id)
        async with self._answering(challenge_id, joining=user_id) as (tx, challenge):
            if challenge.state is State.OPEN and challenge.expired(now):
                raise text.closed(State.EXPIRED)
            if challenge.challenger_id <= 0 or challenge.challenger_id in departed:
                raise ChallengeGone(say("The challenger is no longer here."))
            for one in challenge.invited:
                if one.joined and one.user_id in departed:
                    await challenges.leave(tx, challenge_id, one.user_id)
            try:
                word = word_in(challenge.game, word)
                joined = await challenges.accept(tx, challenge_id, user_id, word)
            except NotInvited as error:
                raise text.not_invited(error.challenge) from error
            except AlreadyAnswered as error:
                raise text.joined(error.challenge) from error
            await opponents.check_joins(tx, self.deadlines.players, joined, user_id)
            if not joined.complete:
                return joined
            return await self.start(tx, joined, place)

    async def check_word(self, challenge_id: int, user_id: int) -> Challenge:
        """Return a challenge to which a player can now add a word.

        Raises:
            ChallengeGone: it is no longer open.
            NotForYou: others are invited, and no place is free.

        """
        challenge = await self.get(challenge_id)
        if challenge.state is not State.OPEN:
            raise text.closed(challenge.state, challenge.match_id)
        if challenge.expired(self.clock()):
            raise text.closed(State.EXPIRED)
        if challenge.of(user_id) is None and not challenge.free:
            raise text.not_invited(challenge)
        return challenge

    async def set_word(self, challenge_id: int, user_id: int, word: str) -> Challenge:
        """Change the word of a player who has joined, while others have yet to join.

        Raises:
            ChallengeGone: it is no longer open.
            NotForYou: the player has not joined.

        """
        async with self._answering(challenge_id) as (tx, challenge):
            try:
                word = word_in(challenge.game, word)
                return await challenges.set_word(tx, challenge_id, user_id, word)
            except NotInvited as error:
                raise text.not_invited(error.challenge) from error

    async def leave(self, challenge_id: int, user_id: int) -> Challenge:
        """Take back an acceptance while others are still missing.

        Raises:
            ChallengeGone: it is no longer open.
            NotForYou: the player has not joined, or is the challenger.

        """
        async with self._answering(challenge_id) as (tx, _):
            try:
                return await challenges.leave(tx, challenge_id, user_id)
            except NotInvited as error:
                if user_id == error.challenge.challenger_id:
                    raise NotForYou(
                        say("This is your own challenge. To end it, withdraw it.")
                    ) from error
                raise NotForYou(say("You're not in this challenge.")) from error

    async def decline(self, challenge_id: int, user_id: int) -> Challenge:
        """Decline as a named opponent, or withdraw as the challenger.

        Raises:
            ChallengeGone: it is no longer open.
            NotForYou: others are named.

        """
        now = self.clock()
        async with self._answering(challenge_id) as (tx, challenge):
            if user_id == challenge.challenger_id:
                return await challenges.close(tx, challenge_id, State.WITHDRAWN, now)
            mine = challenge.of(user_id)
            if mine is None or not mine.named:
                raise text.not_to_decline(challenge, joined=mine is not None)
            return await challenges.decline(tx, challenge_id, user_id, now)

    async def withdraw(self, challenge_id: int, user_id: int) -> Challenge:
        """Withdraw one's own challenge.

        Raises:
            ChallengeGone: it is no longer open.
            NotForYou: it is another player's.

        """
        async with self._answering(challenge_id) as (tx, challenge):
            if user_id != challenge.challenger_id:
                raise NotForYou(
                    say(
                        "Only {challenger} can withdraw this challenge.",
                        challenger=mention(challenge.challenger_id),
                    )
                )
            return await challenges.close(tx, challenge_id, State.WITHDRAWN, self.clock())

    async def _offer(self, tx: Transaction, invitation: Invitation) -> Challenge:
        now = self.clock()
        invitation = invitations.checked(invitation)
        await limits.check(tx, self.deadlines.players, invitation, now)
        seed = self.seeds(SEED_BYTES)
        return await challenges.add(tx, invitation, seed=seed, at=now, expires_at=now + OPEN_FOR)

    async def start(self, tx: Transaction, challenge: Challenge, place: str | None) -> Challenge:
        """Begin the match of a challenge that all have joined."""
        seats = {} if challenge.seat is None else {challenge.challenger_id: challenge.seat}
        if challenge.rematch_of is not None:
            seats = await invitations.next_seats(tx, challenge.rematch_of)
        match = await start(
            tx,
            self.deadlines,
            Terms(
                game=challenge.game,
                options=challenge.options,
                guild_id=challenge.guild_id,
                channel_id=challenge.channel_id,
                place=place,
                days=challenge.days,
                bank=challenge.bank,
                casual=challenge.casual,
            ),
            Sealed(
                challenge.seed,
                str(challenge.id),
                {one.user_id: one.word or "" for one in challenge.invited},
            ),
            seats=seats,
            at=self.clock(),
            challenge_id=challenge.id,
        )
        await challenges.mark_started(tx, challenge.id, match.id)
        return await challenges.get_existing(tx, challenge.id)

    async def _left(self, challenge_id: int) -> frozenset[int]:
        """Return the players of an open challenge who have joined it and left the server."""
        async with self.store.read() as tx:
            challenge = await challenges.get(tx, challenge_id)
        if challenge is None or challenge.state is not State.OPEN:
            return frozenset()
        joined = [one.user_id for one in challenge.invited if one.joined is not None]
        return await self.find_departed(challenge.guild_id, joined, afresh=True)

    @asynccontextmanager
    async def _answering(
        self, challenge_id: int, *, joining: int | None = None
    ) -> AsyncIterator[tuple[Transaction, Challenge]]:
        """Open a transaction that answers a challenge, whose message is then redrawn.

        It waits while the ``joining`` player deletes their data.

        Raises:
            ChallengeGone: it is not open.

        """
        try:
            async with self.store.write() as tx:
                if joining is not None:
                    await locks.lock_id(tx, joining)
                yield tx, await _found(tx, challenge_id)
                now, changed = self.clock(), await _found(tx, challenge_id)
                await challenges.show(tx, changed, now, not_before=now + GRACE)
        except NotOpen as error:
            raise text.closed(error.challenge.state, error.challenge.match_id) from error


async def _found(tx: Transaction, challenge_id: int) -> Challenge:
    challenge = await challenges.get(tx, challenge_id)
    if challenge is None:
        raise ChallengeGone(say("This challenge is gone."))
    return challenge


before_anonymised(order=20)(limits.keep)


@on_server_changed(order=10)
async def redraw_rated(
    tx: Transaction, guild_id: int, settings: ServerSettings, now: datetime
) -> None:
    """Have open challenges redrawn if a server turns ratings on or off."""
    if (await of_server(tx, guild_id)).rated is not settings.rated:
        await open_challenges.redraw_rated(tx, guild_id, now)
