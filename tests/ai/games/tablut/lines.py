"""Random lines of moves."""

from __future__ import annotations

import random


def random_line(dice: random.Random) -> str:
    """Return a position line with few men near a king, which may be impossible."""
    squares = [["."] * 9 for _ in range(9)]
    rank, file = dice.choice((2, 3, 4, 5)), dice.choice((3, 4, 5, 6))
    for letter, most in (("m", 16), ("s", 4)):
        for _ in range(dice.randrange(1, most)):
            far = dice.choice((1, 1, 2, 8))
            up = min(8, max(0, rank + dice.randint(-far, far)))
            along = min(8, max(0, file + dice.randint(-far, far)))
            if (up, along) != (4, 4):
                squares[up][along] = letter
    squares[rank][file] = "k"
    side = dice.choice(("swedes", "muscovites"))
    return f"{'/'.join(''.join(row) for row in squares)} {side}"
