"""The page of a link as HTML: everything that people typed or are called is escaped here."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Final, TypeAlias

_MENTION: Final = re.compile(r"<@!?(\d+)>")
_ESCAPED: Final = re.compile(r"&lt;@!?(\d+)&gt;")
_LINK: Final = re.compile(r"\[([^\[\]\n]{1,200})\]\(<?https?://[^\s)>]{1,500}>?\)")
_BOLD: Final = re.compile(r"\*\*(.+?)\*\*")
_CODE: Final = re.compile(r"`([^`\n]+)`")
_MARKS: Final = re.compile(r"\*\*|`|^-# |^#{1,3} ", re.MULTILINE)
_FENCE: Final = "```"
_MAX_DESCRIPTION: Final = 300
_PAGE: Final = "\x00page\x00"
_PICTURE: Final = "\x00picture\x00"
_BOARDS: Final = "\x00boards\x00"
"""Stand for addresses, which differ from link to link. No text that is shown has such signs."""
SOMEBODY: Final = "…"
_DOCTYPE: Final = "<!doctype\thtml>"
_VOID: Final = {"img", "input", "link", "meta"}
_BUTTON: Final = ("button", "secondary")
Attribute: TypeAlias = str | int | Sequence[str] | None


class Html(str):
    """Markup. Any other text is escaped before it becomes part of it."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Cast:
    """What people are called on the page, by user id: a name, or the number of a player."""

    names: Mapping[int, str]

    def called(self, number: str) -> str:
        """Return what a mentioned person is called."""
        return self.names.get(int(number), SOMEBODY)


@dataclass(frozen=True, slots=True)
class Preview:
    """The addresses of a link's page."""

    page: str
    picture: str
    boards: str
    """Where the boards are, without the number of a block."""

    def filled(self, made: bytes) -> bytes:
        """Return a page with its addresses."""
        for mark, address in ((_PAGE, self.page), (_PICTURE, self.picture), (_BOARDS, self.boards)):
            made = made.replace(mark.encode(), escape(address).encode())
        return made


@dataclass(slots=True)
class Document:
    """What a page says. All but ``words`` is plain text."""

    code: str
    theme: str
    title: str
    description: str
    words: Html
    has_picture: bool
    picture_alt: str = ""
    board_alt: str = ""
    at: int = 0
    """The stop of the game that is shown first."""
    turns: int = 0
    numbers: Sequence[int] = ()
    """The number of the move at each stop."""
    moves: Sequence[str] = ()
    """What happened at each stop."""
    labels: Mapping[str, str] = field(default_factory=dict)


def plain(text: str, cast: Cast) -> str:
    """Return a text without its Markdown, with names: not yet escaped."""
    bare = _MARKS.sub("", _LINK.sub(r"\1", text.replace(_FENCE, "")))
    return " ".join(_MENTION.sub(lambda found: cast.called(found[1]), bare).split())


