"""Texts on ladders."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bot.i18n.mentions import mention, timestamp
from bot.i18n.slash import slash
from bot.ladder import rules
from engine import registry
from engine.phrase import glued, lines, plural, say

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from bot.ladder.service import History, PlayerInReach
    from bot.ladder.view import LadderView
    from data.ladder_challenges import LadderChallenge
    from data.ladders import Event, Ladder, Rung
    from engine.phrase import Phrase

_PLACES: Final = 12
"""How many of a player's places to show."""


def title(game: str) -> str:
    """Return the title of a game."""
    return registry.game(game).title


def heading(seen: LadderView) -> Phrase:
    """Return a ladder's heading."""
    return say("### {game} ladder", game=seen.title)


def post(seen: LadderView, shown: Sequence[Rung], last: Event | None) -> Phrase:
    """Return a ladder's post: its rules, its players, and the last event."""
    return lines(_post(seen, shown, last))


def _post(seen: LadderView, shown: Sequence[Rung], last: Event | None) -> Iterator[str]:
    yield heading(seen)
    if seen.ladder.closed_at is not None:
        yield say("**Closed.** These were the final places.")
    else:
        yield terms(seen.ladder)
    yield from rungs(seen, shown)
    if not seen.rungs:
        yield say("Nobody is on it yet. The first to join starts at the top.")
    parts: list[str] = [plural("{n} player", "{n} players", len(seen.rungs))]
    if last is not None:
        parts.append(event(last))
        parts.append(timestamp(last.at, "R"))
    yield glued("-# ", lines(parts, " · "))


def terms(ladder: Ladder) -> Phrase:
    """Return a ladder's rules as a line of small print."""
    parts = [
        plural("challenge {n} place up", "challenge up to {n} places up", ladder.reach),
        plural("answer within {n} day", "answer within {n} days", ladder.answer_days),
        plural("{n} day per move", "{n} days per move", ladder.days),
    ]
    if ladder.casual:
        parts.append(say("unrated"))
    return glued("-# ", lines(parts, " · "))


def rungs(seen: LadderView, shown: Iterable[Rung]) -> Iterator[Phrase]:
    """Yield a line for each rung, with its player's match or challenger."""
    for one in shown:
        yield rung(seen, one)


def rung(seen: LadderView, one: Rung) -> Phrase:
    """Return a rung as a line."""
    found = seen.made_to(one.user_id)
    facts = {"place": one.place, "player": mention(one.user_id)}
    if found is None:
        return say("**{place}.** {player}", **facts)
    facts["other"] = mention(found.challenger_id)
    if found.waiting:
        return say("**{place}.** {player} · challenged by {other}", **facts)
    return say("**{place}.** {player} · playing {other}", **facts)


def event(found: Event) -> Phrase:
    """Describe an event."""
    facts = {
        "player": mention(found.user_id),
        "other": mention(found.other_id or 0),
        "place": found.to_place or found.from_place or 0,
        "before": found.from_place or 0,
    }
    return {
        "joined": say("{player} joined at place {place}", **facts),
        "won": say("{player} beat {other} for place {place}", **facts),
        "defended": say("{player} defended place {place} against {other}", **facts),
        "drawn": say("{player} drew with {other} and kept place {place}", **facts),
        "unanswered": say("{player} took place {place}: {other} didn't answer", **facts),
        "declined": say("{player} took place {place}: {other} declined", **facts),
        "passed": say("{player} passed on {other}", **facts),
        "surrendered": say("{player} took place {place}: {other} left", **facts),
        "slid": say("{player} slid to place {place}: no games", **facts),
        "left": say("{player} left, from place {before}", **facts),
        "gone": say("{player} left the server, from place {before}", **facts),
        "idle": say("{player} is off the ladder after a long time without games", **facts),
        "removed": say("{player} was removed, from place {before}", **facts),
    }[found.what]


def challenge(seen: LadderView, found: LadderChallenge, board: str | None) -> Phrase:
    """Return a challenge's post, with a link to its board once there is one."""
    return lines(_challenge(seen, found, board))


