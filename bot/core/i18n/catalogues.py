"""Reads translators' GNU gettext catalogues, through Babel.

The texts of the bot and those shared by all games are in ``bot/core/i18n/locale/<language>.po``, each
game's own in ``engine/games/<slug>/locale/<language>.po``; together they form one language. An
unreadable file, or a translation that does not fit its English text, is logged and left out:
missing texts are shown in English.
"""

from __future__ import annotations

import hashlib
import io
import os
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from gettext import NullTranslations
from pathlib import Path
from types import MappingProxyType

import babel
import structlog
from babel import Locale, UnknownLocaleError
from babel.lists import format_list
from babel.support import Translations

import engine.games
from engine.phrase import Tongue

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


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


def compiled(file: Path) -> bytes | None:
    """Return a catalogue as gettext reads it; ``None`` if unreadable, which is logged.

    Compiling would delay each start, so compiled ones (gettext's .mo) are kept in ``__pycache__``
    beside their sources, as Python's bytecode is. Their names are derived from the contents of the
    source, so none is ever out of date. If the folder is not writable and holds none yet, each start
    compiles them anew.
    """
    try:
        source = file.read_bytes()
        digest = hashlib.sha256(_tools() + source).hexdigest()[:32]
        kept = file.parent / "__pycache__" / f"{file.stem}.{digest}.mo"
        with suppress(OSError):
            return kept.read_bytes()
        from bot.core.i18n.compiling import compile_catalogue  # noqa: PLC0415 -- see there

        data, whole = compile_catalogue(file, source)
    except (OSError, ValueError, UnknownLocaleError) as error:
        log.warning("a catalogue cannot be read", file=file.name, reason=str(error))
        return None
    if whole:  # problems are logged at every start
        with suppress(OSError):
            _keep(kept, data)
    return data


def _keep(path: Path, data: bytes) -> None:
    """Write a file atomically, and delete those of earlier sources."""
    path.parent.mkdir(mode=0o755, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as written:
        try:
            written.write(data)
            written.flush()
            os.fsync(written.fileno())
            written.close()
            Path(written.name).chmod(0o644)
            Path(written.name).replace(path)
        except OSError:
            Path(written.name).unlink()
            raise
    language = path.name.partition(".")[0]
    for earlier in path.parent.glob(f"{language}.*.mo"):
        if earlier != path:
            earlier.unlink()


@cache
def _tools() -> bytes:
    """Return what identifies everything that compiles a source."""
    code = Path(__file__).with_name("compiling.py").read_bytes()
    return babel.__version__.encode() + code
