"""Limits on the challenges and practice matches of one player.

Uses are counted from the challenges in the store, so a restart does not reset them. When players
delete their data, their challenges are anonymised, so their uses of each limit are kept until they
expire.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Final, TypeAlias

from bot.core.computers import is_computer, is_person, is_practice
from bot.core.errors import ChallengeGone, TooMany
from bot.core.i18n.mentions import mention, timestamp
from bot.core.permissions import opponents
from bot.core.settings.service import SettingsStore
from bot.features.challenges.invitations import open_rematch
from bot.features.challenges.text import link
from data import locks
from data.challenges import challenges
from data.challenges.challenges import Challenge, Invitation, State
from data.matches import matches
from data.people import limits as stored_limits
from data.people.limits import Spent
from data.store.store import Transaction
from engine.phrase import say

MAX_OPEN_TO_ONE: Final = 3
"""Maximum open challenges from one player to another, over all games and servers."""
MAX_OPEN: Final = 10
"""Maximum open challenges per player."""
MAX_PER_HOUR: Final = 20
"""Maximum challenges per player and hour."""
MAX_UNSUCCESSFUL: Final = 6
"""Maximum challenges from one player to another within a day that lead to no match."""
MAX_OPEN_PRACTICE: Final = 10
"""Maximum open practice matches per player."""
MAX_PRACTICE_PER_HOUR: Final = 60
"""Maximum practice matches per player per hour."""

_HOUR: Final = timedelta(hours=1)
_DAY: Final = timedelta(days=1)
_LIMITS: Final = {
    "made": (MAX_PER_HOUR, _HOUR),
    "practice": (MAX_PRACTICE_PER_HOUR, _HOUR),
    "in-vain": (MAX_UNSUCCESSFUL, _DAY),
    "declined": (1, _HOUR),
}
"""The maximum uses, and how long each counts: challenging people, starting practice, challenging
somebody without a match, and being declined, which keeps a challenge from being repeated."""

Uses: TypeAlias = Mapping[tuple[str, str, int], Sequence[datetime]]
"""When a player has used each limit, oldest first; limits are as in `Spent.limit`."""


async def check(
    tx: Transaction, players: SettingsStore, invitation: Invitation, now: datetime
) -> None:
    """Check that a challenge may be made, in the transaction that records it.

    Raises Unwelcome like `opponents.check_welcome`, ChallengeGone if it is already open, and TooMany
    at a limit, with what to do or when to try again.
    """
    challenger = invitation.challenger_id
    # The opponents too: what names them waits while one of them deletes their data.
    for one in sorted({challenger, *invitation.opponents}):
        await locks.lock_id(tx, one)
    await opponents.check_welcome(tx, players, challenger, invitation.opponents)
    mine = [one for one in await challenges.made_by(tx, challenger) if not one.expired(now)]
    for opponent in invitation.opponents:
        _check_opponent(invitation, opponent, mine)
    if not invitation.opponents:
        _check_open(invitation, mine)
    if len(mine) >= MAX_OPEN:
        raise TooMany(
            say(
                "You already have {number} open challenges. Withdraw one first: `/{game} "
                "withdraw`.",
                number=len(mine),
                game=invitation.game,
            )
        )
    used = await _uses(tx, challenger, now, _DAY)
    if when := _again(used, "made"):
        raise TooMany(
            say(
                "That's {number} challenges within an hour. You can make the next one {when}.",
                number=MAX_PER_HOUR,
                when=when,
            )
        )
    for opponent in invitation.opponents:
        person = mention(opponent)
        if when := _again(used, "in-vain", opponent=opponent):
            raise TooMany(
                say(
                    "You've challenged {opponent} a lot today. Ask again {when}, or challenge "
                    "someone else.",
                    opponent=person,
                    when=when,
                )
            )
        if when := _again(used, "declined", invitation.game, opponent):
            raise TooMany(
                say(
                    "{opponent} just declined your challenge. Ask again {when}, or challenge "
                    "someone else.",
                    opponent=person,
                    when=when,
                )
            )


def _check_opponent(invitation: Invitation, opponent: int, mine: Sequence[Challenge]) -> None:
    to_them = [one for one in mine if one.of(opponent) is not None]
    this = (invitation.game, invitation.guild_id)
    same = [one for one in to_them if (one.game, one.guild_id) == this]
    if same:
        raise ChallengeGone(
            say(
                "Your challenge to {opponent} is still open: {where}. Wait for an answer, "
                "or withdraw it.",
                opponent=mention(opponent),
                where=link(same[-1]),
            ),
            withdrawable=same[-1].id,
        )
    if len(to_them) >= MAX_OPEN_TO_ONE:
        raise TooMany(
            say(
                "You already have {number} open challenges to {opponent}, the latest here: "
                "{where}. Wait for an answer, or withdraw one.",
                number=len(to_them),
                opponent=mention(opponent),
                where=link(to_them[-1]),
            ),
            withdrawable=to_them[-1].id,
        )


def _check_open(invitation: Invitation, mine: Sequence[Challenge]) -> None:
    for one in mine:
        alike = (one.game, one.guild_id, one.options) == (
            invitation.game,
            invitation.guild_id,
            invitation.options,
        )
        if alike and one.places is not None and not any(i.named for i in one.invited[1:]):
            raise ChallengeGone(
                say(
                    "Your open challenge is still up: {where}. Wait for someone to accept, or "
                    "withdraw it.",
                    where=link(one),
                ),
                withdrawable=one.id,
            )


async def check_practice(tx: Transaction, invitation: Invitation, now: datetime) -> None:
    """Check that a practice match may begin; raise TooMany or, for a rematch under way, MatchOver."""
    user = invitation.challenger_id
    if invitation.rematch_of is not None:
        await open_rematch(tx, invitation.rematch_of, now)
    await locks.lock_id(tx, user)
    mine = await matches.of_player(tx, user, limit=1000)
    practice = [match for match in mine if is_practice(match)]
    if len(practice) >= MAX_OPEN_PRACTICE:
        oldest = practice[-1]
        raise TooMany(
            say(
                "You already have {number} practice games. Finish one, or resign the oldest "
                "with `/{game} resign match:{match}`.",
                number=len(practice),
                game=oldest.game,
                match=oldest.id,
            )
        )
    if when := _again(await _uses(tx, user, now, _HOUR), "practice"):
        raise TooMany(
            say(
                "You've started {number} practice games in an hour. You can start the next "
                "one {when}.",
                number=MAX_PRACTICE_PER_HOUR,
                when=when,
            )
        )


async def keep(tx: Transaction, user_id: int, now: datetime) -> None:
    """Keep a player's uses of each limit, before their challenges are anonymised."""
    used = await _uses(tx, user_id, now, _DAY)
    spent = [
        Spent(what, len(times), times[-1] + _LIMITS[what][1], game, opponent)
        for (what, game, opponent), times in used.items()
    ]
    await stored_limits.keep_spent(tx, user_id, spent)