def _challenge(seen: LadderView, found: LadderChallenge, board: str | None) -> Iterator[str]:
    yield say("### {game} ladder: place {place}", game=title(seen.ladder.game), place=found.place)
    yield say(
        "{challenger} challenges {challenged}.",
        challenger=mention(found.challenger_id),
        challenged=mention(found.challenged_id),
    )
    if found.outcome is not None:
        yield outcome(seen, found)
    elif found.waiting:
        yield say(
            "Answer by {moment} ({distance}), or you lose your place.",
            distance=timestamp(found.answer_by, "R"),
            moment=timestamp(found.answer_by),
        )
    elif board is None:
        yield say("Accepted: match #{number}.", number=found.match_id)
    else:
        yield say("Accepted: [match #{number}]({link}).", number=found.match_id, link=board)


def outcome(seen: LadderView, found: LadderChallenge) -> Phrase:
    """Return how a challenge ended, with the reason if a place was lost.

    It names the game, as several ladders may share a channel.
    """
    facts = {
        "challenger": mention(found.challenger_id),
        "challenged": mention(found.challenged_id),
        "game": seen.title,
        "place": found.took or found.place,
    }
    if found.outcome == "won" and found.took is None:
        return say(
            "{challenger} beat {challenged} on the {game} ladder. No places change.", **facts
        )
    return {
        "won": say(
            "{challenger} beat {challenged} and takes place {place} on the {game} ladder.", **facts
        ),
        "lost": say(
            "{challenged} beat {challenger} and keeps their place on the {game} ladder.",
            **facts,
        ),
        "drawn": say(
            "{challenger} and {challenged} drew on the {game} ladder. Both keep their places.",
            **facts,
        ),
        "void": say(
            "No result between {challenger} and {challenged} on the {game} ladder. No places "
            "change.",
            **facts,
        ),
        "unanswered": say(
            "{challenger} takes place {place} on the {game} ladder: {challenged} didn't answer in "
            "time.",
            **facts,
        ),
        "declined": say(
            "{challenger} takes place {place} on the {game} ladder: {challenged} declined.", **facts
        ),
        "passed": say(
            "{challenger}, {challenged} passes this time and keeps their place on the {game} "
            "ladder.",
            **facts,
        ),
        "withdrawn": say("Withdrawn. No places change."),
        "left": say("{challenged} has left the {game} ladder, and {challenger} moves up.", **facts),
        "quit": say("{challenger} has left the ladder. No other places change.", **facts),
        "closed": say("The ladder is closed."),
    }[found.outcome or "closed"]


def reminder(seen: LadderView, found: LadderChallenge) -> Phrase:
    """Return the reminder of a challenge awaiting an answer."""
    return say(
        "{challenged}, {challenger} is waiting for your answer on the {game} ladder. Unless "
        "you answer, you lose place {place} {distance}.",
        challenged=mention(found.challenged_id),
        challenger=mention(found.challenger_id),
        game=seen.title,
        distance=timestamp(found.answer_by, "R"),
        place=found.place,
    )


def declining(found: LadderChallenge, *, free: bool) -> Phrase:
    """Return what declining costs, as a question."""
    facts = {"challenger": mention(found.challenger_id), "place": found.place}
    if free:
        return say(
            "Pass on {challenger}'s challenge? You keep your place. You can do that once every "
            "{days} days.",
            days=rules.PASS_EVERY.days,
            **facts,
        )
    return say(
        "Decline? You've passed within the last {days} days, so {challenger} takes your place.",
        days=rules.PASS_EVERY.days,
        **facts,
    )


def in_reach(seen: LadderView, user_id: int, found: Sequence[PlayerInReach]) -> Phrase:
    """Ask whom to challenge, with reasons for those in reach but unavailable."""
    if not found and seen.order[0] == user_id:
        return say("You're at the top. Nobody is above you.")
    parts: list[str] = [heading(seen)]
    if any(one.why_not is None for one in found):
        parts.append(say("Who do you want to challenge?"))
    else:
        parts.append(say("Nobody within reach can be challenged right now."))
    parts += [
        glued("-# ", say("Place {place}: {reason}", place=one.place, reason=one.why_not))
        for one in found
        if one.why_not is not None
    ]
    return lines(parts)


