"""Use cases of beginning and playing a match, free of Discord and pictures.

A player's move, the throws after it, a result and the job that notifies Discord are committed in
one transaction. If a button is pressed twice, the primary key of the log rejects the second press.
"""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from bot.core.computers import is_practice
from bot.core.errors import OldBoard
from bot.core.scheduling.scheduler import WallClock
from bot.play.matches import endings, jobs, moves
from bot.play.matches.computer_players import can_continue, playing
from bot.play.matches.deadlines import Deadlines
from bot.play.matches.endings import How
from bot.play.matches.luck import Sealed, draw_seats, follow, log_entries
from bot.play.matches.positions import (
    Position,
    Positions,
    check_playing,
    continues,
    deciding,
    get_match,
    is_turn_of,
    over,
    player_of,
    replayed,
)
from bot.play.matches.scoring import unrated_reason
from bot.play.matches.stored_messages import Snapshot
from data import locks, time_per_move
from data.matches import match_log, matches
from data.matches.match import Entry, Finished, Match, MatchClock, Player, StalePly
from data.store.store import Store, Transaction
from engine import registry
from engine.game import Seat
from engine.luck import commitment
from engine.phrase import say
from engine.replay import Played


@dataclass(eq=False, repr=False)
class Matches:
    """All matches in the store. Without such a match, these methods raise NoSuchMatch."""

    store: Store
    deadlines: Deadlines
    clock: WallClock
    positions: Positions = field(default_factory=Positions, init=False)

    async def position(self, match_id: int) -> Position:
        """Return a match in its current state."""
        known = self.positions.cached(match_id)
        position = replayed(
            *await self.store.run_read(partial(_read, match_id=match_id, known=known))
        )
        self.positions.cache(position)
        return position

    async def position_in(self, tx: Transaction, match_id: int) -> Position:
        """Return a match as a transaction sees it."""
        return replayed(*await _read(tx, match_id, self.positions.cached(match_id)))

    async def current(self, match: Match) -> Position:
        """Return the current state of a match, given its row in the store."""
        cached = self.positions.cached(match.id)
        return (
            cached
            if cached is not None and cached.match == match
            else await self.position(match.id)
        )

    async def seen_at(self, match_id: int, ply: int) -> Position:
        """Return a match at this version or a newer one.

        A position cached in memory at this version saves reading the store. That is safe: moves are
        checked against the store anyway, and raise OldBoard if the match has gone on.
        """
        cached = self.positions.cached(match_id)
        return (
            cached
            if cached is not None and cached.version == ply
            else await self.position(match_id)
        )

    async def position_at(self, match_id: int, ply: int) -> Position:
        """Return a match as it stood after ``ply`` entries."""
        async with self.store.read() as tx:
            read = await _read(tx, match_id, None)
        return await asyncio.to_thread(replayed, *read, upto=ply)

    async def earlier(self, position: Position, ply: int) -> Position:
        """Return a match as it stood after ``ply`` entries."""
        known = self.positions.earlier(position, ply)
        return known or await self.position_at(position.match.id, ply)

    async def turn_at(
        self, position: Position, ply: int
    ) -> tuple[Position, Played[Any, Any] | None]:
        """Return a match as it stood after ``ply`` entries, and the next entry, if any."""
        then = await self.earlier(position, ply)
        if ply >= position.ply:
            return then, None
        for played in position.tail:
            if played.ply == ply + 1:
                return then, played
        return then, (await self.position_at(position.match.id, ply + 1)).tail[-1]

    async def play(
        self,
        before: Position,
        player: Player,
        text: str,
        *,
        quietly: bool = False,
        snapshot: Snapshot | None = None,
    ) -> Position:
        """Make a player's move and the automatic ones after it: throws, only and conditional moves.

        The caller has checked that the player may move (`positions.may_move`) in the match as just
        read. ``quietly`` pings nobody, as the next player is already watching. ``snapshot`` reads, in
        the same transaction, what is needed to show the next turn. Raises MatchOver, OldBoard, and
        RulesError if the text is not a legal move.
        """
        now = self.clock()
        entries, after = moves.made_move(before, text, now)
        match, planned = after.match, moves.allows_conditional_moves(after)
        movers = playing(match) if planned else filter(None, [after.called])
        users = [one.user_id for one in movers]
        settings = {user: await self.deadlines.players.player(user) for user in users}

        async def commit(tx: Transaction) -> Position:
            await moves.append(tx, match, entries)
            reached, by = after, player.user_id
            if planned:
                reached, by = await moves.play_conditional_moves(
                    tx, before, entries, after, settings=settings, by=by, at=now
                )
            if reached.outcome is not None:
                await endings.by_rules(tx, reached.match, reached.outcome, now)
            timed = await self.deadlines.next_turn(
                tx, reached.match, reached.to_move, now, settings=settings, by=by, quietly=quietly
            )
            reached = dataclasses.replace(reached, match=timed)
            if snapshot is not None and reached.to_move is not None:
                await snapshot.read(tx, reached.match)
            return reached

        try:
            reached = await self.store.run_write(commit)
        except StalePly as error:
            known, stands = before.match, error.match
            if stands.version == known.version and stands.given_up != known.given_up:
                fresh = await self.position(match.id)
                now_there = fresh.player_at(Seat(player.seat))
                if now_there.gave_up != player.gave_up:
                    check_playing(fresh, now_there)
                return await self.play(fresh, now_there, text, quietly=quietly, snapshot=snapshot)
            words = say("That move has already been played. Here's the current board.")
            raise OldBoard(words, match_id=match.id) from error
        except Finished as error:
            raise over(match.id) from error
        self.positions.cache(reached)
        return reached

    async def resign(
        self, match_id: int, user_id: int, how: How = "resigned", *, promised_void: bool = False
    ) -> Position:
        """Give up a match for a user who resigns or has left the server; see `give_up`."""
        seat = player_of(await self.position(match_id), user_id).seat
        return await self.lose(match_id, seat, how, by=user_id, promised_void=promised_void)

    async def lose(
        self, match_id: int, seat: int, how: How, *, by: int | None, promised_void: bool = False
    ) -> Position:
        """Give up a match for a player; see `give_up`."""
        async with self.store.write() as tx:
            await self.give_up(tx, match_id, seat, how, by=by, promised_void=promised_void)
            after = await self.position_in(tx, match_id)
        self.positions.cache(after)
        return after

    async def give_up(
        self,
        tx: Transaction,
        match_id: int,
        seat: int,
        how: How,
        *,
        by: int | None,
        ply: int | None = None,
        clock: MatchClock | None = None,
        promised_void: bool = False,
    ) -> bool:
        """Give up a match for a player, and return whether that ends it.

        If only one other person is left, they win. A match that has hardly begun is void instead,
        unless this player has left too many of those. If more are left, a computer takes the seat
        and the others play on. Arguments and errors are those of `endings.end`; NotForYou is raised
        if the player has already given up.
        """
        now = self.clock()
        # The lock keeps the match unchanged from here on.
        await locks.lock_match(tx, match_id)
        position = await self.position_in(tx, match_id)
        if position.match.finished:
            raise over(match_id)
        player = position.player_at(Seat(seat))
        check_playing(position, player)
        if not position.practice and len(position.match.players) > 2:
            await matches.give_up(tx, match_id, seat, how=how, at=now)
        if not can_continue(position.match):
            ending = endings.lost(position, player, how, promised_void=promised_void)
            await endings.end(tx, position, ending, by=by, at=now, ply=ply, clock=clock)
            return True
        await endings.check(tx, position.match, ply, clock)
        match = await matches.get_existing(tx, match_id)
        mover = position.to_move
        assert mover is not None, "an open match waits for somebody"
        if mover is player:
            mover = dataclasses.replace(mover, gave_up=match.given_up)
            await self.deadlines.start_turn(tx, match, mover, now)
        nonce = f"w{match_id}l{match.given_up}"
        await jobs.redraw(tx, match, mover.user_id, nonce, now)
        await jobs.notify(tx, match, jobs.GAVE_UP, at=now, seat=seat)
        return False

    async def of_player(
        self, user_id: int, *, guild_id: int | None = None, game: str | None = None, limit: int = 25
    ) -> tuple[Match, ...]:
        """Return a player's open matches, their turn first, then newest first; reads no log."""
        async with self.store.read() as tx:
            rows = await matches.of_player(tx, user_id, guild_id=guild_id, game=game, limit=limit)
        return tuple(sorted(rows, key=lambda match: not is_turn_of(match, user_id)))

    async def running_in(
        self, channel_id: int, *, guild_id: int | None, limit: int = 25
    ) -> tuple[Match, ...]:
        """Return the newest ongoing matches in a channel or thread, and, with its server, its threads.

        Reads no log.
        """
        async with self.store.read() as tx:
            return await matches.running_in(tx, channel_id, guild_id=guild_id, limit=limit)

    async def in_thread(self, channel_id: int) -> Position | None:
        """Return the match that a thread is for, ongoing or finished."""
        async with self.store.read() as tx:
            match = await matches.in_thread(tx, channel_id)
            return None if match is None else await self.position_in(tx, match.id)

    async def link(self, match: Match) -> str | None:
        """Return the link to the latest board of a match, if any."""
        async with self.store.read() as tx:
            return await jobs.board_link(tx, match)

    async def link_of(self, match_id: int | None) -> str | None:
        """Return the same of the match with a number, if it exists and that is known."""
        async with self.store.read() as tx:
            match = None if match_id is None else await matches.get(tx, match_id)
            return None if match is None else await jobs.board_link(tx, match)


