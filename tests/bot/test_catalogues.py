"""Whatever is wrong with a catalogue, the bot still speaks, in English if need be."""

from __future__ import annotations

from pathlib import Path

import structlog

from bot.core.i18n import catalogues
from bot.core.i18n.catalogues import ENGLISH, compiled
from engine.phrase import Tongue, capital, listed, plural, say, word

HEAD = """\
msgid ""
msgstr ""
"Content-Type: text/plain; charset=utf-8\\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"

"""


def german(folder: Path, text: str) -> Tongue:
    """Return phrases as translated by a German catalogue with these entries."""
    written(folder, text)
    return catalogues.read((folder,))["de"]


def written(folder: Path, text: str) -> Path:
    """Write a German catalogue with these entries."""
    folder.mkdir(exist_ok=True)
    file = folder / "de.po"
    file.write_text(HEAD + text, encoding="utf-8")
    return file


def test_a_catalogue_translates_sentences_words_and_plurals(tmp_path: Path) -> None:
    locale = german(
        tmp_path,
        """\
msgid "threw {score}: {move}"
msgstr "{move} nach einem Wurf von {score}"

msgctxt "seat"
msgid "white"
msgstr "weiß"

msgid "{n} man taken"
msgid_plural "{n} men taken"
msgstr[0] "ein Mann geschlagen"
msgstr[1] "{n} Mann geschlagen"
""",
    )

    assert (
        say("threw {score}: {move}", score=8, move="e1").into(locale) == "e1 nach einem Wurf von 8"
    )
    assert capital(word("seat", "white")).into(locale) == "Weiß"
    assert plural("{n} man taken", "{n} men taken", 1).into(locale) == "ein Mann geschlagen"
    assert plural("{n} man taken", "{n} men taken", 3).into(locale) == "3 Mann geschlagen"
    assert listed(["a", "b", "c"]).into(locale) == "a, b und c"
    assert listed(["a", "b"], either=True).into(locale) == "a oder b"
    assert say("nobody translated this").into(locale) == "nobody translated this"


def test_a_translation_missing_a_value_is_skipped_and_logged(tmp_path: Path) -> None:
    with structlog.testing.capture_logs() as entries:
        locale = german(
            tmp_path,
            'msgid "{who} won"\nmsgstr "{wer} hat gewonnen"\n\n'
            'msgid "{who} lost"\nmsgstr "{who hat verloren"\n\n'
            'msgid "{who} moved"\nmsgstr "{who} hat gezogen"\n',
        )

    assert say("{who} won", who="Ann").into(locale) == "Ann won"
    assert say("{who} lost", who="Ann").into(locale) == "Ann lost"
    assert say("{who} moved", who="Ann").into(locale) == "Ann hat gezogen"
    assert {line["text"] for line in entries} == {"{who} won", "{who} lost"}


def test_fuzzy_and_empty_translations_fall_back_to_english(tmp_path: Path) -> None:
    locale = german(
        tmp_path,
        '#, fuzzy\nmsgid "Resign"\nmsgstr "Absagen"\n\nmsgid "Accept"\nmsgstr ""\n',
    )

    assert say("Resign").into(locale) == "Resign"
    assert say("Accept").into(locale) == "Accept"


def test_a_broken_file_is_skipped_and_logged(tmp_path: Path) -> None:
    (tmp_path / "de.po").write_text(HEAD + 'msgid "A"\nmsgstr "B"\n', encoding="utf-8")
    (tmp_path / "fr.po").write_text('msgid "A"\nmsgstr "B"\n\n<<<<<<< ours\n', encoding="utf-8")
    (tmp_path / "hi.po").write_bytes(HEAD.encode() + b'msgid "A"\nmsgstr "\xff\xfe"\n')
    (tmp_path / "klingon.po").write_text(HEAD, encoding="utf-8")
    with structlog.testing.capture_logs() as entries:
        spoken = catalogues.read((tmp_path, tmp_path / "missing"))

    assert set(spoken) == {"de"}
    assert {line["file"] for line in entries} == {"fr.po", "hi.po", "klingon.po"}


def test_a_compiled_catalogue_is_kept_until_its_source_changes(tmp_path: Path) -> None:
    source = written(tmp_path, 'msgid "Resign"\nmsgstr "Aufgeben"\n')
    first = compiled(source)
    (kept,) = (tmp_path / "__pycache__").iterdir()
    assert kept.read_bytes() == first == compiled(source)

    written(tmp_path, 'msgid "Resign"\nmsgstr "Hinschmeißen"\n')
    assert compiled(source) != first
    (after,) = (tmp_path / "__pycache__").iterdir()
    assert after != kept


def test_a_catalogue_is_read_from_a_read_only_folder(tmp_path: Path) -> None:
    (tmp_path / "__pycache__").write_text("no folder")
    source = written(tmp_path, 'msgid "Resign"\nmsgstr "Aufgeben"\n')
    assert compiled(source) == compiled(source)
    assert say("Resign").into(catalogues.read((tmp_path,))["de"]) == "Aufgeben"


def test_a_translation_that_does_not_fit_is_logged_at_every_start(tmp_path: Path) -> None:
    source = written(tmp_path, 'msgid "{n} men"\nmsgstr "{m} Mann"\n')
    for _ in range(2):
        with structlog.testing.capture_logs() as entries:
            compiled(source)
        assert [line["text"] for line in entries] == ["{n} men"]


def test_games_have_their_own_translations_and_common_ones_come_first(tmp_path: Path) -> None:
    common, game = tmp_path / "common", tmp_path / "game"
    german(common, 'msgid "Resign"\nmsgstr "Aufgeben"\n')
    german(game, 'msgid "Resign"\nmsgstr "Hinschmeißen"\n\nmsgid "Castle"\nmsgstr "Burg"\n')
    locale = catalogues.read((common, game))["de"]

    assert say("Resign").into(locale) == "Aufgeben"
    assert say("Castle").into(locale) == "Burg"


def test_english_texts_are_shown_as_written() -> None:
    sentence = say(
        "{men} by {seat} of {names}",
        men=plural("{n} man", "{n} men", 2),
        seat=word("seat", "white"),
        names=listed(["a", "b", "c"]),
    )

    assert sentence.into(ENGLISH) == sentence == "2 men by white of a, b and c"
