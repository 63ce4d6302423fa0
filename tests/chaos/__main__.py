"""Runs the full numbers, or those given: ``make chaos ARGS="--kills 300 --seed 7"``."""

from __future__ import annotations

import argparse
import asyncio
import itertools
import random
import sys
import time
from collections.abc import Iterable

from bot.play.pictures.rendering import Renderer
from tests.chaos import lasting, processes, runs, scenarios
from tests.chaos.lasting import Lasting
from tests.chaos.loop import VirtualLoop
from tests.chaos.scenarios import Outcome, Scenario
from tests.chaos.world import configure_logs

SHOWN = 8


def main() -> int:
    """Run and report the findings; return 1 if there are any."""
    parser = argparse.ArgumentParser(prog="python -m tests.chaos", description=__doc__)
    parser.add_argument("--kills", type=int, default=300)
    parser.add_argument("--sigkills", type=int, default=40, help="of a process of its own")
    parser.add_argument("--faults", type=int, default=2000)
    parser.add_argument("--presses", type=int, default=50_000)
    parser.add_argument("--lasting", type=int, default=lasting.MATRIX, help="faults that last")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=60.0, help="stop after so many")
    parser.add_argument("--replay", metavar="LINE", help="run one scenario, as it was printed")
    options = parser.parse_args()
    configure_logs()
    renderer = Renderer(width=200)
    failed = 0
    try:
        with asyncio.Runner(loop_factory=VirtualLoop) as runner:
            failed += runner.run(_run(renderer, options))
    finally:
        renderer.close()
    if options.sigkills and not options.replay:
        failed += asyncio.run(_kill_processes(options))
    return int(failed > 0)


async def _kill_processes(options: argparse.Namespace) -> int:
    found = []
    for board in ("new", "edit"):
        found += await processes.killed(options.sigkills // 2, options.seed, board=board)
    print(f"{options.sigkills} processes killed, {len(found)} failures")
    for trace, problems in found:
        print(trace, *(f"   -> {problem}" for problem in problems), sep="\n")
    return len(found)


async def _run(renderer: Renderer, options: argparse.Namespace) -> int:
    if options.replay and "hours=" in options.replay:
        return await _last(renderer, [Lasting.read(options.replay)])
    if options.replay:
        outcome = await runs.alone(renderer, Scenario.read(options.replay))
        _tell(outcome)
        return len(outcome.problems)
    tally = runs.Tally(time.monotonic() + 60 * options.minutes)
    dice = random.Random(options.seed)
    for kind, stories, wanted in (
        ("kills", scenarios.kills(dice), options.kills),
        ("faults", scenarios.faults(dice), options.faults),
    ):
        began = time.monotonic()
        await runs.several(renderer, stories, wanted, tally)
        print(f"{tally.run[kind]} {kind} in {time.monotonic() - began:.0f} s", flush=True)
    began = time.monotonic()
    await runs.pressed(renderer, options.presses, options.seed, tally)
    seconds, presses = time.monotonic() - began, tally.run["presses"]
    print(f"{presses} presses in {seconds:.0f} s, {presses / seconds:.0f} a second", flush=True)
    await _report(renderer, tally)
    drawn = itertools.islice(lasting.stories(random.Random(options.seed)), options.lasting)
    failed = len(tally.failures) + len(tally.bursts) + await _last(renderer, drawn)
    print(f"{failed} failures; seed {options.seed}")
    return failed


async def _last(renderer: Renderer, stories: Iterable[Lasting]) -> int:
    """Say of each lasting fault what people saw and what it cost; return how many went wrong."""
    failed = 0
    for story in stories:
        report = await runs.lasting(renderer, story)
        print(report, *(f"   -> {problem[:300]}" for problem in report.wrong), sep="\n", flush=True)
        failed += bool(report.wrong)
    return failed


async def _report(renderer: Renderer, tally: runs.Tally) -> None:
    """Report the findings, with the shortest story that leads to each kind of failure."""
    for moment, times in sorted(tally.moments.items()):
        print(f"{times:6} kills {moment}")
    for problem, times in tally.found.most_common():
        print(f"{times:6} x {problem}")
    told: set[frozenset[str]] = set()
    for outcome in tally.failures:
        kind = frozenset(outcome.problems)
        if kind not in told and len(told) < SHOWN:
            told.add(kind)
            _tell(await runs.shortest(renderer, outcome.scenario) or outcome)
    for story, burst in tally.bursts:
        kind = frozenset(burst.problems)
        if kind not in told and len(told) < 2 * SHOWN:
            told.add(kind)
            print(f"\n{story}", *burst.trace, sep="\n    ")
            print(*(f"   -> {problem}" for problem in burst.problems), sep="\n")


def _tell(outcome: Outcome) -> None:
    print(f'\n--replay "{outcome.scenario}"')
    for line in outcome.trace[-25:]:
        print("   ", line)
    for problem in outcome.problems or ["nothing wrong"]:
        print("   ->", problem[:300])


if __name__ == "__main__":
    sys.exit(main())
