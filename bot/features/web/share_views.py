"""What a link shows: the page with its head for previews, its picture, and the boards of a match.

All of it is made on the server, in its reader's language. People are named, if at all, as on the
match's server, and only while all their profiles are public; no id of theirs is part of it.
"""

from __future__ import annotations

import asyncio
import gzip
import json
from collections.abc import Awaitable, Callable, Hashable
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from cachetools import LRUCache
from svcs import Container

from bot.core.computers import is_computer, is_person
from bot.core.errors import NoSuchMatch, NotAllowed
from bot.core.i18n.locales import Locales
from bot.core.i18n.mentions import mention
from bot.core.interactions.layout import say_in
from bot.core.owner_decisions import OwnerDecisions
from bot.core.permissions.members import Members
from bot.core.settings.service import SettingsStore
from bot.core.workers.fair_queue import FairPlaces, Requester, SharedWork
from bot.features.web.requests import preferred
from bot.features.web.share_html import Cast, Document, Preview, document, plain, rendered
from bot.features.web.shares import ShareLinks
from bot.play.controls.link_views import KINDS, Linked
from bot.play.pictures.rendering import BoardStyle, Renderer, names_on_board
from bot.play.replays.replay import Replay
from data.people.share_links import ShareLink
from engine.game import CHANCE
from engine.phrase import say
from engine.phrase import translated as said
from engine.scene import Scene
from render.svg import moving_part, static_part

BLOCK: Final = 20
"""Boards sent at once."""
MAX_WAITING: Final = 16
"""What is made at once, or waits for it, for all readers of one person's links."""
_KEPT: Final = 16_000_000
"""Bytes of pages, pictures and boards kept."""
GONE: Final = say("This link doesn't work any more, or never did.")


@dataclass(frozen=True, eq=False)
class Shown:
    """What a link shows to readers of one language."""

    link: ShareLink
    linked: Linked
    code: str
    """The language, as Discord calls it."""
    style: BoardStyle
    names: dict[int, str]
    """Of people who are named."""
    cast: Cast
    named: bool
    """Whether all people have names."""

    @property
    def key(self) -> tuple[Hashable, ...]:
        """Tells apart whatever looks different."""
        one, other = self.link, self.linked
        words = (str(other.words), other.version)
        return (one.kind, one.subject, one.ply, self.style, tuple(self.cast.names.items()), words)


@dataclass(eq=False, repr=False)
class ShareViews:
    """Makes what links show, one thing at a time, so that no board waits for strangers."""

    shares: ShareLinks
    services: Container
    settings: SettingsStore
    members: Members
    locales: Locales
    owner: OwnerDecisions
    renderer: Renderer
    _kept: LRUCache[Hashable, bytes] = field(
        default_factory=lambda: LRUCache(_KEPT, getsizeof=len), init=False
    )
    _under_way: SharedWork[bytes] = field(default_factory=SharedWork, init=False)
    _places: FairPlaces[None] = field(
        default_factory=lambda: FairPlaces([None], limit=MAX_WAITING), init=False
    )

    async def shown(self, secret: str, languages: str) -> Shown:
        """Return what a link shows, in the first of its reader's languages there is.

        Raises NoSuchMatch if it was ended, if its maker or server is blocked, or if there is nothing
        to see any more: nobody can tell these apart.
        """
        link = await self.shares.find(secret)
        if link is None:
            raise NoSuchMatch(GONE)
        try:
            linked = await KINDS[link.kind][1](self.services, link)
        except (NoSuchMatch, NotAllowed) as error:
            raise NoSuchMatch(GONE) from error
        if self.owner.refusal(link.user_id, linked.guild_id) is not None:
            raise NoSuchMatch(GONE)
        code = preferred(languages, self.locales.languages) or link.locale
        locale = self.locales.of_locale(code)
        likes = await self.settings.player(link.user_id)
        theme = likes.theme or (await self.settings.server(linked.guild_id)).theme
        names = await self._names(linked)
        style = BoardStyle(theme, coordinates=likes.coordinates, locale=locale)
        if linked.replay is not None:
            on_board = names_on_board(linked.replay.position, names, locale)
            style = BoardStyle(theme, 0, likes.coordinates, locale, on_board)
        called = {
            one: mention(one) if is_computer(one) else say("Player {number}", number=number)
            for number, one in enumerate(linked.people, 1)
        }
        cast = Cast({one: names.get(one) or said(word, locale) for one, word in called.items()})
        named = all(one in names or is_computer(one) for one in linked.people)
        return Shown(link, linked, code, style, names, cast, named)

    async def _names(self, linked: Linked) -> dict[int, str]:
        """Return the names that readers may see: nobody's who hides their profile, or is blocked."""
        people = [one for one in linked.people if is_person(one)]
        hidden = {
            one
            for one in people
            if self.owner.refusal(one, None) is not None
            or not (await self.settings.player(one)).profile
        }
        if hidden and linked.together:
            return {}
        found = await self.members.names(linked.guild_id, people)
        return {one: name for one, name in found.items() if one not in hidden}

    async def page(self, shown: Shown, preview: Preview) -> bytes:
        """Return the page, whose addresses are in `Preview`."""
        made = await self._made(shown, "page", partial(_page, shown))
        return preview.filled(made)

    async def picture(self, shown: Shown) -> bytes:
        """Return what previews show, as a PNG; raise NoSuchMatch if there is no picture."""
        linked, replay = shown.linked, shown.linked.replay

        async def painted() -> bytes:
            chart = await asyncio.to_thread(linked.chart, shown.names)
            if chart is not None:
                return await self.renderer.chart(chart, shown.style)
            if replay is None:
                raise NoSuchMatch(GONE)
            scene = await asyncio.to_thread(replay.scene, _opens_at(shown, replay))
            return await self.renderer.picture(scene, shown.style)

        return await self._shared(shown, "picture", painted)

    async def boards(self, shown: Shown, block: int) -> bytes:
        """Return some boards of a match as compressed JSON; raise NoSuchMatch if there are none."""
        replay = shown.linked.replay
        if replay is None or not 0 <= block * BLOCK < len(replay.stops):
            raise NoSuchMatch(GONE)
        return await self._made(shown, f"boards {block}", partial(_boards, shown, replay, block))

    async def _made(self, shown: Shown, what: str, work: Callable[[], bytes]) -> bytes:
        return await self._shared(shown, what, partial(asyncio.to_thread, work))

    async def _shared(self, shown: Shown, what: str, work: Callable[[], Awaitable[bytes]]) -> bytes:
        key = (what, *shown.key)
        held = self._kept.get(key)
        if held is not None:
            return held

        async def make() -> bytes:
            requester = Requester(shown.linked.guild_id or 0, shown.link.user_id)
            async with self._places.take(requester):
                made = await work()
            if len(made) <= _KEPT:
                self._kept[key] = made
            return made

        return await self._under_way.run(key, make)


