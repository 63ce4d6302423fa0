"""What people do with ladders: open one, join it, challenge and answer."""

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from bot import hourly_limits
from bot.challenges import limits
from bot.errors import BadOpponent, ChallengeGone, NotForYou, Refusal, TooMany, Unwelcome
from bot.i18n.mentions import who
from bot.i18n.slash import slash
from bot.ladder import changes, checks, rules, view
from data import blocks, ladder_challenges, ladders, matches
from data.challenges import Invitation
from data.open_challenges import serialize
from engine.phrase import say

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
    from datetime import datetime

    from bot.challenges.service import Challenges
    from bot.ladder.view import LadderView
    from bot.scheduling.wall_clock import WallClock
    from bot.settings.service import SettingsStore
    from data.ladder_challenges import LadderChallenge
    from data.ladders import Event, Ladder, Rung, Terms
    from data.store import Store, Transaction
    from engine.phrase import Phrase

    Gone = Callable[[int | None, Iterable[int]], Awaitable[frozenset[int]]]

MAX_PLAYERS: Final = 200
"""The most players on a ladder."""
MAX_JOINED: Final = 10
"""The most ladders that a player is on."""
MAX_ACTS: Final = 10
"""How often a player joins, challenges or withdraws within an hour: each is posted."""
_READ: Final = 500
"""From how many events the places of a player are told."""


@dataclass(frozen=True, slots=True)
class Within:
    """Somebody whom a player may challenge by their places."""

    user_id: int
    place: int
    why_not: Phrase | None
    """Why that is not possible now."""


@dataclass(frozen=True, slots=True)
class History:
    """What has happened on a ladder."""

    seen: LadderView
    events: tuple[Event, ...]
    """Newest first; of a player those that concern them."""
    places: tuple[rules.Place, ...]
    """Which places a player got, oldest first."""


