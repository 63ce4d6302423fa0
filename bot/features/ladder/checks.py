"""Checks for joining and challenging, with the reason for each refusal in one sentence."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from bot.core.errors import NotAllowed, Refusal, TooMany, Unwelcome
from bot.core.i18n.mentions import mention, timestamp
from bot.core.i18n.slash import slash
from bot.core.settings.service import SettingsStore
from bot.features.ladder import rules
from bot.features.ladder.changes import read_view
from bot.features.ladder.rules import LadderView
from data.ladders import ladder_challenges, ladders
from data.matches import vacations
from data.people import blocks
from data.store.store import Transaction
from engine.phrase import Phrase, plural, say

MAX_PLAYERS: Final = 200
"""Maximum players per ladder."""
MAX_JOINED: Final = 10
"""Maximum ladders per player."""


async def joining(tx: Transaction, players: SettingsStore, view: LadderView, user_id: int) -> None:
    """Check that a user can join a ladder now.

    Raises:
        Refusal: they are already on it.
        TooMany: it is full, or they are on too many ladders.
        Unwelcome: they have turned challenges off.

    """
    if view.of(user_id) is not None:
        raise Refusal(say("You're already on this ladder."))
    if len(view.rungs) >= MAX_PLAYERS:
        raise TooMany(say("This ladder is full: {number} players.", number=MAX_PLAYERS))
    if len(await ladders.of_player(tx, user_id)) >= MAX_JOINED:
        raise TooMany(
            say("You're already on {number} ladders. Leave one first.", number=MAX_JOINED)
        )
    if not (await players.player_in(tx, user_id)).challenges:
        raise Unwelcome(
            say(
                "You've turned challenges off, so nobody could play you. Turn them on in "
                "{settings} first.",
                settings=slash("me", "settings"),
            )
        )


def check_neutral(view: LadderView, user_id: int) -> None:
    """Raise NotAllowed if a manager is on a ladder that they would decide about."""
    if view.of(user_id) is not None:
        raise NotAllowed(_another(view))


async def interest_in_match(tx: Transaction, match_id: int, user_id: int) -> Phrase | None:
    """Return why a user may not decide a match: they are on its ladder. Otherwise ``None``."""
    number = await ladder_challenges.of_match(tx, match_id)
    view = None if number is None else await read_view(tx, number)
    if view is None or view.ladder.closed_at is not None or view.of(user_id) is None:
        return None
    return _another(view)


def _another(view: LadderView) -> Phrase:
    return say(
        "You're on the {game} ladder, so someone else who manages the server has to do that. If "
        "there's nobody, leave it first.",
        game=view.title,
    )


async def skipped(
    tx: Transaction, players: SettingsStore, view: LadderView, user_id: int
) -> frozenset[int]:
    """Return the players above a user who don't count as places for them.

    They have blocked the user, or take no challenges: these must be indistinguishable. Those whom
    the user has blocked do count, or blocking everyone above would bring the top within reach.
    """
    rung = view.of(user_id)
    above = () if rung is None else view.order[: rung.place - 1]
    apart = await blocks.between(tx, user_id, above)
    blocked = {other for one, other in apart if one == user_id}
    blocking = {one for one, _ in apart}
    settings = await players.players_in(tx, above)
    closed = {one for one in above if not settings[one].challenges}
    return frozenset((blocking | closed) - blocked - {user_id})


async def in_reach(
    tx: Transaction, players: SettingsStore, view: LadderView, user_id: int
) -> tuple[int, ...]:
    """Return the players a user may challenge by place, nearest first."""
    passed_over = await skipped(tx, players, view, user_id)
    return rules.in_reach(view.order, user_id, view.ladder.reach, passed_over)


def busy(view: LadderView, user_id: int) -> Phrase | None:
    """Return why a player can't challenge now; ``None`` if they can."""
    mine = view.made_by(user_id)
    if mine is None:
        return None
    other = mention(mine.challenged_id)
    if mine.queued:
        return say(
            "Your challenge to {player} is in line. Wait until it comes up, or withdraw it.",
            player=other,
        )
    if mine.waiting:
        return say(
            "Your challenge to {player} is still open. Wait for the answer, or withdraw it.",
            player=other,
        )
    return say("You're playing {player} on the ladder. Finish that game first.", player=other)


async def obstacle(
    tx: Transaction, view: LadderView, user_id: int, other: int, now: datetime
) -> Phrase | None:
    """Return why a player in reach can't be challenged now; ``None`` if they can."""
    person = mention(other)
    if (user_id, other) in await blocks.between(tx, user_id, [other]):
        return have_blocked(other)
    if any({user_id, other} == {*one.both} for one in view.challenges):
        return say("{player} is challenging you.", player=person)
    away = await vacations.present(tx, other, now)
    if away is not None:
        return say(
            "{player} is on vacation until {moment}.",
            player=person,
            moment=timestamp(away.ends_at, "D"),
        )
    last = await ladder_challenges.between(tx, view.id, user_id, other)
    if last is not None and last.ended_at is not None and last.outcome != "void":
        again = last.ended_at + timedelta(days=view.ladder.pause_days)
        if again > now:
            return say(
                "You and {player} can meet again {when}.",
                player=person,
                when=timestamp(again, "R"),
            )
    return None


def out_of_reach(view: LadderView, other: int) -> Phrase:
    """Return the error for a player below or too far above."""
    return plural(
        "{player} isn't within reach. You can challenge {n} place above you.",
        "{player} isn't within reach. You can challenge up to {n} places above you.",
        view.ladder.reach,
        player=mention(other),
    )


def have_blocked(other: int) -> Phrase:
    """Return the error for playing someone one has blocked oneself."""
    return say(
        "You've blocked {person}. To play together, `/unblock` them first.", person=mention(other)
    )


def paused() -> Phrase:
    """Return the error for a paused ladder, with the way to resume it."""
    return say(
        "This ladder's channel is gone, so it's paused. To go on, type `{open}` in another "
        "channel.",
        open=slash("ladder", "open"),
    )
