"""Measures the levels against each other, and against a random and a greedy player.

``make strength`` writes ``docs/strength.md`` for people and ``ai/strength.json`` for the program.
It takes hours, so every part is saved to a file once played, and a later run with that file
resumes. Parts played by other versions of the sources do not count. The processes run on this
machine or on a Dask cluster.
"""

from __future__ import annotations

import hashlib
import json
import logging
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Final

import ai
from ai.levels import LEVELS
from ai.position import fast
from ai.reference.uct import C, Reference
from ai.search import searchers
from ai.search.searcher import Searcher
from ai.terminal import Progress
from ai.tournament import Player, Score, at_random, greedy, growing, searching, tournament

if TYPE_CHECKING:  # installed only for this
    from distributed import Client

RANDOM: Final = "random"
GREEDY: Final = "greedy"
REFERENCE: Final = "reference"
"""`ai.reference`; with a different exploration weight: ``reference c=0.7``."""
_WEIGHT: Final = f"{REFERENCE} c="
TOP: Final = str(LEVELS[-1])
_CHUNK: Final = 20
"""Games a process plays at a time: a multiple of the seats of every rule set."""

_SMALL: Final = 1 << 14
"""Searches up to this many positions need only a small table."""


@dataclass(frozen=True, slots=True)
class Setting:
    """A rule set."""

    slug: str
    options: tuple[tuple[str, str], ...] = ()
    players: int = 2

    @property
    def name(self) -> str:
        """Its name in files and tables."""
        extra = [value for _, value in self.options]
        if self.players > 2:
            extra.append(f"{self.players} players")
        return " ".join((self.slug, *extra))


SETTINGS: Final = (
    Setting("tablan", (("rules", "walker"),)),
    Setting("tablan", (("rules", "bell"),)),
    Setting("tablut"),
    Setting("tablaaza"),
    Setting("thaayam"),
    Setting("thaayam", players=3),
    Setting("thaayam", players=4),
)
"""All rule sets; other games are measured by their default rules."""


@dataclass(frozen=True, slots=True)
class Pair:
    """One player against copies of another."""

    setting: Setting
    one: str
    other: str

    def __str__(self) -> str:
        """Name the pair."""
        return f"{self.setting.name}: {label(self.one)} against {label(self.other)}"


def settings(slugs: Iterable[str]) -> list[Setting]:
    """Return the rule sets of some games."""
    wanted = list(slugs)
    known = [setting for setting in SETTINGS if setting.slug in wanted]
    covered = {setting.slug for setting in known}
    return [*known, *(Setting(slug) for slug in wanted if slug not in covered)]


def pairs(setting: Setting) -> list[Pair]:
    """Return the pairs of levels to play: each and the one below, and some with naive players.

    With more than two seats, one player of level 5 sits among others of level 3.
    """
    levels = [str(level) for level in LEVELS]
    if setting.players > 2:
        return [Pair(setting, TOP, "3")]
    return [
        *(Pair(setting, upper, lower) for lower, upper in pairwise(levels)),
        Pair(setting, levels[0], RANDOM),
        *(Pair(setting, levels[-1], other) for other in (RANDOM, GREEDY)),
    ]


def against_reference(setting: Setting, c: float = C) -> list[Pair]:
    """Return each level, and the naive players, against the reference."""
    name = REFERENCE if c == C else f"{_WEIGHT}{c:g}"
    others = [str(level) for level in reversed(LEVELS)] + [GREEDY, RANDOM]
    return [Pair(setting, one, name) for one in others]


def label(player: str) -> str:
    """Return the name of a player."""
    return f"level {player}" if player.isdigit() else player


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a pair's games."""

    pair: Pair
    number: int
    games: int
    seconds: float
    """Processor time per move of level 5 and the reference; 0 if neither plays."""


