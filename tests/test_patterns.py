"""No regular expression of the program takes much longer for a hostile text than for any other.

Every pattern is found in the sources, and tried on long texts made of its own parts: what comes
before a repetition, then what is repeated, then something that does not fit.
"""

from __future__ import annotations

import ast
import importlib
import re
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest

from engine import registry
from engine.typed import MAX_READ, _Reader

ROOT: Final = Path(__file__).parents[1]
PACKAGES: Final = ("ai", "bot", "data", "engine", "playground", "render")
LENGTH: Final = 8000
"""Characters of a hostile text; Discord passes on 6,000."""
SHORT: Final = 22
"""Characters of a first hostile text, on which what takes exponential time shows already."""
MAX_FACTOR: Final = 2000
"""How much longer than a simple pattern any other may take; quadratic ones take 10,000 and more."""
SEARCHING: Final = frozenset(
    {"compile", "findall", "finditer", "fullmatch", "match", "search", "split", "sub", "subn"}
)
CHARACTERS: Final = (*" a1A-!\n\"'\\;,.:/é", "\u0915", *"bcdwxyz*+~", "\x00")

parser: Any = importlib.import_module("re._parser")
op: Any = importlib.import_module("re._constants")


class Pattern(NamedTuple):
    """A pattern of the program."""

    where: str
    text: str
    flags: int = 0
    anchored: bool = False
    """Whether it is only tried at the beginning of texts."""
    length: int = LENGTH
    """Characters of the longest text that it is tried on."""

    def cost(self, text: str) -> float:
        """Return the processor time in seconds of matching a text."""
        pattern = re.compile(self.text, self.flags)
        began = time.thread_time()
        pattern.fullmatch(text)
        if self.anchored:
            pattern.match(text)
        else:
            pattern.search(text)
        return time.thread_time() - began


def of_positions() -> list[str]:
    """Return the patterns that `engine.typed` makes of the squares of each game."""
    games = registry.games().values()
    starts = [(game, game.initial({}, game.players[0])) for game in games]
    return [_Reader(game, state)._token.pattern for game, state in starts]


MADE: Final[dict[str, tuple[Callable[[], list[str]], int]]] = {
    "engine/typed.py": (of_positions, MAX_READ),
    "engine/record.py": (lambda: [r"(?<!\S)12\.(?=\s)"], LENGTH),
    "data/privacy.py": (lambda: [r"(?<!\d)222222222222222222(?!\d)"], LENGTH),
}
"""Patterns made while the program runs, by the module that makes them, and the longest text."""


def patterns() -> list[Pattern]:
    """Return every pattern in the sources."""
    found: dict[Pattern, None] = {}
    for path in sorted(p for package in PACKAGES for p in (ROOT / package).rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        where = path.relative_to(ROOT).as_posix()
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and _is_of_re(node.func):
                found |= dict.fromkeys(_read(where, tree, node))
    return list(found)


def _is_of_re(function: ast.expr) -> bool:
    return (
        isinstance(function, ast.Attribute)
        and isinstance(function.value, ast.Name)
        and function.value.id == "re"
        and function.attr in SEARCHING
    )


def _read(where: str, tree: ast.Module, call: ast.Call) -> Iterator[Pattern]:
    """Yield the pattern of a call to `re`."""
    for statement in tree.body:  # is it a constant of the module?
        if isinstance(statement, ast.Assign | ast.AnnAssign) and statement.value is call:
            assigned = statement.targets[0] if isinstance(statement, ast.Assign) else None
            name = ast.unparse(assigned or statement.target)  # type: ignore[union-attr]
            module = importlib.import_module(where.removesuffix(".py").replace("/", "."))
            constant = getattr(module, name)
            text = constant.pattern
            text = text.decode("latin-1") if isinstance(text, bytes) else text
            yield Pattern(where, text, constant.flags & ~re.UNICODE, _is_anchored(tree, name))
            return
    pattern, anchored = call.args[0], ast.unparse(call.func) in {"re.match", "re.fullmatch"}
    if isinstance(pattern, ast.Constant):
        yield Pattern(where, str(pattern.value), 0, anchored)
    elif not isinstance(pattern, ast.Name):  # a name is of a constant, which is read for itself
        assert where in MADE, f"{where}:{call.lineno}: add examples of this pattern to MADE"
        made, length = MADE[where]
        yield from (Pattern(where, text, 0, anchored, length) for text in made())


def _is_anchored(tree: ast.Module, name: str) -> bool:
    """Return whether a module uses a pattern of its own only at the beginning of texts."""
    uses = [node for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id == name]
    methods = [
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) == name
    ]
    return len(uses) == len(methods) + 1 and set(methods) <= {"match", "fullmatch"}


