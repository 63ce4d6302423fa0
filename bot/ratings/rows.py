"""How the book of a game lies in the store, and how it is read from there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.ratings.book import NOTHING, Result, Seated, Side, Tally
from bot.ratings.counting import unequal
from bot.ratings.gate import GAMES, OPPONENTS
from bot.ratings.mathematics import Skill
from data import ratings
from data.ratings import Changed, Stand
from data.sides import Learnt

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from bot.ratings.book import Entered
    from data.ratings import Key
    from data.results import Stored
    from data.transaction import Transaction


def result_of(stored: Stored) -> Result:
    """Return a stored result as the book takes it."""
    return Result(
        id=stored.id,
        guild_id=stored.guild_id,
        at=stored.at,
        players=tuple(Seated(one.seat, one.user_id, one.rank) for one in stored.players),
        unequal=unequal(stored.game, stored.options),
    )


def tally_of(row: Changed | Stand | None) -> Tally:
    """Return how a player stands by a row of the store; without one, how everybody begins."""
    if row is None:
        return NOTHING
    return Tally(
        Skill(row.mu, row.sigma),
        row.games,
        row.won,
        row.drawn,
        row.lost,
        row.streak,
        row.best,
        row.form,
        row.last_at,
    )


def side_of(row: Learnt) -> Side:
    """Return what is known of a side by a row of the store."""
    return Side(Skill(row.mu, row.sigma), row.games, row.won, row.drawn)


def changed(game: str, entered: Entered) -> list[Changed]:
    """Return the rows of what a result has changed."""
    result = entered.result
    return [
        Changed(
            user_id,
            scope,
            game,
            result.id,
            result.at,
            entered.rated,
            tally.skill.mu,
            tally.skill.sigma,
            tally.games,
            tally.won,
            tally.drawn,
            tally.lost,
            tally.streak,
            tally.best,
            tally.form,
            tally.last_at,
        )
        for scope, user_id, tally in entered.tallies
    ]


def learnt(game: str, entered: Entered) -> list[Learnt]:
    """Return the rows of what a result has taught of the sides."""
    number = entered.result.id
    return [
        Learnt(
            scope,
            game,
            seat,
            number,
            side.skill.mu,
            side.skill.sigma,
            side.games,
            side.won,
            side.drawn,
        )
        for scope, seat, side in entered.sides
    ]


async def stand(tx: Transaction, game: str, tallies: Mapping[Key, Tally]) -> None:
    """Record where players stand by their tallies, in the scopes that are named with them."""
    met = await ratings.opponents(tx, game, {user_id for _, user_id in tallies})
    await ratings.stand(
        tx, game, {key: _stand(game, key, tally, met[key]) for key, tally in tallies.items()}
    )


async def restore(tx: Transaction, game: str, keys: Iterable[Key]) -> None:
    """Let players stand where their last changes say."""
    wanted = list(keys)
    last = await ratings.before(tx, game, {user_id for _, user_id in wanted})
    await stand(tx, game, {key: tally_of(last.get(key)) for key in wanted})


def _stand(game: str, key: Key, tally: Tally, opponents: int) -> Stand | None:
    if tally.last_at is None:
        return None
    scope, user_id = key
    return Stand(
        user_id,
        scope,
        game,
        tally.skill.mu,
        tally.skill.sigma,
        tally.games,
        tally.won,
        tally.drawn,
        tally.lost,
        tally.streak,
        tally.best,
        tally.form,
        tally.last_at,
        opponents,
        tally.games >= GAMES and opponents >= OPPONENTS,
    )
