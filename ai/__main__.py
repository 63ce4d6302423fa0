"""Commands for those who work on the computer opponents.

python -m ai train <game>        learns the weights of a game's evaluation afresh
python -m ai strength [game...]  lets the levels play each other; all games if none is named
    --games N     of each pair, 400 unless told
    --jobs N      in so many processes, on all cores unless told
    --only N      only the pairs of this level, or of this level and another one: 5, 4-3, 5-random
    --rules NAME  only this rule set: "tablan bell", "thaayam 4 players"
    --share S     lets level 5 look at this part of its positions only, to save time
    --file FILE   keeps all parts there, and goes on where they end
    --write       puts the results into docs/strength.md and ai/strength.json
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from ai import ladder, strength
from ai.position import fast
from engine import registry

if TYPE_CHECKING:
    from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status."""
    slugs = [slug for slug in registry.games() if fast(slug) is not None]
    parser = argparse.ArgumentParser(prog="python -m ai")
    commands = parser.add_subparsers(dest="command", required=True)
    train = commands.add_parser("train", help="learn the weights of an evaluation afresh")
    train.add_argument("game", choices=slugs)
    play = commands.add_parser("strength", help="let the levels play each other")
    play.add_argument("game", nargs="*")
    play.add_argument("--games", type=int, default=400, help="of each pair")
    play.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    play.add_argument("--only", action="append", default=[], help="only pairs of this level")
    play.add_argument("--rules", action="append", default=[], help="only this rule set")
    play.add_argument("--share", type=float, default=1.0, help="of level 5's positions")
    play.add_argument("--file", type=Path, help="where parts are kept")
    play.add_argument("--write", action="store_true", help="put the results where they belong")
    options = parser.parse_args(arguments)
    if options.command == "train":
        importlib.import_module(f"ai.games.{options.game}.train").train()
        return 0
    unknown = [slug for slug in options.game if slug not in slugs]
    if unknown:
        parser.error(f"{unknown[0]!r} has no fast board; these have: {', '.join(slugs)}")
    wanted = [
        pair
        for setting in strength.settings(options.game or slugs)
        for pair in strength.pairs(setting)
        if not options.rules or setting.name in options.rules
        if not options.only or {pair.one, f"{pair.one}-{pair.other}"} & set(options.only)
    ]
    share = options.share
    scores = strength.measure(
        wanted, options.games, jobs=options.jobs, share=share, file=options.file
    )
    if options.write:
        shares = {pair: (score, share) for pair, score in scores.items()}
        ladder.write(strength.kept(options.file) if options.file else shares)
    return 0


if __name__ == "__main__":
    sys.exit(main())
