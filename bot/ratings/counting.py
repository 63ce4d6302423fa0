"""Which matches count for ratings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.matches.begun import hardly_begun
from bot.matches.computers import COMPUTERS
from bot.ratings import eligibility
from engine import registry
from engine.pair import MATCH

if TYPE_CHECKING:
    from collections.abc import Container, Mapping

    from data.matches import Match
    from data.store import Transaction


async def counts(tx: Transaction, match: Match, computers: Container[int] = COMPUTERS) -> bool:
    """Return whether a match that has ended is to be rated.

    All of its players must be known, and allowed to play rated now where it was played. One that
    was ended by its players or by its clock counts once everybody has made two moves; one that the
    rules have ended counts however short it was.
    """
    if match.casual or any(player.rank is None for player in match.players):
        return False
    people = [player.user_id for player in match.players]
    if any(user_id in computers or user_id <= 0 for user_id in people):
        return False
    if await eligibility.bar(tx, match.guild_id, people) is not None:
        return False
    return match.ending is None or not await hardly_begun(tx, match)


def unequal(slug: str, options: Mapping[str, str]) -> bool:
    """Return whether it matters for a result which side somebody had.

    It does not where a match is two games with sides swapped.
    """
    game = registry.games().get(slug)
    paired = options.get(MATCH.name) == "true"
    return game is not None and game.unequal_sides and not paired
