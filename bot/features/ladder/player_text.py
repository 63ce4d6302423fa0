"""Texts on a player's place on a ladder and how they got there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bot.core.i18n.mentions import mention, timestamp
from bot.features.ladder.challenge_text import in_line
from bot.features.ladder.service import History
from bot.features.ladder.text import event, heading
from bot.features.ladder.view import LadderView
from data.ladders.ladders import Rung
from engine.phrase import Phrase, glued, lines, plural, say

_PLACES: Final = 12
"""How many of a player's places to show."""


def mine(view: LadderView, history: History, user_id: int) -> Phrase:
    """Return a player's own view: place, duties and history."""
    one = view.of(user_id)
    parts: list[str] = [heading(view)]
    if one is None:
        parts.append(say("You're not on this ladder."))
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
        parts += _duties(view, one)
    parts += past(history)
    return lines(parts)


def _duties(view: LadderView, one: Rung) -> Iterator[Phrase]:
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
                "You're playing {player}: match #{number}.",
                player=mention(other),
                number=challenge.match_id,
            )
    if into is None and out is None:
        yield say(
            "-# Without a game that counts, you slide down {when}.",
            when=timestamp(one.slide_at, "R"),
        )


def past(history: History) -> Iterator[Phrase]:
    """Yield a player's places as a line, then the events, newest first."""
    if history.places:
        steps = history.places[-_PLACES:]
        figures = [say("off") if one.place is None else str(one.place) for one in steps]
        yield say("Places: {places}", places=lines(figures, " → "))
    for one in history.events:
        yield glued("-# ", timestamp(one.at, "d"), " · ", event(one))