def tag(name: str, /, *inside: str, **attributes: Attribute) -> Html:
    """Return an element; ``_`` in the names of attributes stands for ``-``, at their end for nothing."""
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(_value(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    if name in _VOID:
        return Html(f"<{name}{written}>")
    return Html(f"<{name}{written}>{_joined(inside)}</{name}>")


def _value(value: Attribute) -> str:
    return " ".join(value) if isinstance(value, tuple) else str(value)


def _joined(parts: Iterable[str]) -> Html:
    return Html("".join(one if isinstance(one, Html) else escape(one) for one in parts))


def rendered(text: str, cast: Cast) -> Html:
    """Return a text as HTML. Markdown in names stays as it is typed, and so does markup anywhere."""
    return _joined(_blocks(text, cast))


def _blocks(text: str, cast: Cast) -> Iterator[Html]:
    for number, part in enumerate(text.split(_FENCE)):
        if number % 2:
            yield tag("pre", _named(escape(part.strip("\n")), cast), tabindex=0)
            continue
        for line in filter(None, map(str.strip, part.split("\n"))):
            small, rest = line.startswith("-# "), line.removeprefix("-# ")
            heading = re.match(r"#{1,3} ", rest)
            words = _spans(rest[heading.end() :] if heading else rest, cast)
            if heading:
                yield tag("h2", words)
            else:
                yield tag("p", words, class_="subtext" if small else None)


def _spans(line: str, cast: Cast) -> Html:
    safe = escape(_LINK.sub(r"\1", line))
    marked = _CODE.sub(r"<code>\1</code>", _BOLD.sub(r"<strong>\1</strong>", safe))
    return _named(marked, cast)


def _named(safe: str, cast: Cast) -> Html:
    return Html(_ESCAPED.sub(lambda found: tag("bdi", cast.called(found[1])), safe))


def document(page: Document) -> Html:
    """Return a whole page, with marks where its addresses belong."""
    main = tag(
        "main",
        tag("h1", tag("bdi", page.title)),
        *_game(page),
        *_chart(page),
        tag("div", page.words, class_="words"),
        *_moves(page),
        class_=("page", "share"),
    )
    return _whole(page.code, page.theme, _head(page), main)


def notice(code: str, words: str) -> Html:
    """Return a page that says only why there is nothing to see."""
    main = tag("main", tag("p", words, class_="notice-page"), class_=("page", "share"))
    return _whole(code, None, (tag("title", words),), main)


def _whole(code: str, theme: str | None, head: Iterable[Html], main: Html) -> Html:
    top = (
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width,initial-scale=1"),
        tag("meta", name="robots", content="noindex"),
        tag("link", rel="icon", href="data:,"),
        *(
            tag("link", rel="stylesheet", href=f"/page/{name}.css")
            for name in ("style", "board", "themes")
        ),
    )
    html = tag("html", tag("head", *top, *head), tag("body", main), lang=code, data_board=theme)
    return Html(f"{_DOCTYPE}{html}")


def _head(page: Document) -> Iterator[Html]:
    about = page.description[:_MAX_DESCRIPTION]
    yield tag("title", page.title)
    yield tag("meta", name="description", content=about)
    seen = {"type": "website", "title": page.title, "description": about, "url": _PAGE}
    card = "summary"
    if page.has_picture:
        alt = (page.picture_alt or page.board_alt)[:_MAX_DESCRIPTION]
        seen |= {"image": _PICTURE, "image:type": "image/png", "image:alt": alt}
        yield tag("meta", name="twitter:image:alt", content=alt)
        card = "summary_large_image"
    for name, content in seen.items():
        yield tag("meta", property=f"og:{name}", content=content)
    yield tag("meta", name="twitter:card", content=card)
    if page.moves:
        yield tag("script", type="module", src="/page/shared.js")


def _game(page: Document) -> Iterator[Html]:
    """Yield the board, as a picture until the page's code has drawn it, and how to step through."""
    if not page.moves:
        return
    labels = page.labels
    yield tag(
        "div",
        *([] if page.picture_alt else [_picture(page.board_alt)]),
        id="board",
        class_="board",
        data_boards=_BOARDS,
        data_at=page.at,
        data_turns=page.turns,
        data_lost=labels["lost"],
    )
    last = len(page.moves) - 1
    yield tag(
        "div",
        tag("span", class_="turn-shown", id="turn", data_words=labels["turn"]),
        tag("input", type="range", min=0, max=last, value=page.at, aria_labelledby="turn"),
        *(
            tag("button", labels[step], type="button", class_=_BUTTON, data_step=step)
            for step in ("first", "back", "next", "last")
        ),
        id="history",
        class_="history",
        hidden="",
    )
    yield tag("p", id="story", role="status", aria_live="polite")


def _picture(alt: str) -> Html:
    return tag("img", class_="share-picture", src=_PICTURE, alt=alt)


def _chart(page: Document) -> Iterator[Html]:
    if page.picture_alt:
        yield _picture(page.picture_alt)


def _moves(page: Document) -> Iterator[Html]:
    if not page.moves:
        return
    entries = (
        tag(
            "li",
            tag(
                "button",
                f"{number}. {move}" if place else move,
                type="button",
                data_stop=place,
                data_move=number,
            ),
        )
        for place, (number, move) in enumerate(zip(page.numbers, page.moves, strict=True))
    )
    yield tag("details", tag("summary", page.labels["moves"]), tag("ol", *entries), class_="moves")
