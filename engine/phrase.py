"""Words that can be translated.

A :class:`Phrase` is a plain English ``str`` that remembers how it was made, so that it can be shown
in the reader's language; other code need not know::

    say("threw {score}: {move}", score=8, move="e1-l2")     # the template is in the catalogue
    plural("{n} man taken", "{n} men taken", 3)             # the form depends on the number
    word("seat", "white")                                   # a word that needs its context
    capital(word("seat", "white"))                          # White
    listed([ann, ben])                                      # ann and ben
    lines([first, second])                                  # nothing of its own to translate
    concat(first, " · ", second)                             # the same, side by side

Values may be phrases themselves; any other value is shown as it is: notation, figures, mentions. An
f-string of words cannot be translated, and a test rejects it.

Templates are whole sentences with values named by meaning. If one is not clear by itself, a comment
beginning with ``Translators:`` stands on the line above it; translators see it beside the template.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, Final, Protocol, Self

_NOTHING: Final[Mapping[str, Any]] = MappingProxyType({})


class Tongue(Protocol):
    """A language, as needed to translate a phrase."""

    def gettext(self, message: str, /) -> str:
        """Return a template in this language, or unchanged if it has no translation."""

    def pgettext(self, context: str, message: str, /) -> str:
        """Return a word in this language as used in a context."""

    def ngettext(self, one: str, many: str, n: int, /) -> str:
        """Return the template for a number of things."""

    def listing(self, parts: list[str], *, either: bool) -> str:
        """Return the parts as a list: "a, b and c", or "a, b or c"."""


class Phrase(str):
    """English words that can be translated. Equal to the same plain string."""

    __slots__ = ("_given", "_into", "_named")
    _into: Callable[..., str]
    _given: tuple[Any, ...]
    _named: Mapping[str, Any]

    def __new__(
        cls,
        english: str,
        into: Callable[..., str],
        given: tuple[Any, ...] = (),
        named: Mapping[str, Any] = _NOTHING,
    ) -> Self:
        """Make a phrase; `say` and its siblings call this.

        Args:
            english: the English words.
            into: returns the phrase in a language, its first argument.
            given: its other positional arguments.
            named: its keyword arguments.
        """
        phrase = super().__new__(cls, english)
        phrase._into = into
        phrase._given = given
        phrase._named = named
        return phrase

    def into(self, tongue: Tongue) -> str:
        """Return the phrase in a language."""
        return self._into(tongue, *self._given, **self._named)

    def __str__(self) -> str:
        """Return the phrase itself: libraries call ``str`` on their arguments."""
        return self

    def __reduce__(self) -> tuple[type[str], tuple[str]]:
        """Pickle as the English words."""
        return (str, (self.english,))

    @property
    def english(self) -> str:
        """The plain English words."""
        return str.__str__(self)


def translated(words: str, tongue: Tongue) -> str:
    """Return words in a language; anything but a phrase is returned unchanged."""
    return words.into(tongue) if isinstance(words, Phrase) else words


def say(template: str, /, **values: Any) -> Phrase:
    """Return a sentence with its values in braces. Babel extracts the template."""
    english = template.format(**values) if values else template
    return Phrase(english, _say, (template,), values)


def plural(one: str, many: str, n: int, /, **values: Any) -> Phrase:
    """Return a sentence that depends on a number, its ``{n}``."""
    english = (one if n == 1 else many).format(n=n, **values)
    return Phrase(english, _plural, (one, many, n), values)


def word(context: str, text: str, /) -> Phrase:
    """Return a word whose translation depends on its use."""
    return Phrase(text, _word, (context, text))


def capital(words: str) -> Phrase:
    """Return words with an initial capital letter."""
    return Phrase(_begun(words), _capital, (words,))


def listed(parts: Iterable[str], *, either: bool = False) -> Phrase:
    """Return a list in words: "a, b and c", or "a, b or c"."""
    whole = list(parts)
    english = _english(whole, " or " if either else " and ")
    return Phrase(english, _listed, (whole,), {"either": either})


def lines(parts: Iterable[str], separator: str = "\n") -> Phrase:
    """Return phrases one below the other, or with another separator between them."""
    whole = tuple(parts)
    return Phrase(separator.join(whole), _lines, (whole, separator))


def concat(*parts: str) -> Phrase:
    """Return phrases, marks and figures side by side. Not for parts of a sentence: see `say`."""
    return lines(parts, "")


def shortened(words: str, most: int) -> Phrase:
    """Return words of at most ``most`` characters, cut between two words if necessary."""
    return Phrase(_cut(words, most), _shortened, (words, most))


def packed(words: Any) -> Any:
    """Return words as plain JSON data, which `unpacked` turns back into the same phrase."""
    if isinstance(words, Phrase):
        maker = _MADE_BY.get(words._into)  # noqa: SLF001 -- of this module
        if maker is None:
            return words.english
        given = [packed(value) for value in words._given]  # noqa: SLF001
        named = {name: packed(value) for name, value in words._named.items()}  # noqa: SLF001
        return {"made": [maker, given, named]}
    if isinstance(words, list | tuple):
        return [packed(part) for part in words]
    return words if isinstance(words, str | int | float | None) else str(words)


def unpacked(data: Any) -> Any:
    """Return the phrase, or the words, given to `packed`."""
    if isinstance(data, list):
        return [unpacked(part) for part in data]
    if not isinstance(data, dict):
        return data
    maker, given, named = data["made"]
    values = {name: unpacked(value) for name, value in named.items()}
    return _MAKERS[maker](*(unpacked(value) for value in given), **values)


def _say(tongue: Tongue, template: str, /, **values: Any) -> str:
    return _filled(tongue.gettext(template), values, tongue)


def _plural(tongue: Tongue, one: str, many: str, n: int, /, **values: Any) -> str:
    return _filled(tongue.ngettext(one, many, n), {"n": n, **values}, tongue)


def _word(tongue: Tongue, context: str, text: str, /) -> str:
    return tongue.pgettext(context, text)


def _capital(tongue: Tongue, words: str) -> str:
    return _begun(translated(words, tongue))


def _listed(tongue: Tongue, parts: list[str], *, either: bool) -> str:
    return tongue.listing([translated(part, tongue) for part in parts], either=either)


def _lines(tongue: Tongue, parts: tuple[str, ...], separator: str) -> str:
    return separator.join([translated(part, tongue) for part in parts])


def _shortened(tongue: Tongue, words: str, most: int) -> str:
    return _cut(translated(words, tongue), most)


_MAKERS: Final[dict[str, Callable[..., Phrase]]] = {
    made.__name__: made for made in (say, plural, word, capital, listed, lines, shortened)
}
_MADE_BY: Final[dict[Callable[..., str], str]] = {
    into: into.__name__.removeprefix("_")
    for into in (_say, _plural, _word, _capital, _listed, _lines, _shortened)
}


def _filled(template: str, values: dict[str, Any], tongue: Tongue) -> str:
    if not values:
        return template
    said = {
        name: value.into(tongue) if isinstance(value, Phrase) else value
        for name, value in values.items()
    }
    return template.format(**said)


def _begun(words: str) -> str:
    return words[:1].upper() + words[1:]


def _english(parts: list[str], last: str) -> str:
    return last.join(filter(None, (", ".join(parts[:-1]), *parts[-1:])))


def _cut(words: str, most: int) -> str:
    if len(words) <= most:
        return words
    kept = words[:most].rsplit(" ", 1)[0]
    return (kept if len(kept) < most else words[: most - 1]) + "…"
