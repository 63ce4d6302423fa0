"""One sentence for whatever a match may come to."""

from __future__ import annotations

import pytest

from ai.verdicts import Kind
from bot.analysis.report import Verdict
from bot.analysis.verdicts import sentence


@pytest.mark.parametrize("kind", Kind)
def test_every_kind_of_verdict_has_a_sentence(kind: Kind) -> None:
    told = sentence("<@1>", Verdict(kind.value, 0.2, 0.3, 0.4, 17, 0.1, 0.6))
    assert told.startswith("<@1> ")
    assert told.endswith(".")
