"""Answers to ladder challenges: accept, decline, withdraw."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime

from bot.core.errors import ChallengeGone, NotForYou, Refusal, Unwelcome
from bot.core.i18n.mentions import mention
from bot.core.scheduling.wall_clock import WallClock
from bot.features.ladder import changes, checks, rules
from bot.features.ladder.changes import changing, fresh_view
from bot.features.ladder.rules import LadderView, sealed
from bot.play.clocks.match_clocks import FindDeparted
from bot.play.matches.deadlines import Deadlines
from bot.play.matches.luck import word_in
from bot.play.matches.start import Terms, start
from data.ladders import ladder_challenges, ladders
from data.ladders.ladder_challenges import LadderChallenge
from data.matches import matches
from data.people import blocks
from data.store.store import Store, Transaction
from engine.phrase import say


@dataclass(eq=False, repr=False)
class LadderAnswers:
    """Answers challenges on the ladders in a store."""

    store: Store
    deadlines: Deadlines
    """Set the clocks of matches."""
    find_departed: FindDeparted
    """Returns the users known to have left a server."""
    clock: WallClock

    async def accept(
        self, challenge_id: int, guild_id: int | None, user_id: int, word: str | None = None
    ) -> LadderChallenge:
        """Accept a challenge and begin its match, perhaps with a word for its throws.

        Raises:
            ChallengeGone: it is no longer open.
            NotForYou: another player is challenged.
            Unwelcome: the player has blocked the challenger.
            Refusal: the ladder is paused.

        """
        has_left = await self._challenger_has_left(challenge_id, guild_id)
        async with self._answering(challenge_id, guild_id) as (tx, view, challenge, now):
            _check_challenged(challenge, user_id)
            if has_left:
                await changes.take_off(tx, view.id, challenge.challenger_id, "gone", now)
                return await self._known(tx, challenge)
            apart = await blocks.between(tx, user_id, [challenge.challenger_id])
            if (user_id, challenge.challenger_id) in apart:
                raise Unwelcome(checks.have_blocked(challenge.challenger_id))
            if apart:
                # The challenger has blocked the player: treat it as withdrawn.
                return await changes.end(tx, challenge, "withdrawn", now)
            if view.ladder.lost_at is not None:
                raise Refusal(checks.paused())  # its match would have no channel
            accepted = challenge
            if word is not None:
                accepted = await _with_word(tx, view, challenge, user_id, word)
            return await self._begin(tx, view, accepted, now)

    async def check_word(
        self, challenge_id: int, guild_id: int | None, user_id: int
    ) -> tuple[str, bool]:
        """Return a player's present word for the throws, and whether setting it also accepts.

        Raises:
            ChallengeGone: it is no longer open.
            NotForYou: others play.

        """
        async with self.store.read() as tx:
            challenge = await ladder_challenges.get(tx, challenge_id)
            view = None if challenge is None else await fresh_view(tx, challenge.ladder_id)
        if challenge is None or view is None or view.ladder.guild_id != guild_id:
            raise ChallengeGone(say("This challenge is gone."))
        if not challenge.waiting:
            raise _no_longer_open(challenge)
        _check_player(challenge, user_id)
        mine = user_id == challenge.challenger_id
        return (challenge.challenger_word if mine else challenge.challenged_word), not mine

    async def set_word(
        self, challenge_id: int, guild_id: int | None, user_id: int, word: str
    ) -> LadderChallenge:
        """Set the challenger's word for the throws, or accept with one as the challenged.

        Raises:
            ChallengeGone: it is no longer open.
            NotForYou: others play.
            Unwelcome, Refusal: see `accept`.

        """
        async with self._answering(challenge_id, guild_id) as (tx, view, challenge, now):
            _check_player(challenge, user_id)
            if user_id == challenge.challenger_id:
                changed = await _with_word(tx, view, challenge, user_id, word)
                await changes.show(tx, view.ladder, now, changes.CHALLENGE_POST, challenge.id)
                return changed
        return await self.accept(challenge_id, guild_id, user_id, word)

    async def decline(
        self, challenge_id: int, guild_id: int | None, user_id: int, *, confirmed: bool
    ) -> LadderChallenge:
        """Decline a challenge, losing the place unless a free pass is left.

        Args:
            challenge_id: the challenge.
            guild_id: the server.
            user_id: the player declining.
            confirmed: whether to decline; otherwise the challenge is only returned.

        Raises:
            ChallengeGone: it is no longer open.
            NotForYou: another player is challenged.

        """
        async with self._answering(challenge_id, guild_id) as (tx, view, challenge, now):
            _check_challenged(challenge, user_id)
            if not confirmed:
                return challenge
            if await free_pass(tx, view, challenge, now):
                await ladders.change_rung(tx, view.id, user_id, passed_at=now)
                return await changes.end(tx, challenge, "passed", now)
            return await changes.end(tx, challenge, "declined", now)

    async def passes(self, challenge: LadderChallenge) -> bool:
        """Return whether the challenged player has a free pass now."""
        async with self.store.read() as tx:
            view = await fresh_view(tx, challenge.ladder_id)
            return await free_pass(tx, view, challenge, self.clock())

    async def withdraw(
        self, challenge_id: int, guild_id: int | None, user_id: int
    ) -> LadderChallenge:
        """Withdraw one's own challenge.

        Raises:
            ChallengeGone: it is no longer open.
            NotForYou: another player made it.

        """
        async with self._answering(challenge_id, guild_id, queued=True) as (
            tx,
            _,
            challenge,
            now,
        ):
            if user_id != challenge.challenger_id:
                raise NotForYou(
                    say(
                        "Only {challenger} can withdraw this challenge.",
                        challenger=mention(challenge.challenger_id),
                    )
                )
            return await changes.end(tx, challenge, "withdrawn", now)

    async def _challenger_has_left(self, challenge_id: int, guild_id: int | None) -> bool:
        """Return whether the challenger is known to have left the server."""
        async with self.store.read() as tx:
            challenge = await ladder_challenges.get(tx, challenge_id)
        return challenge is not None and bool(
            await self.find_departed(guild_id, [challenge.challenger_id], afresh=True)
        )

    async def _known(self, tx: Transaction, known: LadderChallenge) -> LadderChallenge:
        challenge = await ladder_challenges.get(tx, known.id)
        assert challenge is not None, "a challenge is never removed"
        return challenge

    async def _begin(
        self, tx: Transaction, view: LadderView, challenge: LadderChallenge, now: datetime
    ) -> LadderChallenge:
        """Begin a challenge's match: sides are drawn, and swapped at each rematch."""
        ladder, seats = view.ladder, {}
        last = await ladder_challenges.between(tx, view.id, *challenge.both, played=True)
        if last is not None and last.match_id is not None:
            before = await matches.get_existing(tx, last.match_id)
            first, second = before.players
            if {first.user_id, second.user_id} == {*challenge.both}:
                seats = {first.user_id: second.seat, second.user_id: first.seat}
        match = await start(
            tx,
            self.deadlines,
            Terms(
                game=ladder.game,
                guild_id=ladder.guild_id,
                channel_id=ladder.channel_id,
                days=ladder.days,
                game_days=ladder.game_days,
                casual=ladder.casual,
            ),
            sealed(challenge),
            seats=seats,
            at=now,
        )
        # A game of pure luck may be over before any choice.
        changed = await ladder_challenges.change(
            tx, challenge.id, match_id=match.id, due_at=now if match.finished else None
        )
        await changes.show(tx, ladder, now, changes.CHALLENGE_POST, challenge.id)
        await changes.show(tx, ladder, now)
        return changed

    @asynccontextmanager
    async def _answering(
        self, challenge_id: int, guild_id: int | None, *, queued: bool = False
    ) -> AsyncIterator[tuple[Transaction, LadderView, LadderChallenge, datetime]]:
        """Open a transaction to answer a challenge; raise unless it awaits an answer.

        With ``queued``, it may also be queued.
        """
        async with self.store.read() as tx:
            known = await ladder_challenges.get(tx, challenge_id)
        if known is None:
            raise ChallengeGone(say("This challenge is gone."))
        async with changing(self.store, self.clock, known.ladder_id, guild_id) as (tx, view, now):
            challenge = await ladder_challenges.get(tx, challenge_id)
            assert challenge is not None, "a challenge is never removed"
            if not (challenge.waiting or (queued and challenge.queued)):
                raise _no_longer_open(challenge)
            yield tx, view, challenge, now


