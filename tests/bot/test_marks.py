"""Message markers are distinct, and Discord accepts them."""

from __future__ import annotations

from itertools import pairwise

import pytest

from bot.delivery import marks
from bot.interactions.layout import FIRST_MARK


def test_no_two_kinds_of_messages_have_the_same_mark() -> None:
    ordered = sorted(marks.ALL, key=lambda kind: kind.start)
    assert all(one.stop <= other.start for one, other in pairwise(ordered))


def test_every_mark_is_an_id_that_a_component_can_have_and_gets_from_nobody_else() -> None:
    for kind in marks.ALL:
        assert FIRST_MARK + kind.start > 1_000_000
        assert FIRST_MARK + kind.stop <= 1 << 31


def test_a_number_beyond_its_range_is_an_error_and_no_mark_of_another_kind() -> None:
    assert marks.LADDERS[7] == 500_000_007
    with pytest.raises(IndexError):
        marks.LADDERS[len(marks.LADDERS)]