def _again(used: Uses, action: str, game: str = "", opponent: int = 0) -> str | None:
    """Return when a limit that is reached allows another use; ``None`` if it does so now."""
    most, lasts = _LIMITS[action]
    times = used.get((action, game, opponent), ())
    return timestamp(times[-most] + lasts, "R") if len(times) >= most else None


async def _uses(tx: Transaction, user_id: int, now: datetime, within: timedelta) -> Uses:
    recent = await challenges.recent(tx, user_id, now - within)
    return uses(recent, await stored_limits.spent_of(tx, user_id, now), now)


def uses(recent: Iterable[Challenge], kept: Iterable[Spent], now: datetime) -> Uses:
    """Return a player's uses of all limits that still count.

    They are ``recent`` challenges, made or closed within a day; and those ``kept`` from before they
    last deleted their data, each of which counts as late as the last.
    """
    found = [
        (one.limit, one.ends_at - _LIMITS[one.action][1]) for one in kept for _ in range(one.number)
    ]
    for one in recent:
        others = one.invited[1:]
        if one.expires_at is not None:  # practice begins at once and never expires
            found.append((("made", "", 0), one.created_at))
        elif any(is_computer(other.user_id) for other in others):
            found.append((("practice", "", 0), one.created_at))
        for other in others:
            if is_person(other.user_id) and one.state is not State.STARTED:
                found.append((("in-vain", "", other.user_id), one.created_at))
            if is_person(other.user_id) and other.declined and one.closed_at is not None:
                found.append((("declined", one.game, other.user_id), one.closed_at))
    counting: dict[tuple[str, str, int], list[datetime]] = {}
    for limit, at in sorted(found):
        if at + _LIMITS[limit[0]][1] > now:
            counting.setdefault(limit, []).append(at)
    return counting
