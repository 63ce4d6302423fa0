"""What is told of a match after its end: mistakes, luck and skill, and the chart in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bot.analysis.verdicts import sentence
from bot.i18n.mentions import who
from engine.game import Seat
from engine.phrase import Phrase, capital, lines, say, shortened
from render.charts import Equity, Slip

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bot.analysis.findings import Findings
    from bot.analysis.findings import Slip as Mistake
    from bot.replays.service import Replay

MOST_ALT: Final = 1024
_TWO: Final = 2
_TOLD: Final = 20
"""So many steps of all sides are told together in words."""


def hundredths(part: float) -> int:
    """Return a part of a win in hundredths."""
    return round(100 * part)


def signed(hundred: int) -> str:
    """Return a number with its sign, a proper one."""
    return f"+{hundred}" if hundred >= 0 else f"−{-hundred}"


def side(reel: Replay, place: int) -> Phrase:
    """Return what a place of a match is called, with a capital."""
    seat = Seat(reel.view.match.players[place].seat)
    first = capital(reel.game.side(reel.first, seat))
    if first == capital(reel.game.side(reel.view.state, seat)):
        return first
    # Translators: whoever had that side in the first game of two, before sides were swapped.
    return say("{side} in game 1", side=first)


def player(reel: Replay, place: int) -> str:
    """Return who sat in a place of a match; of a record the side, for it does not tell."""
    return side(reel, place) if reel.brought else who(reel.view.match.players[place].user_id)


def chart(reel: Replay, found: Findings) -> Equity:
    """Return how a match went, for a picture."""
    names = tuple(side(reel, place) for place in range(len(reel.view.match.players)))
    slips = tuple(Slip(n, slip.ply, slip.place) for n, slip in enumerate(found.slips, 1))
    return Equity(names, found.values, slips)


def alt(reel: Replay, found: Findings) -> Phrase:
    """Return what the picture shows."""
    return shortened(lines(_alt(reel, found), " "), MOST_ALT)


def _alt(reel: Replay, found: Findings) -> Iterator[Phrase]:
    last, sides = len(found.values) - 1, len(reel.view.match.players)
    # What of two sides the other one could expect is what is left.
    for place in range(sides if sides > _TWO else 1):
        yield say(
            "What {side} could expect, in hundredths of a win, from the beginning to entry {last}.",
            side=side(reel, place),
            last=last,
        )
        steps = _TOLD // sides
        told = sorted({last * step // steps for step in range(steps + 1)})
        values = [f"{ply}: {hundredths(found.values[ply][place])}" for ply in told]
        # Translators: values is a list such as "0: 50, 12: 48, 24: 63".
        yield say("After entry {values}.", values=", ".join(values))
    for number, slip in enumerate(found.slips, 1):
        yield say(
            "Mistake {number}: {side} at entry {ply}.",
            number=number,
            side=_side_at(reel, slip),
            ply=slip.ply,
        )


def told(reel: Replay, found: Findings) -> Phrase:
    """Return all that is said of a match: the card, a sentence for each player, the mistakes."""
    return lines(_told(reel, found))


def _told(reel: Replay, found: Findings) -> Iterator[str]:
    players = [player(reel, place) for place in range(len(reel.view.match.players))]
    if found.thrown:
        yield say("**Luck and skill**, in hundredths of a win:")
        for place, name in enumerate(players):
            yield capital(_card(found, place, name))
    for place, name in enumerate(players):
        yield sentence(name, found.verdicts[place])
    if found.slips:
        yield say("**What could have been played better:**")
        for number, slip in enumerate(found.slips, 1):
            yield _slip(reel, number, slip)
    else:
        yield say("Nobody made a mistake that is worth a word.")
    yield say("-# Judged by a computer, which may be wrong. Numbers are hundredths of a win.")


def mistake(reel: Replay, found: Findings, ply: int) -> Phrase | str:
    """Return what is said of a mistake beside the board, nothing of an entry that was none."""
    for number, slip in enumerate(found.slips, 1):
        if slip.ply == ply:
            return _slip(reel, number, slip)
    return ""


def _card(found: Findings, place: int, name: str) -> Phrase:
    start, result = hundredths(found.start[place]), hundredths(found.result[place])
    luck, early = hundredths(found.luck[place]), hundredths(found.early[place])
    skill = result - start - luck - early  # so that what is told adds up, rounded as it is
    if early:
        return say(
            # Translators: all values are numbers, those in the middle with their sign; they add up.
            "{player}: {start} at the beginning, {luck} by luck, {skill} by skill, {early} because "
            "the match ended early, makes {result}.",
            player=name,
            start=start,
            luck=signed(luck),
            skill=signed(skill),
            early=signed(early),
            result=result,
        )
    return say(
        # Translators: all values are numbers, the middle two with their sign; they add up.
        "{player}: {start} at the beginning, {luck} by luck, {skill} by skill, makes {result}.",
        player=name,
        start=start,
        luck=signed(luck),
        skill=signed(skill),
        result=result,
    )


def _slip(reel: Replay, number: int, slip: Mistake) -> Phrase:
    return say(
        # Translators: a mistake in a list; played and better are moves in notation.
        "**{number}.** Entry {ply}, {side}: {played}. Better was **{better}** (−{loss}).",
        number=number,
        ply=slip.ply,
        side=_side_at(reel, slip),
        played=slip.played,
        better=slip.better,
        loss=hundredths(slip.loss),
    )


def _side_at(reel: Replay, slip: Mistake) -> Phrase:
    """Return what the side is called that made a mistake, at that point of the match."""
    player = reel.view.match.players[slip.place]
    return capital(reel.game.side(reel.entry(slip.ply).before, Seat(player.seat)))
