"""Rated-play eligibility: servers may rate no matches, and moderators may exclude players.

A match that begins under such a decision is casual for good, as it was announced. A match that
began rated is checked again when it ends.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from bot.matches.begun import hardly_begun
from bot.matches.computers import COMPUTERS
from bot.settings.service import of_server
from data import excluded_players, matches
from data.challenges import State

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from data.challenges import Challenge
    from data.matches import Match
    from data.store import Store, Transaction


_DECIDED: Final = {None, "resigned", "forfeited"}
"""Endings that are losses only where they are to count (`bot.matches.endings`), else ``aborted``."""


@dataclass(frozen=True, slots=True)
class UnratedReason:
    """Why a match is not rated although it was not meant to be casual."""

    server: bool = False
    """The server rates no matches."""
    people: tuple[int, ...] = ()
    """The excluded players. Also empty if the reason is no longer known."""


async def unrated_reason(
    tx: Transaction, guild_id: int | None, user_ids: Iterable[int]
) -> UnratedReason | None:
    """Return why players cannot play a rated match in a server now, ``None`` if they can.

    Outside servers, where nobody moderates, all players can.
    """
    if guild_id is None:
        return None
    if not (await of_server(tx, guild_id)).rated:
        return UnratedReason(server=True)
    excluded = await excluded_players.among(tx, guild_id, user_ids)
    return UnratedReason(people=excluded) if excluded else None


async def of_challenge(tx: Transaction, challenge: Challenge) -> UnratedReason | None:
    """Return why the match of a challenge is not rated, ``None`` if it is or was to be casual.

    Decisions made after the match has begun do not matter.
    """
    if challenge.casual:
        return None
    people = [one.user_id for one in challenge.invited]
    if challenge.state is not State.STARTED or challenge.match_id is None:
        return await unrated_reason(tx, challenge.guild_id, people)
    match = await matches.get(tx, challenge.match_id)
    if match is None or not match.casual:
        return None
    return await unrated_reason(tx, challenge.guild_id, people) or UnratedReason()


async def is_rated(tx: Transaction, match: Match) -> bool:
    """Return whether a match that has ended is to be rated.

    All of its players must be people who may play rated there now. A match that its players or
    a moderator ended counts once each of them has had two turns. A match that the rules ended always
    counts, and so does a loss by who left too many matches that had hardly begun.
    """
    if match.casual or any(
        one.user_id in COMPUTERS or (one.user_id <= 0 and one.gave_up is None)
        for one in match.players
    ):
        return False
    people = [player.user_id for player in match.players if player.user_id > 0]
    if await unrated_reason(tx, match.guild_id, people) is not None:
        return False
    return match.ending in _DECIDED or not await hardly_begun(tx, match)


class Eligibility:
    """Tells why the matches of challenges are not rated."""

    def __init__(self, store: Store) -> None:
        """Look into a store."""
        self._store = store

    async def reason(self, challenge: Challenge) -> UnratedReason | None:
        """Return why the match of a challenge is not rated; see `of_challenge`."""
        return (await self.reasons([challenge])).get(challenge.id)

    async def reasons(self, challenges: Iterable[Challenge]) -> Mapping[int, UnratedReason]:
        """Return, by the id of the challenge, why matches are not rated; others are left out."""
        wanted = [one for one in challenges if one.guild_id is not None and not one.casual]
        if not wanted:
            return {}
        async with self._store.read() as tx:
            found = [(one.id, await of_challenge(tx, one)) for one in wanted]
        return {number: reason for number, reason in found if reason is not None}
