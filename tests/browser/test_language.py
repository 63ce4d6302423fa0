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
