"""What decided a match for a player, in one sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.phrase import capital, say

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bot.analysis.report import Explanation
    from engine.phrase import Phrase


def sentence(player: str, explanation: Explanation) -> Phrase:
    """Return the sentence on a player."""
    return capital(_SENTENCES[explanation.cause](player, explanation))


def hundredths(part: float) -> int:
    """Return a part of a win in hundredths."""
    return round(100 * abs(part))


_SENTENCES: Final[Mapping[str, Callable[[str, Explanation], Phrase]]] = {
    "won_faultless": lambda player, _: say(
        "{player} won, and no mistake was found.", player=player
    ),
    "won_lucky": lambda player, v: say(
        "{player} won by luck, which gave {luck}.", player=player, luck=hundredths(v.luck)
    ),
    "won_unlucky": lambda player, v: say(
        "{player} won against the luck, which took {luck}.",
        player=player,
        luck=hundredths(v.luck),
    ),
    "won_better": lambda player, v: say(
        "{player} won by the better moves: own mistakes cost {lost}, those of others gave {gained}.",
        player=player,
        lost=hundredths(v.lost),
        gained=hundredths(v.gained),
    ),
    "won_narrowly": lambda player, v: say(
        "{player} won in spite of mistakes, which cost {lost}.",
        player=player,
        lost=hundredths(v.lost),
    ),
    "lost_unlucky": lambda player, v: say(
        "{player} lost by bad luck, which took {luck}.", player=player, luck=hundredths(v.luck)
    ),
    "lost_blunder": lambda player, v: say(
        "{player} lost most of it by one move, at entry {ply}, which cost {loss}.",
        player=player,
        ply=v.worst,
        loss=hundredths(v.loss),
    ),
    "lost_mistakes": lambda player, v: say(
        "{player} lost by several mistakes, which cost {lost} in all; the worst was at entry {ply}.",
        player=player,
        lost=hundredths(v.lost),
        ply=v.worst,
    ),
    "lost_outplayed": lambda player, _: say(
        "{player} made no mistake that could be found: the other side saw further.",
        player=player,
    ),
    "shared_even": lambda player, _: say(
        "{player} shared the first place, and neither luck nor mistakes took much.",
        player=player,
    ),
    "shared_missed": lambda player, v: say(
        "{player} shared the first place and could have had more: entry {ply} cost {loss}.",
        player=player,
        ply=v.worst,
        loss=hundredths(v.loss),
    ),
    "shared_lucky": lambda player, v: say(
        "{player} shared the first place with the help of luck, which gave {luck}.",
        player=player,
        luck=hundredths(v.luck),
    ),
    "shared_unlucky": lambda player, v: say(
        "{player} shared the first place against the luck, which took {luck}.",
        player=player,
        luck=hundredths(v.luck),
    ),
    "early_ahead": lambda player, v: say(
        "{player} could have expected {expected} of 100 when the match ended early.",
        player=player,
        expected=hundredths(v.expected),
    ),
    "early_behind": lambda player, v: say(
        "{player} could have expected no more than {expected} of 100 when the match ended early.",
        player=player,
        expected=hundredths(v.expected),
    ),
    "early_even": lambda player, v: say(
        "{player} got about what could be expected when the match ended early, {expected} of 100.",
        player=player,
        expected=hundredths(v.expected),
    ),
}
