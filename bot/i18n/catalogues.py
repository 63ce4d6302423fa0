"""Reads what translators have written: GNU gettext catalogues, through Babel.

The bot's own texts and those of all games stand in ``bot/i18n/locale/<language>.po``, each game's own
in ``engine/games/<slug>/locale/<language>.po``; together they make one language. A file that
cannot be read, or a translation that does not fit its English text, is logged and left out: what is
missing is said in English.
"""

from __future__ import annotations

import io
from functools import cache
from gettext import NullTranslations
from pathlib import Path
from string import Formatter
from types import MappingProxyType
from typing import TYPE_CHECKING

import structlog
from babel import Locale, UnknownLocaleError
from babel.lists import format_list
from babel.messages.mofile import write_mo
from babel.messages.pofile import PoFileError, read_po
from babel.support import Translations

import engine.games

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from babel.messages.catalog import Catalog, Message

    from engine.phrase import Tongue

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class English(NullTranslations):
    """The language in which everything is written."""

    def listing(self, parts: list[str], *, either: bool) -> str:
        """Return the parts as a list: "a, b and c", or "a, b or c"."""
        last = " or " if either else " and "
        return last.join(filter(None, (", ".join(parts[:-1]), *parts[-1:])))


ENGLISH = English()


class Spoken(Translations):
    """A language that translators have written."""

    def __init__(self, locale: Locale, catalogue: Catalog) -> None:
        """Compile a catalogue."""
        compiled = io.BytesIO()
        write_mo(compiled, catalogue)
        compiled.seek(0)
        super().__init__(compiled)
        self.locale = locale

    def pgettext(self, context: str, message: str) -> str:
        """Return a word as it is used in a context."""
        return str(super().pgettext(context, message))

    def listing(self, parts: list[str], *, either: bool) -> str:
        """Return the parts as a list in words."""
        return format_list(parts, "or" if either else "standard", self.locale)


def folders() -> tuple[Path, ...]:
    """Return where catalogues lie: the bot's folder first, then those of the games."""
    games = [
        folder
        for root in engine.games.__path__
        for folder in sorted(Path(root).glob("*/locale"))
        if folder.is_dir()
    ]
    return (Path(__file__).parent / "locale", *games)


@cache
def read(places: tuple[Path, ...]) -> Mapping[str, Tongue]:
    """Return the languages that are written in some folders, by the names of their files.

    A text that stands in several folders is taken from the first.
    """
    spoken: dict[str, Spoken] = {}
    for place in reversed(places):
        for file in sorted(place.glob("*.po")):
            catalogue = _read(file)
            if catalogue is None or catalogue.locale is None:
                continue
            words = Spoken(catalogue.locale, catalogue)
            spoken[file.stem] = spoken[file.stem].merge(words) if file.stem in spoken else words
    return MappingProxyType(spoken)


def fits(message: Message) -> bool:
    """Return whether a translation has the values of its English text, no more and no less.

    One of several numbers may leave the number itself out: "one man", "no men".
    """
    ids = message.id if isinstance(message.id, (list, tuple)) else (message.id,)
    try:
        asked = [_values(text) for text in ids]
        given = [_values(text) for text in forms(message)]
    except ValueError:
        return False
    whole = set().union(*asked)
    may_lack = {"n"} if len(ids) > 1 else set()
    return all(whole - may_lack <= values <= whole for values in given)


def forms(message: Message) -> tuple[str, ...]:
    """Return the translations of a text, one for each kind of number; empty where missing."""
    strings = message.string if isinstance(message.string, (list, tuple)) else (message.string,)
    return tuple(text or "" for text in strings)


def _values(template: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(template) if name is not None}


def _read(file: Path) -> Catalog | None:
    try:
        with file.open("rb") as opened:
            catalogue = read_po(opened, locale=Locale.parse(file.stem), abort_invalid=True)
    except (OSError, ValueError, UnknownLocaleError, PoFileError) as error:
        log.warning("a catalogue cannot be read", file=file.name, why=str(error))
        return None
    for message in list(_translated(catalogue)):
        if not fits(message):
            log.warning("a translation does not fit", file=file.name, text=str(message.id))
            catalogue.delete(message.id, message.context)
    return catalogue


def _translated(catalogue: Catalog) -> Iterable[Message]:
    for message in catalogue:
        if message.id and all(forms(message)) and not message.fuzzy:
            yield message
