"""What decided a match for a player, in one sentence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ai.explanations import DECISIVE, Cause, Explanation
from engine.phrase import Phrase, capital, plural, say

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


def sentence(player: str, explanation: Explanation) -> Phrase:
    """Return the sentence on a player; ``explanation.worst`` is a move number, not an entry."""
    figures = {
        "player": player,
        "move": explanation.worst,
        "loss": round(100 * explanation.loss),
        "expected": round(100 * explanation.expected),
    }
    match explanation.cause:
        case Cause.WON_BETTER if explanation.loss >= DECISIVE:
            phrase = plural(
                "{player} won despite a mistake on move {move} (−{loss} %). Those of others cost "
                "more.",
                "{player} won despite {n} mistakes, the costliest on move {move} (−{loss} %). Those "
                "of others cost more.",
                explanation.mistakes,
                **figures,
            )
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
