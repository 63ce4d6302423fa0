"""Moderator decisions: voiding or ending a match, closing a challenge.

Each is one transaction: the decision, its audit log entry, and the jobs that tell Discord.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from bot.core.errors import BadInput, ChallengeGone, MatchOver, NoSuchMatch, NotAllowed
from bot.core.hooks import interest_in_match
from bot.core.i18n.mentions import mention
from bot.core.interactions.layout import Page
from bot.core.scheduling.scheduler import WallClock
from bot.play.matches import endings, jobs
from bot.play.matches.computer_players import playing
from bot.play.matches.endings import Ending
from bot.play.matches.positions import Position
from bot.play.matches.service import Matches
from data import locks, posts
from data.challenges import challenges
from data.challenges.challenges import Challenge, State
from data.matches import absences, matches
from data.matches.match import Match
from data.people import audit, exclusions
from data.people.audit import Line
from data.store.store import Store, Transaction
from engine.phrase import say

NOTICE: Final = "moderated"
"""The kind of notice that tells players of a decision."""
DECISION_POST: Final = "decision"
"""The kind of post that writes a decision in the log channel; its subject is the audit line."""
MAX_REASON: Final = 200
"""The longest reason, in characters."""
_PER_PAGE: Final = 10
_LEAVERS: Final = 10
"""Players named in the list of early leavers."""
_SEARCHED: Final = 200
"""Newest matches of a server searched for suggestions."""


@dataclass(frozen=True, slots=True)
class Moderator:
    """A moderator, the server they decide for, and their reason."""

    user_id: int
    guild_id: int
    reason: str


@dataclass(eq=False, repr=False)
class Moderation:
    """The decisions of moderators. Callers check permissions.

    They raise NoSuchMatch or ChallengeGone if their server has no such match or open challenge, and
    NotAllowed if the moderator could gain by a decision.
    """

    store: Store
    matches: Matches
    clock: WallClock

    async def match(self, match_id: int, guild_id: int, *, by: int) -> Position:
        """Return a match of a server that a moderator may decide."""
        position = await self.matches.position(match_id)
        if position.match.guild_id != guild_id:
            raise NoSuchMatch(say("There's no match {match} on this server.", match=f"#{match_id}"))
        if any(player.user_id == by for player in position.match.players):
            raise NotAllowed(
                say(
                    "You play in match {match}, so another moderator has to decide it.",
                    match=f"#{match_id}",
                )
            )
        async with self.store.read() as tx:
            for interest in interest_in_match:
                words = await interest(tx, match_id, by)
                if words is not None:
                    raise NotAllowed(words)
        return position

    async def void(self, match_id: int, moderator: Moderator) -> Line:
        """Void a match, ongoing or finished; raise MatchOver if it is already void."""
        position = await self.match(match_id, moderator.guild_id, by=moderator.user_id)
        reason = str(endings.decided(moderator.reason))
        now, by = self.clock(), moderator.user_id
        async with self.store.write() as tx:
            await locks.lock_match(tx, match_id)
            match = await matches.get(tx, match_id)
            if match is None or not match.finished:
                await endings.end(tx, position, Ending({}, "voided", reason), by=by, at=now)
            elif not await endings.void(tx, match_id, reason=reason, by=by, at=now):
                words = say("Match {match} is already void.", match=f"#{match_id}")
                raise MatchOver(words, match_id=match_id)
            line = await self._notify_players(tx, match_id, "voided", moderator)
        self.matches.positions.forget(match_id)
        return line

    async def end(self, match_id: int, winners: Iterable[int], moderator: Moderator) -> Line:
        """Give an ongoing match a result, a draw if all players win; raises like `check_winners`."""
        position = await self.match(match_id, moderator.guild_id, by=moderator.user_id)
        won = frozenset(winners)
        check_winners(position, won)
        ranks = {p.seat: 1 if p.user_id in won else 2 for p in position.match.players}
        async with self.store.write() as tx:
            ending = Ending(ranks, "ended", str(endings.decided(moderator.reason)))
            await endings.end(tx, position, ending, by=moderator.user_id, at=self.clock())
            line = await self._notify_players(tx, match_id, "ended", moderator, winners=sorted(won))
        self.matches.positions.forget(match_id)
        return line

    async def challenge(self, challenge_id: int, guild_id: int) -> Challenge:
        """Return an open challenge of a server."""
        async with self.store.read() as tx:
            found = await challenges.get(tx, challenge_id)
        if found is None or found.guild_id != guild_id:
            raise ChallengeGone(
                say("There's no challenge {number} on this server.", number=challenge_id)
            )
        if found.state is not State.OPEN:
            raise _closed(challenge_id)
        return found

    async def open_challenges(self, guild_id: int) -> tuple[Challenge, ...]:
        """Return the open challenges of a server."""
        async with self.store.read() as tx:
            return await challenges.open_in(tx, guild_id)

    async def newest_matches(self, guild_id: int) -> Sequence[Match]:
        """Return the newest matches of a server, to choose from."""
        async with self.store.read() as tx:
            return await matches.of_server(tx, guild_id, limit=_SEARCHED)

    async def audit_page(self, guild_id: int, wanted: int) -> tuple[Sequence[Line], Page]:
        """Return a page of moderator decisions, newest first."""
        async with self.store.read() as tx:
            total = await audit.count(tx, guild_id)
            page = Page.of(wanted, total=total, size=_PER_PAGE)
            return await audit.page(tx, guild_id, limit=page.size, offset=page.start), page

    async def leavers(self, guild_id: int) -> Sequence[tuple[int, int]]:
        """Return the players who recently left most matches early, with how many."""
        async with self.store.read() as tx:
            return await absences.most_aborts(tx, guild_id, self.clock(), limit=_LEAVERS)

    async def left_early(self, guild_id: int, user_id: int) -> int:
        """Return how many matches a player has recently left early."""
        async with self.store.read() as tx:
            return await absences.count_aborts(tx, user_id, self.clock(), guild_id=guild_id)

    async def clear(self, challenge_id: int, moderator: Moderator) -> Line:
        """Close an open challenge."""
        await self.challenge(challenge_id, moderator.guild_id)
        now = self.clock()
        async with self.store.write() as tx:
            if await challenges.lock(tx, challenge_id) is None:
                raise _closed(challenge_id)
            closed = await challenges.close(tx, challenge_id, State.WITHDRAWN, now)
            await challenges.show(tx, closed, now)
            detail: dict[str, Any] = {"game": closed.game, "challenger": closed.challenger_id}
            return await record(tx, moderator, "cleared", now, challenge_id=challenge_id, **detail)

    async def _notify_players(
        self, tx: Transaction, match_id: int, action: str, moderator: Moderator, **detail: Any
    ) -> Line:
        """Record a decision about a match, and queue a notice to its players."""
        match = await matches.get_existing(tx, match_id)
        now = self.clock()
        detail |= {"game": match.game, "players": [player.user_id for player in match.players]}
        line = await record(tx, moderator, action, now, match_id=match_id, **detail)
        told: dict[str, Any] = {
            "action": action,
            "by": moderator.user_id,
            "reason": moderator.reason,
        }
        await jobs.notify(tx, match, NOTICE, at=now, **told)
        return line


async def record(
    tx: Transaction,
    moderator: Moderator,
    action: str,
    at: datetime,
    *,
    match_id: int | None = None,
    challenge_id: int | None = None,
    **detail: Any,
) -> Line:
    """Add a decision and its reason to the audit log, and have it written in the log channel."""
    line = await audit.add(
        tx,
        guild_id=moderator.guild_id,
        at=at,
        user_id=moderator.user_id,
        action=action,
        match_id=match_id,
        challenge_id=challenge_id,
        detail={"reason": moderator.reason, **detail},
    )
    await posts.want(tx, DECISION_POST, line.id, at=at, guild_id=line.guild_id)
    return line


def check_winners(position: Position, winners: frozenset[int]) -> None:
    """Raise BadInput if no winner is given or one is not a player, MatchOver if it has ended."""
    number = position.match.id
    if position.match.finished:
        raise MatchOver(
            say(
                "Match {match} is already over. To take its result back, use `/server void`.",
                match=f"#{number}",
            ),
            match_id=number,
        )
    players = {player.user_id for player in playing(position.match)}
    if not winners:
        raise BadInput(say("Pick a winner, or `draw`."))
    if not winners <= players:
        raise BadInput(
            say("Only players of match {match} can win it.", match=f"#{number}"), match_id=number
        )


def _closed(challenge_id: int) -> ChallengeGone:
    return ChallengeGone(say("Challenge {number} is no longer open.", number=challenge_id))


@dataclass(eq=False, repr=False)
class RatedPlay:
    """Decides who may play rated games. Callers check permissions.

    Raises BadInput if a decision changes nothing, NotAllowed if moderators let themselves back in.
    """

    store: Store
    clock: WallClock

    async def check(self, guild_id: int, user_id: int, *, by: int, allowed: bool) -> None:
        """Check that a decision would change something."""
        async with self.store.read() as tx:
            await _check_not_own(tx, guild_id, user_id, by)
            if bool(await exclusions.filter_excluded(tx, guild_id, [user_id])) is not allowed:
                raise _nothing_new(user_id, allowed=allowed)

    async def decide(self, user_id: int, moderator: Moderator, *, allowed: bool) -> Line:
        """Exclude a player from rated play, or readmit them; their open challenges then say so."""
        guild_id, by, now = moderator.guild_id, moderator.user_id, self.clock()
        async with self.store.write() as tx:
            await _check_not_own(tx, guild_id, user_id, by)
            await challenges.redraw_rated(tx, guild_id, now, user_id=user_id)
            if allowed:
                changed = await exclusions.readmit(tx, guild_id, user_id)
            else:
                changed = await exclusions.exclude(tx, guild_id, user_id, by=by, at=now)
            if not changed:
                raise _nothing_new(user_id, allowed=allowed)
            action = "admitted" if allowed else "barred"
            return await record(tx, moderator, action, now, player=user_id)


async def _check_not_own(tx: Transaction, guild_id: int, user_id: int, by: int) -> None:
    """Raise NotAllowed if a moderator would undo another's decision about themselves."""
    if user_id == by and await exclusions.decided_by(tx, guild_id, user_id) not in {None, by}:
        raise NotAllowed(say("You can't let yourself back in. Ask another moderator."))


def _nothing_new(user_id: int, *, allowed: bool) -> BadInput:
    player = mention(user_id)
    if allowed:
        return BadInput(say("{player} can already play rated here.", player=player))
    return BadInput(say("{player} is already barred from rated play here.", player=player))
