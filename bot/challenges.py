"""Challenging somebody: the use cases, without Discord.

The seed is drawn and its commitment shown with the challenge, before the last player adds a
salt by accepting: from then on nobody, the bot included, can choose a throw.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bot import jobs
from bot.fairness import draw_seats, luck, throws
from bot.matches import Matches, ranks_by_seat
from bot.refusals import BadOpponent, ChallengeGone, NotForYou
from data import challenges, errors, matches
from data.challenges import Challenge, State
from data.matches import Player
from engine import registry
from engine.errors import BadOption
from engine.luck import SEED_BYTES, commitment

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

    from bot.clock import Clock
    from bot.positions import MatchView
    from data.store import Store, Transaction
    from engine.registry import AnyGame


@dataclass(frozen=True, slots=True)
class Invitation:
    """What a challenger asks for."""

    game: str
    options: Mapping[str, str]
    """As chosen; what is missing is settled by the game."""
    guild_id: int | None
    channel_id: int
    challenger_id: int
    opponents: tuple[int, ...]
    seat: int | None
    """The seat the challenger asks for; ``None`` lets all be drawn."""
    salt: str


class Challenges:
    """All challenges in the store."""

    def __init__(
        self,
        store: Store,
        matches_: Matches,
        *,
        clock: Clock,
        seeds: Callable[[int], bytes] = secrets.token_bytes,
    ) -> None:
        """Work on a store, with the time of day and the secret seeds from outside."""
        self._store = store
        self._matches = matches_
        self._clock = clock
        self._seeds = seeds

    async def offer(self, invitation: Invitation) -> Challenge:
        """Record a challenge.

        Raises:
            BadOpponent: oneself, the same person twice, too few or too many.
            ChallengeGone: the same challenge is open already.
            BadOption: no such option or value.

        """
        game = registry.game(invitation.game)
        _check_opponents(invitation, game.players)
        _check_seat(invitation, game)
        options = game.settle(invitation.options)
        async with self._store.write() as tx:
            for opponent in invitation.opponents:
                await self._not_twice(tx, invitation, opponent)
            return await challenges.add(
                tx,
                game=game.slug,
                options=options,
                guild_id=invitation.guild_id,
                channel_id=invitation.channel_id,
                challenger_id=invitation.challenger_id,
                challenger_salt=invitation.salt,
                opponents=invitation.opponents,
                seed=self._seeds(SEED_BYTES),
                seat=invitation.seat,
                at=self._clock(),
            )

    async def shown(self, challenge_id: int, message_id: int) -> None:
        """Remember which message shows a challenge."""
        async with self._store.write() as tx:
            await challenges.set_message(tx, challenge_id, message_id)

    async def get(self, challenge_id: int) -> Challenge:
        """Return a challenge.

        Raises:
            ChallengeGone: none of that number.

        """
        async with self._store.read() as tx:
            return _found(await challenges.get(tx, challenge_id))

    async def accept(
        self, challenge_id: int, user_id: int, salt: str
    ) -> tuple[Challenge, MatchView | None]:
        """Join; the last one to join starts the match, with its first throws.

        Raises:
            ChallengeGone: not open any more.
            NotForYou: somebody else is invited.

        """
        now = self._clock()
        try:
            async with self._store.write() as tx:
                challenge = await challenges.accept(tx, challenge_id, user_id, salt)
                if any(invited.salt is None for invited in challenge.invited):
                    return challenge, None
                match_id = await self._start(tx, challenge, now)
                await challenges.started(tx, challenge_id, match_id)
                challenge = _found(await challenges.get(tx, challenge_id))
        except errors.NotInvited as error:
            raise await self._not_invited(challenge_id) from error
        except errors.AlreadyAnswered as error:
            raise await self._joined(challenge_id) from error
        except errors.NotOpen as error:
            raise await self._gone(challenge_id) from error
        view = await self._matches.view(match_id)
        self._matches.deadlines.wake(None)
        return challenge, view

    async def refuse(self, challenge_id: int, user_id: int) -> Challenge:
        """Decline as one who is invited, or withdraw as the challenger.

        Raises:
            ChallengeGone: not open any more.
            NotForYou: somebody else is invited.

        """
        try:
            async with self._store.write() as tx:
                challenge = _found(await challenges.get(tx, challenge_id))
                if all(invited.user_id != user_id for invited in challenge.invited):
                    raise _stranger(challenge)
                state = State.WITHDRAWN if user_id == challenge.challenger_id else State.DECLINED
                return await challenges.close(tx, challenge_id, state, self._clock())
        except errors.NotOpen as error:
            raise await self._gone(challenge_id) from error

    async def _start(self, tx: Transaction, challenge: Challenge, now: datetime) -> int:
        game = registry.game(challenge.game)
        number = len(challenge.invited)
        match_id = await matches.add(
            tx,
            game=game.slug,
            rules_version=game.rules_version,
            options=challenge.options,
            guild_id=challenge.guild_id,
            channel_id=challenge.channel_id,
            seed=challenge.seed,
            commitment=commitment(challenge.seed),
            at=now,
        )
        salts = {invited.user_id: invited.salt or "" for invited in challenge.invited}
        source = luck(match_id, challenge.seed, salts.values())
        asked = None if challenge.seat is None else (challenge.challenger_id, challenge.seat)
        taken = draw_seats(source, salts, tuple(game.seats(number)), asked=asked)
        players = [
            Player(seat=seat, user_id=user, salt=salts[user], rank=None)
            for user, seat in sorted(taken.items(), key=lambda pair: pair[1])
        ]
        await matches.seat_players(tx, match_id, players)
        state = game.initial(challenge.options, number)
        entries, played = throws(game, state, 0, source, now)
        if entries:
            await matches.append(tx, match_id, entries)
            state = played[-1].after
        ended = game.outcome(state)
        if ended is not None:  # a game of pure luck may be over before anybody decides
            ranks = ranks_by_seat(players, ended.ranks)
            await matches.finish(tx, match_id, ranks=ranks, reason=ended.reason, at=now)
        match = await matches.get(tx, match_id)
        assert match is not None
        mover = (
            None
            if ended is not None
            else next(player for player in players if player.seat == game.actor(state))
        )
        called = await self._matches.deadlines.turn(tx, match, mover, match.plies, now)
        await jobs.show(tx, match, None, now, ended=ended is not None, quietly=called.quietly)
        return match_id

    async def _not_twice(self, tx: Transaction, invitation: Invitation, opponent: int) -> None:
        same = await challenges.open_between(
            tx, invitation.game, invitation.challenger_id, opponent, invitation.guild_id
        )
        if same is None:
            return
        where = f"<#{same.channel_id}>"
        if same.message_id is not None and same.guild_id is not None:
            server, channel, message = same.guild_id, same.channel_id, same.message_id
            where = f"https://discord.com/channels/{server}/{channel}/{message}"
        raise ChallengeGone(
            f"Your challenge to <@{opponent}> is still open: {where}. "
            "They can accept it there, or you can withdraw it.",
            withdrawable=same.id,
        )

    async def _gone(self, challenge_id: int) -> ChallengeGone:
        challenge = await self.get(challenge_id)
        return ChallengeGone(_ENDINGS[challenge.state].format(match=challenge.match_id))

    async def _joined(self, challenge_id: int) -> ChallengeGone:
        waiting = [i for i in (await self.get(challenge_id)).invited if i.salt is None]
        names = " and ".join(f"<@{invited.user_id}>" for invited in waiting)
        return ChallengeGone(f"You have joined already. This challenge waits for {names}.")

    async def _not_invited(self, challenge_id: int) -> NotForYou:
        return _stranger(await self.get(challenge_id))


_ENDINGS = {
    State.OPEN: "This challenge is still open.",
    State.STARTED: "This challenge has been accepted: it became match #{match}.",
    State.DECLINED: "This challenge was declined.",
    State.WITHDRAWN: "This challenge was withdrawn.",
    State.EXPIRED: "This challenge has expired. A new one takes one command.",
}


def _check_opponents(invitation: Invitation, players: range) -> None:
    everybody = (invitation.challenger_id, *invitation.opponents)
    if invitation.challenger_id in invitation.opponents:
        raise BadOpponent("You cannot challenge yourself. Choose somebody else as your opponent.")
    if len(set(everybody)) < len(everybody):
        raise BadOpponent("The same person is named twice. Choose different opponents.")
    if len(everybody) not in players:
        span = " or ".join(str(number) for number in players)
        raise BadOpponent(f"This game is for {span} players, not {len(everybody)}.")


def _check_seat(invitation: Invitation, game: AnyGame) -> None:
    number = len(invitation.opponents) + 1
    seats = game.seats(number)
    if invitation.seat is not None and invitation.seat not in seats:
        asked = game.seat_names[invitation.seat].capitalize()
        names = " and ".join(game.seat_names[seat].capitalize() for seat in seats)
        raise BadOption(f"With {number} players nobody sits {asked}: the seats are {names}.")


def _found(challenge: Challenge | None) -> Challenge:
    if challenge is None:
        raise ChallengeGone("This challenge does not exist any more.")
    return challenge


def _stranger(challenge: Challenge) -> NotForYou:
    names = " and ".join(
        f"<@{invited.user_id}>"
        for invited in challenge.invited
        if invited.user_id != challenge.challenger_id
    )
    return NotForYou(f"This challenge is for {names}.")
