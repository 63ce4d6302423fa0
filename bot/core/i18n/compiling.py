"""Compiles translators' catalogues. Rarely needed, and large: what serves imports it only then."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import structlog
from babel import Locale
from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import PoFileError, read_po

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


def compile_catalogue(file: Path, source: bytes) -> tuple[bytes, bool]:
    """Return a catalogue as gettext reads it, and whether all its translations fit.

    A translation that does not fit its English text is logged and left out. Raises ValueError if
    the source cannot be read.
    """
    try:
        catalogue = read_po(io.BytesIO(source), Locale.parse(file.stem), abort_invalid=True)
    except PoFileError as error:
        raise ValueError(str(error)) from error
    unfit = [message for message in _translated(catalogue) if not fits(message)]
    for message in unfit:
        log.warning("a translation does not fit", file=file.name, text=str(message.id))
        catalogue.delete(message.id, message.context)
    data = io.BytesIO()
    write_mo(data, catalogue)
    return data.getvalue(), not unfit


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


def _values(template: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(template) if name is not None}


def _translated(catalogue: Catalog) -> Iterator[Message]:
    for message in catalogue:
        if message.id and all(forms(message)) and not message.fuzzy:
            yield message
