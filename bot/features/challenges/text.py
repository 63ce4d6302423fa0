"""The words of a challenge: its message, its line in a list, and why it cannot be answered."""

from __future__ import annotations

from collections.abc import Iterator

from bot.core.computers import is_computer
from bot.core.errors import ChallengedBot, ChallengeGone, NotForYou
from bot.core.i18n.mentions import mention, mention_all, message_link, numbered, timestamp
from bot.play.matches import time_controls
from bot.play.matches.luck import throws
from bot.play.matches.match_text import options_line
from bot.play.matches.scoring import UnratedReason
from data.challenges.challenges import Challenge, State
from engine import registry
from engine.phrase import Phrase, capital, concat, lines, plural, say
from engine.registry import AnyGame


def link(challenge: Challenge) -> str:
    """Return a link to a challenge's message, or its channel."""
    if challenge.message_id is None:
        return f"<#{challenge.channel_id}>"
    return message_link(challenge.guild_id, challenge.channel_id, challenge.message_id)


def posted(challenge: Challenge) -> Phrase:
    """Return where a challenge appears that is not posted as a reply."""
    where = link(challenge)
    if challenge.match_id is None:
        return say("Your challenge appears in {where}.", where=where)
    return say("Match #{number} starts here: {where}", number=challenge.match_id, where=where)


def text(
    challenge: Challenge,
    *,
    board: str | None = None,
    thread: int | None = None,
    unrated: UnratedReason | None = None,
    result: str = "",
) -> Phrase:
    """Return the message of a challenge.

    With the link to the ``board`` of its match, its ``thread`` and its ``result``, and why it is
    ``unrated`` if not by choice.
    """
    return lines(_text(challenge, board, thread, unrated, result))


def line(challenge: Challenge, number: int, *, unrated: UnratedReason | None = None) -> Phrase:
    """Return an open challenge as a numbered list entry."""
    game = registry.game(challenge.game)
    title = concat(f"**{number}.** ", game.title, " · ", asks(challenge))
    small = [
        options_line(game, challenge.options),
        _time(challenge),
        _unrated(challenge, unrated),
        _seat(challenge, game),
        _free(challenge),
        say("made {when}", when=timestamp(challenge.created_at, "R")),
        link(challenge),
    ]
    return lines([title, concat("-# ", capital(lines(filter(None, small), " · ")))])


def _text(
    challenge: Challenge,
    board: str | None,
    thread: int | None,
    unrated: UnratedReason | None,
    result: str,
) -> Iterator[str]:
    game = registry.game(challenge.game)
    yield concat("### ", game.title)
    yield asks(challenge)
    parts = (options_line(game, challenge.options), _time(challenge), _unrated(challenge, unrated))
    rules = lines(filter(None, parts), " · ")
    if rules:
        yield capital(rules)
    if challenge.state is State.OPEN:  # its board says who got which
        yield _seat(challenge, game) or _seats(challenge)
    others = challenge.invited[1:]
    came = [one.user_id for one in others if one.joined is not None]
    if came and not challenge.complete:
        yield say("Joined so far: {players}.", players=mention_all(came))
    if challenge.state is State.OPEN:
        free = _free(challenge)
        if free:
            yield free
        if challenge.expires_at is not None:
            yield concat("-# ", say("Open until {moment}.", moment=timestamp(challenge.expires_at)))
    elif result:
        yield result
        if thread is not None:
            yield say("-# Played in {thread}", thread=f"<#{thread}>")
    else:
        begun = _begun if _practice(challenge) else _ending
        yield begun(challenge, numbered(challenge.match_id, board), thread)
    if game.has_luck:
        words = [(one.user_id, one.word or "") for one in challenge.invited]
        yield from throws(f"#{challenge.id}", challenge.seed, words)


def asks(challenge: Challenge) -> Phrase:
    """Return who asks whom for what."""
    challenger = mention(challenge.challenger_id)
    named = [one.user_id for one in challenge.invited[1:] if one.named]
    if _practice(challenge):
        return say("{player} plays {opponents}.", player=challenger, opponents=mention_all(named))
    if challenge.rematch_of is not None:
        return say(
            "{challenger} wants a rematch of match #{match} against {opponents}.",
            challenger=challenger,
            opponents=mention_all(named),
            match=challenge.rematch_of,
        )
    if not named:
        return plural(
            "{challenger} is looking for an opponent. The first to accept plays.",
            "{challenger} is looking for {n} opponents. The first to accept play.",
            (challenge.places or 2) - 1,
            challenger=challenger,
        )
    if challenge.places is not None:
        return say(
            "{challenger} challenges {opponents}. Free seats go to the first who accept.",
            challenger=challenger,
            opponents=mention_all(named),
        )
    return say(
        "{challenger} challenges {opponents}.", challenger=challenger, opponents=mention_all(named)
    )


