"""Making, checking and answering challenges.

The seed is drawn with the challenge, which shows its commitment. Until the last player accepts,
everyone may add a word to the throws; after that they are fixed.
"""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Container, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from bot.core.computers import is_practice
from bot.core.errors import ChallengeGone, NotForYou
from bot.core.hooks import before_anonymised, on_match_shown, on_server_left
from bot.core.permissions import opponents
from bot.core.scheduling.scheduler import WallClock
from bot.core.settings.server_settings import ServerSettings
from bot.core.settings.service import of_server, on_server_changed
from bot.features.challenges import invitations, limits, text
from bot.play.clocks.match_clocks import FindDeparted
from bot.play.matches.deadlines import Deadlines
from bot.play.matches.jobs import board_link
from bot.play.matches.luck import Sealed, word_in
from bot.play.matches.service import Terms, next_seats, start
from data import locks, posts
from data.challenges import challenges
from data.challenges.challenges import Challenge, Invitation, State
from data.matches import matches
from data.matches.match import THREAD, Match
from data.people import exclusions
from data.store.store import Store, Transaction
from data.time_per_move import DAY
from engine.luck import SEED_BYTES
from engine.phrase import say

OPEN_FOR: Final = timedelta(days=7)
"""How long a challenge stays open."""
OPEN_FOR_HOURS: Final = timedelta(days=1)
"""How long one to a match of hours per move does: its players are there now, not in a week."""
GRACE: Final = timedelta(seconds=10)
"""How long a press may take to show the change in the challenge's message."""


