"""What decided a match for a player: one cause, with its figures."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

MIN_LOSS: Final = 0.03
"""The smallest mistake worth mentioning, as a fraction of a win."""
DECISIVE: Final = 0.1
"""Luck or mistakes below this are not named as the cause."""
_ROUNDING: Final = 1e-9


@dataclass(frozen=True, slots=True)
class Breakdown:
    """The changes of one seat's equity in a match, in total; `ai.analysis` defines them.

    ``result = start + luck + skill + early``, and ``skill = gained - lost + unforeseen``. Each is a
    sum over many entries, and often exceeds 1: players are not told ``luck``, ``lost`` or ``gained``.
    """

    start: float
    luck: float = 0.0
    lost: float = 0.0
    """By its own decisions; never negative."""
    gained: float = 0.0
    """By the decisions of others."""
    mistakes: int = 0
    """Number of its decisions that lost at least `MIN_LOSS`."""
    unforeseen: float = 0.0
    early: float = 0.0
    result: float = 0.0
    worst: int = 0
    """The entry of its worst decision; 0 if none lost anything."""
    loss: float = 0.0
    """The loss by that decision."""

    @property
    def skill(self) -> float:
        """Everything but throws and an early end."""
        return self.gained - self.lost + self.unforeseen


class Cause(StrEnum):
    """What decided a match for a player. In brackets: the figures for the sentence."""

    WON_FAULTLESS = "won_faultless"
    """Won, and no mistake was found."""
    WON_LUCKY = "won_lucky"
    """Won by luck, which gave more than better play did."""
    WON_UNLUCKY = "won_unlucky"
    """Won against the throws."""
    WON_BETTER = "won_better"
    """Won, as the mistakes of others gave more than own ones cost [mistakes, worst, loss]."""
    WON_NARROWLY = "won_narrowly"
    """Won although own mistakes cost more than those of others gave [mistakes, worst, loss]."""
    MOVED_UP = "moved_up"
    """Came first only because others had given up, whatever became of their seats."""
    LOST_UNLUCKY = "lost_unlucky"
    """Lost, and luck took more than the other side's better play did."""
    LOST_BLUNDER = "lost_blunder"
    """Lost, most of it by one move [worst, loss]."""
    LOST_MISTAKES = "lost_mistakes"
    """Lost by several mistakes, this one the worst [mistakes, worst, loss]."""
    LOST_OUTPLAYED = "lost_outplayed"
    """Lost without a mistake that the search could find."""
    SHARED_EVEN = "shared_even"
    """Shared the first place, and neither luck nor mistakes took much."""
    SHARED_MISSED = "shared_missed"
    """Shared the first place; one move had given most away [worst, loss]."""
    SHARED_LUCKY = "shared_lucky"
    """Shared the first place by luck."""
    SHARED_UNLUCKY = "shared_unlucky"
    """Shared the first place against the throws."""
    EARLY_AHEAD = "early_ahead"
    """The match ended early and gave less than expected [expected]."""
    EARLY_BEHIND = "early_behind"
    """The match ended early and gave more than expected [expected]."""
    EARLY_EVEN = "early_even"
    """The match ended early and gave about what was expected [expected]."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """What decided a match for one player, with figures."""

    cause: Cause
    mistakes: int
    worst: int
    loss: float
    expected: float
    """The expected result when the match ended."""


def explain(breakdown: Breakdown, *, throws: bool, early: bool) -> Explanation:
    """Return what decided the match for a seat.

    Args:
        breakdown: of its equity.
        throws: whether the game has throws.
        early: whether the match ended before the rules ended it.

    """
    luck = breakdown.luck if throws else 0.0
    expected = breakdown.result - breakdown.early
    if early:
        cause = _early(breakdown)
    elif breakdown.early > _ROUNDING:
        cause = Cause.MOVED_UP
    elif breakdown.result == 1:
        cause = _won(breakdown, luck)
    elif breakdown.result == 0:
        cause = _lost(breakdown, luck)
    else:
        cause = _shared(breakdown, luck)
    return Explanation(cause, breakdown.mistakes, breakdown.worst, breakdown.loss, expected)


def _early(breakdown: Breakdown) -> Cause:
    if breakdown.early < -DECISIVE:
        return Cause.EARLY_AHEAD
    return Cause.EARLY_BEHIND if breakdown.early > DECISIVE else Cause.EARLY_EVEN


def _won(breakdown: Breakdown, luck: float) -> Cause:
    if luck > max(DECISIVE, breakdown.skill):  # as the loser is told, and as the figures are shown
        return Cause.WON_LUCKY
    if luck < -DECISIVE:
        return Cause.WON_UNLUCKY
    if not breakdown.mistakes:
        return Cause.WON_FAULTLESS
    return Cause.WON_BETTER if breakdown.gained > breakdown.lost else Cause.WON_NARROWLY


def _lost(breakdown: Breakdown, luck: float) -> Cause:
    if -luck > max(DECISIVE, -breakdown.skill):
        return Cause.LOST_UNLUCKY
    if not breakdown.mistakes:
        return Cause.LOST_OUTPLAYED
    if breakdown.loss > max(DECISIVE, breakdown.lost / 2):
        return Cause.LOST_BLUNDER
    return Cause.LOST_MISTAKES


def _shared(breakdown: Breakdown, luck: float) -> Cause:
    if abs(luck) > max(DECISIVE, breakdown.loss):
        return Cause.SHARED_LUCKY if luck > 0 else Cause.SHARED_UNLUCKY
    return Cause.SHARED_MISSED if breakdown.loss > DECISIVE else Cause.SHARED_EVEN
