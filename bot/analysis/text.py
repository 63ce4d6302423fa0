"""The text of an analysis: mistakes, luck and skill, and the chart in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bot.analysis.explanations import sentence
from bot.i18n.mentions import who
from engine.game import Seat
from engine.phrase import Phrase, capital, lines, say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bot.analysis.report import AnalysisReport, Mistake
    from bot.replays.service import Replay

_TOLD: Final = 20
"""Expected results told in words, of all sides together."""


def _hundredths(part: float) -> int:
    """Return a part of a win in hundredths."""
    return round(100 * part)


def _signed(hundred: int) -> str:
    """Return a number with its sign, a proper one."""
    return f"+{hundred}" if hundred >= 0 else f"−{-hundred}"


def side(replay: Replay, place: int) -> Phrase:
    """Return the name of a side, capitalised."""
    seat = Seat(replay.view.match.players[place].seat)
    first = capital(replay.game.side(replay.first, seat))
    if first == capital(replay.game.side(replay.view.state, seat)):
        return first
    # Translators: whoever had that side in the first game of two, before sides were swapped.
    return say("{side} in game 1", side=first)


def player(replay: Replay, place: int) -> str:
    """Return the player in a place, or the side if it is an imported record."""
    one = replay.view.match.players[place]
    name = side(replay, place) if replay.imported else who(one.user_id)
    if one.gave_up is None:
        return name
    # Translators: a player who gave up, and the entry after which a computer took the seat.
    return say("{player} (computer after entry {ply})", player=name, ply=one.gave_up_ply)


def alt(replay: Replay, report: AnalysisReport) -> Phrase:
    """Return the alternative text of the chart."""
    return lines(_alt(replay, report), " ")


def _alt(replay: Replay, report: AnalysisReport) -> Iterator[Phrase]:
    last, sides = len(report.values) - 1, len(replay.view.match.players)
    # What of two sides the other one could expect is what is left.
    for place in range(sides if sides > 2 else 1):
        yield say(
            "What {side} could expect, in hundredths of a win, from the beginning to entry {last}.",
            side=side(replay, place),
            last=last,
        )
        steps = _TOLD // sides
        told = sorted({last * step // steps for step in range(steps + 1)})
        values = [f"{ply}: {_hundredths(report.values[ply][place])}" for ply in told]
        # Translators: values is a list such as "0: 50, 12: 48, 24: 63".
        yield say("After entry {values}.", values=", ".join(values))
    for number, mistake in enumerate(report.mistakes, 1):
        yield say(
            "Mistake {number}: {side} at entry {ply}.",
            number=number,
            side=_side_at(replay, mistake),
            ply=mistake.ply,
        )


def told(replay: Replay, report: AnalysisReport) -> Phrase:
    """Return the whole text: luck and skill, a sentence for each player, the mistakes."""
    return lines(_told(replay, report))


def _told(replay: Replay, report: AnalysisReport) -> Iterator[str]:
    players = [player(replay, place) for place in range(len(replay.view.match.players))]
    if report.thrown:
        yield say("**Luck and skill**, in hundredths of a win:")
        for place, name in enumerate(players):
            yield capital(_card(report, place, name))
    for place, name in enumerate(players):
        if replay.view.match.players[place].gave_up is None:
            yield sentence(name, report.explanations[place])
    if report.mistakes:
        yield say("**What could have been played better:**")
        for number, mistake in enumerate(report.mistakes, 1):
            yield _mistake(replay, number, mistake)
    else:
        yield say("Nobody made a mistake that is worth a word.")
    yield say("-# Judged by a computer, which may be wrong. Numbers are hundredths of a win.")


def mistake_at(replay: Replay, report: AnalysisReport, ply: int) -> Phrase | str:
    """Return the words on the mistake at an entry, empty if there was none."""
    for number, mistake in enumerate(report.mistakes, 1):
        if mistake.ply == ply:
            return _mistake(replay, number, mistake)
    return ""


def _card(report: AnalysisReport, place: int, name: str) -> Phrase:
    start, result = _hundredths(report.values[0][place]), _hundredths(report.values[-1][place])
    luck, early = _hundredths(report.luck[place]), _hundredths(report.early[place])
    skill = result - start - luck - early  # so that what is told adds up, rounded as it is
    if early:
        return say(
            # Translators: all values are numbers, those in the middle with their sign; they add up.
            "{player}: {start} at the beginning, {luck} by luck, {skill} by skill, {early} because "
            "the match ended early, makes {result}.",
            player=name,
            start=start,
            luck=_signed(luck),
            skill=_signed(skill),
            early=_signed(early),
            result=result,
        )
    return say(
        # Translators: all values are numbers, the middle two with their sign; they add up.
        "{player}: {start} at the beginning, {luck} by luck, {skill} by skill, makes {result}.",
        player=name,
        start=start,
        luck=_signed(luck),
        skill=_signed(skill),
        result=result,
    )


def _mistake(replay: Replay, number: int, mistake: Mistake) -> Phrase:
    return say(
        # Translators: a mistake in a list; played and better are moves in notation.
        "**{number}.** Entry {ply}, {side}: {played}. Better was **{better}** (−{loss}).",
        number=number,
        ply=mistake.ply,
        side=_side_at(replay, mistake),
        played=mistake.played,
        better=mistake.better,
        loss=_hundredths(mistake.loss),
    )


def _side_at(replay: Replay, mistake: Mistake) -> Phrase:
    """Return the name of the side that made a mistake, as it was called then."""
    player = replay.view.match.players[mistake.place]
    return capital(replay.game.side(replay.entry(mistake.ply).before, Seat(player.seat)))