@dataclass(eq=False, repr=False)
class Challenges:
    """All challenges in a store.

    Answers raise ChallengeGone if a challenge is no longer open, and NotForYou if others are invited
    or it is not the user's to give.
    """

    store: Store
    deadlines: Deadlines
    """Set the clocks of matches."""
    find_departed: FindDeparted
    """Returns the users known to have left a server."""
    clock: WallClock
    seeds: Callable[[int], bytes] = secrets.token_bytes
    """Draws secrets."""

    async def offer(self, invitation: Invitation) -> Challenge:
        """Record a challenge; raises like `invitations.checked` and `limits.check`."""
        async with self.store.write() as tx:
            return await self._offer(tx, invitation)

    async def ask_rematch(
        self, match: Match, user_id: int, *, channel_kind: str | None = None
    ) -> Challenge:
        """Challenge the others in a finished match, or accept if one has asked; computers do at once.

        Raises MatchOver while it or its rematch is played, NotForYou unless the user played in it,
        BadOpponent if a player has left the server or deleted their data, ChallengeGone if this one
        has asked before; and what `offer` and `accept` raise.
        """
        invitations.check_player(match, user_id)
        if is_practice(match):
            again = invitations.rematch(match, user_id, unrated=True)
            return await self.practise(again, channel_kind=channel_kind)
        others = [player.user_id for player in match.players if player.user_id != user_id]
        departed = await self.find_departed(match.guild_id, others, afresh=True)
        async with self.store.write() as tx:
            asked = await invitations.open_rematch(tx, match.id, self.clock())
            if asked is None:
                if departed:
                    raise opponents.not_here(min(departed))
                unrated = await invitations.was_unrated(tx, match)
                again = invitations.rematch(match, user_id, unrated=unrated)
                return await self._offer(tx, again)
        invitations.check_not_asked(asked, user_id)
        return await self.accept(asked.id, user_id, channel_kind=channel_kind)

    async def rematch_of(self, match: Match) -> Challenge | None:
        """Return the open challenge to a rematch of a match, if a player has asked for one."""
        place = match.parent_id or match.channel_id
        async with self.store.read() as tx:
            asked = await challenges.open_rematch(tx, match.id, place)
        return None if asked is None or asked.expired(self.clock()) else asked

    async def practise(
        self, invitation: Invitation, *, channel_kind: str | None = None
    ) -> Challenge:
        """Start a match against computers; return its challenge, which they have accepted.

        Raises like `invitations.checked` and `limits.check_practice`.
        """
        async with self.store.write() as tx:
            await limits.check_practice(tx, invitation, self.clock())
            return await self.begin(tx, invitation, channel_kind=channel_kind)

    async def begin(
        self, tx: Transaction, invitation: Invitation, *, channel_kind: str | None
    ) -> Challenge:
        """Start a match at once: all opponents accept."""
        seed, now = self.seeds(SEED_BYTES), self.clock()
        challenge = await challenges.add(tx, invitations.checked(invitation), seed=seed, at=now)
        for user_id in invitation.opponents:
            challenge = await challenges.join(tx, challenge, user_id)
        return await self.start(tx, challenge, channel_kind)

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
        """Record the message of a challenge; it links to its match if that got its place first."""
        async with self.store.write() as tx:
            await challenges.set_message(tx, challenge_id, message_id)
            challenge = await challenges.get_existing(tx, challenge_id)
            match = await matches.get(tx, challenge.match_id or 0)
            if match is not None and await board_link(tx, match) is not None:
                await challenges.show(tx, challenge, self.clock())

    async def recover_message(self, challenge_id: int, message_id: int) -> None:
        """Record the message of a challenge that was posted just before a crash, and redraw it."""
        now = self.clock()
        async with self.store.write() as tx:
            await challenges.set_message(tx, challenge_id, message_id)
            challenge = await challenges.get_existing(tx, challenge_id)
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
            return _existing(await challenges.get(tx, challenge_id))

    async def accept(
        self, challenge_id: int, user_id: int, word: str = "", *, channel_kind: str | None = None
    ) -> Challenge:
        """Join a challenge with a word for its throws; the last to join starts the match.

        Players who had joined but have left the server lose their place; if it is the challenger,
        that raises ChallengeGone. Raises Unwelcome like `opponents.check_joins`. ``channel_kind``
        is that of the match, if already known.
        """
        departed = await self._left(challenge_id)
        async with self._answering(challenge_id, joining=user_id) as (tx, challenge, now):
            if challenge.expired(now):
                raise text.closed(challenge)
            if challenge.challenger_id <= 0 or challenge.challenger_id in departed:
                raise ChallengeGone(say("The challenger is no longer here."))
            joined = challenge
            for one in challenge.invited:
                if one.joined and one.user_id in departed:
                    joined = await challenges.leave(tx, joined, one.user_id)
            mine, word = joined.of(user_id), word_in(challenge.game, word)
            if mine is None and not joined.free:
                raise text.not_invited(joined)
            if mine is not None and mine.joined is not None:
                raise text.joined(joined)
            joined = await challenges.join(tx, joined, user_id, word)
            await opponents.check_joins(tx, self.deadlines.players, joined, user_id)
            if not joined.complete:
                return joined
            return await self.start(tx, joined, channel_kind)

    async def check_word(self, challenge_id: int, user_id: int) -> Challenge:
        """Return a challenge to which a player can now add a word."""
        challenge = await self.get(challenge_id)
        if challenge.state is not State.OPEN or challenge.expired(self.clock()):
            raise text.closed(challenge)
        if challenge.of(user_id) is None and not challenge.free:
            raise text.not_invited(challenge)
        return challenge

    async def set_word(self, challenge_id: int, user_id: int, word: str) -> Challenge:
        """Change the word of a player who has joined, while others have yet to join."""
        async with self._answering(challenge_id) as (tx, challenge, _):
            word, mine = word_in(challenge.game, word), challenge.of(user_id)
            if mine is None or mine.joined is None:
                raise text.not_invited(challenge)
            return await challenges.answer(tx, challenge_id, user_id, word=word)

    async def leave(self, challenge_id: int, user_id: int) -> Challenge:
        """Take back an acceptance while others are still missing."""
        async with self._answering(challenge_id) as (tx, challenge, _):
            if user_id == challenge.challenger_id:
                raise NotForYou(say("This is your own challenge. To end it, withdraw it."))
            mine = challenge.of(user_id)
            if mine is None or mine.joined is None:
                raise NotForYou(say("You're not in this challenge."))
            return await challenges.leave(tx, challenge, user_id)

    async def decline(self, challenge_id: int, user_id: int) -> Challenge:
        """Decline as a named opponent, or withdraw as the challenger."""
        async with self._answering(challenge_id) as (tx, challenge, now):
            if user_id == challenge.challenger_id:
                return await challenges.close(tx, challenge_id, State.WITHDRAWN, now)
            mine = challenge.of(user_id)
            if mine is None or not mine.named:
                raise text.not_to_decline(challenge, joined=mine is not None)
            return await challenges.decline(tx, challenge_id, user_id, now)

    async def withdraw(self, challenge_id: int, user_id: int) -> Challenge:
        """Withdraw one's own challenge."""
        async with self._answering(challenge_id) as (tx, challenge, now):
            opponents.check_withdraws(challenge.challenger_id, user_id)
            return await challenges.close(tx, challenge_id, State.WITHDRAWN, now)

    async def _offer(self, tx: Transaction, invitation: Invitation) -> Challenge:
        now = self.clock()
        invitation = invitations.checked(invitation)
        await limits.check(tx, self.deadlines.players, invitation, now)
        seed = self.seeds(SEED_BYTES)
        hours = invitation.per_move is not None and invitation.per_move < DAY
        expires_at = now + (OPEN_FOR_HOURS if hours else OPEN_FOR)
        return await challenges.add(tx, invitation, seed=seed, at=now, expires_at=expires_at)

    async def start(
        self, tx: Transaction, challenge: Challenge, channel_kind: str | None
    ) -> Challenge:
        """Begin the match of a challenge that all have joined."""
        seats = {} if challenge.seat is None else {challenge.challenger_id: challenge.seat}
        if challenge.rematch_of is not None:
            seats = await next_seats(tx, challenge.rematch_of)
        match = await start(
            tx,
            self.deadlines,
            Terms(
                game=challenge.game,
                options=challenge.options,
                guild_id=challenge.guild_id,
                channel_id=challenge.channel_id,
                channel_kind=channel_kind,
                per_move=challenge.per_move,
                bank=challenge.bank,
                unrated=challenge.unrated,
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
        return await challenges.mark_started(tx, challenge.id, match.id)

    async def made_by(self, user_id: int, *, game: str | None = None) -> tuple[Challenge, ...]:
        """Return a player's own open challenges, in one game or all."""
        async with self.store.read() as tx:
            return self._open(await challenges.made_by(tx, user_id), game)

    async def open_to(
        self,
        user_id: int,
        guild_id: int,
        readable: Callable[[Iterable[int]], Awaitable[Container[int]]],
        *,
        game: str | None = None,
    ) -> tuple[Challenge, ...]:
        """Return a server's challenges that a player could accept, ones naming them first.

        ``readable`` returns which of some channels this player can read; the first matter most.
        """
        async with self.store.read() as tx:
            listed = self._open(await challenges.open_in(tx, guild_id), game)
            blocked = {one for pair in await exclusions.blocks_between(tx, user_id) for one in pair}
            makers = {one.challenger_id for one in listed}
            settings = await self.deadlines.players.players_in(tx, makers)
        fitting = [
            one
            for one in listed
            if _can_accept(one, user_id)
            and settings[one.challenger_id].challenges
            and blocked.isdisjoint(i.user_id for i in one.invited if i.user_id != user_id)
        ]
        fitting.sort(key=lambda one: one.of(user_id) is None)
        read = await readable(one.channel_id for one in fitting)
        fitting = [one for one in fitting if one.channel_id in read]
        departed = await self.find_departed(guild_id, {one.challenger_id for one in fitting})
        return tuple(one for one in fitting if one.challenger_id not in departed)

    def _open(self, listed: tuple[Challenge, ...], game: str | None) -> tuple[Challenge, ...]:
        now = self.clock()
        return tuple(one for one in listed if game in {None, one.game} and not one.expired(now))

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
    ) -> AsyncIterator[tuple[Transaction, Challenge, datetime]]:
        """Open a transaction that answers an open challenge, whose message is then redrawn.

        It waits while the ``joining`` player deletes their data.
        """
        async with self.store.write() as tx:
            if joining is not None:
                await locks.lock_id(tx, joining)
            challenge, now = await challenges.lock(tx, challenge_id), self.clock()
            if challenge is None:
                raise text.closed(_existing(await challenges.get(tx, challenge_id)))
            yield tx, challenge, now
            await challenges.show(tx, challenge, now, not_before=now + GRACE)


def _existing(challenge: Challenge | None) -> Challenge:
    if challenge is None:
        raise opponents.challenge_gone()
    return challenge


def _can_accept(challenge: Challenge, user_id: int) -> bool:
    """Return whether a player who has not joined a challenge can do so."""
    if challenge.challenger_id <= 0:
        return False
    mine = challenge.of(user_id)
    return challenge.free > 0 if mine is None else mine.joined is None


@dataclass(eq=False, repr=False)
class Expiry:
    """A source of the scheduler: expired challenges."""

    store: Store

    async def next(self, tx: Transaction, /) -> datetime | None:
        """Return when something is next due, ``None`` for never."""
        return await challenges.next_end(tx)

    async def due(self, now: datetime, /) -> None:
        """Do everything that is due. Idempotent."""
        async with self.store.write() as tx:
            for one in await challenges.lock_expired(tx, now):
                await challenges.close(tx, one.id, State.EXPIRED, now)
                await challenges.show(tx, one, now)


before_anonymised(order=20)(limits.keep)


@on_match_shown(order=20)
async def link_to_board(tx: Transaction, match: Match, at: datetime) -> None:
    """Have the message of a challenge link to the first board of its match, unless to its thread."""
    challenge = None if match.channel_kind == THREAD else await challenges.of_match(tx, match.id)
    if challenge is not None and challenge.message_id is not None:
        await challenges.show(tx, challenge, at)


@on_server_left(order=30)
async def withdraw_all(tx: Transaction, guild_id: int, now: datetime) -> None:
    """Withdraw the open challenges of a server that the bot leaves."""
    for one in await challenges.lock_open(tx, challenges.challenges.c.guild_id == guild_id):
        closed = await challenges.close(tx, one.id, State.WITHDRAWN, now)
        await challenges.show(tx, closed, now)


@on_server_changed(order=10)
async def redraw_rated(
    tx: Transaction, guild_id: int, settings: ServerSettings, now: datetime
) -> None:
    """Have open challenges redrawn if a server turns ratings on or off."""
    if (await of_server(tx, guild_id)).rated is not settings.rated:
        await challenges.redraw_rated(tx, guild_id, now)
