"""Reads a tournament from a file, a FIDE report or the project's record, and checks it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from bot.core.errors import BadImport
from bot.features.tournaments.rules import trf
from bot.features.tournaments.rules.pairing import (
    MAX_ENTRANTS,
    MAX_ROUNDS,
    PairingImpossible,
    Record,
    from_json,
    total_rounds,
)
from bot.features.tournaments.rules.roster import Roster
from bot.features.tournaments.rules.standings import Standing, standings
from data.tournaments.values import FINAL, GROUP, Format, Pairing
from engine.phrase import say
from engine.registry import AnyGame

MAX_BYTES: Final = 1024 * 1024
"""Maximum file size: 500 players over a dozen rounds need less."""
MAX_PAIRINGS: Final = 10_000
"""Maximum pairings in all: 500 players over 30 rounds have fewer."""
_MAX_GAMES: Final = 20
"""Maximum games per pairing."""
_MAX_GAMES_IN_ALL: Final = 2 * MAX_PAIRINGS
_MAX_SEED: Final = 64
"""Maximum bytes of a seed; ours have half as many."""
_MAX_STRENGTH: Final = 10_000
_CHECKED: Final = 64
"""Maximum entrants for which pairings are recomputed: beyond that it takes too long."""
_STAGE: Final = re.compile(rf"|{FINAL}|{GROUP}(\d{{1,3}})", re.ASCII)
_ID: Final = re.compile(r"(?:<@!?)?(\d{15,19})>?", re.ASCII)
_NAMELESS: Final = re.compile(r"Player (\d{1,4})", re.ASCII)
"""A nameless player in a report."""
_CONTRADICTIONS: Final = (
    ValueError,
    LookupError,
    AssertionError,
    ArithmeticError,
    PairingImpossible,
)


def read(raw: bytes, game: AnyGame) -> tuple[Record, tuple[Standing, ...]]:
    """Parse a tournament file; return it with its final standings.

    Raises:
        BadImport: it isn't a tournament, or can't have been played in this game.
    """
    text = _text(raw)
    played = from_json(text) if text.lstrip().startswith("{") else _of_report(text)
    _check(played, game)
    played = replace(played, pairings=tuple(map(_over, played.pairings)))
    try:
        _check_places(played)
        seed = bytes.fromhex(played.seed)
        final = standings(played.plan, played.entrants, played.pairings, seed=seed)
        total_rounds(played.plan, len(played.entrants))
    except _CONTRADICTIONS as error:
        raise _contradiction() from error
    return played, final


def wrong_round(played: Record, game: AnyGame) -> int | None:
    """Pair a tournament again, and return the first round that differs; this may take long.

    Returns:
        0 if all its rounds are what its seed gives, ``None`` if that is not to be checked.

    Raises:
        BadImport: it can't have been paired at all.
    """
    if not played.seed or len(played.entrants) > _CHECKED:
        return None
    try:
        wrong = replace(played, unequal_sides=game.unequal_sides).wrong_round()
    except _CONTRADICTIONS as error:
        raise _contradiction() from error
    return wrong or 0


def too_large() -> BadImport:
    """Return the error for a file that is too large."""
    most = MAX_BYTES // 1024
    return BadImport(say("That file is too large. A tournament has at most {most} KB.", most=most))


def _text(raw: bytes) -> str:
    if len(raw) > MAX_BYTES:
        raise too_large()
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = raw.decode("latin-1")  # older programs write this
    if not text.strip() or "\0" in text:
        raise BadImport(
            say(
                "That isn't a tournament. Attach a report (TRF16) or the file that I exported, "
                "which ends in .json or .trf."
            )
        )
    return text


def _of_report(text: str) -> Record:
    report, players = trf.read(text)
    ids: dict[int, int] = {}
    for number, player in players.items():
        facts = {"line": player.line, "name": player.name}
        user = _user(player.name)
        if user is None:
            raise BadImport(
                say(
                    "Line {line}: I can't tell who “{name}” is on Discord. Write their Discord ID "
                    "instead of the name, or “Player {number}” for someone who isn't here.",
                    number=number,
                    **facts,
                )
            )
        if user in ids.values():
            raise BadImport(
                say("Line {line}: {name} appears twice. Remove one of the two.", **facts)
            )
        ids[number] = user
    return replace(
        report,
        entrants=tuple(replace(one, user_id=ids[one.user_id]) for one in report.entrants),
        pairings=tuple(one.renamed(ids) for one in report.pairings),
    )


def _user(name: str) -> int | None:
    """Return the user id in a name, or a negative number for a nameless player."""
    if known := _ID.fullmatch(name):
        return int(known[1])
    if nameless := _NAMELESS.fullmatch(name):
        return -int(nameless[1]) or None
    return None


def _check(played: Record, game: AnyGame) -> None:
    """Raise BadImport if numbers are out of range, or players and rounds don't go together."""
    plan, people = played.plan, {one.user_id for one in played.entrants}
    if plan.seats not in game.players:
        raise BadImport(
            say("{game} can't be played at tables of {number}.", game=game.title, number=plan.seats)
        )
    if len(played.entrants) > MAX_ENTRANTS:
        raise BadImport(say("Tournaments here have at most {most} players.", most=MAX_ENTRANTS))
    if len(played.pairings) > MAX_PAIRINGS:
        raise BadImport(say("Tournaments here have at most {most} pairings.", most=MAX_PAIRINGS))
    rounds: defaultdict[int, list[Pairing]] = defaultdict(list)
    for one in played.pairings:
        rounds[one.round].append(one)
    if not rounds:
        raise BadImport(say("Nothing has been played in it yet."))
    last = max(rounds)
    if last > MAX_ROUNDS:
        raise trf.too_many_rounds()
    bounded = (
        max(plan.rounds or 1, plan.cycles, plan.groups, plan.best_of) <= MAX_ROUNDS
        and len(played.seed) <= 2 * _MAX_SEED
        and sum(len(one.games) for one in played.pairings) <= _MAX_GAMES_IN_ALL
        and len(people) == len(played.entrants)
        and all(
            abs(one.user_id) < 2**63
            and one.user_id != 0
            and 0 <= one.strength <= _MAX_STRENGTH
            and 1 <= one.joined_round <= last + 1
            and 0 <= (one.left_after or 0) <= last
            for one in played.entrants
        )
        and min(rounds) >= 1
        # Only a round robin may have a round without any opponents, which is skipped.
        and (len(rounds) == last or plan.format is Format.ROUND_ROBIN)
    )
    if not bounded or not all(_fits(ones, people, plan.seats) for ones in rounds.values()):
        raise _contradiction()


