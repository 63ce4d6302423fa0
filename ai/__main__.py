"""Commands for work on the computer opponents.

python -m ai compile              compiles what computers think with, ahead of the first move
python -m ai train <game>         trains the weights of a game's evaluation from scratch
python -m ai strength [game...]   plays the levels against each other (all games)
python -m ai reference [game...]  plays them against the textbook opponent of `ai.reference`
python -m ai calibration [game...]  compares what positions are said to be worth with results
    --games N     games for each pair (400)
    --seconds S   processor time for each move of level 5 and the reference (1 and 0.1)
    --c C         weight of what the reference has tried little (1.41)
    --jobs N      number of processes (one per core)
    --scheduler A address of a scheduler of Dask's: its workers play instead
    --only N      only pairs of this level, or this one pair: 5, 4-3, 5-random
    --rules NAME  only this rule set: "tablan bell", "thaayam 4 players"
    --file FILE   keeps all games there and goes on from it (docs/strength.jsonl)
    --write       writes what that file has to docs/strength.md and ai/strength.json
python -m ai puzzles [game...]   finds the puzzles that a game ships in games between the levels
    --number N    puzzles of each game (60)
    --seed N      of the games (1)
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from ai import calibration, puzzle_making, puzzle_sets, rating_fit, strength
from ai.position import fast
from ai.reference.uct import C
from ai.search import searchers
from ai.strength import Setting
from ai.terminal import Progress
from engine import registry
from engine.output import quietly


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status."""
    slugs = [slug for slug in registry.games() if fast(slug) is not None]
    parser = argparse.ArgumentParser(prog="python -m ai")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("compile", help="compile all kernels, or load them")
    train = commands.add_parser("train", help="learn the weights of an evaluation afresh")
    train.add_argument("game", choices=slugs)
    play = commands.add_parser("strength", help="let the levels play each other")
    meet = commands.add_parser("reference", help="let them play a textbook opponent")
    look = commands.add_parser("calibration", help="compare what is said with what happens")
    for command in (play, meet, look):
        command.add_argument("game", nargs="*")
        command.add_argument("--games", type=int, default=400, help="of each pair")
        command.add_argument("--rules", action="append", default=[], help="only this rule set")
        command.add_argument("--write", action="store_true", help="put the results on the page")
    for command, seconds in ((play, 1.0), (meet, 0.1)):
        command.add_argument("--seconds", type=float, default=seconds, help="for each move")
        command.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
        command.add_argument("--scheduler", default="", help="whose workers play instead")
        command.add_argument("--only", action="append", default=[], help="only pairs of this level")
        command.add_argument(
            "--file", type=Path, default=rating_fit.GAMES, help="where games are kept"
        )
    meet.add_argument("--c", type=float, default=C, help="weight of what was tried little")
    find = commands.add_parser("puzzles", help="find the puzzles that a game ships")
    find.add_argument("game", nargs="*", choices=[[], *slugs])
    find.add_argument("--number", type=int, default=puzzle_making.NUMBER, help="of each game")
    find.add_argument("--seed", type=int, default=1, help="of the games")
    options = parser.parse_args(arguments)
    if options.command == "compile":
        for slug in slugs:
            searchers.load(slug)
        return 0
    if options.command == "train":
        importlib.import_module(f"ai.games.{options.game}.train").train()
        return 0
    if options.command == "puzzles":
        for slug in options.game or slugs:
            _find_puzzles(slug, options.number, options.seed)
        return 0
    unknown = [slug for slug in options.game if slug not in slugs]
    if unknown:
        parser.error(f"{unknown[0]!r} has no fast board; these have: {', '.join(slugs)}")
    settings = [
        setting
        for setting in strength.settings(options.game or slugs)
        if not options.rules or setting.name in options.rules
    ]
    if options.command == "calibration":
        calibration.tell(settings, options.games, write=options.write)
    else:
        _play(settings, options)
    return 0


def _play(settings: Sequence[Setting], options: argparse.Namespace) -> None:
    """Play the matches, and write the results if asked to."""
    wanted = [
        pair
        for setting in settings
        for pair in (
            strength.pairs(setting)
            if options.command == "strength"
            else strength.against_reference(setting, options.c)
        )
        if not options.only or {pair.one, f"{pair.one}-{pair.other}"} & set(options.only)
    ]
    strength.measure(
        wanted,
        options.games,
        jobs=options.jobs,
        scheduler=options.scheduler,
        seconds=options.seconds,
        file=options.file,
    )
    if options.write:
        rating_fit.write(strength.saved(options.file))


def _find_puzzles(slug: str, number: int, seed: int) -> None:
    with Progress(f"puzzles of {slug}", number) as progress:
        found = puzzle_making.make(slug, number, seed=seed, report=progress.advance)
    made_by = f"python -m ai puzzles {slug} --number {number} --seed {seed}"
    puzzle_sets.write(slug, found, made_by=made_by)


if __name__ == "__main__":
    sys.exit(quietly(main))
