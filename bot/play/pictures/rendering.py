"""Paints pictures and charts off the event loop, each only once, and decides their style.

In a channel the style is its server's, in a private answer the reader's own.
"""

from __future__ import annotations

import asyncio
from collections.abc import Hashable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial

from cachetools import LRUCache

from bot.core.computers import is_computer, is_person
from bot.core.i18n.catalogues import ENGLISH
from bot.core.interactions.layout import MAX_ALT, Attached, pictured
from bot.core.interactions.reply import Reply
from bot.core.permissions.members import Members, shown_name
from bot.core.settings.service import SettingsStore
from bot.core.workers.fair_queue import MAX_WAITING, NOBODY, FairPlaces, Requester, SharedWork
from bot.play.matches.positions import Position
from bot.play.pictures import chart_text
from bot.play.pictures.chart_text import Chart, TextChart
from bot.play.replays.animation import Animation
from data.matches.match import Player
from engine.game import Seat
from engine.phrase import Phrase, Tongue, concat, lines, shortened, word
from engine.phrase import translated as said
from engine.scene import Board, Scene, Token, translated
from engine.turning import turned, without_coordinates
from render import Painter, writable
from render.charts import painted
from render.draft import labelled
from render.names import Names, named
from render.pair import joined
from render.sheet import sheet
from render.theme import draft as draft_theme


@dataclass(frozen=True, slots=True)
class BoardStyle:
    """The style of a picture. Equal scenes in equal styles give the same picture."""

    theme: str = "wood"
    quarter_turns: int = 0
    """How far the board is turned, in quarter turns."""
    coordinates: bool = True
    locale: Tongue = ENGLISH
    """The language of its labels, if the fonts have its letters."""
    names: Names = ()
    """Who plays the seats, as far as known."""
    draft: str = ""
    """What a picture of moves that are not played calls itself; such pictures are tinted."""

    @property
    def colours(self) -> str:
        """The name of the theme to paint in."""
        return draft_theme(self.theme) if self.draft else self.theme

    def seen(self, scene: Scene) -> Scene:
        """Return a scene in this style."""
        localised = scene if self.locale is ENGLISH else translated(scene, self.locale, writable)
        localised = named(localised, self.names)
        bare = localised if self.coordinates else without_coordinates(localised)
        seen = turned(bare, self.quarter_turns)
        return labelled(seen, said(self.draft, self.locale)) if self.draft else seen


USUAL = BoardStyle()
"""The default style of pictures."""

# Translators: on the picture of a board, in few letters: this seat's player.
_COMPUTER = word("on a picture", "Computer")
_PAIR = 1000
"""The width of two pictures in one, in pixels."""
_ANIMATION_WIDTHS = (480, 360, 280)
"""Widths in pixels to try: the first whose animation is small enough is used."""
_ANIMATIONS = 8
_SHEETS = 8
_CHARTS = 32
"""Maximum animations, sheets, charts and pairs in the caches."""


