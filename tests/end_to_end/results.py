"""Results of weeks, recorded as the bot records them, without playing every move."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from bot.play.ratings.recomputing import recompute_outdated
from data.matches import matches
from data.ratings import ratings, results, scores
from data.store.store import Transaction
from tests.bot.play.ratings.season import ended, played
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
    unrated: bool = False,
) -> int:
    """Record a result in this server or elsewhere; return the number of the match."""
    home, moment = env.guild.id, at or env.now()

    async def enter(tx: Transaction) -> int:
        where = home if here else guild_id
        number = await played(
            tx, people, ranks, game=game, guild_id=where, at=moment, unrated=unrated
        )
        if here:
            await _place(env, tx, number)
        return number

    return await env.store.run_write(enter)


async def _place(env: Environment, tx: Transaction, number: int) -> None:
    games = env.channel().id
    await matches.set_channel(tx, number, kind="channel", channel_id=games, parent_id=None)


async def record(
    env: Environment,
    ended_matches: Sequence[tuple[datetime, Sequence[int], Sequence[int]]],
    *,
    game: str = SLUG,
) -> None:
    """Record results in this server and rate them all together, much faster than one by one.

    Each has the time of the match's end, its players by seat and their ranks.
    """

    async def enter(tx: Transaction) -> None:
        home, counted = env.guild.id, []
        for at, people, ranks in ended_matches:
            number = await ended(tx, people, ranks, game=game, guild_id=home, at=at)
            await _place(env, tx, number)
            match = await matches.get(tx, number)
            assert match is not None
            times = dict.fromkeys(range(len(people)), (2, 0))
            counted.append(await results.add(tx, match, at=at, rated=True, times=times))
            await scores.add(tx, counted[-1])
        await ratings.outdate(tx, game, counted[0].id)

    await env.store.run_write(enter)
    await recompute_outdated(env.store, game)


async def season(
    env: Environment, winner: int, others: Sequence[int], *, games: int = 10, game: str = SLUG
) -> None:
    """Record wins of one player against others in turn, one every six hours until now."""
    turns = [
        (
            env.now() - timedelta(hours=6 * (games - turn)),
            (winner, others[turn % len(others)]),
            (1, 2),
        )
        for turn in range(games)
    ]
    await record(env, turns, game=game)


async def league(env: Environment, people: Sequence[int], *, game: str = SLUG) -> None:
    """Make each player beat all those after them, so that they are ranked in this order."""
    count = len(people)
    pairs = [sorted((one, (one + step) % count)) for step in range(1, 6) for one in range(count)]
    turns = [
        (env.now() - timedelta(minutes=len(pairs) - turn), (people[one], people[other]), (1, 2))
        for turn, (one, other) in enumerate(pairs)
    ]
    await record(env, turns, game=game)