def _check_places(played: Record) -> None:
    """Raise BadImport if a place is paired twice in a round, whoever held it."""
    roster = Roster(played.entrants)
    turns = [(one.round, roster.place(player)) for one in played.pairings for player in one.players]
    if len(set(turns)) < len(turns):
        raise _contradiction()


def _fits(pairings: Sequence[Pairing], people: set[int], seats: int) -> bool:
    """Return whether a round is possible: each player once, each game among its own pairing."""
    players = [player for one in pairings for player in one.players]
    tables = {one.table for one in pairings}
    return (
        len(set(players)) == len(players)
        and set(players) <= people
        and len(tables) == len(pairings)
        and all(1 <= table <= MAX_ENTRANTS for table in tables)
        and all(len(one.players) <= seats and _is_possible(one) for one in pairings)
    )


def _is_possible(one: Pairing) -> bool:
    if len(one.players) == 1:
        return not one.games
    return (
        1 <= len(one.games) <= _MAX_GAMES
        and (stage := _STAGE.fullmatch(one.stage)) is not None
        and int(stage[1] or 0) <= MAX_ROUNDS
        and all(
            set(game.seats) == set(one.players)
            and len(game.seats) == len(one.players)
            and (
                game.points is None
                or (len(game.points) == len(game.seats) and all(0 <= p <= 1 for p in game.points))
            )
            for game in one.games
        )
    )


def _over(one: Pairing) -> Pairing:
    """Return a pairing with its open games void, as they have no result."""
    games = (
        replace(game, points=(0.0,) * len(game.seats), how="void") if game.points is None else game
        for game in one.games
    )
    return replace(one, games=tuple(games))


def _contradiction() -> BadImport:
    return BadImport(
        say(
            "The file contradicts itself: its players, rounds and games don't match. Export it "
            "again from where you got it."
        )
    )
