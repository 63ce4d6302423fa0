"""Runs the full numbers, or those given: ``make cluster ARGS="--kills 50 --seed 7"``."""

from __future__ import annotations

import argparse
import asyncio
import itertools
import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from tests.cluster import checks, lasting
from tests.cluster.cluster import Cluster
from tests.cluster.faults import Faults
from tests.cluster.suspensions import MOMENTS, suspend


def main() -> int:
    """Run and report the findings; return 1 if there are any."""
    parser = argparse.ArgumentParser(prog="python -m tests.cluster", description=__doc__)
    parser.add_argument("--kills", type=int, default=1000, help="kills, pauses and cuts in all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=120.0, help="stop after so many")
    parser.add_argument("--gateways", type=int, default=4)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--every", type=float, default=4.0, help="seconds between two of them")
    parser.add_argument("--restarts", type=int, default=50, help="PostgreSQL after so many others")
    parser.add_argument("--deploys", type=int, default=40, help="a deploy after so many others")
    parser.add_argument("--suspensions", type=int, default=200, help="of one of two gateways")
    parser.add_argument("--lasting", type=int, default=0, help="routes that fail for a while")
    options = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="cluster-")
    print(f"logs in {folder}", flush=True)
    failed = 0
    for wanted, work in (
        (options.kills, run),
        (options.suspensions, run_suspensions),
        (options.lasting, run_lasting),
    ):
        failed += asyncio.run(work(Path(folder), options)) if wanted else 0
    return int(failed > 0)


async def run_lasting(folder: Path, options: argparse.Namespace) -> int:
    """Let routes fail, each in a cluster of its own; return how many went wrong."""
    failed = 0
    for fault in itertools.islice(lasting.stories(random.Random(options.seed)), options.lasting):
        cluster = Cluster(folder, seed=fault.seed, shards=2, servers=4, forks=True, restless=True)
        outage = lasting.Outage(cluster, Faults(cluster), fault)
        async with cluster.running(tables=1):
            for _ in range(2):
                await cluster.start("gateway")
            await cluster.ready()
            await outage.run()
        failed += bool(outage.problems)
        print(outage, *(f"  -> {one}" for one in outage.problems[:20]), sep="\n", flush=True)
    print(f"{failed} of {options.lasting} lasting faults went wrong; seed {options.seed}")
    return failed


async def run_suspensions(folder: Path, options: argparse.Namespace) -> int:
    """Suspend one of two gateways again and again; return 1 if there are findings."""
    cluster = Cluster(folder, seed=options.seed, shards=2, servers=4, forks=True, restless=True)
    faults, wrong = Faults(cluster), list[str]()
    async with cluster.running(tables=2):
        for _ in range(2):
            await cluster.start("gateway")
        await cluster.ready()
        for number in range(1, options.suspensions + 1):
            began = time.monotonic()
            moment = MOMENTS[number % len(MOMENTS)]
            found = await suspend(cluster, faults, moment)
            took, what = time.monotonic() - began, faults.done[-1].what
            print(f"{number}: {what} ({moment}), settled after {took:.0f} s", flush=True)
            wrong += [f"{faults.done[-1].what} at {faults.done[-1].at}: {one}" for one in found]
            for one in found:
                print("  ->", number, faults.done[-1].what, one, flush=True)
            if number % 10 == 0:
                print(f"{number} suspensions: {_so_far(cluster)}", flush=True)
        wrong += await checks.problems(cluster, faults.done)
    for problem in wrong[:60]:
        print("  ->", problem)
    print(f"{len(wrong)} problems after {options.suspensions} suspensions; seed {options.seed}")
    return int(bool(wrong))


async def run(folder: Path, options: argparse.Namespace) -> int:
    """Run; return 1 if there are findings."""
    cluster = Cluster(folder, seed=options.seed)
    faults = Faults(cluster)
    end = time.monotonic() + 60 * options.minutes
    async with cluster.running():
        for role, number in (("gateway", options.gateways), ("worker", options.workers)):
            for _ in range(number):
                await cluster.start(role)
        await cluster.ready()
        cluster.play(1.0)
        while (done := len(faults.done) + 1) <= options.kills and time.monotonic() < end:
            await asyncio.sleep(cluster.dice.uniform(0.0, 2 * options.every))
            if done % options.restarts == 0:
                await faults.over()
                await faults.restart_postgresql()
            elif done % options.deploys == 0:
                await faults.over()
                await cluster.ready()
                print(f"deployed, the old ones ended in {await faults.deploy():.1f} s", flush=True)
            else:
                await faults.at_random()
            if done % 25 == 0:
                print(f"{done}: {_so_far(cluster)}", flush=True)
        await faults.over()
        await cluster.ready()
        await cluster.rise()
        found = await checks.problems(cluster, faults.done)
        for fault, times in Counter(one.what.split()[0] for one in faults.done).items():
            print(f"{times:6} x {fault}")
        errors: Counter[str] = sum((one.errors() for one in cluster.programs), Counter())
        for error, times in errors.most_common(30):
            print(f"{times:6} x {error}")
        print(_so_far(cluster))
        print(f"{len(cluster.boards.wrong)} x told that something could not be saved")
        waited = checks.waited_for_discord(cluster, faults.done)
        print(f"{waited} x a press failed while Discord let no shard connect")
    # Failed presses are many, and the least informative.
    failed = [problem for problem in found if problem.startswith("a press failed")]
    for problem in [*(one for one in found if one not in failed), *failed][:60]:
        print("  ->", problem)
    print(f"{len(failed)} of the problems are presses that failed without an excuse")
    print(f"{len(found)} problems; seed {options.seed}; logs in {folder}")
    return int(bool(found))


def _so_far(cluster: Cluster) -> str:
    presses = sum(table.presses for table in cluster.tables)
    failed = len(cluster.playground.interactions.failed)
    identifies = cluster.playground.gateway.identifies
    times = [
        one.acknowledged_after
        for one in cluster.boards.interactions.values()
        if one.acknowledged_after is not None
    ]
    times.sort()
    p50, p99 = (times[len(times) * percent // 100] if times else 0.0 for percent in (50, 99))
    return (
        f"{presses} presses, {failed} failed, {identifies} identifies, "
        f"acknowledged in {p50:.3f} s (p99 {p99:.3f} s)"
    )


if __name__ == "__main__":
    sys.exit(main())
