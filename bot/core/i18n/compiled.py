"""Compiles catalogues and caches the result, because reading them would delay each start.

Compiled catalogues (gettext's .mo) are in ``__pycache__`` beside their sources, as Python's
bytecode is. Their names are derived from the contents of the source, so none is ever out of date.
If the folder is not writable and holds none yet, each start compiles them anew.
"""

from __future__ import annotations

import hashlib
import io
import os
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from string import Formatter
from typing import TYPE_CHECKING, Final

import babel
import structlog
from babel import Locale, UnknownLocaleError

if TYPE_CHECKING:  # loaded only to compile
    from babel.messages.catalog import Catalog, Message

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

_FOLDER: Final = "__pycache__"


def compiled(file: Path) -> bytes | None:
    """Return a catalogue as gettext reads it; ``None`` if unreadable, which is logged.

    A translation that does not fit its English text is logged and left out.
    """
    try:
        source = file.read_bytes()
    except OSError as error:
        _warn(file, error)
        return None
    kept = file.parent / _FOLDER / f"{file.stem}.{_digest(source)}.mo"
    with suppress(OSError):
        return kept.read_bytes()
    made = _compile(file, source)
    if made is None:
        return None
    data, whole = made
    if whole:  # problems are logged at every start
        with suppress(OSError):
            _keep(kept, data)
    return data


def fits(message: Message) -> bool:
    """Return whether a translation has exactly the values of its English text.

    One of several plural forms may omit the number itself: "one man", "no men".
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
    """Return a text's translations, one per plural form; empty where missing."""
    strings = message.string if isinstance(message.string, (list, tuple)) else (message.string,)
    return tuple(text or "" for text in strings)


def _compile(file: Path, source: bytes) -> tuple[bytes, bool] | None:
    """Return a compiled catalogue, and whether all its translations fit."""
    # Rarely needed, and large.
    from babel.messages.mofile import write_mo  # noqa: PLC0415 -- rarely needed
    from babel.messages.pofile import PoFileError, read_po  # noqa: PLC0415 -- rarely needed

    try:
        catalogue = read_po(io.BytesIO(source), Locale.parse(file.stem), abort_invalid=True)
    except (ValueError, UnknownLocaleError, PoFileError) as error:
        _warn(file, error)
        return None
    unfit = [message for message in _translated(catalogue) if not fits(message)]
    for message in unfit:
        log.warning("a translation does not fit", file=file.name, text=str(message.id))
        catalogue.delete(message.id, message.context)
    data = io.BytesIO()
    write_mo(data, catalogue)
    return data.getvalue(), not unfit


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


def _digest(source: bytes) -> str:
    """Return a hash of a source and of everything that compiles it."""
    return hashlib.sha256(_tools() + source).hexdigest()[:32]


@cache
def _tools() -> bytes:
    return babel.__version__.encode() + Path(__file__).read_bytes()


def _values(template: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(template) if name is not None}


def _translated(catalogue: Catalog) -> Iterator[Message]:
    for message in catalogue:
        if message.id and all(forms(message)) and not message.fuzzy:
            yield message


def _warn(file: Path, error: Exception) -> None:
    log.warning("a catalogue cannot be read", file=file.name, reason=str(error))
