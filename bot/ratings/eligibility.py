"""Who may play rated: a server may rate no match at all, and its moderators may keep people out.

A match that begins while either is so is casual and stays it: nobody's rating moves in a match
that was announced as one that moves none. One that began rated is asked about again when it ends.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bot.settings.service import of_server
from data import matches, unrated
from data.challenges import State

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from data.challenges import Challenge
    from data.store import Store, Transaction


@dataclass(frozen=True, slots=True)
class Bar:
    """Why a match is not rated although nobody asked for a casual one."""

    server: bool = False
    """The server rates no matches."""
    people: tuple[int, ...] = ()
    """Who of those who play is kept out there. Empty also where it is not known any more why."""


async def bar(tx: Transaction, guild_id: int | None, user_ids: Iterable[int]) -> Bar | None:
    """Return why these people cannot play a rated match in a server now, ``None`` if they can.

    Outside servers, where nobody moderates, everybody may.
    """
    if guild_id is None:
        return None
    if not (await of_server(tx, guild_id)).rated:
        return Bar(server=True)
    kept_out = await unrated.among(tx, guild_id, user_ids)
    return Bar(people=kept_out) if kept_out else None


async def bar_of(tx: Transaction, challenge: Challenge) -> Bar | None:
    """Return why the match of a challenge is not rated, ``None`` if it is or was to be casual.

    Once the match has begun it does not depend any more on what is decided later.
    """
    if challenge.casual:
        return None
    people = [one.user_id for one in challenge.invited]
    if challenge.state is not State.STARTED or challenge.match_id is None:
        return await bar(tx, challenge.guild_id, people)
    match = await matches.get(tx, challenge.match_id)
    if match is None or not match.casual:
        return None
    return await bar(tx, challenge.guild_id, people) or Bar()


class Eligibility:
    """Tells why challenges are not rated."""

    def __init__(self, store: Store) -> None:
        """Look into a store."""
        self._store = store

    async def bar(self, challenge: Challenge) -> Bar | None:
        """Return why the match of a challenge is not rated; see `bar_of`."""
        return (await self.bars([challenge])).get(challenge.id)

    async def bars(self, challenges: Iterable[Challenge]) -> Mapping[int, Bar]:
        """Return, by its number, why the match of each challenge is not rated that is not."""
        wanted = [one for one in challenges if one.guild_id is not None and not one.casual]
        if not wanted:
            return {}
        async with self._store.read() as tx:
            found = [(one.id, await bar_of(tx, one)) for one in wanted]
        return {number: one for number, one in found if one is not None}
