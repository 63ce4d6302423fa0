"""Every numbered rule of every document is quoted, and tested under its number.

``numbers.txt`` in a game's test folder gives the rule numbers of each document, one document per
line: its letter (if any), and the first and last number. A rule with a name instead of a number has
its own line.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from tests.contract.games import Case


def numbered(case: Case) -> list[str]:
    """Return the names of all rules in the documents."""
    names = []
    for line in (case.folder / "numbers.txt").read_text().splitlines():
        *letter, span = line.split()
        first, _, last = span.partition("-")
        if first.isdigit():
            span_names = [str(n) for n in range(int(first), int(last or first) + 1)]
        else:
            span_names = [span]
        names += ["".join(letter) + name for name in span_names]
    return names


def names_of_tests(case: Case) -> Iterator[str]:
    """Yield the names of all of a game's tests."""
    for path in case.folder.rglob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield node.name


def test_every_numbered_rule_is_quoted(case: Case) -> None:
    assert [rule.name for rule in case.game.rules] == numbered(case)


def test_every_rule_is_one_sentence_of_its_document(case: Case) -> None:
    keys = {document.key for document in case.game.documents}
    for rule in case.game.rules:
        assert rule.document in keys
        assert rule.sentence.endswith(".")
        assert 15 < len(rule.sentence) < 300
    assert {rule.document for rule in case.game.rules} == keys


def test_every_rule_has_a_test_named_after_its_number(case: Case) -> None:
    tests = list(names_of_tests(case))
    for rule in case.game.rules:
        marker = (
            f"test_{rule.name.lower()}_" if rule.document else f"test_rule_{rule.number.lower()}_"
        )
        assert any(name.startswith(marker) for name in tests), f"no test defends {rule.name}"


def test_a_rule_is_found_by_its_name(case: Case) -> None:
    for rule in case.game.rules:
        assert case.game.rule(f" {rule.name.lower()} ") == rule
    with pytest.raises(KeyError):
        case.game.rule("Z99")
