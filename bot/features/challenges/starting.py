"""Turns an accepted challenge into a match: draws seats and makes the first throws."""

from __future__ import annotations

from datetime import datetime

from bot.core.computers import is_computer, is_practice
from bot.play.matches import endings, jobs
from bot.play.matches.deadlines import Deadlines
from bot.play.matches.luck import draw_seats, follow, luck_of_challenge, users_in_order
from bot.play.matches.positions import deciding
from bot.play.ratings import eligibility
from data.challenges import challenges
from data.challenges.challenge import Challenge
from data.matches import match_log, matches
from data.matches.matches import Player
from data.store.store import Transaction
from engine import registry
from engine.game import Seat
from engine.luck import commitment
from engine.registry import AnyGame


async def start(
    tx: Transaction,
    challenge: Challenge,
    deadlines: Deadlines,
    *,
    at: datetime,
    place: str | None,
    drawn_for: str | None = None,
    game_days: int | None = None,
) -> Challenge:
    """Start the match of a fully joined challenge; return the updated challenge.

    ``place`` is the kind of place the match is played in, if already known; ``drawn_for`` and
    ``game_days`` are as in
    `data.matches.match.Match`.
    """
    game = registry.game(challenge.game)
    number = len(challenge.invited)
    unrated = await eligibility.of_challenge(tx, challenge) is not None
    state = game.initial(challenge.options, number)
    match_id = await matches.add(
        tx,
        game=game.slug,
        rules_version=game.rules_version,
        options=challenge.options,
        guild_id=challenge.guild_id,
        channel_id=challenge.channel_id,
        seed=challenge.seed,
        commitment=commitment(challenge.seed),
        challenge_id=challenge.id,
        drawn_for=drawn_for,
        at=at,
        to_move=deciding(game, state),
        days=challenge.days,
        bank=challenge.bank,
        game_days=game_days,
        place=place,
        casual=challenge.casual or unrated,
    )
    users, source = users_in_order(challenge), luck_of_challenge(challenge, drawn_for)
    words = dict(zip(users, source.words, strict=True))
    asked = None if challenge.seat is None else (challenge.challenger_id, challenge.seat)
    taken: dict[int, int]
    if challenge.in_order:
        taken = {
            one.user_id: seat
            for one, seat in zip(challenge.invited, game.seats(number), strict=True)
        }
    elif challenge.rematch_of is None:
        taken = draw_seats(source, users, tuple(game.seats(number)), asked=asked)
    else:
        taken = await _next_seats(tx, challenge.rematch_of, game)
    players = [
        Player(seat=seat, user_id=user, word=words[user], place=users.index(user))
        for user, seat in sorted(taken.items(), key=lambda pair: pair[1])
    ]
    await matches.seat_players(tx, match_id, players)
    entries, played = follow(game, state, 0, source, at)
    state = played[-1].after if played else state
    ended, then = game.outcome(state), deciding(game, state)
    if entries:
        await match_log.append(tx, match_id, entries, to_move=then)
    match = await matches.get(tx, match_id)
    assert match is not None
    if ended is not None:  # a game of pure luck may end before anyone decides
        await endings.by_rules(tx, match, ended, at)
    mover = next((player for player in players if player.seat == then), None)
    called = await deadlines.turn(tx, match, mover, match.plies, at)
    if mover is None or not is_computer(mover.user_id):
        still = called.quietly or is_practice(match)
        await jobs.show(tx, match, None, at, ended=ended is not None, quietly=still)
    await challenges.mark_started(tx, challenge.id, match_id)
    return await challenges.get_existing(tx, challenge.id)


async def _next_seats(tx: Transaction, match_id: int, game: AnyGame) -> dict[int, int]:
    """Return the seats of a rematch: every player moves on by one."""
    before = await matches.get(tx, match_id)
    assert before is not None, "a match is never removed"
    seats = game.seats(len(before.players))
    return {
        player.user_id: seats[(seats.index(Seat(player.seat)) + 1) % len(seats)]
        for player in before.players
    }
