"""The engine's texts are found by the translation tool and get the values they need."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from string import Formatter
from typing import Final, NamedTuple

from babel.messages.extract import extract

ENGINE: Final = Path(__file__).parents[2] / "engine"
KEYWORDS: Final = {"say": (1,), "plural": (1, 2), "word": ((1, "c"), 2), "Rule": (3,)}
"""The translatable arguments, in Babel's format."""
PLACES: Final = {"say": (0,), "plural": (0, 1), "word": (0, 1), "Rule": (2,)}


class Call(NamedTuple):
    """A call that makes a phrase."""

    where: str
    kind: str
    node: ast.Call

    @property
    def templates(self) -> tuple[object, ...]:
        """The texts to translate."""
        return tuple(
            arg.value
            for index in PLACES[self.kind]
            if isinstance(arg := self.node.args[index], ast.Constant)
        )


def calls() -> Iterator[Call]:
    """Yield every call that makes a phrase."""
    for path in sorted(ENGINE.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
                continue
            # A rule makes a phrase from its sentence, which is a literal where the rule is defined.
            if node.func.id in PLACES and ast.unparse(node) != "say(self.sentence)":
                where = f"{path.relative_to(ENGINE.parent)}:{node.lineno}"
                yield Call(where, node.func.id, node)


def asked(template: object) -> set[str]:
    """Return a template's placeholders."""
    return {name for _, name, _, _ in Formatter().parse(str(template)) if name is not None}


def test_every_template_is_a_literal_where_it_is_used() -> None:
    lost = [c.where for c in calls() if not c.templates or len(c.templates) != len(PLACES[c.kind])]
    assert not lost, "every text there is a phrase that Babel finds"


def test_every_placeholder_has_a_value_and_every_value_a_placeholder() -> None:
    for call in calls():
        if call.kind not in {"say", "plural"} or any(k.arg is None for k in call.node.keywords):
            continue
        given = {str(keyword.arg) for keyword in call.node.keywords}
        wanted = set().union(*map(asked, call.templates)) - (
            {"n"} if call.kind == "plural" else set()
        )
        assert given == wanted, call.where


def test_babel_finds_every_template() -> None:
    found: set[tuple[str, ...]] = set()
    for path in ENGINE.rglob("*.py"):
        with path.open("rb") as opened:
            for _, message, _, context in extract("python", opened, KEYWORDS):
                texts = (message,) if isinstance(message, str) else tuple(message)
                found.add(texts if context is None else (context, *texts[-1:]))
    lost = [call.where for call in calls() if tuple(map(str, call.templates)) not in found]
    assert not lost
