"""One sentence on what decided a match."""

from __future__ import annotations

import pytest

from ai.explanations import Cause, Explanation
from bot.analysis.explanations import sentence


@pytest.mark.parametrize("cause", Cause)
def test_every_cause_has_a_sentence(cause: Cause) -> None:
    told = sentence("<@1>", Explanation(cause, 0.2, 0.3, 0.4, 17, 0.1, 0.6))
    assert "<@1>" in told
    assert told.endswith(".")
