"""Final ranks when some players gave up and others played on."""

from __future__ import annotations

from collections.abc import Sequence


def placed(ranks: Sequence[int], gave_up: Sequence[int]) -> tuple[int, ...]:
    """Return the final ranks of a game, one per seat.

    Those who gave up come last, the first to give up behind the others. The rest keep their order:
    players ranked behind a seat that was given up move up, however that seat fared afterwards.

    Args:
        ranks: as the game ended on the board, 1 the best.
        gave_up: the indices in ``ranks`` of those who gave up, in order of giving up.
    """
    if not gave_up:
        return tuple(ranks)
    stayed = [place for place in range(len(ranks)) if place not in gave_up]
    order = sorted({ranks[place] for place in stayed})
    final = {place: order.index(ranks[place]) + 1 for place in stayed}
    final |= {place: last for last, place in enumerate(reversed(gave_up), start=len(order) + 1)}
    return tuple(final[place] for place in range(len(ranks)))