def measure(
    wanted: Sequence[Pair],
    games: int,
    *,
    jobs: int = 1,
    scheduler: str = "",
    seconds: float = 1.0,
    file: Path | None = None,
) -> dict[Pair, Score]:
    """Play pairs against each other; print and return their scores.

    Pairs take turns part by part, so an interrupted run has results for each.

    Args:
        wanted: the pairs.
        games: minimum number of games for each pair.
        jobs: number of processes of this machine.
        scheduler: address of a Dask scheduler whose workers play instead.
        seconds: processor time per move of level 5 and the reference.
        file: where parts are saved and found again; ``None`` to save nothing.

    Raises:
        ValueError: a worker's sources differ from this process's.
    """
    from distributed import as_completed  # noqa: PLC0415 -- see requirements/strength.in

    size = min(games, _CHUNK)
    parts = [
        Part(pair, number, size, seconds if _timed(pair) else 0.0)
        for number in range(-(-games // size))
        for pair in wanted
    ]
    found = _saved(file, parts) if file is not None else {}
    left = [part for part in parts if part not in found]
    with Progress("Games", len(parts) * size) as progress, _cluster(jobs, scheduler) as cluster:
        progress.advance(len(found) * size)
        running = {
            cluster.submit(_played, part, sources(part.pair), pure=False): part for part in left
        }
        for done in as_completed(running):
            part = running[done]
            found[part] = done.result()
            progress.advance(size)
            if file is not None:
                _save(file, part, found[part])
            of_pair = [known for known in found if known.pair == part.pair]
            if len(of_pair) * size >= games:
                score = _total([found[known] for known in of_pair])
                progress.print(f"{part.pair}: {as_text(score)}")
    return {pair: _total([found[part] for part in parts if part.pair == pair]) for pair in wanted}


@contextmanager
def _cluster(jobs: int, scheduler: str) -> Iterator[Client]:
    """Start processes on this machine, or use a scheduler's."""
    from distributed import Client, LocalCluster  # noqa: PLC0415 -- see requirements/strength.in

    if scheduler:
        with Client(scheduler) as client:
            yield client
        return
    # Searchers are single-threaded, and processor time is measured per process.
    with (
        LocalCluster(
            n_workers=jobs,
            threads_per_worker=1,
            memory_limit=None,
            dashboard_address=":0",
            silence_logs=logging.ERROR,
        ) as local,
        Client(local) as client,
    ):
        yield client


def as_text(score: Score) -> str:
    """Return a score as text."""
    low, high = score.interval
    told = f"{score.share:.1%} ({low:.1%} to {high:.1%}, {score.games} games)"
    if score.without_luck is None:
        return told
    mean, margin = score.without_luck
    return f"{told}, {mean:.1%} ± {margin:.1%} without luck"


def saved(file: Path) -> dict[Pair, tuple[Score, float]]:
    """Return the scores in a file that were played by the current sources.

    Each comes with the seconds for a move of level 5 and the reference; if a pair has several, the
    one with the most games counts.
    """
    parts: dict[tuple[Pair, float], dict[Part, Score]] = {}
    for part, score in _read(file):
        parts.setdefault((part.pair, part.seconds), {})[part] = score
    found: dict[Pair, tuple[Score, float]] = {}
    for (pair, seconds), scores in sorted(parts.items(), key=lambda item: item[0][1]):
        score = _total(list(scores.values()))
        if pair not in found or score.games >= found[pair][0].games:
            found[pair] = score, seconds
    order = [pair for setting in SETTINGS for pair in pairs(setting)]
    order += [pair for setting in SETTINGS for pair in against_reference(setting)]
    order += [pair for pair in found if pair not in order]
    return {pair: found[pair] for pair in order if pair in found}


def _saved(file: Path, parts: Sequence[Part]) -> dict[Part, Score]:
    known = dict(_read(file))
    return {part: known[part] for part in parts if part in known}


def _read(file: Path) -> list[tuple[Part, Score]]:
    if not file.exists():
        return []
    found = []
    for line in file.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        options = tuple((name, value) for name, value in row["options"])
        setting = Setting(row["slug"], options, row["players"])
        pair = Pair(setting, row["one"], row["other"])
        if row["sources"] != sources(pair):
            continue
        part = Part(pair, row["number"], row["games"], row["seconds"])
        score = Score(
            row["games"],
            row["points"],
            row["plies"],
            row.get("earned", 0.0),
            row.get("squares", 0.0),
        )
        found.append((part, score))
    return found


def _save(file: Path, part: Part, score: Score) -> None:
    row = {
        **asdict(part.pair.setting),
        "one": part.pair.one,
        "other": part.pair.other,
        "number": part.number,
        "seconds": part.seconds,
        **asdict(score),
        "sources": sources(part.pair),
    }
    with file.open("a", encoding="utf-8") as out:
        out.write(json.dumps(row) + "\n")


def sources(pair: Pair) -> str:
    """Return a digest of everything that determines how a pair plays."""
    board = fast(pair.setting.slug)
    assert board is not None
    known = {str(number): level for number, level in zip(LEVELS, board.levels, strict=True)}
    digest = hashlib.sha256(_code(pair.setting.slug))
    for name in (pair.one, pair.other):
        digest.update(repr(known.get(name, name)).encode())
    return digest.hexdigest()[:16]


@cache
def _code(slug: str) -> bytes:
    root = Path(ai.__file__).parent
    digest = hashlib.sha256()
    for file in sorted(
        (*root.glob("search/*.py"), *root.glob("reference/*.py"), *root.glob(f"games/{slug}/*"))
    ):
        if file.suffix in {".py", ".npy"} and file.name != "train.py":
            digest.update(file.read_bytes())
    return digest.digest()


def _total(scores: Sequence[Score]) -> Score:
    return Score(
        sum(score.games for score in scores),
        sum(score.points for score in scores),
        sum(score.plies for score in scores),
        sum(score.earned for score in scores),
        sum(score.squares for score in scores),
    )


def _played(part: Part, expected: str) -> Score:
    """Play a part, if the sources are those expected."""
    setting = part.pair.setting
    if sources(part.pair) != expected:
        raise ValueError("this worker has other sources than who asks")
    board = fast(setting.slug)
    if board is None:
        raise ValueError(f"{setting.slug} has no fast board to play on")
    searchers.load(setting.slug)
    one, other = (_player(setting, name, part.seconds) for name in (part.pair.one, part.pair.other))
    options: Mapping[str, str] = dict(setting.options)
    return tournament(
        board,
        one,
        other,
        part.games,
        seed=part.number,
        players=setting.players,
        options=options,
    )


def _player(setting: Setting, name: str, seconds: float) -> Player:
    searcher = searchers.ready(setting.slug, setting.players, 0)
    assert searcher is not None
    board = searcher.fast
    if name == RANDOM:
        return at_random(board)
    if name == GREEDY:
        return greedy(board)
    if name.startswith(REFERENCE):
        weight = float(name.removeprefix(_WEIGHT)) if name != REFERENCE else C
        return growing(Reference(board, setting.players, weight), seconds)
    level = board.levels[int(name) - 1]
    if type(searcher) is Searcher and level.nodes <= _SMALL:
        # Such a short search would spend most of its time clearing a table it cannot fill.
        searcher = Searcher(board, setting.players, table=4 * _SMALL)
        searcher.compile()
    return searching(searcher, level, seconds if name == TOP else math.inf)


def _timed(pair: Pair) -> bool:
    """Return whether a player's strength depends on its time."""
    return any(name == TOP or name.startswith(REFERENCE) for name in (pair.one, pair.other))
