"""Texts on ladders."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from bot.core import move_times
from bot.core.i18n.mentions import mention, message_link, numbered, slash, timestamp
from bot.features.ladder import rules
from bot.features.ladder.rules import LadderView, Place
from bot.play.matches.luck import Sealed, throws
from data.ladders.ladder_challenges import LadderChallenge
from data.ladders.ladders import Event, Ladder, Rung
from data.posts import Post
from engine import registry
from engine.phrase import Phrase, concat, lines, plural, say
from engine.registry import title

NOT_ON_IT: Final = say("You're not on this ladder.")


def heading(view: LadderView) -> Phrase:
    """Return a ladder's heading."""
    return concat("### ", _named(view.ladder))


def _named(ladder: Ladder) -> Phrase:
    return say("{game} ladder", game=title(ladder.game))


def post(view: LadderView, rungs: Sequence[Rung], last: Event | None) -> Phrase:
    """Return a ladder's post: its rules, its players, and the last event."""
    return lines(_post(view, rungs, last))


def _post(view: LadderView, shown: Sequence[Rung], last: Event | None) -> Iterator[str]:
    yield heading(view)
    if view.ladder.closed_at is not None:
        yield say("**Closed.** These were the final places.")
    else:
        yield terms(view.ladder)
    for one in shown:
        yield _rung(view, one)
    parts: list[str] = []
    if view.rungs:
        parts.append(plural("{n} player", "{n} players", len(view.rungs)))
    else:
        yield say("Nobody is on it yet. The first to join starts at the top.")
    if last is not None:
        parts.append(event(last))
        parts.append(timestamp(last.at, "R"))
    if parts:
        yield concat("-# ", lines(parts, " · "))


def terms(ladder: Ladder) -> Phrase:
    """Return a ladder's rules as a line of small print."""
    parts = [
        plural(
            "Beat the player above you and take their place",
            "Beat one of the {n} players above you and take their place",
            ladder.reach,
        ),
        plural("answer within {n} day", "answer within {n} days", ladder.answer_days),
        *times(ladder),
    ]
    if ladder.unrated:
        parts.append(say("unrated"))
    return concat("-# ", lines(parts, " · "))


def times(ladder: Ladder) -> Iterator[Phrase]:
    """Yield the time limits of a ladder's games."""
    yield move_times.words(ladder.per_move)
    yield plural(
        "{n} day each for the whole game", "{n} days each for the whole game", ladder.game_days
    )


def _rung(view: LadderView, one: Rung) -> Phrase:
    """Return a rung as a line, with its player's match or challenger."""
    challenge, queue = view.made_to(one.user_id), len(view.queue(one.user_id))
    facts = {"place": one.place, "player": mention(one.user_id)}
    if challenge is None:
        return say("**{place}.** {player}", **facts)
    facts["other"] = mention(challenge.challenger_id)
    line = say("**{place}.** {player} · playing {other}", **facts)
    if challenge.waiting:
        line = say("**{place}.** {player} · challenged by {other}", **facts)
    if not queue:
        return line
    # Translators: players who wait until it is their turn to play for a place.
    return lines([line, plural("{n} in line", "{n} in line", queue)], " · ")


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
    facts = {"game": title(ladder.game), "channel": f"<#{ladder.channel_id}>"}
    if ladder.closed_at is not None:
        return say("The {game} ladder is closed.", **facts)
    return say("The {game} ladder goes on in {channel}.", **facts)


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
    facts = {"game": title(ladder.game), "place": one.place, "best": one.best}
    return say("**{game} ladder:** place {place}, best {best}", **facts)


def challenge(view: LadderView, challenge: LadderChallenge, board: str | None) -> Phrase:
    """Return a challenge's post, with a link to its board once there is one."""
    return lines(_challenge(view, challenge, board))


def _challenge(view: LadderView, challenge: LadderChallenge, board: str | None) -> Iterator[str]:
    yield say("### {game} ladder: place {place}", game=view.title, place=challenge.place)
    yield say(
        "{challenger} challenges {challenged}.",
        challenger=mention(challenge.challenger_id),
        challenged=mention(challenge.challenged_id),
    )
    if challenge.outcome is not None:
        yield outcome(view, challenge)
    elif challenge.waiting:
        yield say(
            "{challenged}, answer by {moment} ({distance}), or {challenger} takes your place.",
            challenged=mention(challenge.challenged_id),
            challenger=mention(challenge.challenger_id),
            distance=timestamp(challenge.answer_by, "R"),
            moment=timestamp(challenge.answer_by),
        )
        yield concat("-# ", lines(times(view.ladder), " · "))
    elif challenge.queued:
        yield in_line(view, challenge)
    else:
        yield say("Accepted: match {number}.", number=numbered(challenge.match_id, board))
    if challenge.waiting or challenge.match_id is not None:
        yield from _throws(view, challenge)


def sent(challenge: LadderChallenge) -> Phrase:
    """Return the confirmation of a challenge that now awaits its answer."""
    return say(
        "Challenge sent. {player} can answer until {moment}.",
        player=mention(challenge.challenged_id),
        moment=timestamp(challenge.answer_by),
    )


def sealed(challenge: LadderChallenge) -> Sealed:
    """Return what the draws of a challenge's match are made of: fixed once it is accepted."""
    words = (challenge.challenger_word, challenge.challenged_word)
    added = dict(zip(challenge.both, words, strict=True))
    return Sealed(challenge.seed, challenge.drawn_for, added)


def _throws(view: LadderView, challenge: LadderChallenge) -> Iterator[Phrase]:
    """Yield what the throws of its match are made of, in a game with throws."""
    if registry.game(view.ladder.game).has_luck:
        luck = sealed(challenge)
        yield from throws(luck.drawn_for, luck.seed, luck.words.items())


