"""The report of an analysis: stored and read, and in words, the chart included."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from typing import Any, Final

from ai.explanations import DECISIVE, MIN_LOSS, Cause, Explanation
from bot.core.i18n.mentions import mention
from bot.core.interactions.layout import MAX_ALT
from bot.play.replays.replay import Replay
from data.matches.match import Match
from engine.game import Seat
from engine.overlay import Kind, along, overlaid
from engine.phrase import Phrase, capital, lines, plural, say, shortened
from engine.registry import AnyGame
from engine.scene import Scene

MAX_MISTAKES: Final = 5
"""Maximum mistakes shown per match."""
_DIGITS: Final = 4
"""Decimal places of stored values; more would not show in a chart."""
_TOLD: Final = 20
"""Maximum win chances listed in words, over all sides."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """A decision that was not the best."""

    ply: int
    place: int
    """The player, in turn order."""
    played: str
    better: str
    loss: float
    """Its cost as a fraction of a win."""


@dataclass(frozen=True, slots=True)
class AnalysisReport:
    """Everything shown of an analysis. Places are in turn order."""

    values: Sequence[Sequence[float]]
    """Expected results of all places, at the start and after each entry."""
    mistakes: Sequence[Mistake]
    """The biggest mistakes, largest first."""
    untold: int
    """The number of further mistakes worth mentioning."""
    explanations: Sequence[Explanation]
    """What decided the match for each place."""
    luck: Sequence[float]
    early: Sequence[float]
    """What an early end, or the giving up of others, gained or cost.

    Start, luck, skill and this add up to the result.
    """
    thrown: bool
    """Whether chance played a part."""


def to_json(analysis: dict[str, Any], match: Match) -> dict[str, Any]:
    """Return the part of a worker's analysis to store.

    Moves by a computer that replaces a player are nobody's mistakes.
    """
    until = {place: player.gave_up_ply for place, player in enumerate(match.players)}
    plies = analysis["plies"]
    return {
        "values": [analysis["start"], *(ply["after"] for ply in plies)],
        "mistakes": [
            [ply["ply"], ply["place"], ply["notation"], ply["best"], ply["loss"]]
            for ply in plies
            if ply["loss"] > 0 and ply["ply"] <= (until[ply["place"]] or ply["ply"])
        ],
        "luck": analysis["luck"],
        "skill": analysis["skill"],
        "early": analysis["early"],
        "explanations": analysis["explanations"],
        "thrown": any(ply["place"] is None for ply in plies),
    }


def abridged(stored: dict[str, Any]) -> dict[str, Any]:
    """Reduce a stored report to what is shown, as users get a copy with their data."""
    return {
        **stored,
        "untold": _untold(stored),
        "values": [[round(value, _DIGITS) for value in values] for values in stored["values"]],
        "mistakes": [astuple(mistake) for mistake in _biggest(stored)],
    }


def from_json(stored: dict[str, Any]) -> AnalysisReport:
    """Return a stored report."""
    explanations = [
        Explanation(**{**one, "cause": Cause(one["cause"])}) for one in stored["explanations"]
    ]
    return AnalysisReport(
        stored["values"],
        _biggest(stored),
        _untold(stored),
        explanations,
        stored["luck"],
        stored["early"],
        stored["thrown"],
    )


def _untold(stored: dict[str, Any]) -> int:
    if "untold" in stored:  # already shortened
        return int(stored["untold"])
    worth = [mistake for mistake in stored["mistakes"] if Mistake(*mistake).loss >= MIN_LOSS]
    return max(len(worth) - MAX_MISTAKES, 0)


def _biggest(stored: dict[str, Any]) -> list[Mistake]:
    mistakes = [Mistake(*mistake) for mistake in stored["mistakes"]]
    biggest = sorted(mistakes, key=lambda mistake: (-mistake.loss, mistake.ply))[:MAX_MISTAKES]
    return [mistake for mistake in biggest if mistake.loss >= MIN_LOSS]


# ---------------------------------------------------------------- in words


def _percent(part: float) -> int:
    """Return a fraction of a win in percent."""
    return round(100 * part)


def _signed(percent: int) -> str:
    """Return a number with its sign, using a proper minus."""
    return f"+{percent}" if percent >= 0 else f"−{-percent}"


def side(replay: Replay, place: int) -> Phrase:
    """Return the name of a side, capitalised."""
    seat = Seat(replay.position.match.players[place].seat)
    first = capital(replay.game.side(replay.first, seat))
    if first == capital(replay.game.side(replay.position.state, seat)):
        return first
    # Translators: the player who had this side in game 1 of 2, before sides were swapped.
    return say("{side} in game 1", side=first)


def player(replay: Replay, place: int) -> str:
    """Return the player in a place, or the side in an imported record."""
    one = replay.position.match.players[place]
    name = side(replay, place) if replay.imported else mention(one.user_id)
    if one.gave_up is None:
        return name
    # Translators: a player who gave up, and the last move before a computer took over.
    return say(
        "{player} (computer after move {move})", player=name, move=replay.move(one.gave_up_ply or 0)
    )


def alt(replay: Replay, report: AnalysisReport) -> Iterator[Phrase]:
    """Yield the sentences of the chart's alt text."""
    ends, sides = (0, *replay.turn_ends), len(replay.position.match.players)
    last = len(ends) - 1
    # With two sides, one chance implies the other.
    for place in range(sides if sides > 2 else 1):
        yield say(
            "The win chance of {side} in percent, from the start to move {last}.",
            side=side(replay, place),
            last=last,
        )
        steps = _TOLD // sides
        moves = sorted({last * step // steps for step in range(steps + 1)})
        values = [f"{move}: {_percent(report.values[ends[move]][place])}" for move in moves]
        # Translators: values is a list of moves and win chances, like "0: 50, 12: 48, 24: 63".
        yield say("After move {values}.", values=", ".join(values))
    for number, mistake in enumerate(report.mistakes, 1):
        yield say(
            "Mistake {number}: {side}, move {move}.",
            number=number,
            side=_side_at(replay, mistake),
            move=replay.move(mistake.ply),
        )


def full_text(replay: Replay, report: AnalysisReport) -> Iterator[str]:
    """Yield the whole text: what decided it for each player, the mistakes, luck and skill."""
    players = [player(replay, place) for place in range(len(replay.position.match.players))]
    for place, name in enumerate(players):
        if replay.position.match.players[place].gave_up is None:
            explanation = report.explanations[place]
            told = replace(explanation, worst=replay.move(explanation.worst))
            yield sentence(name, told, players=len(players))
    if report.mistakes:
        yield say("**Better moves**")
        for number, mistake in enumerate(report.mistakes, 1):
            yield mistake_line(replay, number, mistake)
        if report.untold:
            yield plural(
                "-# {n} smaller mistake isn't shown.",
                "-# {n} smaller mistakes aren't shown.",
                report.untold,
            )
    else:
        yield say("No mistakes worth mentioning.")
    if report.thrown:
        yield say("**Luck and skill**")
        for place, name in enumerate(players):
            yield capital(_card(replay, report, place, name))
        parts = (part for place in range(len(players)) for part in _parts(report, place))
        if max(map(abs, parts)) > 100:
            yield say("-# Luck and skill are totals for the whole game, so they can exceed 100.")
    yield say(
        "-# A computer's estimate: a quick look at every move, a long one only at the costliest. "
        "It can be wrong."
    )


def _parts(report: AnalysisReport, place: int) -> tuple[int, int, int, int, int]:
    """Return start, luck, skill, early end and result in percent; the first four add up to it."""
    start, result = _percent(report.values[0][place]), _percent(report.values[-1][place])
    luck, early = _percent(report.luck[place]), _percent(report.early[place])
    return start, luck, result - start - luck - early, early, result


def _card(replay: Replay, report: AnalysisReport, place: int, name: str) -> Phrase:
    start, luck, skill, early, result = _parts(report, place)
    facts = {
        "player": name,
        "start": start,
        "luck": _signed(luck),
        "skill": _signed(skill),
        "early": _signed(early),
        "result": result,
    }
    if early and replay.position.outcome is not None:
        return say(
            # Translators: win chances in percent; those in the middle have a sign; they add up.
            "{player}: {start} % at the start, luck {luck}, skill {skill}, players who gave up "
            "{early}, {result} % in the end.",
            **facts,
        )
    if early:
        return say(
            # Translators: win chances in percent; those in the middle have a sign; they add up.
            "{player}: {start} % at the start, luck {luck}, skill {skill}, early end {early}, "
            "{result} % in the end.",
            **facts,
        )
    return say(
        # Translators: win chances in percent; the middle two have a sign; they add up.
        "{player}: {start} % at the start, luck {luck}, skill {skill}, {result} % in the end.",
        **facts,
    )


def mistake_line(replay: Replay, number: int, mistake: Mistake) -> Phrase:
    """Return a mistake and the better move, as a list entry."""
    game, before = replay.game, replay.entry(mistake.ply).before
    played, better = (_called(game, before, move) for move in (mistake.played, mistake.better))
    return say(
        # Translators: a mistake, in a list; played and better are moves: "man e5 to e9".
        "**{number}.** Move {move}, {side}: {played} (−{loss} %). Better: **{better}**.",
        number=number,
        move=replay.move(mistake.ply),
        side=_side_at(replay, mistake),
        played=played,
        better=better,
        loss=_percent(mistake.loss),
    )


def boards(replay: Replay, mistake: Mistake) -> tuple[Scene, Scene]:
    """Return the boards with the move played and the better one; the first describes both."""
    game, before = replay.game, replay.entry(mistake.ply).before
    scene = replay.scene(mistake.ply - 1)
    # Translators: describes a picture of two boards; alt describes the position.
    alt = say(
        "Two boards: one with {played}, the move played, one with {better}, the better move. {alt}",
        played=_called(game, before, mistake.played),
        better=_called(game, before, mistake.better),
        alt=scene.alt,
    )
    one, other = (
        overlaid(scene, along(game.routes(before, game.read(before, move)), kind))
        for move, kind in ((mistake.played, Kind.WRONG), (mistake.better, Kind.HINT))
    )
    return replace(one, alt=shortened(alt, MAX_ALT)), other


def _called(game: AnyGame, before: Any, move: str) -> str:
    """Return a move in notation as a menu would call it."""
    return game.move_label(before, game.read(before, move)).text


def title_of(replay: Replay, number: int, mistake: Mistake) -> Phrase:
    """Return where a mistake was made, and its cost."""
    return say(
        # Translators: the heading of a mistake, in a list.
        "**{number}.** Move {move}, {side} (−{loss} %)",
        number=number,
        move=replay.move(mistake.ply),
        side=_side_at(replay, mistake),
        loss=_percent(mistake.loss),
    )


def in_words(game: AnyGame, before: Any, mistake: Mistake) -> Phrase:
    """Return a move and what it gave away, and the better one and why."""
    played, better = (game.read(before, move) for move in (mistake.played, mistake.better))
    risk = game.risk(before, played)
    one = _called(game, before, mistake.played)
    lost = (
        # Translators: move is such as "man e5 to e9".
        say("✗ Played: {move}.", move=one)
        if not risk
        # Translators: risk is a few words, like "can be taken there".
        else say("✗ Played: {move} ({risk}).", move=one, risk=risk)
    )
    gained = say(
        # Translators: move is such as "man e5 to e9".
        "✓ Better: {move}.",
        move=_called(game, before, mistake.better),
    )
    price = "" if risk else game.price(before, played)
    return lines(
        lines(filter(None, phrase), " ")
        for phrase in ((lost, price), (gained, game.reason(before, better)))
    )


def _side_at(replay: Replay, mistake: Mistake) -> Phrase:
    """Return the name at that point of the side that made a mistake."""
    player = replay.position.match.players[mistake.place]
    return capital(replay.game.side(replay.entry(mistake.ply).before, Seat(player.seat)))


_SENTENCES: Final[Mapping[Cause, Phrase]] = {
    # Translators: figures are percent of a win chance; move is the number of a move.
    Cause.WON_FAULTLESS: say("{player} won without a mistake."),
    Cause.WON_LUCKY: say("Luck was with {player}: the throws counted for more than mistakes did."),
    Cause.WON_UNLUCKY: say("{player} won despite bad luck."),
    Cause.WON_BETTER: say("{player} won with better moves: no mistake cost more than {loss} %."),
    Cause.MOVED_UP: say("{player} came first, as others had given up."),
    Cause.LOST_UNLUCKY: say("{player} lost to bad luck: the throws cost more than mistakes did."),
    Cause.LOST_BLUNDER: say("One move decided it: move {move} cost {player} {loss} %."),
    Cause.LOST_OUTPLAYED: say("{player} made no clear mistake. The other side saw further."),
    Cause.SHARED_EVEN: say("An even game, well played by {player}."),
    Cause.SHARED_MISSED: say("{player} could have had more: move {move} cost {loss} %."),
    Cause.SHARED_LUCKY: say("{player} held on with some luck."),
    Cause.SHARED_UNLUCKY: say("{player} held on despite bad luck."),
    Cause.EARLY_AHEAD: say("The early end cost {player}, who had a {expected} % win chance."),
    Cause.EARLY_BEHIND: say("The early end helped {player}, who had a {expected} % win chance."),
    Cause.EARLY_EVEN: say("The game ended early, with {player} at a {expected} % win chance."),
}


def sentence(player: str, explanation: Explanation, *, players: int) -> Phrase:
    """Return the sentence on one of some players; ``explanation.worst`` is a move number, not an entry."""
    figures = {
        "player": player,
        "move": explanation.worst,
        "loss": round(100 * explanation.loss),
        "expected": round(100 * explanation.expected),
    }
    match explanation.cause:
        case Cause.WON_BETTER if explanation.loss >= DECISIVE and players == 2:
            phrase = plural(
                "{player} won despite a mistake on move {move} (−{loss} %). The opponent's cost more.",
                "{player} won despite {n} mistakes, the costliest on move {move} (−{loss} %). The "
                "opponent's cost more.",
                explanation.mistakes,
                **figures,
            )
        case Cause.WON_BETTER if explanation.loss >= DECISIVE:
            phrase = plural(
                "{player} won despite a mistake on move {move} (−{loss} %). Those of others cost "
                "more.",
                "{player} won despite {n} mistakes, the costliest on move {move} (−{loss} %). Those "
                "of others cost more.",
                explanation.mistakes,
                **figures,
            )
        case Cause.LOST_OUTPLAYED if players > 2:
            phrase = say("{player} made no clear mistake. Others saw further.", **figures)
        case Cause.WON_NARROWLY:
            phrase = plural(
                "{player} won despite a mistake on move {move} (−{loss} %).",
                "{player} won despite {n} mistakes. Move {move} was the costliest (−{loss} %).",
                explanation.mistakes,
                **figures,
            )
        case Cause.LOST_MISTAKES:
            phrase = plural(
                "{player} made one mistake, on move {move} (−{loss} %).",
                "{player} made {n} mistakes. Move {move} was the costliest (−{loss} %).",
                explanation.mistakes,
                **figures,
            )
        case cause:
            phrase = say(_SENTENCES[cause], **figures)
    return capital(phrase)
