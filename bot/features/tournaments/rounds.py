"""The steps within a round of a tournament, from its first match to the end of those still open."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final, TypeAlias

from bot.core.errors import MatchOver
from bot.core.settings.service import of_player
from bot.features.tournaments import transitions
from bot.features.tournaments.absentees import absentees, unmoved
from bot.features.tournaments.rules.knockout import further_games
from bot.features.tournaments.view import TournamentView, changing
from bot.play.clocks.match_clocks import FindDeparted
from bot.play.matches import endings
from bot.play.matches.deadlines import Deadlines
from bot.play.matches.endings import Ending
from bot.play.matches.luck import Sealed
from bot.play.matches.positions import Position
from bot.play.matches.scoring import ADJUDICATED, STOPPED, decided, hardly_begun, without
from bot.play.matches.service import Matches, Terms, start
from data import computer_tasks
from data.computer_tasks import Kind
from data.matches import matches
from data.matches.match import Player
from data.people import exclusions
from data.puzzles import analyses
from data.store.store import Store, Transaction
from data.tournaments import tournament_entrants, tournament_rounds, tournaments
from data.tournaments.tournament_rounds import Round
from data.tournaments.values import Game, Pairing
from engine.luck import derived

Step: TypeAlias = Callable[[], Awaitable[None]]
Open: TypeAlias = tuple[Pairing, Game]
"""An undecided game and its pairing."""

BATCH: Final = 8
"""Matches to begin or end per transaction."""
JUDGED_WITHIN: Final = timedelta(minutes=30)
"""How long a round waits for the computer; games not judged by then are drawn."""
MAX_JUDGED_WITHIN: Final = timedelta(days=1)
"""How long it waits while computers are at work, as the turn of its games then comes."""
_LOOK_AGAIN: Final = timedelta(seconds=30)


@dataclass(eq=False, repr=False)
class RoundSteps:
    """Takes the steps within rounds; see `bot.features.tournaments.steps`."""

    store: Store
    matches: Matches
    """Begins matches, and ends them when their round is over."""
    find_departed: FindDeparted

    def in_round(self, view: TournamentView, played: Round, now: datetime) -> Step | None:
        """Return the next step of an open round; ``None`` while waiting for time or players."""
        open_ = view.open_games
        if ended := [pair for pair in open_ if pair[1].ended]:
            return lambda: self._decide(view, ended[:BATCH], now)
        if waiting := [pair for pair in open_ if pair[1].match_id is None]:
            return lambda: self._begin(view, waiting[:BATCH], last=len(waiting) <= BATCH, now=now)
        if not open_:
            return lambda: self._close(view, played, now)
        if has_passed(played.ends_at, now):
            return lambda: self._end(view, played, open_, now)
        if has_passed(played.warn_at, now):
            return lambda: self._warn(view, played, now)
        return None

    async def _begin(
        self, view: TournamentView, some: Sequence[Open], *, last: bool, now: datetime
    ) -> None:
        """Begin the matches of some games; after the last ones, queue the round's post."""
        users = {user for _, game in some for user in game.seats}
        departed = await self.find_departed(view.tournament.guild_id, users, afresh=True)
        async with changing(self.store, view) as tx:
            for one, game in some:
                await _begin_game(
                    tx, self.matches.deadlines, view, one, game, now=now, departed=departed
                )
            changed = await tournaments.change(tx, view.tournament, next_at=now)
            if last:
                number = changed.round
                await transitions.show_round(tx, changed, number, now)
                await transitions.show(tx, changed, now)

    async def _decide(self, view: TournamentView, some: Sequence[Open], now: datetime) -> None:
        """Record the results of matches that have ended."""
        async with changing(self.store, view) as tx:
            for one, game in some:
                match = await matches.get_existing(tx, game.match_id or 0)
                points, how = await decided(tx, match, game.seats)
                await tournament_rounds.decide(tx, view.id, one, game, points=points, how=how)
            tables = {one.table for one, _ in some}
            played = view.round
            assert played is not None
            # A game begun after the round's end could not be played.
            over = played.judged_until is not None or has_passed(played.ends_at, now)
            number = view.tournament.round
            for one in await tournament_rounds.pairings_of_round(tx, view.id, number):
                if one.table in tables and not over:
                    more = further_games(view.plan, one)
                    if more:
                        seats = [game.seats for game in more]
                        await tournament_rounds.add_games(tx, view.id, one, seats)
            changed = await tournaments.change(tx, view.tournament, next_at=now)
            await transitions.show_round(tx, changed, changed.round, now)

    async def _end(
        self, view: TournamentView, played: Round, open_: Sequence[Open], now: datetime
    ) -> None:
        """End open matches as a round ends; if the organiser decides, only those hardly begun."""
        if view.tournament.verdict == "computer" and await self._judging(view, played, open_, now):
            return
        by_hand = view.tournament.verdict == "manager" and not played.forced
        over: list[bool] = []
        for some in _batches(open_ if by_hand else open_[:BATCH]):
            async with changing(self.store, view) as tx:
                over += [
                    await end(
                        tx, self.matches, game, now, only_absent=by_hand, forced=played.forced
                    )
                    for _, game in some
                ]
        async with changing(self.store, view) as tx:
            changed = await tournaments.change(tx, view.tournament, next_at=now)
            if by_hand:
                await tournament_rounds.change(tx, replace(played, ends_at=None))
                if not all(over):
                    await transitions.note(tx, changed, "undecided", now)

    async def _judging(
        self, view: TournamentView, played: Round, open_: Sequence[Open], now: datetime
    ) -> bool:
        """Have the computer judge open matches; return whether the round waits for it."""
        until = played.judged_until or now + JUDGED_WITHIN
        again = played.judged_until is not None
        waits, patient = False, now < until
        if not patient and now < until - JUDGED_WITHIN + MAX_JUDGED_WITHIN:
            async with self.store.read() as tx:
                patient = await computer_tasks.in_progress(tx, [Kind.MOVE, Kind.HINT])
        for some in _batches(open_ if patient else ()):
            async with changing(self.store, view) as tx:
                for _, game in some:
                    waits |= await ask(tx, self.matches, game, now, again=again)
        if waits:
            async with changing(self.store, view) as tx:
                later = replace(played, ends_at=now + _LOOK_AGAIN, judged_until=until)
                await tournament_rounds.change(tx, later)
                await tournaments.change(tx, view.tournament, next_at=now)
        return waits

    async def _warn(self, view: TournamentView, played: Round, now: datetime) -> None:
        async with self.store.read() as tx:
            late = await unmoved(tx, view)
        async with changing(self.store, view) as tx:
            await tournament_rounds.change(tx, replace(played, warn_at=None))
            changed = await tournaments.change(tx, view.tournament, next_at=now)
            if late:
                await transitions.note(tx, changed, "warning", now)

    async def _close(self, view: TournamentView, played: Round, now: datetime) -> None:
        """End a round with all games decided, and withdraw the absent players."""
        away: Sequence[int] = ()
        if not view.plan.single_elimination:  # who never came is out anyway, and leaves no place
            async with self.store.read() as tx:
                away = await absentees(tx, view)
        async with changing(self.store, view) as tx:
            absent = await _withdraw(tx, view, played, away)
            await tournament_rounds.change(
                tx, replace(played, ended_at=now, ends_at=None, warn_at=None)
            )
            changed = await tournaments.change(tx, view.tournament, next_at=now)
            await transitions.show_round(tx, changed, played.round, now)
            if absent:
                await transitions.note(tx, changed, "absent", now)


