"""Reads translators' GNU gettext catalogues, through Babel.

The texts of the bot and those shared by all games are in ``bot/core/i18n/locale/<language>.po``, each
game's own in ``engine/games/<slug>/locale/<language>.po``; together they form one language. An
unreadable file, or a translation that does not fit its English text, is logged and left out:
missing texts are shown in English. They are compiled once (`bot.core.i18n.compiled`).
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from functools import cache
from gettext import NullTranslations
from pathlib import Path
from types import MappingProxyType

from babel import Locale
from babel.lists import format_list
from babel.support import Translations

import engine.games
from bot.core.i18n.compiled import compiled
from engine.phrase import Tongue


class English(NullTranslations):
    """The language in which all texts are written."""

    def listing(self, parts: list[str], *, either: bool) -> str:
        """Return the parts as a list: "a, b and c", or "a, b or c"."""
        last = " or " if either else " and "
        return last.join(filter(None, (", ".join(parts[:-1]), *parts[-1:])))


ENGLISH = English()


class TranslatedLanguage(Translations):
    """A translated language."""

    def __init__(self, locale: Locale, catalogue: bytes) -> None:
        """Read a compiled catalogue."""
        super().__init__(io.BytesIO(catalogue))
        self.locale = locale

    def pgettext(self, context: str, message: str) -> str:
        """Return a word as used in a context."""
        return str(super().pgettext(context, message))

    def listing(self, parts: list[str], *, either: bool) -> str:
        """Return the parts as a list in words."""
        return format_list(parts, "or" if either else "standard", self.locale)


def folders() -> tuple[Path, ...]:
    """Return the folders with catalogues: the bot's first, then those of the games."""
    games = [
        folder
        for root in engine.games.__path__
        for folder in sorted(Path(root).glob("*/locale"))
        if folder.is_dir()
    ]
    return (Path(__file__).parent / "locale", *games)


@cache
def read(places: tuple[Path, ...]) -> Mapping[str, Tongue]:
    """Return the languages of the catalogues in some folders, by file name.

    A text found in several folders is taken from the first.
    """
    spoken: dict[str, TranslatedLanguage] = {}
    for place in reversed(places):
        for file in sorted(place.glob("*.po")):
            catalogue = compiled(file)
            if catalogue is None:
                continue
            words = TranslatedLanguage(Locale.parse(file.stem), catalogue)
            spoken[file.stem] = spoken[file.stem].merge(words) if file.stem in spoken else words
    return MappingProxyType(spoken)