def in_line(view: LadderView, challenge: LadderChallenge) -> Phrase:
    """Return how many challenges come before a queued one."""
    return plural(
        "{n} challenge for this place comes first, then yours.",
        "{n} challenges for this place come first, then yours.",
        view.ahead(challenge),
    )


def outcome(view: LadderView, challenge: LadderChallenge) -> Phrase:
    """Return how a challenge ended, with the reason if a place was lost.

    It names the game, as several ladders may share a channel.
    """
    facts = {
        "challenger": mention(challenge.challenger_id),
        "challenged": mention(challenge.challenged_id),
        "game": view.title,
        "place": challenge.gained_place or challenge.place,
    }
    if challenge.outcome == "won" and challenge.gained_place is None:
        return say(
            "{challenger} beat {challenged} on the {game} ladder. No places change.", **facts
        )
    return {
        "won": say(
            "{challenger} beat {challenged} and takes place {place} on the {game} ladder.", **facts
        ),
        "lost": say(
            "{challenged} beat {challenger} and keeps their place on the {game} ladder.", **facts
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
        "lapsed": say(
            "{challenger}, your challenge to {challenged} on the {game} ladder is off. No places "
            "change.",
            **facts,
        ),
        "withdrawn": say("Withdrawn. No places change."),
        "left": say("{challenged} has left the {game} ladder, and {challenger} moves up.", **facts),
        "quit": say("{challenger} has left the ladder. No other places change.", **facts),
        "closed": say("The ladder is closed."),
    }[challenge.outcome or "closed"]


def reminder(view: LadderView, challenge: LadderChallenge) -> Phrase:
    """Return the reminder of a challenge awaiting an answer."""
    return say(
        "{challenged}, {challenger} is waiting for your answer on the {game} ladder. Unless "
        "you answer, you lose place {place} {distance}.",
        challenged=mention(challenge.challenged_id),
        challenger=mention(challenge.challenger_id),
        game=view.title,
        distance=timestamp(challenge.answer_by, "R"),
        place=challenge.place,
    )


def declining(challenge: LadderChallenge, *, free: bool) -> Phrase:
    """Return what declining costs, as a question."""
    facts = {"challenger": mention(challenge.challenger_id), "days": rules.PASS_EVERY.days}
    if free:
        return say(
            "Pass on {challenger}'s challenge? You keep your place. You can do that once every "
            "{days} days.",
            **facts,
        )
    return say(
        "Decline? {challenger} takes your place. You can pass only once every {days} days, and "
        "never on someone who waited in line, or twice running on the same player.",
        **facts,
    )


def in_reach(view: LadderView, user_id: int, players: Mapping[int, Phrase | None]) -> Phrase:
    """Ask who to challenge, with reasons for those in reach but unavailable."""
    if not players and view.order[0] == user_id:
        return say("You're at the top. Nobody is above you.")
    parts: list[str] = [heading(view)]
    if None in players.values():
        parts.append(say("Who do you want to challenge?"))
    else:
        parts.append(say("Nobody within reach can be challenged right now."))
    parts += [
        concat("-# ", say("Place {place}: {reason}", place=view.place(one), reason=reason))
        for one, reason in players.items()
        if reason is not None
    ]
    return lines(parts)


_PLACES: Final = 12
"""How many of a player's places to show."""


def mine(
    view: LadderView,
    user_id: int,
    events: Sequence[Event],
    places: Sequence[Place],
    board: str | None,
) -> Phrase:
    """Return a player's own view: place, duties, with a link to the board of their game, and history."""
    one = view.of(user_id)
    parts: list[str] = [heading(view)]
    if one is None:
        parts.append(NOT_ON_IT)
    else:
        parts.append(
            say(
                "Place **{place}** of {number} · best {best} · since {moment}",
                place=one.place,
                number=len(view.rungs),
                best=one.best,
                moment=timestamp(one.joined_at, "D"),
            )
        )
        parts += _duties(view, one, board)
    parts += past(events, places)
    return lines(parts)


def _duties(view: LadderView, one: Rung, board: str | None) -> Iterator[Phrase]:
    """Yield what a player has to do, or what happens if they don't."""
    into, out = view.made_to(one.user_id), view.made_by(one.user_id)
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
    if out is not None and out.queued:
        yield say("Your challenge to {player} is in line.", player=mention(out.challenged_id))
        yield in_line(view, out)
    if queue := len(view.queue(one.user_id)):
        yield plural(
            "{n} player is in line for your place.",
            "{n} players are in line for your place.",
            queue,
        )
    for challenge in (into, out):
        if challenge is not None and challenge.playing:
            other = next(user for user in challenge.both if user != one.user_id)
            yield say(
                "You're playing {player}: match {number}.",
                player=mention(other),
                number=numbered(challenge.match_id, board),
            )
    if into is None and out is None:
        yield say(
            "-# Without a game that counts, you slide down {when}.",
            when=timestamp(one.slide_at, "R"),
        )


def past(events: Sequence[Event], places: Sequence[Place]) -> Iterator[Phrase]:
    """Yield a player's places as a line, then the events, newest first."""
    if places:
        figures = [say("off") if one.place is None else str(one.place) for one in places[-_PLACES:]]
        yield say("Places: {places}", places=lines(figures, " → "))
    for one in events:
        yield concat("-# ", timestamp(one.at, "d"), " · ", event(one))


def occasion(ladder: Ladder, post: Post | None) -> Phrase:
    """Return what a match is a game of: a ladder, linked to its post, in small print."""
    name = _named(ladder)
    if post is None or post.message_id is None or post.channel_id is None:
        return concat("-# ", name)
    link = message_link(ladder.guild_id, post.channel_id, post.message_id)
    return concat("-# [", name, "](", link, ")")