async def _withdraw(
    tx: Transaction, view: TournamentView, played: Round, absent: Sequence[int]
) -> bool:
    """Withdraw absent players, whose places reserves take; return whether there were any."""
    found, waiting, following = False, list(view.reserves), played.round + 1
    replaced = {one.replaces for one in view.everyone}  # by the organiser
    for user_id in absent:
        found |= await tournament_entrants.withdraw(
            tx, view.id, user_id, after=played.round, reason="absent"
        )
        if waiting and user_id not in replaced:
            new = waiting.pop(0)
            await tournament_entrants.take_place(tx, view.id, new, of=user_id, round_no=following)
    return found


def _batches(games: Sequence[Open]) -> Iterator[Sequence[Open]]:
    """Yield games for one transaction each, as long ones hold up other writers."""
    for first in range(0, len(games), BATCH):
        yield games[first : first + BATCH]


def has_passed(moment: datetime | None, now: datetime) -> bool:
    """Return whether a moment is set and has come."""
    return moment is not None and moment <= now


MARGIN: Final = 0.8
"""Expected result from which the computer's verdict is a win; 1 is certain."""


async def end(
    tx: Transaction,
    service: Matches,
    game: Game,
    now: datetime,
    *,
    only_absent: bool,
    forced: bool = False,
) -> bool:
    """End a game's match where that applies; return whether it has ended.

    In a match that has hardly begun, the player to move is absent and loses; if its round was ended
    before its time, they are not, and it is void. Any other match is drawn, unless the computer has
    found a side to be winning.
    """
    assert game.match_id is not None
    position = await service.position_in(tx, game.match_id)
    if position.match.finished:
        return True
    early = await hardly_begun(tx, position.match)
    if only_absent and not early:
        return False
    loser = position.to_move if early else await _judged(tx, position)
    seat = None if loser is None else loser.seat
    ranks = {player.seat: 1 + (player.seat == seat) for player in position.match.players}
    ending = Ending(ranks, ADJUDICATED, endings.round_over())
    if forced:
        ending = Ending({} if early else ranks, STOPPED, endings.round_stopped())
    with suppress(MatchOver):
        await endings.end(tx, position, ending, by=None, at=now)
    return True


