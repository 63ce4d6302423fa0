"""What players do while something fails, and right after it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final

from playground.errors import Impossible, InteractionFailed, NothingHappened
from tests.chaos.boards import Control, controls
from tests.chaos.match import Match
from tests.chaos.world import AT_ONCE


def _choice(match: Match, *, whole: bool) -> Control:
    found = [c for c in match.offered if c.whole is whole and c.steps]
    if not found:
        raise Impossible("No board offers that.")
    return match.world.dice.choice(found)


async def move(match: Match) -> None:
    """Press a whole move, or a step if there are only steps, or continue a half-made move."""
    begun = match.begun if match.world.dice.random() < 0.5 else None
    match.plays(board=begun)


async def finish(match: Match) -> None:
    """Choose the last step of a half-made move."""
    begun = match.begun
    if begun is None:
        raise Impossible("No move was begun.")
    match.plays(whole=True, board=begun)


async def step(match: Match) -> None:
    """Press the first step of a move."""
    match.plays(whole=False)


async def typed(match: Match) -> None:
    """Type a move."""
    mover = match.mover
    if mover is None:
        raise Impossible("Nobody is called.")
    match.types(mover, _choice(match, whole=True).notation)


async def resign(match: Match) -> None:
    """Resign a match of two; with more players a computer takes over and the match goes on."""
    if len(match.players) > 2:
        raise Impossible("The others play on.")
    person = match.world.dice.choice(match.players)
    await match.asks(person, "resign", person, "Resign")


async def takeback(match: Match) -> None:
    """Ask to take the last move back; the opponent agrees."""
    for person in match.players:
        (other, *_) = match.others(person)
        if await match.asks(person, "takeback", other, "Agree to take it back") is not None:
            return


async def own_board(match: Match) -> None:
    """Ask for a private board and play from it."""
    mover = match.mover
    if mover is None:
        raise Impossible("Nobody is called.")
    reply = match.command(mover, "board", match=match.number)
    await match.world.rest()
    if reply.message is not None:
        found = [c for c in controls(reply.message) if c.whole]
        if found:
            match.pick(reply.message, mover, match.world.dice.choice(found))


ACTS: Final[dict[str, Callable[[Match], Awaitable[None]]]] = {
    "move": move,
    "step": step,
    "finish": finish,
    "typed": typed,
    "resign": resign,
    "takeback": takeback,
    "own-board": own_board,
}
"""Acts in progress when a fault strikes; ``accept`` is missing since it begins a match."""


async def _nothing(_: Match) -> None:
    pass


async def _again(match: Match) -> None:
    """Press the same control again, as first seen."""
    if match.last is not None:
        board, person, control = match.last
        match.pick(board, person, control, stale=True)


async def _both(match: Match) -> None:
    await move(match)
    await match.world.rest(AT_ONCE)
    await move(match)


async def _seen(match: Match) -> None:
    """Wait until people see a change."""
    shown = {i: b.revision for i, b in match.world.boards.shown[match.number].items()}
    for _ in range(200):
        await match.world.rest(0.002)
        if shown != {i: b.revision for i, b in match.world.boards.shown[match.number].items()}:
            return


async def _move_soon(match: Match) -> None:
    await _seen(match)
    await move(match)


async def _typed_soon(match: Match) -> None:
    await _seen(match)
    await typed(match)


THEN: Final[dict[str, tuple[float, Callable[[Match], Awaitable[None]]]]] = {
    "nothing": (0.0, _nothing),
    "again": (0.0, _again),
    "move-at-once": (0.0, move),
    "move-soon": (0.0, _move_soon),
    "typed-soon": (0.0, _typed_soon),
    "move": (AT_ONCE, move),
    "typed": (AT_ONCE, typed),
    "step": (AT_ONCE, step),
    "finish": (AT_ONCE, finish),
    "two-moves": (AT_ONCE, _both),
    "move-later": (2.0, move),
    "typed-later": (2.0, typed),
    "move-late": (6.0, move),
}
"""What happens next, and how many seconds later."""


async def do(match: Match, act: Callable[[Match], Awaitable[None]]) -> bool:
    """Perform an act; return whether it was possible."""
    try:
        await act(match)
    except (Impossible, InteractionFailed, NothingHappened) as why:
        match.note(f"(not possible: {why})")
        return False
    return True
