"""Message markers are distinct, and Discord accepts them."""

from __future__ import annotations

from itertools import pairwise

import pytest

from bot.core.interactions.layout import FIRST_MARK
from bot.core.posts import kinds


def test_no_two_kinds_of_message_share_a_mark() -> None:
    ordered = sorted(kinds.ALL_MARKS, key=lambda kind: kind.start)
    assert all(one.stop <= other.start for one, other in pairwise(ordered))


def test_every_mark_is_a_valid_component_id_that_nothing_else_uses() -> None:
    for kind in kinds.ALL_MARKS:
        assert FIRST_MARK + kind.start > 1_000_000
        assert FIRST_MARK + kind.stop <= 1 << 31


def test_a_number_out_of_range_is_an_error() -> None:
    assert kinds.POST_MARKS[7] == 750_000_007
    with pytest.raises(IndexError):
        kinds.POST_MARKS[len(kinds.POST_MARKS)]
