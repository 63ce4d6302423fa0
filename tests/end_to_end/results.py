"""Results of weeks, recorded as the bot records them, without playing every move."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from data import matches
from tests.bot.ratings.test_running import played

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from data.store import Transaction
    from tests.end_to_end.harness import Environment

SLUG = "tablan"
STRANGERS = range(2**50, 2**50 + 40)
"""Former members of the server."""


async def result(
    env: Environment,
    people: Sequence[int],
    ranks: Sequence[int],
    *,
    game: str = SLUG,
    here: bool = True,
    guild_id: int | None = None,
    at: datetime | None = None,
    casual: bool = False,
) -> int:
    """Record a result in this server or elsewhere; return the number of the match."""
    games = env.playground.channel("games").id
    home, moment = env.playground.guild.id, at or env.now()

    async def enter(tx: Transaction) -> int:
        where = home if here else guild_id
        number = await played(
            tx, people, ranks, game=game, guild_id=where, at=moment, casual=casual
        )
        if here:
            await matches.set_place(tx, number, place="channel", channel_id=games, parent_id=None)
        return number

    return await env.store.run_write(enter)


async def season(
    env: Environment, winner: int, others: Sequence[int], *, games: int = 10, game: str = SLUG
) -> None:
    """Record wins of one player against others in turn, one every six hours until now."""
    for turn in range(games):
        at = env.now() - timedelta(hours=6 * (games - turn))
        await result(env, [winner, others[turn % len(others)]], [1, 2], game=game, at=at)


async def league(env: Environment, people: Sequence[int], *, game: str = SLUG) -> None:
    """Make each player beat all those after them, so that they are ranked in this order."""
    count = len(people)
    turns = [(one, other) for step in range(1, 6) for one in range(count) for other in [one + step]]
    for turn, (one, other) in enumerate(turns):
        pair = [one, other % count]
        ranks = [1, 2] if pair[0] < pair[1] else [2, 1]
        at = env.now() - timedelta(minutes=len(turns) - turn)
        await result(env, [people[index] for index in pair], ranks, game=game, at=at)
