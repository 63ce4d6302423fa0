"""Begins a match: draws the seats, and makes the first throws."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from bot.core.computers import is_practice
from bot.play.matches import endings
from bot.play.matches.deadlines import Deadlines
from bot.play.matches.luck import Sealed, draw_seats, follow, log_entries
from bot.play.matches.positions import deciding
from bot.play.matches.scoring import unrated_reason
from data.matches import match_log, matches
from data.matches.match import Match, Player
from data.store.store import Transaction
from engine import registry
from engine.game import Seat
from engine.luck import commitment


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What is agreed before a match; the fields are as in `data.matches.match.Match`."""

    game: str
    options: Mapping[str, str] = field(default_factory=dict)
    """As chosen; the game fills in the rest."""
    guild_id: int | None
    channel_id: int
    place: str | None = None
    days: int | None
    bank: int | None = None
    game_days: int | None = None
    unrated: bool


async def start(
    tx: Transaction,
    deadlines: Deadlines,
    terms: Terms,
    sealed: Sealed,
    *,
    seats: Mapping[int, int],
    at: datetime,
    challenge_id: int = 0,
) -> Match:
    """Begin the match of the players in ``sealed``, and have its board shown.

    Args:
        tx: the transaction that decides on it.
        deadlines: set its clock.
        terms: what is agreed.
        sealed: what its draws are made of.
        seats: the seats of players who don't draw one, by user id.
        at: now.
        challenge_id: the challenge that led to it, if its number is part of every draw.

    """
    game = registry.game(terms.game)
    users, source = sorted(sealed.words), sealed.luck
    options = game.settle(terms.options)
    state = game.initial(options, len(users))
    unrated = terms.unrated or await unrated_reason(tx, terms.guild_id, users) is not None
    taken = draw_seats(source, users, game.seats(len(users)), given=seats)
    players = tuple(
        Player(seat=seat, user_id=user, word=sealed.words[user], place=users.index(user))
        for user, seat in sorted(taken.items(), key=lambda pair: pair[1])
    )
    match_id = await matches.add(
        tx,
        Match(
            0,
            game=game.slug,
            rules_version=game.rules_version,
            options=options,
            guild_id=terms.guild_id,
            channel_id=terms.channel_id,
            seed=sealed.seed,
            commitment=commitment(sealed.seed),
            challenge_id=challenge_id,
            drawn_for=None if challenge_id else sealed.drawn_for,
            created_at=at,
            to_move=deciding(game, state),
            days=terms.days,
            bank=terms.bank,
            game_days=terms.game_days,
            place=terms.place,
            unrated=unrated,
            players=players,
        ),
    )
    played = follow(game, state, 0, source)
    state = played[-1].after if played else state
    ended, then = game.outcome(state), deciding(game, state)
    await match_log.append(tx, match_id, log_entries(game, played, at, {}), to_move=then)
    match = await matches.get_existing(tx, match_id)
    if ended is not None:  # a game of pure luck may end before anyone decides
        await endings.by_rules(tx, match, ended, at)
    mover = next((player for player in players if player.seat == then), None)
    await deadlines.next_turn(tx, match, mover, at, by=None, quietly=is_practice(match))
    return match if ended is None else await matches.get_existing(tx, match_id)


async def next_seats(tx: Transaction, match_id: int) -> dict[int, int]:
    """Return the seats of a rematch by user id: every player moves on by one."""
    before = await matches.get_existing(tx, match_id)
    seats = registry.game(before.game).seats(len(before.players))
    return {
        player.user_id: seats[(seats.index(Seat(player.seat)) + 1) % len(seats)]
        for player in before.players
    }
