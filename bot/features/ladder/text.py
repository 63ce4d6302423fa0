"""Texts on ladders."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from bot.core.i18n.mentions import mention, timestamp
from bot.core.i18n.slash import slash
from bot.features.ladder.view import LadderView
from data.ladders.ladders import Event, Ladder, Rung
from engine import registry
from engine.phrase import Phrase, glued, lines, plural, say


def title(game: str) -> str:
    """Return the title of a game."""
    return registry.game(game).title


def heading(view: LadderView) -> Phrase:
    """Return a ladder's heading."""
    return say("### {game} ladder", game=view.title)


def post(view: LadderView, rungs: Sequence[Rung], last: Event | None) -> Phrase:
    """Return a ladder's post: its rules, its players, and the last event."""
    return lines(_post(view, rungs, last))


def _post(view: LadderView, shown: Sequence[Rung], last: Event | None) -> Iterator[str]:
    yield heading(view)
    if view.ladder.closed_at is not None:
        yield say("**Closed.** These were the final places.")
    else:
        yield terms(view.ladder)
    yield from rungs(view, shown)
    if not view.rungs:
        yield say("Nobody is on it yet. The first to join starts at the top.")
    parts: list[str] = [plural("{n} player", "{n} players", len(view.rungs))]
    if last is not None:
        parts.append(event(last))
        parts.append(timestamp(last.at, "R"))
    yield glued("-# ", lines(parts, " · "))


def terms(ladder: Ladder) -> Phrase:
    """Return a ladder's rules as a line of small print."""
    parts = [
        plural("challenge {n} place up", "challenge up to {n} places up", ladder.reach),
        plural("answer within {n} day", "answer within {n} days", ladder.answer_days),
        *times(ladder),
    ]
    if ladder.casual:
        parts.append(say("unrated"))
    return glued("-# ", lines(parts, " · "))


def times(ladder: Ladder) -> Iterator[Phrase]:
    """Yield the time limits of a ladder's games."""
    yield plural("{n} day per move", "{n} days per move", ladder.days)
    yield plural(
        "{n} day each for the whole game", "{n} days each for the whole game", ladder.game_days
    )


def rungs(view: LadderView, shown: Iterable[Rung]) -> Iterator[Phrase]:
    """Yield a line for each rung, with its player's match or challenger."""
    for one in shown:
        yield rung(view, one)


def rung(view: LadderView, one: Rung) -> Phrase:
    """Return a rung as a line."""
    queue, line = len(view.queue(one.user_id)), _rung(view, one)
    if not queue:
        return line
    # Translators: players who wait until it is their turn to play for a place.
    return lines([line, plural("{n} in line", "{n} in line", queue)], " · ")


def _rung(view: LadderView, one: Rung) -> Phrase:
    challenge = view.made_to(one.user_id)
    facts = {"place": one.place, "player": mention(one.user_id)}
    if challenge is None:
        return say("**{place}.** {player}", **facts)
    facts["other"] = mention(challenge.challenger_id)
    if challenge.waiting:
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
    }[found.kind]


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


def joined(view: LadderView, user_id: int) -> Phrase:
    """Return the confirmation of joining."""
    one = view.of(user_id)
    assert one is not None
    if one.place == 1:
        return say("You're on the {game} ladder, at the top for now.", game=view.title)
    return say(
        "You're on the {game} ladder at place {place}. Challenge someone above you.",
        game=view.title,
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


def ranked(ladder: Ladder, one: Rung) -> Phrase:
    """Return a player's place on a ladder, as a line for profiles."""
    return say(
        "**{game} ladder:** place {place}, best {best}",
        game=title(ladder.game),
        place=one.place,
        best=one.best,
    )
