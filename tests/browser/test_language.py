"""The page's own words in every language of the bot."""

from __future__ import annotations

import json
import re
from pathlib import Path

from bot.features import web
from playground import chat


def test_each_word_of_the_page_has_its_translations() -> None:
    pages = Path(chat.__file__).parent / "static"
    language = (pages / "language.js").read_text()
    rows = re.findall(r'^  ("(?:[^"\\]|\\.)+"): (\[.+\]),$', language, re.MULTILINE)
    table = {json.loads(english): json.loads(others) for english, others in rows}
    assert len(table) > 80
    for english, others in table.items():
        assert len(others) == 4, english
        marks = re.findall(r"\{\w+\}", english)
        assert all(sorted(re.findall(r"\{\w+\}", one)) == sorted(marks) for one in others), english
    said = {
        json.loads(words)
        for folder in (pages, Path(web.__file__).parent / "static")
        for page in folder.glob("*.js")
        for words in re.findall(r'(?<![#\w.])say\(("(?:[^"\\]|\\.)+")', page.read_text())
    }
    assert said - table.keys() == set()


def test_nothing_on_the_page_is_said_without_translation() -> None:
    """What is not in `say` is no sentence, but for names of the field and what no reader sees."""
    words = re.compile(r"""(?<!say\()(["`])((?:↑ )?[A-Z][a-z']+ [a-z](?:(?!\1).)*)\1""")
    attributes = re.compile(
        r"""(?:"aria-label"|title|label|placeholder): ["`]([A-Za-z][^"`]*)["`]"""
    )
    pages = Path(chat.__file__).parent / "static"
    table = (pages / "language.js").read_text()
    unsaid = []
    for page in pages.glob("*.js"):
        if page.name == "language.js":
            continue
        code = re.sub(r"^\s*(//|/?\*).*$", "", page.read_text(), flags=re.MULTILINE)
        found = [one[1] for one in words.findall(code)] + attributes.findall(code)
        unsaid += [(page.name, one) for one in found if f'  "{one}": [' not in table]
    assert unsaid == []
