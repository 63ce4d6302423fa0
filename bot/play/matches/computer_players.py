"""The computers that play in a match, and their work.

Computers also take over for players who give up in a match of three or four. These come last; the
others play on for their places. The computer's level is then the same in every game and seat, and is
shown on the board.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from ai.levels import PATIENCE
from bot.core.computers import is_computer, is_person, is_practice, level_of
from bot.core.i18n.mentions import mention
from bot.core.workers.fair_queue import Requester
from bot.core.workers.pool import WorkerFailure, WorkerPool
from bot.play.matches.positions import Position
from data import computer_tasks
from data.computer_tasks import Kind
from data.matches import match_log
from data.matches.match import Match, Player
from data.store.store import Store, Transaction
from engine.errors import RulesError
from engine.phrase import Phrase, say
from engine.placing import placed

LEVEL: Final = 3
"""A club player: neither an easy win for the others nor the favourite."""
MOVE_LIMIT: Final = PATIENCE + 8.0
"""Seconds before a worker choosing a move is killed, however busy the machine is: a second of
processor time once the board is loaded, and several more if others keep the processor."""


def computer_level(player: Player) -> int | None:
    """Return the level of the computer playing a seat; ``None`` for a person."""
    if is_computer(player.user_id):
        return level_of(player.user_id)
    return None if player.gave_up is None else LEVEL


def playing(match: Match) -> tuple[Player, ...]:
    """Return the players who have not given up."""
    return tuple(player for player in match.players if player.gave_up is None)


def can_continue(match: Match) -> bool:
    """Return whether the match can continue if another player gives up."""
    people = [player for player in playing(match) if is_person(player.user_id)]
    return len(people) > 2


def final_ranks(players: Sequence[Player], ranks: Sequence[int]) -> tuple[int, ...]:
    """Return the ranks in the order of the players; those who gave up come last."""
    gave_up = [place for place, player in enumerate(players) if player.gave_up is not None]
    return placed(ranks, sorted(gave_up, key=lambda place: players[place].gave_up or 0))


def replacement_lines(position: Position) -> tuple[Phrase, ...]:
    """Return one line for each player replaced by a computer on this turn."""
    return tuple(_line(player) for player in position.match.players if position.stands_in(player))


def _line(player: Player) -> Phrase:
    facts = {"player": mention(player.user_id), "level": LEVEL}
    if player.gave_up_how == "resigned":
        return say("-# Computer (level {level}) plays for {player}, who resigned", **facts)
    if player.gave_up_how == "forfeited":
        return say("-# Computer (level {level}) plays for {player}, who ran out of time", **facts)
    return say("-# Computer (level {level}) plays for {player}, who left", **facts)


async def queue_move(tx: Transaction, match: Match, to_move: Player | None, at: datetime) -> None:
    """Queue the computer's move if it is to play, or else cancel it; the commit wakes the workers."""
    if not is_practice(match) and not match.given_up:
        return
    if to_move is None or computer_level(to_move) is None:
        await computer_tasks.remove(tx, Kind.MOVE, str(match.id))
        return
    await computer_tasks.put(
        tx,
        Kind.MOVE,
        str(match.id),
        at,
        match_id=match.id,
        requester=requester_of(match),
        restart=True,  # it is another move, so a search for the last one is out of date
    )


async def choose_move(
    store: Store, workers: WorkerPool, position: Position, *, level: int, seconds: float
) -> dict[str, Any]:
    """Search for a move for some seconds; return the fields of an `ai.opponents.Thought`.

    Raises WorkerFailure if there is no legal move to return.
    """
    async with store.read() as tx:
        log = [entry.notation for entry in await match_log.read(tx, position.match.id)][
            : position.ply
        ]
    thought: dict[str, Any] = await workers.run(
        "think",
        {
            "match": match_arguments(position.match, log),
            "level": level,
            "seed": seed_of(position),
            "seconds": seconds,
        },
        requester=requester_of(position.match),
        limit=MOVE_LIMIT,
    )
    try:
        position.game.read(position.state, thought["notation"])
    except RulesError as error:
        raise WorkerFailure(f"illegal move {thought['notation']}") from error
    return thought


def match_arguments(match: Match, log: Sequence[str]) -> dict[str, Any]:
    """Return a match in the form that tasks take."""
    options, players = match.options, len(match.players)
    return {"slug": match.game, "options": options, "players": players, "log": list(log)}


def seed_of(position: Position) -> int:
    """Return the seed of a computer's choices at a turn, the same after every restart."""
    digest = hashlib.sha256(position.match.seed + f"computer {position.version}".encode()).digest()
    return int.from_bytes(digest[:8])


def requester_of(match: Match) -> Requester:
    """Return the first person of a match, as requester of tasks about it."""
    people = (one.user_id for one in match.players if is_person(one.user_id))
    return Requester(match.guild_id or 0, next(people, 0))