def _opens_at(shown: Shown, replay: Replay) -> int:
    """Return the stop at which a link opens."""
    wanted = replay.plies if shown.link.ply is None else shown.link.ply
    return max((stop for stop in replay.stops if stop <= wanted), default=replay.stops[0])


def _page(shown: Shown) -> bytes:
    """Return the page, with marks where its addresses belong."""
    linked, replay, cast = shown.linked, shown.linked.replay, shown.cast
    locale, chart = shown.style.locale, linked.chart(shown.names)

    def words(phrase: str) -> str:
        return say_in(locale, phrase)

    players = " – ".join(cast.names.values()) if shown.named and replay is not None else ""
    title = plain(words(linked.title(players)), cast)
    made = Document(
        code=shown.code,
        theme=shown.style.theme,
        title=title,
        description=plain(words(linked.words), cast),
        words=rendered(words(linked.words), cast),
        has_picture=chart is not None or replay is not None,
    )
    if chart is not None:
        made.picture_alt = plain(words(linked.chart_alt(cast.names)), cast)
    if replay is not None:
        at = _opens_at(shown, replay)
        made.at = replay.stops.index(at)
        made.numbers = [replay.move(stop) for stop in replay.stops]
        made.moves = [words(replay.plain(stop)) for stop in replay.stops]
        made.turns = len(replay.turns)
        made.board_alt = said(replay.scene(at).alt, locale)
    made.labels = {
        name: words(label)
        for name, label in (
            ("first", say("« First")),
            ("back", say("‹ Back")),
            ("next", say("Next ›")),
            ("last", say("Last »")),
            ("moves", say("All moves")),
            ("turn", say("Move {number} of {all}", number="{number}", all="{all}")),
            ("lost", say("Not connected. Trying again…")),
        )
    }
    return document(made).encode()


def _boards(shown: Shown, replay: Replay, block: int) -> bytes:
    """Return some boards of a match: their common parts, and for each what differs."""
    parts: dict[str, dict[str, str]] = {}
    boards = []
    for stop in replay.stops[block * BLOCK : (block + 1) * BLOCK]:
        scene: Scene = shown.style.seen(replay.scene(stop))
        part = static_part(scene.board)
        parts.setdefault(part.key, {"view": part.view, "board": part.board})
        boards.append(
            {
                "part": part.key,
                "moving": moving_part(scene),
                "alt": said(scene.alt, shown.style.locale),
                "thrown": stop > 0 and replay.game.actor(replay.entry(stop).before) is CHANCE,
            }
        )
    return gzip.compress(json.dumps({"parts": parts, "boards": boards}).encode(), 6)
