"""Rated-play eligibility: servers can turn ratings off, and moderators can exclude players.

A match started under such a decision stays casual, as announced. One that started as rated stays
rated, unless somebody who does not play in it has excluded a player meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from bot.core.computers import COMPUTERS
from bot.play.matches.scoring import hardly_begun
from bot.play.matches.start import UnratedReason, unrated_reason
from data.challenges.challenges import Challenge, State
from data.matches import matches
from data.matches.match import Match
from data.people import exclusions
from data.store.store import Store, Transaction

_DECIDED: Final = {None, "resigned", "forfeited"}
"""Endings that always count: `bot.play.matches.endings` records early ones as ``aborted``."""


async def of_challenge(tx: Transaction, challenge: Challenge) -> UnratedReason | None:
    """Return why a challenge's match is not rated; ``None`` if it is or was to be casual.

    Decisions made after the match has started do not matter.
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
    """Return whether a finished match is rated.

    All players must be people, and nobody else may have excluded one of them. A match ended by its players or a
    moderator counts once everyone has had two turns. A match ended by the rules always counts, and
    so does a loss for leaving too many matches early. One that someone stopped together with its
    tournament round never counts.
    """
    if (
        match.casual
        or match.ending == "stopped"
        or any(
            one.user_id in COMPUTERS or (one.user_id <= 0 and one.gave_up is None)
            for one in match.players
        )
    ):
        return False
    people = [player.user_id for player in match.players if player.user_id > 0]
    if match.guild_id is not None and await exclusions.filter_excluded(
        tx, match.guild_id, people, by_others=True
    ):
        return False
    return match.ending in _DECIDED or not await hardly_begun(tx, match)


_MAX_NAMED: Final = 20
"""The number of excluded players that a list names."""


@dataclass(frozen=True, slots=True)
class ExcludedPlayers:
    """The players excluded from rated play in a server."""

    people: tuple[int, ...] = ()
    """The first of them, to name in a list."""
    more: int = 0
    """The number of others."""


@dataclass(eq=False, repr=False)
class Eligibility:
    """Reports who is excluded, and why the matches of challenges are not rated."""

    store: Store

    async def reasons(self, challenges: Iterable[Challenge]) -> Mapping[int, UnratedReason]:
        """Return why matches are not rated, by challenge id; rated and casual ones are left out."""
        wanted = [one for one in challenges if one.guild_id is not None and not one.casual]
        if not wanted:
            return {}
        async with self.store.read() as tx:
            found = [(one.id, await of_challenge(tx, one)) for one in wanted]
        return {number: reason for number, reason in found if reason is not None}

    async def excluded(self, guild_id: int) -> ExcludedPlayers:
        """Return the players excluded from rated play in a server."""
        async with self.store.read() as tx:
            people = await exclusions.excluded_in(tx, guild_id, limit=_MAX_NAMED)
            more = await exclusions.count_excluded(tx, guild_id) - len(people)
        return ExcludedPlayers(people, more)
