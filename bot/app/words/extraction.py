"""Keeps the catalogues up to date with the sources: ``make words``.

Texts are extracted from the sources, and the names of commands and options from the commands
themselves. Each catalogue gets new texts, untranslated, and loses unused ones; nothing is guessed.
``python -m bot.app.words.extraction da`` starts a language.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract
from babel.messages.pofile import read_po, write_po
from discord import app_commands

import engine
import engine.games
from bot.core.i18n.compiling import forms
from bot.core.interactions.tree import offline_tree
from engine import registry
from engine.phrase import Phrase

KEYWORDS: dict[str, Any] = {
    "say": None,
    "plural": (1, 2),
    "word": ((1, "c"), 2),
    "Rule": (3,),
}
"""The calls that Babel looks for, and which of their arguments are texts."""

COMMENT = "Translators:"
"""Starts a source comment meant for translators."""


def parts() -> dict[Path, list[Path]]:
    """Return sources by the folder of their catalogues: the bot's, then each game's.

    Sources shared by all games belong to the bot.
    """
    bot = Path(__file__).parents[2]
    common = [*bot.rglob("*.py"), *Path(engine.__file__).parent.glob("*.py")]
    games = {
        folder / "locale": sorted(folder.rglob("*.py"))
        for root in engine.games.__path__
        for folder in sorted(Path(root).iterdir())
        if (folder / "__init__.py").exists()
    }
    return {bot / "core" / "i18n" / "locale": sorted(common), **games}


def templates(whole: Mapping[Path, Iterable[Path]]) -> dict[Path, Catalog]:
    """Return the texts of all parts; a game's without those the bot also has."""
    made = {locale: _extracted(sources) for locale, sources in whole.items()}
    common, *games = made.values()
    for template in games:
        for message in list(template):
            if message.id and common.get(message.id, message.context) is not None:
                template.delete(message.id, message.context)
    for context, text in names():
        if all(template.get(text, context) is None for template in made.values()):
            common.add(text, context=context)
    return made


def updated(template: Catalog, language: str, old: Catalog | None) -> Catalog:
    """Return a catalogue with exactly a template's texts, keeping existing translations."""
    new = Catalog(language, header_comment="", charset="utf-8", fuzzy=False)
    for message in _in_order(template):
        known = None if old is None else old.get(message.id, message.context)
        kept = known is not None and not known.fuzzy and known.id == message.id
        new.add(
            message.id,
            known.string if kept and known is not None else None,
            auto_comments=sorted(set(message.auto_comments)),
            user_comments=known.user_comments if known is not None else (),
            context=message.context,
        )
    return new


def written(catalogue: Catalog) -> bytes:
    """Return a catalogue as file contents: no dates, names or line numbers."""
    headers = f'msgid ""\nmsgstr ""\n"Language: {catalogue.locale}\\n"\n' + "".join(
        f'"{name}: {value}\\n"\n'
        for name, value in (
            ("MIME-Version", "1.0"),
            ("Content-Type", "text/plain; charset=utf-8"),
            ("Content-Transfer-Encoding", "8bit"),
            ("Plural-Forms", catalogue.plural_forms),
        )
    )
    body = io.BytesIO()
    write_po(body, catalogue, omit_header=True, width=100, no_location=True)
    return f"{headers}\n".encode() + body.getvalue().strip() + b"\n"


def names() -> Iterator[tuple[str, str]]:
    """Return the plain names of commands and options, each with its context."""
    for command in offline_tree().get_commands(type=None):
        yield from _names(command)


def main(new: Sequence[str] = ()) -> int:
    """Update every catalogue, and start those of new languages."""
    made = templates(parts())
    spoken = {file.stem for file in next(iter(made)).glob("*.po")} | set(new)
    for locale, template in made.items():
        locale.mkdir(exist_ok=True)
        for language in sorted(spoken):
            file = locale / f"{language}.po"
            catalogue = updated(template, language, read(file) if file.exists() else None)
            file.write_bytes(written(catalogue))
            missing = sum(not all(forms(message)) for message in catalogue if message.id)
            print(  # noqa: T201 -- a command-line program
                f"{file.parent.parent.name}/{file.name}: {len(catalogue)} texts, {missing} missing"
            )
    return 0


def read(file: Path) -> Catalog:
    """Read a catalogue from its file."""
    with file.open("rb") as opened:
        return read_po(opened, locale=file.stem)


def _extracted(sources: Iterable[Path]) -> Catalog:
    template = Catalog(fuzzy=False)
    for source in sources:
        with source.open("rb") as opened:
            found = extract(
                "python",
                opened,
                keywords=KEYWORDS,
                comment_tags=(COMMENT,),
                strip_comment_tags=True,
            )
            for _, text, comments, context in found:
                template.add(text, auto_comments=comments, context=context)
    return template


def _names(
    command: app_commands.Command[Any, Any, Any] | app_commands.Group | app_commands.ContextMenu,
) -> Iterator[tuple[str, str]]:
    if command.name not in registry.games():
        yield ("command", str(command.name))
    if isinstance(command, app_commands.Group):
        for child in command.commands:
            yield from _names(child)
    elif isinstance(command, app_commands.Command):
        for option in command.parameters:
            if not isinstance(option.display_name, Phrase):
                yield ("option", str(option.display_name))


def _in_order(template: Catalog) -> list[Message]:
    """Return the texts sorted by wording, so that moving code leaves the catalogues alone."""
    return sorted((m for m in template if m.id), key=lambda m: (m.context or "", str(m.id)))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