def _time(challenge: Challenge) -> Phrase | None:
    if challenge.per_move is None:
        return None
    return time_controls.time_control(challenge.per_move, challenge.bank)


def _practice(challenge: Challenge) -> bool:
    return any(is_computer(one.user_id) for one in challenge.invited)


def _unrated(challenge: Challenge, unrated: UnratedReason | None) -> Phrase | None:
    if _practice(challenge):
        return say("unrated practice")
    if unrated is None and not challenge.unrated:
        return None
    if unrated is not None and unrated.server:
        return say("unrated, like every game on this server")
    if unrated is not None and unrated.people:
        return plural(
            "unrated, because {players} plays unrated on this server",
            "unrated, because {players} play unrated on this server",
            len(unrated.people),
            players=mention_all(unrated.people),
        )
    return say("unrated")


def _seat(challenge: Challenge, game: AnyGame) -> Phrase | None:
    if challenge.seat is None:
        return None
    seat = capital(game.seat_names[challenge.seat])
    challenger = mention(challenge.challenger_id)
    if challenge.size > 2:
        return say(
            "{challenger} wants to play {seat}. The other sides are random.",
            challenger=challenger,
            seat=seat,
        )
    return say("{challenger} wants to play {seat}.", challenger=challenger, seat=seat)


def _seats(challenge: Challenge) -> Phrase:
    if challenge.rematch_of is None:
        return say("Sides are random.")
    if len(challenge.invited) > 2:
        return say("Everyone moves up one seat.")
    return say("Sides are swapped.")


def _free(challenge: Challenge) -> Phrase | None:
    """Return the number of free places, in a game of more than two."""
    if challenge.places is None or challenge.places <= 2:
        return None
    return plural("One seat is free.", "{n} seats are free.", challenge.free)


def _begun(_: Challenge, match: str, thread: int | None) -> Phrase:
    if thread is None:
        return say("Match {match} is on.", match=match)
    return say("Match {match} is on in {thread}.", match=match, thread=f"<#{thread}>")


def _ending(challenge: Challenge, number: str, thread: int | None) -> Phrase:
    match challenge.state:
        case State.STARTED if thread is not None:
            return say(
                "**Accepted.** Match {match} is on in {thread}.",
                match=number,
                thread=f"<#{thread}>",
            )
        case State.STARTED:
            return say("**Accepted.** Match {match} is on.", match=number)
        case State.DECLINED:
            by = [one.user_id for one in challenge.invited if one.declined]
            if by:
                return say("**Declined** by {player}.", player=mention_all(by))
            return say("**Declined.**")
        case State.WITHDRAWN:
            return say("**Withdrawn.**")
        case _:
            return say("**Expired.** Nobody answered in time.")


# Refusals


def closed(challenge: Challenge) -> ChallengeGone:
    """Return why a challenge that is closed, or has passed its expiry, cannot be answered."""
    match challenge.state:
        case State.STARTED:
            return ChallengeGone(
                say(
                    "This challenge was accepted. It's match #{match} now.",
                    match=challenge.match_id,
                ),
                match_id=challenge.match_id,
            )
        case State.DECLINED:
            return ChallengeGone(say("This challenge was declined."))
        case State.WITHDRAWN:
            return ChallengeGone(say("This challenge was withdrawn."))
        case _:
            return ChallengeGone(say("This challenge has expired. Start a new one with `/play`."))


def joined(challenge: Challenge) -> ChallengeGone:
    """Return that a player has already joined, and who is missing."""
    waiting = [one.user_id for one in challenge.invited if one.joined is None]
    if challenge.free:
        return ChallengeGone(
            plural(
                "You're in. One more player is needed.",
                "You're in. {n} more players are needed.",
                challenge.free + len(waiting),
            )
        )
    return ChallengeGone(
        say("You're in. Still waiting for {players}.", players=mention_all(waiting))
    )


def not_invited(challenge: Challenge) -> NotForYou:
    """Return why an uninvited player cannot join."""
    if challenge.places is None:
        return _for_others(challenge)
    return NotForYou(
        say(
            "All open seats are taken. Find other challenges with `/{game} seek`.",
            game=challenge.game,
        )
    )


def not_to_decline(challenge: Challenge, *, joined: bool) -> NotForYou:
    """Return why a player cannot decline; ``joined`` if they took an open place."""
    if joined:
        return NotForYou(say("You joined this challenge yourself. To get out, press Leave."))
    if challenge.free:
        return NotForYou(say("This challenge is open to anyone, so there's no need to decline."))
    return _for_others(challenge)


def _for_others(challenge: Challenge) -> NotForYou:
    named = mention_all(one.user_id for one in challenge.invited[1:] if one.named)
    return NotForYou(say("This challenge is for {players}.", players=named))


def myself(game: str = "") -> ChallengedBot:
    """Return the refusal of a challenge to the bot, which offers the computer."""
    words = say("I'd love to. Pick a level, then press **Play the computer**.")
    return ChallengedBot(words, game)
