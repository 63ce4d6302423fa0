"""The catalogues hold exactly the texts of the sources, and each language is complete."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.plurals import get_plural

from bot.app.words import extraction as words
from bot.core.i18n import catalogues
from bot.core.i18n.compiling import fits, forms

PARTS = words.parts()
LANGUAGES = sorted(file.stem for file in next(iter(PARTS)).glob("*.po"))
FILES = [folder / f"{language}.po" for folder in PARTS for language in LANGUAGES]


@cache
def templates() -> Mapping[Path, Catalog]:
    """Read all sources once, and only in a process that needs them."""
    return words.templates(PARTS)


def named(file: Path) -> str:
    """Return the test ID for a file."""
    return f"{file.parent.parent.name}-{file.stem}"


def english(message: Message) -> tuple[str, ...]:
    """Return the English forms of a text."""
    return (message.id,) if isinstance(message.id, str) else tuple(message.id)


def texts(file: Path) -> list[Message]:
    """Return the texts of a catalogue."""
    return [message for message in words.read(file) if message.id]


def test_there_are_german_french_swedish_and_hindi_catalogues() -> None:
    assert {"de", "fr", "hi", "sv"} <= set(LANGUAGES)


def test_no_text_of_the_sources_is_lost_by_babel() -> None:
    """Babel drops a text that has another one inside a call, as in ``say("…", x=f(word("…")))``."""
    place = {"say": 0, "plural": 0, "word": 1}
    lost = []
    for folder, sources in PARTS.items():
        common = templates()[next(iter(PARTS))]
        known = {text for m in (*common, *templates()[folder]) for text in english(m)}
        for source in sources:
            for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
                if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
                    continue
                first = dict(enumerate(node.args)).get(place.get(node.func.id, -1))
                if isinstance(first, ast.Constant) and first.value not in known:
                    lost.append(f"{source.name}:{node.lineno} {first.value!r}")
    assert not lost


@pytest.mark.parametrize("file", FILES, ids=named)
def test_a_catalogue_contains_exactly_the_texts_of_the_sources(file: Path) -> None:
    """If this fails, run `make words`."""
    template = templates()[file.parent]
    said = {(message.id, message.context) for message in template if message.id}

    assert {(message.id, message.context) for message in texts(file)} == said


@pytest.mark.parametrize("file", FILES, ids=named)
def test_a_catalogue_is_formatted_as_the_tool_formats_it(file: Path) -> None:
    """A changed text then changes one place in the file; `make words` reformats it."""
    again = words.updated(templates()[file.parent], file.stem, words.read(file))

    assert file.read_text(encoding="utf-8") == words.written(again).decode()


@pytest.mark.parametrize("file", FILES, ids=named)
def test_every_text_is_translated_with_all_its_values(file: Path) -> None:
    plurals = get_plural(file.stem).num_plurals
    wrong = {}
    for message in texts(file):
        said = forms(message)
        if message.fuzzy:
            wrong[message.id] = "uncertain"
        elif not all(said):
            wrong[message.id] = "missing"
        elif not fits(message):
            wrong[message.id] = "other values"
        elif isinstance(message.id, tuple) and len(said) != plurals:
            wrong[message.id] = "as many forms as the language has numbers"

    assert wrong == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_texts_shared_by_several_games_have_one_translation(language: str) -> None:
    """The games share one language: of two translations of a text, only one would ever be shown."""
    known: dict[object, object] = {}
    for folder in PARTS:
        for message in texts(folder / f"{language}.po"):
            key = (message.id, message.context)
            assert known.setdefault(key, message.string) == message.string


FALSE_FRIENDS = {
    "de": (
        *("Startzahl", "Startwert", "versiegelt", "Leaflet"),
        *("Gegenüber", "eingelesen", "gewürfelt"),
    ),
    "fr": (
        *("partie #", "n°{", "n° #", "L'enregistrement", " votre ", " vos coups", "Vous seul"),
        *("capturer", "offre ", "À retenir", " ping", " %"),
        *("’", "« ", " »", " !", " ?", " ;", " : ", " :\n"),
    ),
    "hi": (
        *("फेंकों", "क\u093c", "ख\u093c", "ग\u093c", "फैसला"),
        *("संदेश", "प्रतियोगिता", "निर्यात", "परिणाम", "छड़ियाँ", "मसौदा", "समय बैंक"),
    ),
    "sv": (
        *("oavgjort", "rankning", "Rankning", "inspelning", "parti #", "Parti #"),
        *("återkall", "Återkall", "pinnar", "“"),
    ),
}
"""Words that once stood for something that has another name in the same language, and spellings."""


def said_in(language: str) -> str:
    """Return all translations of a language."""
    return "\n".join(
        text
        for folder in PARTS
        for message in texts(folder / f"{language}.po")
        for text in forms(message)
    )


@pytest.mark.parametrize("language", sorted(FALSE_FRIENDS))
def test_one_thing_has_one_name_in_a_language(language: str) -> None:
    assert [word for word in FALSE_FRIENDS[language] if word in said_in(language)] == []


@pytest.mark.parametrize("language", sorted(FALSE_FRIENDS))
def test_the_glossary_lists_words_that_are_used(language: str) -> None:
    table = Path("CONTRIBUTING.md").read_text(encoding="utf-8").split("| English |")[1]
    header, _, *rows = ("| English |" + table).split("\n\n")[0].splitlines()
    column = [cell.strip() for cell in header.split("|")].index(language)
    listed = [word for row in rows for word in row.split("|")[column].strip().split(", ")]

    assert len(listed) > 15
    assert [word for word in listed if word.lower() not in said_in(language).lower()] == []


@pytest.mark.parametrize("file", FILES, ids=named)
def test_discord_markup_is_kept(file: Path) -> None:
    for message in texts(file):
        english = message.id if isinstance(message.id, str) else message.id[0]
        for text in filter(None, forms(message)):
            for mark in ("**", "```", "`", "\n"):
                assert text.count(mark) == english.count(mark), (english, text)
            for mark in ("-# ", "### ", "> ", "↳ "):
                assert text.startswith(mark) == english.startswith(mark), (english, text)


@pytest.mark.parametrize("file", FILES, ids=named)
def test_texts_name_commands_as_translated(file: Path) -> None:
    """Translations name `/block` as the command is named in that language."""
    locale = catalogues.read(catalogues.folders())[file.stem]
    for message in texts(file):
        english = message.id if isinstance(message.id, str) else message.id[0]
        for path in re.findall(r"/((?:\{\w+\}|[a-z]+)(?: [a-z]+)?)(?=[`.,])", english):
            called = " ".join(locale.pgettext("command", name) for name in path.split(" "))
            for text in filter(None, forms(message)):
                assert f"/{called}" in text, (english, text)
