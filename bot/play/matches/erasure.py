"""Takes a person out of everything that goes on, and anonymises their data if they want it deleted."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass
from typing import Final, NamedTuple

from bot.core.errors import MatchOver, Refusal
from bot.core.hooks import before_anonymised, on_withdrawal
from bot.core.scheduling.scheduler import WallClock
from bot.core.settings.service import SettingsStore
from bot.play.matches.jobs import HoldMatch
from bot.play.matches.positions import player_of
from bot.play.matches.service import Matches
from data import locks, privacy
from data.matches import matches, watching
from data.matches.match import THREAD
from data.store.store import Store, Transaction
from engine.phrase import say

_ATTEMPTS: Final = 5
"""Attempts at a deletion: a match started during one makes it start over."""
MAX_AT_ONCE: Final = 20
"""Matches given up in the transaction that deletes the rest, as others wait for it."""


class Erased(NamedTuple):
    """The matches resigned and challenges closed."""

    ended: tuple[int, ...]
    challenges: tuple[int, ...]


@dataclass(eq=False, repr=False)
class Erasure:
    """Withdraws people, and deletes their data."""

    store: Store
    matches: Matches
    settings: SettingsStore
    clock: WallClock
    hold: HoldMatch

    async def erase(self, user_id: int) -> Erased:
        """Withdraw a person like `withdraw`, and anonymise the rest.

        Matches stay whole for opponents, with an unknown player in this person's seat. Uses of
        limits are kept until they expire.
        """
        return await self._end(user_id, erases=True)

    async def withdraw(self, user_id: int) -> Erased:
        """Resign a person's matches, close their challenges, take them out of tournaments and ladders.

        They follow nothing any more. All of it is one transaction, so nothing that names them is posted
        in between, and a crash leaves everything or nothing. Of very many matches, some are given up
        before. Raise Refusal if new matches of theirs kept starting.
        """
        return await self._end(user_id, erases=False)

    async def _end(self, user_id: int, *, erases: bool) -> Erased:
        # Show the final boards only once the player is anonymous.
        async with AsyncExitStack() as held:
            return await self._end_held(user_id, held, erases=erases)

    async def _end_held(self, user_id: int, held: AsyncExitStack, *, erases: bool) -> Erased:
        ended: list[int] = []
        known: set[int] = set()
        for _ in range(_ATTEMPTS):
            async with self.store.read() as tx:
                going_on = await privacy.open_matches(tx, user_id)
            for match_id in going_on:
                if match_id not in known:
                    await held.enter_async_context(self.hold(match_id))
                    known.add(match_id)
            for match_id in going_on[MAX_AT_ONCE:]:
                with suppress(MatchOver):
                    await self.matches.resign(match_id, user_id, "left")
                    ended.append(match_id)
            async with self.store.write() as tx:
                await locks.lock_id(tx, user_id)
                going_on = await privacy.open_matches(tx, user_id)
                if len(going_on) > MAX_AT_ONCE or not known.issuperset(going_on):
                    continue  # they have begun since
                closed = await self._withdraw_in(tx, user_id, going_on)
                played = going_on
                if erases:
                    played = await self._erase_in(tx, user_id)
                    await self._rename_threads(tx, (*ended, *going_on))
            self.settings.forget(user_id)
            for match_id in played:
                self.matches.positions.forget(match_id)
            return Erased((*ended, *going_on), closed)
        raise Refusal(
            say("New games of yours kept starting, so nothing has been deleted yet. Try again.")
        )

    async def _withdraw_in(
        self, tx: Transaction, user_id: int, going_on: tuple[int, ...]
    ) -> tuple[int, ...]:
        """Withdraw a person within a transaction; return the closed challenges."""
        now = self.clock()
        for withdraw in on_withdrawal:
            await withdraw(tx, user_id, now)
        closed = await privacy.close_challenges(tx, user_id, now)
        await privacy.lock(tx, user_id)
        for match_id in going_on:
            seat = player_of(await self.matches.position_in(tx, match_id), user_id).seat
            with suppress(MatchOver):  # it may have ended just now
                await self.matches.give_up(tx, match_id, seat, "left", by=user_id)
        await watching.unfollow_all(tx, user_id)
        return closed

    async def _erase_in(self, tx: Transaction, user_id: int) -> tuple[int, ...]:
        """Anonymise a person within a transaction; return the matches played."""
        for prepare in before_anonymised:
            await prepare(tx, user_id, self.clock())
        anonymous = -1 - secrets.randbelow(2**62)  # negative, so that it is no user's id
        return await privacy.erase(tx, user_id, anonymous)

    async def _rename_threads(self, tx: Transaction, given_up: Iterable[int]) -> None:
        """Take the person out of the names of threads where play goes on."""
        for match in (await matches.of_numbers(tx, list(given_up))).values():
            if match.channel_kind == THREAD and not match.finished:
                await matches.show_thread_name(tx, match, self.clock())