class Renderer:
    """Paints pictures in a worker thread and caches the latest ones.

    Pillow releases the GIL while it compresses and encodes, so a thread costs the event loop little
    and saves sending scenes to another process.
    """

    def __init__(self, *, width: int, keep: int = 64) -> None:
        """Paint pictures of this width in pixels and cache the latest ``keep``."""
        self._painter = Painter()
        self._width = width
        self._worker = ThreadPoolExecutor(1, "painter")
        # Animations take seconds, and boards must not wait for them.
        self._animator = ThreadPoolExecutor(1, "animator")
        self._animators = FairPlaces([self._animator], limit=MAX_WAITING)
        self._under_way: SharedWork[bytes] = SharedWork()
        self._progress: dict[Hashable, float] = {}
        self._animations: LRUCache[Hashable, bytes] = LRUCache(_ANIMATIONS)
        # Not an LRUCache, which would hash these long keys ten times for each new picture.
        self._pictures: dict[Hashable, tuple[Board, tuple[Token, ...], bytes]] = {}
        self._keep = keep
        self._charts: LRUCache[Hashable, bytes] = LRUCache(_CHARTS)
        self._pairs: LRUCache[tuple[bytes, bytes], bytes] = LRUCache(_CHARTS)
        self._sheets: LRUCache[Hashable, bytes] = LRUCache(_SHEETS)

    async def picture(self, scene: Scene, style: BoardStyle = USUAL) -> bytes:
        """Return a scene as a PNG in a style."""
        key = _key(scene, style)
        held = self._pictures.pop(key, None)
        if held is None:
            loop = asyncio.get_running_loop()
            painted = await loop.run_in_executor(self._worker, self._paint, scene, style)
            # Not the whole scene: dropping one later, with all its words, takes longer than all this.
            held = (scene.board, scene.tokens, painted)
            if len(self._pictures) >= self._keep:
                del self._pictures[next(iter(self._pictures))]
        self._pictures[key] = held
        return held[2]

    async def pair(self, one: Scene, other: Scene, style: BoardStyle = USUAL) -> bytes:
        """Return two scenes of the same size in one PNG."""
        pictures = (await self.picture(one, style), await self.picture(other, style))
        held = self._pairs.get(pictures)
        if held is None:
            held = await asyncio.to_thread(joined, *pictures, width=_PAIR)
            self._pairs[pictures] = held
        return held

    async def sheet(self, scenes: Sequence[tuple[str, Scene]], style: BoardStyle) -> bytes:
        """Return titled scenes in one PNG."""
        titled = [
            (said(title, style.locale), await self.picture(scene, style)) for title, scene in scenes
        ]
        key = (*titled, style)
        held = self._sheets.get(key)
        if held is None:
            work = partial(sheet, titled, theme=style.theme, width=self._width)
            held = self._sheets[key] = await asyncio.to_thread(work)
        return held

    async def chart(self, chart: Chart, style: BoardStyle = USUAL) -> bytes:
        """Return a chart as a PNG. Of the style, only theme and language matter."""
        key = (chart, style.theme, style.locale)
        held = self._charts.get(key)
        if held is None:
            loop = asyncio.get_running_loop()
            held = self._charts[key] = await loop.run_in_executor(
                self._worker, self._paint_chart, chart, style
            )
        return held

    async def animation(
        self,
        animation: Animation,
        *,
        most_bytes: int,
        style: BoardStyle = USUAL,
        requester: Requester = NOBODY,
    ) -> bytes:
        """Return an animation as a GIF, painted without delaying boards.

        It is repainted smaller, and finally with fewer pictures, until it is small enough. One is
        painted at a time, taking turns between users, and concurrent requests for the same one
        share it. Its scenes are all the same size.

        Raises:
            TooMany: the requester is waiting for too many.

        """
        key = (animation.name, most_bytes, style)
        held = self._animations.get(key)
        if held is None:
            work = partial(self._animation, key, animation, most_bytes, style, requester)
            held = await self._under_way.run(key, work)
        return held

    async def _animation(
        self,
        key: Hashable,
        animation: Animation,
        most_bytes: int,
        style: BoardStyle,
        requester: Requester,
    ) -> bytes:
        async with self._animators.take(requester) as animator:
            work = partial(
                self._animate, key, animation.scenes, animation.durations, most_bytes, style
            )
            try:
                gif = await asyncio.get_running_loop().run_in_executor(animator, work)
            finally:
                self._progress.pop(key, None)
        self._animations[key] = gif
        return gif

    def progress(self, animation: Animation, *, most_bytes: int, style: BoardStyle) -> float | None:
        """Return the painted share of an animation; ``None`` before it starts."""
        return self._progress.get((animation.name, most_bytes, style))

    def _animate(
        self,
        key: Hashable,
        scenes: Sequence[Scene],
        durations: Sequence[int],
        most_bytes: int,
        style: BoardStyle,
    ) -> bytes:
        def report(share: float) -> None:
            # A smaller repaint starts over, but the progress shown never goes back.
            self._progress[key] = max(share, self._progress.get(key, 0.0))

        scenes = [style.seen(scene) for scene in scenes]
        widths = [min(width, self._width) for width in _ANIMATION_WIDTHS]
        while True:
            for width in widths:
                gif = self._painter.gif(
                    scenes, theme=style.colours, width=width, durations=durations, report=report
                )
                if len(gif) <= most_bytes or (width == widths[-1] and len(scenes) == 1):
                    return gif
            # Drop every other picture, but never the last: it shows the final position.
            left = range(len(scenes) - 1, -1, -2)[::-1]
            scenes = [scenes[index] for index in left]
            durations = [durations[index] for index in left]

    def _paint(self, scene: Scene, style: BoardStyle) -> bytes:
        return self._painter.png(style.seen(scene), theme=style.colours, width=self._width)

    def _paint_chart(self, shown: Chart, style: BoardStyle) -> bytes:
        return painted(chart_text.scene(shown, style.locale), theme=style.theme, width=self._width)

    def close(self) -> None:
        """Finish the current picture and stop."""
        self._worker.shutdown(wait=True, cancel_futures=True)
        self._animator.shutdown(wait=True, cancel_futures=True)


def _key(scene: Scene, style: BoardStyle) -> Hashable:
    """Return the cache key of a scene in a style.

    Boards and sprites are compared by identity, because hashing them would cost more than
    everything else; a picture is cached with both, so their identities cannot be reused meanwhile.
    """
    tokens = tuple([(id(token.sprite), token.x, token.y) for token in scene.tokens])
    return (id(scene.board), tokens, scene.below, scene.above, style)


def player_names(members: Members, position: Position, locale: Tongue) -> Names:
    """Return the names of a match's players that are in memory, and ask for the others for later.

    No board waits for a name. Who has left the server, or deleted their data, has none.
    """
    guild_id, players = position.match.guild_id, position.match.players
    people = [player.user_id for player in players if is_person(player.user_id)]
    known = members.known_names(guild_id, people)
    if len(known) < len(people):
        members.learn_names(guild_id, people)
    return names_on_board(position, known, locale)