async def _with_word(
    tx: Transaction, view: LadderView, challenge: LadderChallenge, user_id: int, word: str
) -> LadderChallenge:
    """Set a player's word for the throws."""
    word = word_in(view.ladder.game, word)
    mine = user_id == challenge.challenger_id
    changed = {"challenger_word" if mine else "challenged_word": word}
    return await ladder_challenges.change(tx, challenge.id, **changed)


def _no_longer_open(challenge: LadderChallenge) -> ChallengeGone:
    if challenge.queued:
        return ChallengeGone(say("It isn't this challenge's turn yet."))
    if challenge.match_id is None:
        return ChallengeGone(say("This challenge is over."))
    return ChallengeGone(
        say("This challenge was accepted: match #{number}.", number=challenge.match_id)
    )


def _check_player(challenge: LadderChallenge, user_id: int) -> None:
    if user_id not in challenge.both:
        raise NotForYou(say("This challenge is for someone else."))


def _check_challenged(challenge: LadderChallenge, user_id: int) -> None:
    if user_id != challenge.challenged_id:
        raise NotForYou(
            say("Only {player} can answer this.", player=mention(challenge.challenged_id))
        )


async def free_pass(
    tx: Transaction, view: LadderView, challenge: LadderChallenge, now: datetime
) -> bool:
    """Return whether the challenged player may decline for free.

    Not if the challenger has queued, or was passed on before without a game since: a player who
    always had a reason would otherwise never meet them.
    """
    rung = view.of(challenge.challenged_id)
    if rung is None or (rung.passed_at is not None and rung.passed_at + rules.PASS_EVERY > now):
        return False
    if challenge.called_at != challenge.created_at:
        return False
    return not await ladder_challenges.has_passed(tx, view.id, *challenge.both)