async def ask(tx: Transaction, service: Matches, game: Game, now: datetime, *, again: bool) -> bool:
    """Have the computer judge a game's match; return whether to wait for its verdict.

    It is asked only once, even if it finds no verdict or the match continues meanwhile. If it has
    not found one when asked ``again``, the question waits among those of players from then on:
    however busy the computers are, its turn comes.
    """
    assert game.match_id is not None
    position = await service.position_in(tx, game.match_id)
    of_two = len(position.match.players) == 2
    if position.match.finished or not of_two or await hardly_begun(tx, position.match):
        return False
    if await analyses.hint_of(tx, position.match.id, position.version) is not None:
        return False
    name = f"{position.match.id}:{position.version}"
    if again and not await computer_tasks.task_exists(tx, Kind.HINT, name):
        return False
    asker = 0 if position.to_move is None else max(0, position.to_move.user_id)
    await computer_tasks.put(
        tx,
        Kind.HINT,
        name,
        now,
        match_id=position.match.id,
        requester=(position.match.guild_id or 0, asker),
        urgent=again,
    )
    return True


async def _judged(tx: Transaction, position: Position) -> Player | None:
    """Return the loser of a two-player match if the computer's verdict is known and clear."""
    found = await analyses.hint_of(tx, position.match.id, position.version)
    mover = position.to_move
    if found is None or mover is None or len(position.match.players) != 2:
        return None
    if found["expected"] <= 1 - MARGIN:
        return mover
    other = next(player for player in position.match.players if player.seat != mover.seat)
    return other if found["expected"] >= MARGIN else None


async def _begin_game(
    tx: Transaction,
    deadlines: Deadlines,
    view: TournamentView,
    pairing: Pairing,
    game: Game,
    *,
    now: datetime,
    departed: Collection[int],
) -> None:
    """Begin a game's match, or decide the game if too few players are present."""
    terms = view.tournament
    for user_id in sorted(set(game.seats) & set(departed)):
        await tournament_entrants.withdraw(tx, view.id, user_id, after=terms.round, reason="gone")
    absent = {
        user
        for user in game.seats
        if user in departed or await _refuses_to_play(tx, user, game.seats)
    }
    here = [user for user in game.seats if user not in absent]
    if len(here) not in view.game.players:
        points, how = without(game.seats, absent)
        await tournament_rounds.decide(tx, view.id, pairing, game, points=points, how=how)
        return
    name = tournament_rounds.drawn_for(view.id, pairing, game)
    words = await tournament_entrants.words(tx, view.id, here)
    match = await start(
        tx,
        deadlines,
        Terms(
            game=terms.game,
            options=terms.options,
            guild_id=terms.guild_id,
            channel_id=terms.channel_id,
            per_move=terms.per_move,
            bank=terms.bank,
            unrated=terms.unrated,
        ),
        Sealed(derived(terms.seed, name), name, words),
        seats=dict(zip(here, view.game.seats(len(here)), strict=True)),
        at=now,
    )
    await tournament_rounds.set_match(tx, view.id, pairing, game, match.id)


async def _refuses_to_play(tx: Transaction, user_id: int, seats: Sequence[int]) -> bool:
    """Return whether a player takes no challenges, has left the bot, or has blocked an opponent.

    So nobody has to play an opponent they have blocked, and nobody wins by blocking.
    """
    if user_id <= 0 or not (await of_player(tx, user_id)).challenges:
        return True
    others = [other for other in seats if other != user_id]
    return any(
        blocker == user_id for blocker, _ in await exclusions.blocks_between(tx, user_id, others)
    )
