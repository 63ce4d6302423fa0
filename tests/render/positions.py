"""Positions of every game as pictures, with all that can be drawn on them."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any, Final

from engine.game import CHANCE
from engine.overlay import Arrow, Cross, Kind, Ring, overlaid
from engine.registry import games
from engine.scene import Scene
from engine.turning import turned
from render.names import named

PLIES: Final = (0, 30)
"""Turns played before each position; a game that ends sooner is shown at its end."""


def played(slug: str, turns: int, *, players: int, seed: int = 5) -> Scene:
    """Return a position after random moves, with the last turn on it."""
    game, luck = games()[slug], Random(seed)
    state: Any = game.initial(players=players)
    last: list[tuple[Any, Any]] = []
    made = 0
    while game.outcome(state) is None:
        if game.actor(state) is not CHANCE:
            if made == turns:
                break
            made, last = made + 1, []
        move = luck.choice(list(game.legal_moves(state)))
        last.append((state, move))
        state = game.after(state, move)
    return game.scene(state, last)


def marked(scene: Scene, *, seed: int = 5) -> Scene:
    """Return a picture with an arrow and a ring of each kind, and a cross."""
    one, two, three, four, *rest = Random(seed).sample(
        [name for name, _, _ in scene.board.squares], 9
    )
    marks = (
        Arrow(one, two),
        Arrow(three, four, Kind.WRONG),
        Ring(rest[0]),
        Ring(rest[1], Kind.WRONG),
        Cross(rest[2]),
    )
    return overlaid(scene, marks)


def scenes(slug: str) -> dict[str, Scene]:
    """Return pictures of a game: several turns, all marks, a turned board, names on the panels."""
    most = max(games()[slug].players)
    made = {f"{turns} turns": played(slug, turns, players=most) for turns in PLIES}
    made["fewest players"] = played(slug, 12, players=min(games()[slug].players), seed=6)
    made["marks"] = marked(played(slug, 5, players=most, seed=7))
    made["turned"] = turned(played(slug, 6, players=most, seed=8), 2)
    names = tuple((seat, ("Ann <&>", "Ben Okoro", "Cleo", "Dai")[seat]) for seat in range(most))
    made["names"] = named(played(slug, 7, players=most, seed=9), names)
    return made


def without(scene: Scene, token: int) -> Scene:
    """Return a picture without one of its tokens."""
    return replace(scene, tokens=(*scene.tokens[:token], *scene.tokens[token + 1 :]))
