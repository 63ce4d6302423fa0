"""Animations of what happened since a player's last decision, or in a whole match.

An animation consists of scenes, their durations, and the same story in words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from bot.play.matches.positions import Position, was_choice
from bot.play.replays.replay import Replay
from engine.game import CHANCE
from engine.phrase import Phrase, lines, plural
from engine.registry import AnyGame
from engine.replay import Played
from engine.scene import Scene

MAX_SINCE: Final = 40
"""Maximum pictures since a player's last turn."""
MAX_WHOLE: Final = 120
"""Maximum pictures of a whole match."""
SINCE_BYTES: Final = 2_000_000
WHOLE_BYTES: Final = 5_000_000
"""Maximum file size."""

_THROW, _MOVE, _FIRST, _LAST = 800, 1400, 1200, 3000
"""Durations of pictures, in milliseconds."""
_FAST: Final = 500
_MANY: Final = 40
"""Longer animations run faster."""
_MAX_LINES: Final = 12


@dataclass(frozen=True)
class Animation:
    """Scenes and what happens in them."""

    name: str
    """Unique to these pictures."""
    scenes: tuple[Scene, ...]
    durations: tuple[int, ...]
    words: Phrase
    """What happens, one line each; only the latest if it is a lot."""
    alt: Phrase
    """The same in full, without Markdown."""
    sampled: bool
    """Whether pictures were left out because there were too many."""

    @property
    def filename(self) -> str:
        """The filename."""
        return f"clip-{self.name}.gif"


def since(replay: Replay, seat: int) -> Animation | None:
    """Return what happened since a seat's last choice, starting with it; ``None`` if nothing."""
    decided = (p.ply for p in reversed(replay.played) if _chose(replay.game, seat, p))
    start = next(decided, 0)
    wanted = [stop for stop in replay.stops if stop >= start]
    return _animation(replay, wanted, limit=MAX_SINCE) if len(wanted) > 1 else None


def replay_since(position: Position, seat: int) -> Replay | None:
    """Return a replay for `since` that needs no log from the store.

    ``None`` if the position holds too few entries, or more than an animation shows.
    """
    lately = position.tail[-MAX_SINCE:]
    known = any(_chose(position.game, seat, played) for played in lately)
    # This partial replay has the right stops, but not the right turns.
    return Replay(str(position.match.id), position, position.tail) if known else None


def _chose(game: AnyGame, seat: int, played: Played[Any, Any]) -> bool:
    return game.actor(played.before) == seat and was_choice(game, played)


def whole(replay: Replay) -> Animation:
    """Return the animation of a whole match."""
    return _animation(replay, list(replay.stops), limit=MAX_WHOLE)


def _animation(replay: Replay, wanted: list[int], *, limit: int) -> Animation:
    chosen = _thinned(replay, wanted, limit)
    return Animation(
        f"{replay.name}-{wanted[0]}-{wanted[-1]}-{replay.position.version}",
        tuple(replay.scene(stop) for stop in chosen),
        tuple(_duration(replay, chosen, index) for index in range(len(chosen))),
        _words([replay.event_line(stop) for stop in chosen]),
        lines(replay.plain(stop) for stop in chosen),
        sampled=len(chosen) < len(wanted),
    )


def _words(parts: list[Phrase]) -> Phrase:
    earlier = len(parts) - _MAX_LINES + 1
    if earlier <= 1:
        return lines(parts)
    return lines([plural("… {n} step earlier", "… {n} steps earlier", earlier), *parts[earlier:]])


def _thinned(replay: Replay, wanted: list[int], limit: int) -> list[int]:
    """Reduce stops to a maximum: the last of each turn, then evenly spaced turns."""
    if len(wanted) <= limit:
        return wanted
    ends = set(replay.turn_ends)
    first, last = wanted[0], wanted[-1]
    turns = [stop for stop in wanted if stop in ends and stop not in {first, last}]
    room = limit - 2
    if len(turns) > room:
        turns = [turns[index * len(turns) // room] for index in range(room)]
    return [first, *turns, last]


def _duration(replay: Replay, chosen: Sequence[int], index: int) -> int:
    if index == len(chosen) - 1:
        return _LAST
    if not index:
        return _FIRST
    if len(chosen) > _MANY:
        return _FAST
    thrown = replay.game.actor(replay.entry(chosen[index]).before) is CHANCE
    return _THROW if thrown else _MOVE
