"""Challenges on ladders: made, accepted, declined, withdrawn."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from bot.core import hourly_limits
from bot.core.errors import BadOpponent, ChallengeGone, NotForYou, Refusal
from bot.core.i18n.mentions import mention, slash, timestamp
from bot.core.permissions import opponents
from bot.core.scheduling.scheduler import WallClock
from bot.core.settings.service import SettingsStore
from bot.features.ladder import changes, rules, text
from bot.features.ladder.changes import changing, read_view
from bot.features.ladder.rules import LadderView
from bot.play.clocks.match_clocks import FindDeparted
from bot.play.matches.deadlines import Deadlines
from bot.play.matches.luck import word_in
from bot.play.matches.service import Terms, next_seats, start
from data.ladders import ladder_challenges, ladders
from data.ladders.ladder_challenges import LadderChallenge
from data.matches import absences
from data.people import exclusions
from data.store.store import Store, Transaction
from engine.luck import SEED_BYTES
from engine.phrase import Phrase, plural, say

MAX_ACTS: Final = 10
"""Maximum joins and challenges by a player per hour, as each is posted."""


@dataclass(eq=False, repr=False)
class LadderChallenges:
    """The challenges on the ladders in a store.

    Answers raise ChallengeGone if a challenge no longer awaits one, and NotForYou if it is not the
    user's to give.
    """

    store: Store
    deadlines: Deadlines
    """Set the clocks of matches."""
    find_departed: FindDeparted
    """Returns the users known to have left a server."""
    clock: WallClock
    seeds: Callable[[int], bytes] = secrets.token_bytes
    """Draws secrets."""

    async def in_reach(
        self, ladder_id: int, guild_id: int | None, user_id: int
    ) -> tuple[LadderView, dict[int, Phrase | None]]:
        """Return the players a user may challenge by place, nearest first, and what hinders it now.

        Raises Refusal if they aren't on it, or have an open challenge.
        """
        now = self.clock()
        async with self.store.read() as tx:
            view = await read_view(tx, ladder_id, guild_id)
            _check_free(view, user_id)
            reached = await players_in_reach(tx, self.deadlines.players, view, user_id)
            return view, {one: await _obstacle(tx, view, user_id, one, now) for one in reached}

    async def challenge(
        self, ladder_id: int, guild_id: int | None, user_id: int, other: int
    ) -> LadderChallenge:
        """Challenge a player above for their place.

        If they have a challenge already, this one is queued until it is over. Raises Refusal if it
        isn't possible now, Unwelcome like `opponents.check_welcome`, TooMany if too often.
        """
        if other == user_id:
            raise opponents.yourself()
        await hourly_limits.take(self.store, user_id, "ladder", self.clock(), MAX_ACTS)
        departed = await self.find_departed(guild_id, [other], afresh=True)
        async with changing(self.store, self.clock, ladder_id, guild_id) as (tx, view, now):
            if other in departed:
                await changes.take_off(tx, view.id, other, "gone", now)
            else:
                return await self._challenge(tx, view, user_id, other, now)
        raise opponents.not_here(other)

    async def accept(
        self, challenge_id: int, guild_id: int | None, user_id: int, word: str | None = None
    ) -> LadderChallenge:
        """Accept a challenge and begin its match, perhaps with a word for its throws.

        Raises Unwelcome if the player has blocked the challenger, Refusal if the ladder is paused.
        """
        known = await self._get(challenge_id)
        departed = await self.find_departed(guild_id, [known.challenger_id], afresh=True)
        async with self._answering(challenge_id, guild_id) as (tx, view, challenge, now):
            _check_challenged(challenge, user_id)
            if departed:
                await changes.take_off(tx, view.id, challenge.challenger_id, "gone", now)
                return await ladder_challenges.get_existing(tx, challenge_id)
            if await opponents.check_blocks(tx, user_id, [challenge.challenger_id]):
                # The challenger has blocked the player: treat it as withdrawn.
                return await changes.end(tx, challenge, "withdrawn", now)
            _check_not_paused(view)  # its match would have no channel
            accepted = challenge
            if word is not None:
                accepted = await _with_word(tx, view, challenge, user_id, word)
            return await self._begin(tx, view, accepted, now)

    async def check_word(
        self, challenge_id: int, guild_id: int | None, user_id: int
    ) -> tuple[str, bool]:
        """Return a player's present word for the throws, and whether setting it also accepts."""
        async with self._answering(challenge_id, guild_id) as (_, _, challenge, _):
            _check_player(challenge, user_id)
        mine = user_id == challenge.challenger_id
        return (challenge.challenger_word if mine else challenge.challenged_word), not mine

    async def set_word(
        self, challenge_id: int, guild_id: int | None, user_id: int, word: str
    ) -> LadderChallenge:
        """Set the challenger's word for the throws, or `accept` with one as the challenged."""
        async with self._answering(challenge_id, guild_id) as (tx, view, challenge, now):
            _check_player(challenge, user_id)
            if user_id == challenge.challenger_id:
                changed = await _with_word(tx, view, challenge, user_id, word)
                await changes.show(tx, view.ladder, now, changes.CHALLENGE_POST, challenge.id)
                return changed
        return await self.accept(challenge_id, guild_id, user_id, word)

    async def can_decline(
        self, challenge_id: int, guild_id: int | None, user_id: int
    ) -> tuple[LadderChallenge, bool]:
        """Return a challenge that a player may decline, and whether a free pass is left for it."""
        async with self._answering(challenge_id, guild_id) as (tx, view, challenge, now):
            _check_challenged(challenge, user_id)
            met = await ladder_challenges.between(tx, view.id, *challenge.both)
            return challenge, rules.may_pass(view, challenge, met, now)

    async def decline(
        self, challenge_id: int, guild_id: int | None, user_id: int
    ) -> LadderChallenge:
        """Decline a challenge, losing the place unless a free pass is left."""
        async with self._answering(challenge_id, guild_id) as (tx, view, challenge, now):
            _check_challenged(challenge, user_id)
            met = await ladder_challenges.between(tx, view.id, *challenge.both)
            if rules.may_pass(view, challenge, met, now):
                await ladders.change_rung(tx, view.id, user_id, passed_at=now)
                return await changes.end(tx, challenge, "passed", now)
            return await changes.end(tx, challenge, "declined", now)

    async def withdraw(
        self, challenge_id: int, guild_id: int | None, user_id: int
    ) -> LadderChallenge:
        """Withdraw one's own challenge."""
        async with self._answering(challenge_id, guild_id, queued=True) as (tx, _, made, now):
            opponents.check_withdraws(made.challenger_id, user_id)
            return await changes.end(tx, made, "withdrawn", now)

    async def _challenge(
        self, tx: Transaction, view: LadderView, user_id: int, other: int, now: datetime
    ) -> LadderChallenge:
        _check_free(view, user_id)
        _check_not_paused(view)
        if view.of(other) is None:
            raise BadOpponent(say("{player} isn't on this ladder.", player=mention(other)))
        await opponents.check_welcome(tx, self.deadlines.players, user_id, [other])
        if other not in await players_in_reach(tx, self.deadlines.players, view, user_id):
            raise Refusal(
                plural(
                    "{player} isn't within reach. You can challenge {n} place above you.",
                    "{player} isn't within reach. You can challenge up to {n} places above you.",
                    view.ladder.reach,
                    player=mention(other),
                )
            )
        reason = await _obstacle(tx, view, user_id, other, now)
        if reason is not None:
            raise Refusal(reason)
        answer_by, due_at = rules.answer_times(now, view.ladder.answer_days)
        queued = view.made_to(other) is not None
        made = await ladder_challenges.add(
            tx,
            LadderChallenge(
                0,
                view.id,
                user_id,
                other,
                seed=self.seeds(SEED_BYTES),
                place=view.place(other),
                created_at=now,
                called_at=None if queued else now,
                answer_by=answer_by,
                due_at=None if queued else due_at,
            ),
        )
        if not made.queued:
            await changes.show(tx, view.ladder, now, changes.CHALLENGE_POST, made.id)
        await changes.show(tx, view.ladder, now)
        return made

    async def _begin(
        self, tx: Transaction, view: LadderView, challenge: LadderChallenge, now: datetime
    ) -> LadderChallenge:
        """Begin a challenge's match: sides are drawn, and swapped at each rematch."""
        ladder = view.ladder
        met = await ladder_challenges.between(tx, view.id, *challenge.both)
        played = next((one.match_id for one in met if one.match_id is not None), None)
        match = await start(
            tx,
            self.deadlines,
            Terms(
                game=ladder.game,
                guild_id=ladder.guild_id,
                channel_id=ladder.channel_id,
                per_move=ladder.per_move,
                game_days=ladder.game_days,
                unrated=ladder.unrated,
            ),
            text.sealed(challenge),
            seats={} if played is None else await next_seats(tx, played),
            at=now,
        )
        # A game of pure luck may be over before any choice.
        changed = await ladder_challenges.change(
            tx, challenge.id, match_id=match.id, due_at=now if match.finished else None
        )
        await changes.show(tx, ladder, now, changes.CHALLENGE_POST, challenge.id)
        await changes.show(tx, ladder, now)
        return changed

    async def _get(self, challenge_id: int) -> LadderChallenge:
        async with self.store.read() as tx:
            challenge = await ladder_challenges.get(tx, challenge_id)
        if challenge is None:
            raise opponents.challenge_gone()
        return challenge

    @asynccontextmanager
    async def _answering(
        self, challenge_id: int, guild_id: int | None, *, queued: bool = False
    ) -> AsyncIterator[tuple[Transaction, LadderView, LadderChallenge, datetime]]:
        """Open a transaction to answer a challenge; raise unless it awaits an answer.

        With ``queued``, it may also be queued.
        """
        known = await self._get(challenge_id)
        async with changing(self.store, self.clock, known.ladder_id, guild_id) as (tx, view, now):
            challenge = await ladder_challenges.get_existing(tx, challenge_id)
            if not (challenge.waiting or (queued and challenge.queued)):
                raise _no_longer_open(challenge)
            yield tx, view, challenge, now