class Ladders:
    """The ladders in a store. Callers check who may manage one."""

    def __init__(
        self,
        store: Store,
        challenges: Challenges,
        players: SettingsStore,
        gone: Gone,
        *,
        clock: WallClock,
    ) -> None:
        """Work on a store.

        Args:
            store: where ladders are.
            challenges: begins matches.
            players: knows who takes challenges.
            gone: tells who of some users has left a server.
            clock: the time of day.

        """
        self._store = store
        self._challenges = challenges
        self._players = players
        self._gone = gone
        self._clock = clock

    async def get(self, ladder_id: int, guild_id: int | None) -> LadderView:
        """Return a ladder of a server, also one that is closed.

        Raises:
            Refusal: there is none of that number.

        """
        async with self._store.read() as tx:
            found = await view.read(tx, ladder_id)
        if found is None or found.ladder.guild_id != guild_id:
            raise Refusal(say("There is no such ladder on this server."))
        return found

    async def of_server(self, guild_id: int) -> Sequence[Ladder]:
        """Return the open ladders of a server, oldest first."""
        async with self._store.read() as tx:
            return await ladders.of_server(tx, guild_id)

    async def open(self, terms: Terms) -> tuple[Ladder, bool]:
        """Open a ladder; where there is one for the game it goes on here, by these rules.

        Returns:
            The ladder, and whether it is new.

        """
        now = self._clock()
        async with self._store.write() as tx:
            await serialize(tx, terms.guild_id)
            known = await ladders.of_game(tx, terms.guild_id, terms.game)
            if known is None:
                made = await ladders.add(tx, terms, at=now, look_at=now + rules.LOOK_EVERY)
                await changes.show(tx, made.id, now)
                return made, True
            await ladders.lock(tx, known.id)
            names = ("reach", "answer_days", "idle_days", "pause_days", "days", "casual")
            values = {name: getattr(terms, name) for name in names}
            if known.channel_id != terms.channel_id:
                await ladder_challenges.give_up_posts(tx, known.id)
                values["channel_id"] = terms.channel_id
            changed = await ladders.change(tx, known.id, **values)
            if known.lost_at is not None or "channel_id" in values:
                await changes.go_on(tx, await view.fresh(tx, known.id), now)
            await changes.show(tx, known.id, now)
        return changed, False

    async def close(self, ladder_id: int, guild_id: int | None) -> LadderView:
        """Close a ladder for good; its open matches go on by themselves.

        Raises:
            Refusal: there is none, or it is closed.

        """
        async with self._changing(ladder_id, guild_id) as (tx, seen, now):
            for one in seen.challenges:
                await changes.end(tx, one, "closed", now)
            await ladders.change(tx, seen.id, closed_at=now, look_at=None)
            await changes.show(tx, seen.id, now)
            return await view.fresh(tx, seen.id)

    async def join(self, ladder_id: int, guild_id: int | None, user_id: int) -> LadderView:
        """Let a player join at the foot.

        Raises:
            Refusal: they are on it, or there is none.
            TooMany: it is full, they are on too many, or have come and gone too often.
            Unwelcome: they take no challenges.

        """
        await self._limit(user_id)
        async with self._changing(ladder_id, guild_id) as (tx, seen, now):
            await serialize(tx, user_id)
            await self._check_joins(tx, seen, user_id)
            place = len(seen.rungs) + 1
            slide_at = now + timedelta(days=seen.ladder.idle_days)
            await ladders.enter(tx, seen.id, user_id, place=place, at=now, slide_at=slide_at)
            await ladders.record(tx, seen.id, "joined", user_id, now, after=place)
            await changes.show(tx, seen.id, now)
            return await view.fresh(tx, seen.id)

    async def leave(
        self, ladder_id: int, guild_id: int | None, user_id: int, *, why: str = "left"
    ) -> LadderView:
        """Take a player off, who has lost their open challenges by that.

        Raises:
            Refusal: they are not on it, or there is none.

        """
        async with self._changing(ladder_id, guild_id) as (tx, seen, now):
            if seen.of(user_id) is None:
                if why == "removed":
                    raise Refusal(say("{player} isn't on this ladder.", player=who(user_id)))
                raise _not_on_it()
            await changes.take_off(tx, seen.id, user_id, why, now)
            return await view.fresh(tx, seen.id)

    async def within(
        self, ladder_id: int, guild_id: int | None, user_id: int
    ) -> tuple[LadderView, Sequence[Within]]:
        """Return whom a player may challenge by their places, the nearest first.

        Raises:
            Refusal: they are not on it, or have an open challenge.

        """
        now = self._clock()
        seen = await self.get(ladder_id, guild_id)
        rung, busy = seen.of(user_id), checks.busy(seen, user_id)
        if rung is None:
            raise _not_on_it()
        if busy is not None:
            raise Refusal(busy)
        async with self._store.read() as tx:
            found = [
                Within(other, seen.order.index(other) + 1, why)
                for other in await checks.in_reach(tx, self._players, seen, user_id)
                for why in [await checks.why_not(tx, seen, user_id, other, now)]
            ]
        return seen, found

    async def challenge(
        self, ladder_id: int, guild_id: int | None, user_id: int, other: int
    ) -> LadderChallenge:
        """Challenge somebody above for their place.

        Raises:
            Refusal: that is not possible now; the sentence tells why.
            Unwelcome: they take no challenges, or there is a block between the two.
            TooMany: too often within an hour.

        """
        if other == user_id:
            raise BadOpponent(say("You can't challenge yourself. Pick someone else."))
        await self._limit(user_id)
        gone = await self._gone(guild_id, [other])
        async with self._changing(ladder_id, guild_id) as (tx, seen, now):
            if other in gone:
                await changes.take_off(tx, seen.id, other, "gone", now)
            else:
                return await self._challenge(tx, seen, user_id, other, now)
        raise BadOpponent(say("{person} isn't on this server.", person=who(other)))

    async def accept(
        self, challenge_id: int, guild_id: int | None, user_id: int
    ) -> LadderChallenge:
        """Accept a challenge: its match begins.

        Raises:
            ChallengeGone: it is no longer open.
            NotForYou: somebody else is challenged.
            Unwelcome: the player has blocked the challenger.

        """
        gone = await self._gone_challenger(challenge_id, guild_id)
        async with self._answering(challenge_id, guild_id) as (tx, seen, found, now):
            _check_challenged(found, user_id)
            if gone:
                await changes.take_off(tx, seen.id, found.challenger_id, "gone", now)
                return await self._known(tx, found)
            apart = await blocks.concerning(tx, user_id, [found.challenger_id])
            if (user_id, found.challenger_id) in apart:
                raise Unwelcome(
                    say(
                        "You've blocked {person}. To play together, `/unblock` them first.",
                        person=who(found.challenger_id),
                    )
                )
            if apart:
                # Who has blocked does not want to play: that is as good as withdrawn.
                return await changes.end(tx, found, "withdrawn", now)
            return await self._begin(tx, seen, found, now)

    async def decline(
        self, challenge_id: int, guild_id: int | None, user_id: int, *, sure: bool
    ) -> LadderChallenge:
        """Decline a challenge, which costs the place, but for once in a while.

        Args:
            challenge_id: the challenge.
            guild_id: the server.
            user_id: who declines.
            sure: whether the place may be lost by it; otherwise the challenge is only returned.

        Raises:
            ChallengeGone: it is no longer open.
            NotForYou: somebody else is challenged.

        """
        async with self._answering(challenge_id, guild_id) as (tx, seen, found, now):
            _check_challenged(found, user_id)
            if not sure:
                return found
            rung = seen.of(user_id)
            if rung is not None and free_pass(rung, now):
                await ladders.change_rung(tx, seen.id, user_id, passed_at=now)
                return await changes.end(tx, found, "passed", now)
            return await changes.end(tx, found, "declined", now)

    async def passes(self, challenge: LadderChallenge) -> bool:
        """Return whether who is challenged may decline for free now."""
        async with self._store.read() as tx:
            seen = await view.fresh(tx, challenge.ladder_id)
        rung = seen.of(challenge.challenged_id)
        return rung is not None and free_pass(rung, self._clock())

    async def withdraw(
        self, challenge_id: int, guild_id: int | None, user_id: int
    ) -> LadderChallenge:
        """Withdraw one's own challenge.

        Raises:
            ChallengeGone: it is no longer open.
            NotForYou: somebody else has made it.

        """
        async with self._answering(challenge_id, guild_id) as (tx, _, found, now):
            if user_id != found.challenger_id:
                raise NotForYou(
                    say(
                        "Only {challenger} can withdraw this challenge.",
                        challenger=who(found.challenger_id),
                    )
                )
            return await changes.end(tx, found, "withdrawn", now)

    async def history(
        self, ladder_id: int, guild_id: int | None, user_id: int | None, *, most: int
    ) -> History:
        """Return what has happened on a ladder, or to one player.

        Raises:
            Refusal: there is no such ladder.

        """
        seen = await self.get(ladder_id, guild_id)
        async with self._store.read() as tx:
            events = await ladders.events(tx, ladder_id, most=_READ)
        if user_id is None:
            return History(seen, events[:most], ())
        rung = seen.of(user_id)
        now = None if rung is None else rung.place
        mine = [one for one in events if user_id in {one.user_id, one.other_id}]
        return History(seen, tuple(mine[:most]), rules.places(user_id, now, events))

    async def _gone_challenger(self, challenge_id: int, guild_id: int | None) -> bool:
        """Return whether the challenger is known to have left the server."""
        async with self._store.read() as tx:
            found = await ladder_challenges.get(tx, challenge_id)
        return found is not None and bool(await self._gone(guild_id, [found.challenger_id]))

    async def _known(self, tx: Transaction, known: LadderChallenge) -> LadderChallenge:
        found = await ladder_challenges.get(tx, known.id)
        assert found is not None, "a challenge is never removed"
        return found

    async def _limit(self, user_id: int) -> None:
        await hourly_limits.take(self._store, user_id, "ladder", self._clock(), MAX_ACTS)

    async def _check_joins(self, tx: Transaction, seen: LadderView, user_id: int) -> None:
        if seen.of(user_id) is not None:
            raise Refusal(say("You're already on this ladder."))
        if len(seen.rungs) >= MAX_PLAYERS:
            raise TooMany(say("This ladder is full: {number} players.", number=MAX_PLAYERS))
        if len(await ladders.of_player(tx, user_id)) >= MAX_JOINED:
            raise TooMany(
                say("You're already on {number} ladders. Leave one first.", number=MAX_JOINED)
            )
        if not (await self._players.player_in(tx, user_id)).challenges:
            raise Unwelcome(
                say(
                    "You've turned challenges off, so nobody could play you. Turn them on in "
                    "{settings} first.",
                    settings=slash("me", "settings"),
                )
            )

    async def _challenge(
        self, tx: Transaction, seen: LadderView, user_id: int, other: int, now: datetime
    ) -> LadderChallenge:
        busy = checks.busy(seen, user_id)
        if seen.of(user_id) is None:
            raise _not_on_it()
        if busy is not None:
            raise Refusal(busy)
        if seen.ladder.lost_at is not None:
            raise Refusal(_resting())
        if seen.of(other) is None:
            raise BadOpponent(say("{player} isn't on this ladder.", player=who(other)))
        await limits.check_welcome(tx, self._players, user_id, [other])
        if other not in await checks.in_reach(tx, self._players, seen, user_id):
            raise Refusal(checks.out_of_reach(seen, other))
        why = await checks.why_not(tx, seen, user_id, other, now)
        if why is not None:
            raise Refusal(why)
        answer_by = now + timedelta(days=seen.ladder.answer_days)
        made = await ladder_challenges.add(
            tx,
            seen.id,
            user_id,
            other,
            place=seen.order.index(other) + 1,
            at=now,
            answer_by=answer_by,
            due_at=rules.answer_reminder(now, answer_by) or answer_by,
        )
        await ladder_challenges.show(tx, seen.id, "challenge", now, challenge_id=made.id)
        await changes.show(tx, seen.id, now)
        return made

    async def _begin(
        self, tx: Transaction, seen: LadderView, found: LadderChallenge, now: datetime
    ) -> LadderChallenge:
        """Begin the match of a challenge: sides are drawn, and swapped when the two meet again."""
        ladder = seen.ladder
        first, second, known = found.challenger_id, found.challenged_id, False
        last = await ladder_challenges.between(tx, seen.id, first, second, played=True)
        if last is not None and last.match_id is not None:
            match = await matches.get(tx, last.match_id)
            assert match is not None, "a match is never removed"
            seats = {player.user_id: player.seat for player in match.players}
            if set(seats) == {first, second}:
                # Who had the later seat has the earlier one now.
                first, second, known = *sorted(seats, key=lambda one: -seats[one]), True
        begun = await self._challenges.begin(
            tx,
            Invitation(
                game=ladder.game,
                guild_id=ladder.guild_id,
                channel_id=ladder.channel_id,
                challenger_id=first,
                opponents=(second,),
                days=ladder.days,
                casual=ladder.casual,
                in_order=known,
            ),
            place=None,
        )
        made = await matches.get(tx, begun.match_id or 0)
        assert made is not None
        # A game of pure luck may be over before anybody decides.
        changed = await ladder_challenges.change(
            tx, found.id, match_id=made.id, due_at=now if made.finished else None
        )
        for user_id in found.both:
            await changes.active(tx, seen, user_id, now)
        await ladder_challenges.show(tx, seen.id, "challenge", now, challenge_id=found.id)
        await changes.show(tx, seen.id, now)
        return changed

    @asynccontextmanager
    async def _changing(
        self, ladder_id: int, guild_id: int | None
    ) -> AsyncIterator[tuple[Transaction, LadderView, datetime]]:
        """Open a transaction that changes an open ladder of a server.

        Raises:
            Refusal: there is none, or it is closed.

        """
        async with self._store.write() as tx:
            locked = await ladders.lock(tx, ladder_id)
            if locked is None or locked.guild_id != guild_id:
                raise Refusal(say("There is no such ladder on this server."))
            if locked.closed_at is not None:
                raise Refusal(say("This ladder is closed."))
            yield tx, await view.fresh(tx, ladder_id), self._clock()

    @asynccontextmanager
    async def _answering(
        self, challenge_id: int, guild_id: int | None
    ) -> AsyncIterator[tuple[Transaction, LadderView, LadderChallenge, datetime]]:
        """Open a transaction that answers a challenge, and refuse what does not wait for an answer."""
        async with self._store.read() as tx:
            known = await ladder_challenges.get(tx, challenge_id)
        if known is None:
            raise ChallengeGone(say("This challenge is gone."))
        async with self._changing(known.ladder_id, guild_id) as (tx, seen, now):
            found = await ladder_challenges.get(tx, challenge_id)
            assert found is not None, "a challenge is never removed"
            if not found.waiting:
                raise ChallengeGone(
                    say("This challenge is over.")
                    if found.match_id is None
                    else say("This challenge was accepted: match #{number}.", number=found.match_id)
                )
            yield tx, seen, found, now


def _check_challenged(found: LadderChallenge, user_id: int) -> None:
    if user_id != found.challenged_id:
        raise NotForYou(say("Only {player} can answer this.", player=who(found.challenged_id)))


def free_pass(rung: Rung, now: datetime) -> bool:
    """Return whether somebody may decline for free."""
    return rung.passed_at is None or rung.passed_at + rules.PASS_EVERY <= now


def _not_on_it() -> Refusal:
    return Refusal(say("You're not on this ladder. Join it first."))


def _resting() -> Phrase:
    return say(
        "The channel of this ladder is gone, so it rests. `{open}` in another channel goes on.",
        open=slash("ladder", "open"),
    )
