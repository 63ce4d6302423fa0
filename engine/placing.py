"""The final places where players gave their seats up and others played on."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def placed(ranks: Sequence[int], gave_up: Sequence[int]) -> tuple[int, ...]:
    """Return the final ranks of a game, one a seat.

    Whoever gave up comes last, and who held out longer comes before who gave up earlier. The
    others keep their order among themselves: whoever was ranked behind a seat that was given up
    moves up, whatever became of that seat afterwards.

    Args:
        ranks: as the game ended on the board, 1 the best.
        gave_up: the places in ``ranks`` of those who gave up, the first of them first.

    """
    if not gave_up:
        return tuple(ranks)
    stayed = [place for place in range(len(ranks)) if place not in gave_up]
    order = sorted({ranks[place] for place in stayed})
    final = {place: order.index(ranks[place]) + 1 for place in stayed}
    final |= {place: last for last, place in enumerate(reversed(gave_up), start=len(order) + 1)}
    return tuple(final[place] for place in range(len(ranks)))