async def players_in_reach(
    tx: Transaction, players: SettingsStore, view: LadderView, user_id: int
) -> tuple[int, ...]:
    """Return the players a user may challenge by place, nearest first."""
    above = view.order[: view.order.index(user_id)]
    settings = await players.players_in(tx, above)
    return rules.in_reach(
        view.order,
        user_id,
        view.ladder.reach,
        blocks=await exclusions.blocks_between(tx, user_id, above),
        closed={one for one in above if not settings[one].challenges},
    )


def _check_free(view: LadderView, user_id: int) -> None:
    """Raise Refusal unless a player is on a ladder, without a challenge of their own."""
    if view.of(user_id) is None:
        raise Refusal(say("You're not on this ladder. Join it first."))
    mine = view.made_by(user_id)
    if mine is None:
        return
    other = mention(mine.challenged_id)
    if mine.queued:
        words = say(
            "Your challenge to {player} is in line. Wait until it comes up, or withdraw it.",
            player=other,
        )
    elif mine.waiting:
        words = say(
            "Your challenge to {player} is still open. Wait for the answer, or withdraw it.",
            player=other,
        )
    else:
        words = say("You're playing {player} on the ladder. Finish that game first.", player=other)
    raise Refusal(words)


async def _obstacle(
    tx: Transaction, view: LadderView, user_id: int, other: int, now: datetime
) -> Phrase | None:
    """Return why a player in reach can't be challenged now; ``None`` if they can."""
    person = mention(other)
    if (user_id, other) in await exclusions.blocks_between(tx, user_id, [other]):
        return opponents.have_blocked(other)
    if any({user_id, other} == {*one.both} for one in view.challenges):
        return say("{player} is challenging you.", player=person)
    away = await absences.present(tx, other, now)
    if away is not None:
        return say(
            "{player} is on vacation until {moment}.",
            player=person,
            moment=timestamp(away.ends_at, "D"),
        )
    met = await ladder_challenges.between(tx, view.id, user_id, other)
    again = rules.meet_again(met, view.ladder.pause_days)
    if again is None or again <= now:
        return None
    when = timestamp(again, "R")
    return say("You and {player} can meet again {when}.", player=person, when=when)


def _check_not_paused(view: LadderView) -> None:
    """Raise Refusal for a paused ladder, with the way to resume it."""
    if view.ladder.lost_at is not None:
        raise Refusal(
            say(
                "This ladder's channel is gone, so it's paused. To go on, type `{open}` in another "
                "channel.",
                open=slash("ladder", "open"),
            )
        )


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
        say("This challenge was accepted: match #{number}.", number=challenge.match_id),
        match_id=challenge.match_id,
    )


def _check_player(challenge: LadderChallenge, user_id: int) -> None:
    if user_id not in challenge.both:
        raise NotForYou(say("This challenge is for someone else."))


def _check_challenged(challenge: LadderChallenge, user_id: int) -> None:
    if user_id != challenge.challenged_id:
        raise NotForYou(
            say("Only {player} can answer this.", player=mention(challenge.challenged_id))
        )
