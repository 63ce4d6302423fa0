"""How the book of a game lies in the store."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import permutations
from typing import TYPE_CHECKING, Any

from bot.ratings.book import Result, Seated, Side, Tally
from bot.ratings.counting import unequal
from bot.ratings.gate import GAMES, OPPONENTS
from bot.ratings.mathematics import Skill
from data import ratings

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from bot.ratings.book import Book, Change
    from data.results import Stored
    from data.store import Transaction
    from data.transaction import Record


def result_of(stored: Stored) -> Result:
    """Return a stored result as the book takes it."""
    return Result(
        id=stored.id,
        guild_id=stored.guild_id,
        at=stored.at,
        players=tuple(Seated(*place) for place in stored.players),
        unequal=unequal(stored.game, stored.options),
    )


def tally_of(row: Record | None) -> Tally:
    """Return how a player stands by a row of the store; without one, how everybody begins."""
    if row is None:
        return Tally()
    return Tally(Skill(row.mu, row.sigma), row.games, row.won, row.drawn, row.lost, row.last_at)


def side_of(row: Record) -> Side:
    """Return what is known of a side by a row of the store."""
    return Side(Skill(row.mu, row.sigma), row.games, row.won, row.drawn)


async def save(
    tx: Transaction,
    game: str,
    book: Book,
    changes: Iterable[Change],
    *,
    wrong: Iterable[Record] = (),
) -> None:
    """Write what was entered, and where everybody stands whom the book knows.

    Args:
        tx: the transaction, which holds the lock of the game.
        game: whose book it is.
        book: the book.
        changes: what was entered.
        wrong: whom the same results, and those that are gone, concerned before.

    """
    changes = list(changes)
    await write_changes(tx, game, changes)
    met = meetings(changes)
    met.subtract(_meetings((r.scope, r.result_id, r.user_id) for r in wrong if r.rated))
    await write_meetings(tx, game, met)
    await write_standings(tx, game, book)
    await ratings.settle(
        tx,
        game,
        [key for key, tally in book.tallies.items() if tally.games],
        games=GAMES,
        opponents=OPPONENTS,
    )


async def write_changes(tx: Transaction, game: str, changes: Iterable[Change]) -> None:
    """Write where players stand after results."""
    await ratings.change(
        tx,
        [
            {
                "scope": change.scope,
                "game": game,
                "user_id": change.user_id,
                "result_id": change.result_id,
                "seat": change.seat,
                "at": change.at,
                "rated": change.rated,
                **_values(change.tally),
            }
            for change in changes
        ],
    )


async def write_meetings(
    tx: Transaction, game: str, met: Mapping[tuple[int, int, int], int]
) -> None:
    """Add to how often players met, by scope and the two of them."""
    await ratings.meet(
        tx,
        [
            {"scope": scope, "game": game, "user_id": one, "rival_id": other, "games": times}
            for (scope, one, other), times in sorted(met.items())
            if times
        ],
    )


async def write_standings(tx: Transaction, game: str, book: Book) -> None:
    """Write where everybody stands whom a book knows, and what it has learnt of the sides."""
    stand = [
        {"scope": scope, "game": game, "user_id": user, **_values(tally)}
        for (scope, user), tally in sorted(book.tallies.items())
        if tally.games
    ]
    await ratings.stand(tx, stand)
    await ratings.fall(tx, game, [key for key, tally in book.tallies.items() if not tally.games])
    await ratings.take_sides(
        tx,
        [
            {
                "scope": scope,
                "game": game,
                "seat": seat,
                "mu": side.skill.mu,
                "sigma": side.skill.sigma,
                "games": side.games,
                "won": side.won,
                "drawn": side.drawn,
            }
            for (scope, seat), side in sorted(book.sides.items())
        ],
    )


def meetings(changes: Iterable[Change]) -> Counter[tuple[int, int, int]]:
    """Return how often two players met in a scope, in each of the two orders."""
    return Counter(_meetings((c.scope, c.result_id, c.user_id) for c in changes if c.rated))


def _meetings(played: Iterable[tuple[int, int, int]]) -> Iterable[tuple[int, int, int]]:
    together: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    for scope, result_id, user_id in played:
        together[scope, result_id].append(user_id)
    for (scope, _), people in together.items():
        for one, other in permutations(people, 2):
            yield scope, one, other


def _values(tally: Tally) -> dict[str, Any]:
    return {
        "mu": tally.skill.mu,
        "sigma": tally.skill.sigma,
        "games": tally.games,
        "won": tally.won,
        "drawn": tally.drawn,
        "lost": tally.lost,
        "last_at": tally.last_at,
    }
