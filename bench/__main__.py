"""``python -m bench [names...]``: run the measurements and print a table.

Without names all of them run. ``--markdown`` also puts the table into BENCHMARKS.md, with the
command and the machine. The exit status is 1 when a figure misses its target.
"""

from __future__ import annotations

import argparse
import importlib
import os
import pkgutil
import platform
import sys
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

import bench
from ai.terminal import Progress
from bench.row import Row

PAGE = Path(__file__).parents[1] / "BENCHMARKS.md"
BEGIN = "<!-- figures: python -m bench --markdown -->"
END = "<!-- end of figures -->"
LONG = frozenset({"leaderboards", "memory", "million"})
"""Measurements that take many minutes."""


def measurements() -> dict[str, Callable[[], list[Row]]]:
    """Return every measurement by its name, the slowest last."""
    found = {}
    for module in sorted(pkgutil.iter_modules(bench.__path__), key=_by_length):
        if not module.ispkg and not module.name.startswith("_"):
            run = getattr(importlib.import_module(f"bench.{module.name}"), "run", None)
            if run is not None:
                found[module.name] = run
    return found


def _by_length(module: pkgutil.ModuleInfo) -> tuple[bool, str]:
    return module.name in LONG, module.name


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure; return 0, or 1 if a figure misses its target."""
    known = measurements()
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("names", nargs="*", help=f"of {', '.join(known)}")
    parser.add_argument("--markdown", action="store_true", help="put the table into BENCHMARKS.md")
    options = parser.parse_args(arguments)
    unknown = [name for name in options.names if name not in known]
    if unknown:
        parser.error(f"there is no measurement {unknown[0]!r}; there are: {', '.join(known)}")
    rows: list[Row] = []
    names = options.names or list(known)
    with Progress("Measurements", len(names)) as progress:
        for name in names:
            progress.begin(name)
            for row in known[name]():
                progress.print(line(row))
                rows.append(row)
            progress.advance()
    if options.markdown:
        command = " ".join(["python -m bench", *options.names])
        write(PAGE, [f"`{command}`, {date()}, {machine()}", "", *table(rows)])
    return 1 if any(row.met is False for row in rows) else 0


def line(row: Row) -> str:
    """Return a figure as a line for a terminal."""
    mark = {None: "", True: "✓", False: "✗"}[row.met]
    return f"{row.name:<60} {figure(row):>14}  {target(row):<10} {mark:<2} {row.note}".rstrip()


def table(rows: Sequence[Row]) -> list[str]:
    """Return figures as the lines of a table in Markdown."""
    marks = {None: "", True: " ✓", False: " ✗"}
    return [
        "| what | figure | wanted | |",
        "| --- | ---: | --- | --- |",
        *(
            f"| {row.name} | {figure(row)} | {target(row)}{marks[row.met]} | {row.note} |"
            for row in rows
        ),
    ]


def figure(row: Row) -> str:
    """Return a value with its unit, rounded to significant digits."""
    digits = 0 if abs(row.value) >= 100 else 1 if abs(row.value) >= 10 else 2
    return f"{row.value:,.{digits}f} {row.unit}"


def target(row: Row) -> str:
    """Return a figure's target."""
    if row.at_most is not None:
        return f"≤ {row.at_most:g}"
    return "" if row.at_least is None else f"≥ {row.at_least:g}"


def write(page: Path, lines: Sequence[str]) -> None:
    """Replace the lines between the marks of a page.

    Raises:
        ValueError: the page has no marks.

    """
    before, begin, rest = page.read_text().partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"{page.name} has no place for figures: {BEGIN} … {END}")
    page.write_text("\n".join([f"{before}{BEGIN}", "", *lines, "", f"{END}{after}"]))


def date() -> str:
    """Return today's date."""
    return f"{datetime.now(UTC):%Y-%m-%d}"


def machine() -> str:
    """Return a description of this machine."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    load = f", load average {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    return f"{cores} cores of {_processor()}, {platform.system()}, Python {platform.python_version()}{load}"


def _processor() -> str:
    try:
        facts = Path("/proc/cpuinfo").read_text()
    except OSError:
        return platform.processor() or platform.machine()
    names = [row.partition(":")[2].strip() for row in facts.splitlines() if "model name" in row]
    return names[0] if names else platform.machine()


if __name__ == "__main__":
    sys.exit(main())
