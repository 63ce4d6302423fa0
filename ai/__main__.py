"""``python -m ai train <game>`` learns the weights of a game's evaluation afresh."""

from __future__ import annotations

import importlib
import sys
from typing import Final

from ai.position import fast

_USAGE: Final = "usage: python -m ai train <game>"


def main(arguments: list[str]) -> int:
    """Run the program and return its exit status."""
    match arguments:
        case ["train", slug] if fast(slug) is not None:
            importlib.import_module(f"ai.games.{slug}.train").train()
            return 0
        case _:
            print(_USAGE, file=sys.stderr)
            return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