def fits(char: str, members: Sequence[Any]) -> bool:
    """Return whether a character belongs to a parsed set."""
    kinds = {
        op.CATEGORY_DIGIT: r"\d",
        op.CATEGORY_NOT_DIGIT: r"\D",
        op.CATEGORY_SPACE: r"\s",
        op.CATEGORY_NOT_SPACE: r"\S",
        op.CATEGORY_WORD: r"\w",
        op.CATEGORY_NOT_WORD: r"\W",
    }
    text = ""
    for kind, value in members:
        if kind is op.NEGATE:
            text += "^"
        elif kind is op.LITERAL:
            text += re.escape(chr(value))
        elif kind is op.RANGE:
            text += "-".join(re.escape(chr(end)) for end in value)
        else:
            text += kinds[value]
    return re.fullmatch(f"[{text}]", char) is not None


def samples(node: tuple[Any, Any]) -> list[str]:
    """Return a few texts that a part of a pattern matches."""
    kind, value = node
    if kind in {op.LITERAL, op.NOT_LITERAL, op.ANY}:
        return [chr(value)] if kind is op.LITERAL else ["a", " "]
    if kind is op.IN:
        own = [chr(v) for k, v in value if k is op.LITERAL]
        own += [chr(v[0]) for k, v in value if k is op.RANGE]
        return [one for one in (*own, *CHARACTERS) if fits(one, value)][:4]
    if kind in {op.MAX_REPEAT, op.MIN_REPEAT}:
        least, _, inner = value
        return [one * max(1, least) for one in joined(inner)]
    if kind is op.SUBPATTERN:
        return joined(value[3])
    if kind is op.BRANCH:
        return [one for branch in value[1] for one in joined(branch)][:4]
    return [""]  # a position, or what is looked at but not read


def joined(nodes: Sequence[Any]) -> list[str]:
    """Return a few texts that a sequence of parts matches."""
    each = [samples(node) or [""] for node in nodes]
    longest = max(map(len, each), default=1)
    return list(dict.fromkeys("".join(s[min(n, len(s) - 1)] for s in each) for n in range(longest)))


def walked(nodes: Sequence[Any]) -> Iterator[tuple[str, list[str]]]:
    """Yield, for each part of a pattern at any depth, what comes before it and what it matches."""
    for place, node in enumerate(nodes):
        before = joined(nodes[:place])[0]
        yield before, samples(node)
        kind, value = node
        inner: list[Any] = []
        if kind in {op.MAX_REPEAT, op.MIN_REPEAT}:
            inner = [value[2]]
        elif kind is op.SUBPATTERN:
            inner = [value[3]]
        elif kind is op.BRANCH:
            inner = value[1]
        for nested in inner:
            yield from ((before + deeper, matched) for deeper, matched in walked(list(nested)))


def hostile(pattern: Pattern, length: int) -> Iterator[str]:
    """Yield long texts that begin like what a pattern matches, and end unlike it."""
    parts = list(walked(list(parser.parse(pattern.text, pattern.flags))))
    starts = dict.fromkeys(["", *(before for before, _ in parts)])
    pumped = dict.fromkeys(one for _, matched in parts for one in matched)
    pumps = [one for one in dict.fromkeys([*pumped, *starts]) if one]
    for start, pump in product(starts, pumps):
        repeated = pump * (length // len(pump))
        yield start + repeated
        yield start + repeated + "\x00"


def usual_cost() -> float:
    """Return the processor time in seconds in which a simple pattern reads a hostile text."""
    plain, text = re.compile("[^x]*"), "a" * LENGTH
    began = time.thread_time()
    for _ in range(100):
        plain.fullmatch(text)
    return (time.thread_time() - began) / 100


def slow(pattern: Pattern) -> str | None:
    """Return the beginning of a text for which a pattern takes too long."""
    most = MAX_FACTOR * usual_cost()
    for length in (SHORT, pattern.length):
        for text in hostile(pattern, length):
            found = pattern.cost(text)
            if found > 10 * most or (found > most and pattern.cost(text) > most):
                return text[:80]
    return None


@pytest.mark.parametrize(
    "text", [r"\s*(?:[,;>→\n]|\bthen\b)+\s*", "(a+)+b", r"\s+$", r"(?:\w|\d)*!", "<[^>]*>"]
)
def test_a_pattern_that_backtracks_is_found(text: str) -> None:
    assert slow(Pattern("here", text)) is not None


@pytest.mark.parametrize("pattern", patterns(), ids=lambda one: f"{one.where} {one.text[:40]}")
def test_no_pattern_backtracks(pattern: Pattern) -> None:
    assert slow(pattern) is None