def mine(seen: LadderView, history: History, user_id: int) -> Phrase:
    """Return a player's own view: place, duties and history."""
    one = seen.of(user_id)
    parts: list[str] = [heading(seen)]
    if one is None:
        parts.append(say("You're not on this ladder."))
    else:
        parts.append(
            say(
                "Place **{place}** of {number} · best {best} · since {moment}",
                place=one.place,
                number=len(seen.rungs),
                best=one.best,
                moment=timestamp(one.joined_at, "D"),
            )
        )
        parts += _duties(seen, one)
    parts += past(history)
    return lines(parts)


def _duties(seen: LadderView, one: Rung) -> Iterator[Phrase]:
    """Yield what a player has to do, or what happens if they don't."""
    into, out = seen.made_to(one.user_id), seen.made_by(one.user_id)
    if into is not None and into.waiting:
        yield say(
            "{player} is challenging you. Unless you answer, you lose your place {distance}.",
            player=mention(into.challenger_id),
            distance=timestamp(into.answer_by, "R"),
        )
    if out is not None and out.waiting:
        yield say(
            "{player} still has to answer you. Time runs out {distance}.",
            player=mention(out.challenged_id),
            distance=timestamp(out.answer_by, "R"),
        )
    for found in (into, out):
        if found is not None and not found.waiting:
            other = next(user for user in found.both if user != one.user_id)
            yield say(
                "You're playing {player}: match #{number}.",
                player=mention(other),
                number=found.match_id,
            )
    if into is None and out is None:
        yield say("-# Without a game, you slide down {when}.", when=timestamp(one.slide_at, "R"))


def past(history: History) -> Iterator[Phrase]:
    """Yield a player's places as a line, then the events, newest first."""
    if history.places:
        steps = history.places[-_PLACES:]
        figures = [say("off") if one.place is None else str(one.place) for one in steps]
        yield say("Places: {places}", places=lines(figures, " → "))
    for one in history.events:
        yield glued("-# ", timestamp(one.at, "d"), " · ", event(one))


def ranked(ladder: Ladder, one: Rung) -> Phrase:
    """Return a player's place on a ladder, as a line for profiles."""
    return say(
        "**{game} ladder:** place {place}, best {best}",
        game=title(ladder.game),
        place=one.place,
        best=one.best,
    )


def opened(ladder: Ladder, *, new: bool) -> Phrase:
    """Return the confirmation of opening a ladder."""
    facts = {"game": title(ladder.game), "channel": f"<#{ladder.channel_id}>"}
    if new:
        return say("The {game} ladder is open. It appears in {channel}.", **facts)
    return say("The {game} ladder goes on in {channel} with these rules.", **facts)


def moved(ladder: Ladder) -> Phrase:
    """Return the notice in a channel the ladder has left."""
    if ladder.closed_at is not None:
        return say("The {game} ladder is closed.", game=title(ladder.game))
    return say(
        "The {game} ladder goes on in {channel}.",
        game=title(ladder.game),
        channel=f"<#{ladder.channel_id}>",
    )


def joined(seen: LadderView, user_id: int) -> Phrase:
    """Return the confirmation of joining."""
    one = seen.of(user_id)
    assert one is not None
    if one.place == 1:
        return say("You're on the {game} ladder, at the top for now.", game=seen.title)
    return say(
        "You're on the {game} ladder at place {place}. Challenge someone above you.",
        game=seen.title,
        place=one.place,
    )


def channel_gone(ladder: Ladder) -> Phrase:
    """Return the message that a ladder's channel is gone, with the way to resume it."""
    return say(
        "The channel of the {game} ladder was deleted, so the ladder is paused. Nothing is "
        "lost. To go on, type `{open}` in another channel of that server.",
        game=title(ladder.game),
        open=slash("ladder", "open"),
    )
