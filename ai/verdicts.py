"""What one would say of a player's match in one sentence, as a kind with its figures."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

_MUCH: Final = 0.1
"""What luck or mistakes must come to before they are named as the reason."""
_HARDLY: Final = 0.05
"""Who loses less in a whole match has played without fault, as far as anybody can see."""


@dataclass(frozen=True, slots=True)
class Account:
    """What became of one seat's equity; see `ai.analysis` for what each item is.

    ``result = start + luck + skill + early``, and ``skill = gained - lost + unforeseen``.
    """

    start: float
    luck: float = 0.0
    lost: float = 0.0
    """By its own decisions, never negative."""
    gained: float = 0.0
    """By the decisions of others."""
    unforeseen: float = 0.0
    early: float = 0.0
    result: float = 0.0
    worst: int = 0
    """The ply of its worst decision; 0 where it lost nothing by any."""
    loss: float = 0.0
    """What that decision lost."""

    @property
    def skill(self) -> float:
        """All that neither throws nor an early end explain."""
        return self.gained - self.lost + self.unforeseen


class Kind(Enum):
    """What to say. Figures of the `Verdict` that belong into the sentence stand in brackets."""

    WON_FAULTLESS = "won_faultless"
    """Won, and no mistake was found."""
    WON_LUCKY = "won_lucky"
    """Won, and luck decided it [luck]: without it the others would have had more."""
    WON_UNLUCKY = "won_unlucky"
    """Won against the throws [luck]."""
    WON_BETTER = "won_better"
    """Won by fewer or smaller mistakes than the others' [lost, gained]."""
    WON_NARROWLY = "won_narrowly"
    """Won though own mistakes cost more than those of others gave [lost, gained]."""
    LOST_UNLUCKY = "lost_unlucky"
    """Lost, and luck took more than mistakes did [luck, lost]."""
    LOST_BLUNDER = "lost_blunder"
    """Lost, most of it by one move [worst, loss]."""
    LOST_MISTAKES = "lost_mistakes"
    """Lost by several mistakes, this one the worst [lost, worst]."""
    LOST_OUTPLAYED = "lost_outplayed"
    """Lost without a mistake that could be found: somebody saw further."""
    SHARED_EVEN = "shared_even"
    """Shared the first place, and neither luck nor mistakes took much."""
    SHARED_MISSED = "shared_missed"
    """Shared it, and one move had given more away than any other [worst, loss]."""
    SHARED_LUCKY = "shared_lucky"
    """Shared it with the help of the throws [luck]."""
    SHARED_UNLUCKY = "shared_unlucky"
    """Shared it against the throws [luck]."""
    EARLY_AHEAD = "early_ahead"
    """The match ended early, with more to be expected than it gave [expected]."""
    EARLY_BEHIND = "early_behind"
    """The match ended early, and gave more than was to be expected [expected]."""
    EARLY_EVEN = "early_even"
    """The match ended early, with about what was to be expected [expected]."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What to say of one player, with the figures for it."""

    kind: Kind
    luck: float
    lost: float
    gained: float
    worst: int
    loss: float
    expected: float
    """What was to be expected when the match ended."""


def verdict(account: Account, *, throws: bool, early: bool) -> Verdict:
    """Return what to say of a seat whose match came to this.

    Args:
        account: its sums.
        throws: whether there was luck at all.
        early: whether the match ended before the rules ended it.

    """
    luck = account.luck if throws else 0.0
    expected = account.result - account.early
    if early:
        kind = _early(account)
    elif account.result == 1:
        kind = _won(account, luck)
    elif account.result == 0:
        kind = _lost(account, luck)
    else:
        kind = _shared(account, luck)
    return Verdict(kind, luck, account.lost, account.gained, account.worst, account.loss, expected)


def _early(account: Account) -> Kind:
    if account.early < -_MUCH:
        return Kind.EARLY_AHEAD
    return Kind.EARLY_BEHIND if account.early > _MUCH else Kind.EARLY_EVEN


def _won(account: Account, luck: float) -> Kind:
    if luck > max(_MUCH, account.start + account.skill, account.skill):
        return Kind.WON_LUCKY
    if luck < -_MUCH:
        return Kind.WON_UNLUCKY
    if account.lost < _HARDLY:
        return Kind.WON_FAULTLESS
    return Kind.WON_BETTER if account.gained >= account.lost else Kind.WON_NARROWLY


def _lost(account: Account, luck: float) -> Kind:
    if -luck > max(_MUCH, account.lost):
        return Kind.LOST_UNLUCKY
    if account.lost < _HARDLY:
        return Kind.LOST_OUTPLAYED
    if account.loss > max(_MUCH, account.lost / 2):
        return Kind.LOST_BLUNDER
    return Kind.LOST_MISTAKES


def _shared(account: Account, luck: float) -> Kind:
    if abs(luck) > max(_MUCH, account.loss):
        return Kind.SHARED_LUCKY if luck > 0 else Kind.SHARED_UNLUCKY
    return Kind.SHARED_MISSED if account.loss > _MUCH else Kind.SHARED_EVEN
