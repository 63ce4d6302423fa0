"""The words of milestones."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from bot.core.computers import STRONGEST
from bot.core.i18n.mentions import mention, timestamp
from data.ratings.feats import CHAIN, COMEBACK, COMPUTER, Feat
from engine import registry
from engine.phrase import Phrase, capital, glued, lines, plural, say


def match_lines(found: Iterable[Feat]) -> Phrase:
    """Return the milestones of a match, a small line each."""
    return lines(
        # Translators: milestone is a sentence about something a player did for the first time.
        glued("-# ", say("Milestone: {milestone}", milestone=_of_match(feat)))
        for feat in found
    )


def _of_match(feat: Feat) -> Phrase:
    facts = {"player": mention(feat.user_id), "game": _game(feat)}
    if feat.kind == CHAIN:
        return plural(
            "{player} made {n} capture in a row, a personal best.",
            "{player} made {n} captures in a row, a personal best.",
            feat.amount,
            player=facts["player"],
        )
    if feat.kind == COMEBACK:
        return say(
            "{player} won from a {percent} % win chance.",
            player=facts["player"],
            percent=_percent(feat),
        )
    if feat.kind == COMPUTER:
        return say(
            "{player} beat the level {level} computer for the first time.",
            player=facts["player"],
            level=STRONGEST,
        )
    return say("{player} won {game} for the first time.", **facts)


def of_player(feat: Feat, at: datetime, link: str | None) -> Phrase:
    """Return a milestone as a line of a profile, with a link to the match's final board."""
    facts = {"game": _game(feat), "when": timestamp(at, "D")}
    if feat.kind == CHAIN:
        line: Phrase = plural(
            "Most captures in a row in {game}: {n} ({when})",
            "Most captures in a row in {game}: {n} ({when})",
            feat.amount,
            **facts,
        )
    elif feat.kind == COMEBACK:
        line = say(
            "Won {game} from a {percent} % win chance ({when})", percent=_percent(feat), **facts
        )
    elif feat.kind == COMPUTER:
        line = say(
            "First win against the level {level} computer in {game} ({when})",
            level=STRONGEST,
            **facts,
        )
    else:
        line = say("First win in {game} ({when})", **facts)
    if link is None:
        return line
    return glued(line, " · ", say("[board]({link})", link=link))


def _percent(feat: Feat) -> int:
    """Return a chance in percent, at least 1: no win comes from a chance of zero."""
    return max(1, feat.amount)


def _game(feat: Feat) -> str:
    """Return a game's title, with the rule set where there are several."""
    game = registry.games().get(feat.game)
    if game is None:
        return feat.game
    known = {value: value for option in game.options if option.presets for value in option.values}
    if feat.rules not in known:
        return game.title
    # Translators: a game and its rule set: "Tablan (Bell)".
    return say("{game} ({rules})", game=game.title, rules=capital(known[feat.rules]))