def names_on_board(position: Position, known: Mapping[int, str], locale: Tongue) -> Names:
    """Return the names of a match's players, of people as far as known by user id.

    Several computers keep the names of their seats, by which alone they can be told apart.
    """
    players = position.match.players
    alone = sum(is_computer(player.user_id) for player in players) == 1
    computer = said(_COMPUTER, locale) if alone else None
    names = (
        (p.seat, computer if is_computer(p.user_id) else known.get(p.user_id)) for p in players
    )
    return tuple((seat, name) for seat, name in names if name)


def with_names(scene: Scene, position: Position, names: Names) -> Scene:
    """Return a scene whose description also says who plays which seat."""
    if not names:
        return scene
    seats = (concat(position.seat_names[seat], ": ", name) for seat, name in names)
    # At the end, as a description may be cut: all of the position comes first.
    alt = lines((scene.alt, concat(lines(seats, ", "), ".")), " ")
    return replace(scene, alt=shortened(alt, MAX_ALT))


async def in_channel(
    settings: SettingsStore, position: Position, locale: Tongue = ENGLISH, names: Names = ()
) -> BoardStyle:
    """Return the style of a board in its channel: turned for the called player, if set."""
    theme = (await settings.server(position.match.guild_id)).theme
    called = position.called
    if called is None and position.to_move is not None:
        called = next((one for one in position.match.players if is_person(one.user_id)), None)
    turned = called is not None and (await settings.player(called.user_id)).turned
    quarters = _quarters(position, called) if turned else 0
    return BoardStyle(theme, quarters, locale=locale, names=names)


async def private_style(
    reply: Reply, guild_id: int | None, quarter_turns: int = 0, *, public: bool | None = False
) -> BoardStyle:
    """Return the style of a picture for the reader: their own, or else that of a server.

    The board is turned if they want that. ``public``: whether its labels are for everyone.
    """
    locale = await reply.locale(public=public)
    settings = reply.get(SettingsStore)
    return await _liked(settings, reply.user_id, guild_id, locale, quarter_turns)


async def _liked(
    settings: SettingsStore, user_id: int, guild_id: int | None, locale: Tongue, turns: int
) -> BoardStyle:
    likes = await settings.player(user_id)
    theme = likes.theme or (await settings.server(guild_id)).theme
    return BoardStyle(theme, turns if likes.turned else 0, likes.coordinates, locale)


async def reader_style(
    settings: SettingsStore, members: Members, position: Position, user_id: int, locale: Tongue
) -> BoardStyle:
    """Return the style of pictures of a match that only one reader sees, a player or not."""
    turns = _quarters(position, position.player_of(user_id))
    style = await _liked(settings, user_id, position.match.guild_id, locale, turns)
    return replace(style, names=player_names(members, position, locale))


async def style_for(reply: Reply, position: Position, draft: str = "") -> BoardStyle:
    """Return the style of pictures of a match that only the reader sees, a player or not.

    ``draft`` is the label of what is not played; empty for the match itself.
    """
    style = await reader_style(
        reply.get(SettingsStore),
        reply.get(Members),
        position,
        reply.user_id,
        await reply.locale(public=False),
    )
    return replace(style, draft=draft)


async def picture_for(reply: Reply, position: Position, scene: Scene, draft: str = "") -> bytes:
    """Return a picture from a match that only the reader sees, as a PNG; see `style_for`."""
    return await reply.get(Renderer).picture(scene, await style_for(reply, position, draft))


def draft_alt(draft: str, scene: Scene) -> Phrase:
    """Return the description of a picture of what is not played."""
    return shortened(lines((concat(draft, "."), scene.alt), " "), MAX_ALT)


async def chart_for(
    reply: Reply, chart: TextChart | None, filename: str, *, public: bool
) -> tuple[Attached, ...]:
    """Return the part of a message with a chart; empty without one.

    A public one has the server's theme.
    """
    if chart is None:
        return ()
    if public:
        theme = (await reply.get(SettingsStore).server(reply.home)).theme
        style = BoardStyle(theme, locale=await reply.locale(public=True))
    else:
        style = await private_style(reply, reply.home)
    reader = shown_name(reply.interaction.user)
    return (await chart_part(reply.get(Renderer), chart, filename, style, reader),)


def _quarters(position: Position, player: Player | None) -> int:
    return 0 if player is None else position.game.quarter_turns(position.state, Seat(player.seat))


async def chart_part(
    renderer: Renderer, chart: TextChart, filename: str, style: BoardStyle, reader: str = ""
) -> Attached:
    """Return the part of a message with a chart; ``reader`` names its marked row."""
    png = await renderer.chart(chart, style)
    return pictured(filename, png, chart_text.alt(chart, reader))
