"""Replays: every position of a match or an imported record, loaded and cached."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cached_property
from typing import Any, Final, TypeVar

from cachetools import LRUCache

from bot.core.errors import NoSuchMatch
from bot.core.i18n.mentions import slash
from bot.core.workers import fair_queue
from bot.core.workers.fair_queue import MAX_WAITING, FairPlaces, Requester
from bot.play.matches import match_text
from bot.play.matches.positions import TAIL, Position, get_match
from data.matches import match_log
from data.matches.match import Match, Player
from data.puzzles import imported_records
from data.store.store import Store
from engine import record, registry
from engine.game import CHANCE, Seat
from engine.phrase import Phrase, capital, concat, lines, say, unpacked
from engine.record import Record
from engine.registry import AnyGame
from engine.replay import Played
from engine.replay import replay as replayed
from engine.scene import Scene
from engine.turns import START, last_of_turns, stops, turn_of, turns

EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
"""The placeholder date of records."""
_MAX_TOLD: Final = 2
"""Sentences at most of what happened at a stop."""
NOBODY: Final = -1
"""The user id of every player in a record, which stores none."""


@dataclass(frozen=True, eq=False)
class Replay:
    """A match, entry by entry."""

    name: str
    position: Position
    """The match at its end or current state; players of a record have the id `NOBODY`."""
    played: tuple[Played[Any, Any], ...]
    """Its entries, without the earliest if only the end is loaded."""

    @property
    def game(self) -> AnyGame:
        """The game."""
        return self.position.game

    @property
    def first(self) -> Any:
        """The position before the first loaded entry."""
        return self.played[0].before if self.played else self.position.state

    @property
    def skipped(self) -> int:
        """The number of entries before the loaded ones."""
        return self.plies - len(self.played)

    @property
    def plies(self) -> int:
        """The total number of entries."""
        return self.position.ply

    @property
    def imported(self) -> bool:
        """Whether it is an imported record rather than a match of this bot."""
        return self.name.startswith("i")

    @property
    def number(self) -> int:
        """The number of the match or record."""
        return int(self.name.lstrip("i"))

    @cached_property
    def stops(self) -> tuple[int, ...]:
        """The plies worth showing."""
        return (self.skipped, *stops(self.game, self.played)[1:])

    @cached_property
    def turns(self) -> tuple[int, ...]:
        """The entries that start a turn."""
        return turns(self.game, self.played)

    def move(self, ply: int) -> int:
        """Return the number of the move, counted in whole turns, that an entry belongs to."""
        return turn_of(self.turns, ply)

    def ply_after(self, move: int | None) -> int:
        """Return the entry that ends a move; the last entry for ``None`` or beyond the end."""
        ends = (self.skipped, *self.turn_ends)
        return self.plies if move is None or move >= len(ends) else ends[move]

    @property
    def turn_ends(self) -> tuple[int, ...]:
        """The last entry of each turn."""
        return last_of_turns(self.turns, self.plies)

    def state(self, ply: int) -> Any:
        """Return the position after a number of entries."""
        return self.entry(ply).after if ply > self.skipped else self.first

    def entry(self, ply: int) -> Played[Any, Any]:
        """Return a loaded entry by its number, from 1."""
        return self.played[ply - 1 - self.skipped]

    def shown(self, ply: int) -> tuple[Played[Any, Any], ...]:
        """Return the story at a stop: the entries since the stop before."""
        before = max((stop for stop in self.stops if stop < ply), default=self.skipped)
        return self.played[before - self.skipped : ply - self.skipped]

    def scene(self, ply: int) -> Scene:
        """Return the scene at a stop, with the entries that led to it."""
        last = [(p.before, p.move) for p in self.shown(ply)]
        if ply == self.plies:
            return match_text.pictured(self.position, last)
        return self.game.scene(self.state(ply), last)

    def event_line(self, ply: int) -> Phrase:
        """Return what happened at a stop, in one line."""
        last = self.shown(ply)
        if not last:
            return say("The start.")
        told = match_text.told(self.position, last)
        if len(told) > _MAX_TOLD:
            return say("After throws without a move: {line}", line=told[-1])
        return lines(told, " ")

    def plain(self, ply: int) -> Phrase:
        """Return the entry at a stop in one line without Markdown, for menus and descriptions."""
        if not ply:
            return say("The start.")
        entry = self.entry(ply)
        actor = self.game.actor(entry.before)
        sentence = self.game.tell(entry.before, entry.move)
        if actor is CHANCE:
            return say("{sentence}.", sentence=sentence)
        seat = capital(self.game.side(entry.before, actor))
        return say("{seat}: {sentence}.", seat=seat, sentence=sentence)

    def heading(self) -> Phrase:
        """Return the heading: the game and the players."""
        position = self.position
        if not self.imported:
            return lines([match_text.heading(position)])
        seats = (capital(self.game.side(self.first, Seat(p.seat))) for p in position.match.players)
        parts = [
            say("### {game} · record {name}", game=self.game.title, name=self.name),
            lines(seats, " · "),
        ]
        options = match_text.options_line(self.game, position.match.options)
        if options:
            parts.append(concat("-# ", options))
        return lines(parts)


def replay_of_record(name: str, imported: Record) -> Replay:
    """Return the replay of a record.

    Raise BadRecord for an unplayable entry, and BadOption for an unknown game, option, value or
    number of players.
    """
    game = registry.game(imported.game)
    seats = game.seats(len(imported.seats))
    ranks = imported.ranks or (None,) * len(seats)
    gave_up = {one.seat: (n, one.ply, one.how) for n, one in enumerate(imported.gave_up, 1)}
    players = tuple(
        Player(seat, NOBODY, "", rank, *gave_up.get(name, ()))
        for seat, name, rank in zip(seats, imported.seats, ranks, strict=True)
    )
    match = Match(
        id=0,
        game=imported.game,
        rules_version=imported.rules_version,
        options=game.settle(dict(imported.options)),
        guild_id=None,
        channel_id=0,
        seed=b"",
        commitment="",
        created_at=EPOCH,
        finished_at=EPOCH if imported.ranks or imported.ended else None,
        reason=imported.reason or None,
        plies=len(imported.log),
        players=players,
        takebacks=imported.takebacks,
        given_up=len(gave_up),
    )
    return replay_of_match(name, match, imported.log)


def replay_of_match(name: str, match: Match, log: tuple[str, ...]) -> Replay:
    """Return the replay of a match with the given log of notations."""
    game = registry.game(match.game)
    played = tuple(replayed(game, log, match.options, len(match.players)))
    state = played[-1].after if played else game.initial(match.options, len(match.players))
    match = replace(match, plies=len(played))
    count = START.after(game, played[:-TAIL])
    position = Position(match, game, state, len(played), played[-TAIL:], count)
    return Replay(name, position, played)


_NAME: Final = re.compile(r"(i?)0*([1-9]\d{0,17})")


def is_record(name: str) -> bool:
    """Return whether a name refers to an imported record."""
    match = _read(name)
    return match is not None and bool(match[1])


def parsed(name: str) -> tuple[bool, int]:
    """Return whether a name refers to a record, and its number; raise NoSuchMatch if invalid."""
    match = _read(name)
    if match is None:
        raise NoSuchMatch(
            say(
                "“{name}” isn't a match number. Try a number like 12, or i3 for an imported "
                "record.",
                name=name[:20],
            )
        )
    return bool(match[1]), int(match[2])


def _read(name: str) -> re.Match[str] | None:
    return _NAME.fullmatch(name.strip().lower().removeprefix("#"))


_KEPT: Final = 16
"""Maximum cached replays."""
T = TypeVar("T")


@dataclass(eq=False, repr=False)
class Replays:
    """Loads replays one at a time, in a thread, and caches the latest."""

    store: Store
    _kept: LRUCache[str, tuple[Match | str, Replay]] = field(
        default_factory=lambda: LRUCache(_KEPT), init=False
    )
    _places: FairPlaces[None] = field(
        default_factory=lambda: FairPlaces([None], limit=MAX_WAITING), init=False
    )

    async def of_match(self, match_id: int) -> Replay:
        """Return a match in its current state; raise NoSuchMatch if it does not exist."""
        name = str(match_id)
        async with self.store.read() as tx:
            match = await get_match(tx, match_id)
            if self._held(name, match) is None:
                log = tuple(entry.notation for entry in await match_log.read(tx, match_id))
        return self._held(name, match) or await self._read(
            name, match, fair_queue.NOBODY, lambda: replay_of_match(name, match, log)
        )

    async def of_import(self, number: int, user_id: int) -> Replay:
        """Return a player's imported record; raise NoSuchMatch if it is not theirs, or was dropped.

        Raise TooMany if this player already has too many requests waiting.
        """
        name = f"i{number}"
        async with self.store.read() as tx:
            imported = await imported_records.get(tx, number)
        if imported is None or imported.user_id != user_id:
            raise NoSuchMatch(
                say(
                    "You have no record {name}. It may have made room for a newer one. Import it "
                    "again with `{command}`.",
                    name=name,
                    command=slash("match", "import"),
                )
            )
        text = imported.record
        return self._held(name, text) or await self._read(
            name, text, Requester(0, user_id), lambda: replay_of_record(name, record.read(text))
        )

    async def luck(self, number: int) -> Phrase | None:
        """Return whether the throws of a record verify; ``None`` if it has been dropped."""
        async with self.store.read() as tx:
            luck = await imported_records.luck(tx, number)
        return None if luck is None else unpacked(luck)

    async def compute(self, requester: Requester, work: Callable[[], T]) -> T:
        """Compute something from a replay in a thread, users taking turns; return the result.

        Raise TooMany if this user already has too many requests waiting.
        """
        async with self._places.take(requester):
            return await asyncio.to_thread(work)

    def _held(self, name: str, source: Match | str) -> Replay | None:
        kept = self._kept.get(name)
        return kept[1] if kept is not None and kept[0] == source else None

    async def _read(
        self, name: str, source: Match | str, requester: Requester, work: Callable[[], Replay]
    ) -> Replay:
        # A request that waited for the same replay finds it cached.
        replay = await self.compute(requester, lambda: self._held(name, source) or work())
        self._kept[name] = source, replay
        return replay