async def _read(
    tx: Transaction, match_id: int, known: Position | None
) -> tuple[Match, Sequence[Entry], Position | None]:
    """Return a match, and its log from a known position on, if the log continues that."""
    match = await get_match(tx, match_id)
    known = known if known is not None and continues(known, match) else None
    ply = 0 if known is None else known.ply
    log = await match_log.read(tx, match_id, after=ply) if ply < match.plies else ()
    return match, log, known


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What is agreed before a match; the fields are as in `data.matches.match.Match`."""

    game: str
    options: Mapping[str, str] = field(default_factory=dict)
    """As chosen; the game fills in the rest."""
    guild_id: int | None
    channel_id: int
    channel_kind: str | None = None
    per_move: timedelta | None
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

    ``sealed`` is what its draws are made of, ``seats`` those of players who don't draw one, by user id,
    and ``challenge_id`` the challenge that led to it, if its number is part of every draw.
    """
    game = registry.game(terms.game)
    users, source = sorted(sealed.words), sealed.luck
    options = game.settle(terms.options)
    state = game.initial(options, len(users))
    unrated = terms.unrated or await unrated_reason(tx, terms.guild_id, users) is not None
    taken = draw_seats(source, users, game.seats(len(users)), given=seats)
    players = tuple(
        Player(seat=seat, user_id=user, word=sealed.words[user], draw_order=users.index(user))
        for user, seat in sorted(taken.items(), key=lambda pair: pair[1])
    )
    time: Any = {} if terms.per_move is None else time_per_move.columns(terms.per_move)
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
            **time,
            bank=terms.bank,
            game_days=terms.game_days,
            channel_kind=terms.channel_kind,
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
