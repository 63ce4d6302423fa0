"""The README's film can be drawn with the program as it is."""

from __future__ import annotations

import pytest

from tests.readme_pictures import film


@pytest.mark.asyncio(loop_scope="session")
async def test_a_turn_is_filmed_from_the_board_to_the_answer() -> None:
    board, chosen, answer = await film()
    assert board.size == chosen.size == answer.size
    assert board.tobytes() != answer.tobytes()
