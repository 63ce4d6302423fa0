"""What is said of computers that play."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.phrase import say

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.phrase import Phrase

LEVELS: Final[Mapping[int, Phrase]] = {
    # Translators: the five levels of computers, chosen in a menu; at most 100 characters each.
    1: say("1 · a beginner, whom a child beats"),
    2: say("2 · knows the rules and takes what it sees"),
    3: say("3 · looks ahead a little, and slips now and then"),
    4: say("4 · a good player, who seldom slips"),
    5: say("5 · as strong as it can be in a second"),
}
"""What each level is like."""
