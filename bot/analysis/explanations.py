"""What decided a match for a player, in one sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ai.explanations import Cause
from engine.phrase import capital, say

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ai.explanations import Explanation
    from engine.phrase import Phrase

_SENTENCES: Final[Mapping[Cause, Phrase]] = {
    Cause.WON_FAULTLESS: say("{player} won, and no mistake was found."),
    Cause.WON_LUCKY: say("{player} won by luck, which gave {luck}."),
    Cause.WON_UNLUCKY: say("{player} won against the luck, which took {luck}."),
    Cause.WON_BETTER: say(
        "{player} won by the better moves: own mistakes cost {lost}, those of others gave {gained}."
    ),
    Cause.WON_NARROWLY: say("{player} won in spite of mistakes, which cost {lost}."),
    Cause.LOST_UNLUCKY: say("{player} lost by bad luck, which took {luck}."),
    Cause.LOST_BLUNDER: say(
        "{player} lost most of it by one move, at entry {ply}, which cost {loss}."
    ),
    Cause.LOST_MISTAKES: say(
        "{player} lost by several mistakes, which cost {lost} in all; the worst was at entry {ply}."
    ),
    Cause.LOST_OUTPLAYED: say(
        "{player} made no mistake that could be found: the other side saw further."
    ),
    Cause.SHARED_EVEN: say(
        "{player} shared the first place, and neither luck nor mistakes took much."
    ),
    Cause.SHARED_MISSED: say(
        "{player} shared the first place and could have had more: entry {ply} cost {loss}."
    ),
    Cause.SHARED_LUCKY: say(
        "{player} shared the first place with the help of luck, which gave {luck}."
    ),
    Cause.SHARED_UNLUCKY: say(
        "{player} shared the first place against the luck, which took {luck}."
    ),
    Cause.EARLY_AHEAD: say(
        "{player} could have expected {expected} of 100 when the match ended early."
    ),
    Cause.EARLY_BEHIND: say(
        "{player} could have expected no more than {expected} of 100 when the match ended early."
    ),
    Cause.EARLY_EVEN: say(
        "{player} got about what could be expected when the match ended early, {expected} of 100."
    ),
}


def sentence(player: str, explanation: Explanation) -> Phrase:
    """Return the sentence on a player; its figures are hundredths of a win."""
    template = _SENTENCES[explanation.cause]
    figures = {
        name: round(100 * abs(getattr(explanation, name)))
        for name in ("luck", "lost", "gained", "loss", "expected")
    }
    return capital(say(template, player=player, ply=explanation.worst, **figures))
