"""Texts on challenges on ladders."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bot.core.i18n.mentions import mention, timestamp
from bot.features.ladder import rules
from bot.features.ladder.service import PlayerInReach
from bot.features.ladder.text import heading, times, title
from bot.features.ladder.view import LadderView, sealed
from bot.play.matches.luck import throws
from data.ladders.ladder_challenges import LadderChallenge
from engine import registry
from engine.phrase import Phrase, glued, lines, plural, say


def challenge(view: LadderView, challenge: LadderChallenge, board: str | None) -> Phrase:
    """Return a challenge's post, with a link to its board once there is one."""
    return lines(_challenge(view, challenge, board))


def _challenge(view: LadderView, challenge: LadderChallenge, board: str | None) -> Iterator[str]:
    yield say(
        "### {game} ladder: place {place}", game=title(view.ladder.game), place=challenge.place
    )
    yield say(
        "{challenger} challenges {challenged}.",
        challenger=mention(challenge.challenger_id),
        challenged=mention(challenge.challenged_id),
    )
    if challenge.outcome is not None:
        yield outcome(view, challenge)
    elif challenge.waiting:
        yield say(
            "Answer by {moment} ({distance}), or you lose your place.",
            distance=timestamp(challenge.answer_by, "R"),
            moment=timestamp(challenge.answer_by),
        )
        yield glued("-# ", lines(times(view.ladder), " · "))
    elif challenge.queued:
        yield in_line(view, challenge)
    elif board is None:
        yield say("Accepted: match #{number}.", number=challenge.match_id)
    else:
        yield say("Accepted: [match #{number}]({link}).", number=challenge.match_id, link=board)
    if challenge.waiting or challenge.match_id is not None:
        yield from _throws(view, challenge)


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
    facts = {"challenger": mention(challenge.challenger_id), "place": challenge.place}
    if free:
        return say(
            "Pass on {challenger}'s challenge? You keep your place. You can do that once every "
            "{days} days.",
            days=rules.PASS_EVERY.days,
            **facts,
        )
    return say(
        "Decline? {challenger} takes your place. You can pass only once every {days} days, and "
        "never on someone who waited in line, or twice running on the same player.",
        days=rules.PASS_EVERY.days,
        **facts,
    )


def in_reach(view: LadderView, user_id: int, players: Sequence[PlayerInReach]) -> Phrase:
    """Ask who to challenge, with reasons for those in reach but unavailable."""
    if not players and view.order[0] == user_id:
        return say("You're at the top. Nobody is above you.")
    parts: list[str] = [heading(view)]
    if any(one.obstacle is None for one in players):
        parts.append(say("Who do you want to challenge?"))
    else:
        parts.append(say("Nobody within reach can be challenged right now."))
    parts += [
        glued("-# ", say("Place {place}: {reason}", place=one.place, reason=one.obstacle))
        for one in players
        if one.obstacle is not None
    ]
    return lines(parts)
