"""Where players stand and what each result changed: rows in, rows out.

What the numbers mean is not known here, but for who is counted in the crowd.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from sqlalchemy import and_, bindparam, delete, func, select

from data import crowd
from data.tables import changes, ratings, records, rivals
from data.upserts import upsert

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from datetime import datetime

    from data.transaction import Transaction

_AT_ONCE: Final = 2_000
"""How many values a statement is given at most: databases do not take any number of them."""
_AFTER_ALL: Final = 2**63 - 1


class Changed(NamedTuple):
    """Where a player stood in one scope after a result: a row of the table."""

    user_id: int
    scope: int
    game: str
    result_id: int
    at: datetime
    rated: bool
    mu: float
    sigma: float
    games: int
    won: int
    drawn: int
    lost: int
    streak: int
    best: int
    form: str
    last_at: datetime | None


class Stand(NamedTuple):
    """Where a player stands in one scope: a row of the table."""

    user_id: int
    scope: int
    game: str
    mu: float
    sigma: float
    games: int
    won: int
    drawn: int
    lost: int
    streak: int
    best: int
    form: str
    last_at: datetime
    opponents: int
    settled: bool

    @property
    def counted(self) -> tuple[int, int, int] | None:
        """Where the crowd counts this player, by scope, day and bucket."""
        if not self.settled or self.user_id <= 0:
            return None
        return self.scope, crowd.day(self.last_at), crowd.bucket(self.mu)


Key = tuple[int, int]
"""A scope and a player."""

_CHANGE = upsert(changes, *(name for name in Changed._fields if name not in changes.primary_key))
_STAND = upsert(ratings, *(name for name in Stand._fields if name not in ratings.primary_key))
_GAME: Any = bindparam("of_game")
_PEOPLE: Any = bindparam("people", expanding=True)
_SCOPES: Any = bindparam("scopes", expanding=True)
_ALL = select(ratings).where(ratings.c.user_id.in_(_PEOPLE), ratings.c.game == _GAME)
_SOME = _ALL.where(ratings.c.scope.in_(_SCOPES))
_known = (
    select(records.c.user_id, records.c.scope)
    .where(records.c.user_id.in_(_PEOPLE), records.c.game == _GAME)
    .distinct()
    .subquery("known")
)
_earlier = changes.alias("earlier")
_last = (
    select(func.max(_earlier.c.result_id))
    .where(
        _earlier.c.user_id == _known.c.user_id,
        _earlier.c.scope == _known.c.scope,
        _earlier.c.game == _GAME,
        _earlier.c.result_id < bindparam("until"),
    )
    .scalar_subquery()
)
# Whoever has a change has a record, so the records tell where to look.
_BEFORE = (
    select(changes)
    .join(_known, and_(changes.c.user_id == _known.c.user_id, changes.c.scope == _known.c.scope))
    .where(changes.c.game == _GAME, changes.c.result_id == _last)
)
_one, _other = changes.alias("one"), changes.alias("other")
_MET = (
    select(_one.c.at)
    .join(
        _other,
        and_(
            _other.c.user_id == bindparam("other_one"),
            _other.c.scope == 0,
            _other.c.game == _one.c.game,
            _other.c.result_id == _one.c.result_id,
        ),
    )
    .where(
        _one.c.user_id == bindparam("who"),
        _one.c.scope == 0,
        _one.c.game == _GAME,
        _one.c.result_id < bindparam("until"),
        _one.c.at > bindparam("since", type_=changes.c.at.type),
        _one.c.rated,
    )
    .order_by(_one.c.result_id)
)
_OPPONENTS = (
    select(rivals.c.user_id, rivals.c.scope, func.count().label("number"))
    .where(rivals.c.user_id.in_(_PEOPLE), rivals.c.game == _GAME, rivals.c.rated > 0)
    .group_by(rivals.c.user_id, rivals.c.scope)
)
_GONE = delete(ratings).where(
    ratings.c.user_id == bindparam("who"),
    ratings.c.scope == bindparam("at_scope"),
    ratings.c.game == _GAME,
)
_OF_RESULTS = select(changes).where(changes.c.result_id.in_(bindparam("wanted", expanding=True)))
_TOUCHED = (
    select(changes.c.scope, changes.c.user_id)
    .where(changes.c.result_id.in_(bindparam("wanted", expanding=True)))
    .distinct()
)


async def of(
    tx: Transaction, game: str, user_ids: Iterable[int], scopes: Sequence[int] = ()
) -> dict[Key, Stand]:
    """Return where players stand, in some scopes or in all."""
    found: dict[Key, Stand] = {}
    for people in _parts(user_ids):
        values = {"people": people, "of_game": game}
        rows = (
            await tx.rows(_SOME, values | {"scopes": list(scopes)})
            if scopes
            else await tx.rows(_ALL, values)
        )
        found |= {(row.scope, row.user_id): Stand(*row) for row in rows}
    return found


async def before(
    tx: Transaction, game: str, user_ids: Iterable[int], result_id: int = _AFTER_ALL
) -> dict[Key, Changed]:
    """Return the last change of players in every scope that came before a result."""
    found: dict[Key, Changed] = {}
    for people in _parts(user_ids):
        values = {"people": people, "of_game": game, "until": result_id}
        rows = await tx.rows(_BEFORE, values)
        found |= {(row.scope, row.user_id): Changed(*row) for row in rows}
    return found


async def met(
    tx: Transaction, game: str, pair: tuple[int, int], *, since: datetime, before: int
) -> tuple[datetime, ...]:
    """Return when two players had rated games since a moment, before a result."""
    one, other = pair
    values = {"of_game": game, "who": one, "other_one": other, "since": since, "until": before}
    return tuple(row.at for row in await tx.rows(_MET, values))


async def opponents(tx: Transaction, game: str, user_ids: Iterable[int]) -> Counter[Key]:
    """Return how many people players have met in matches that were to be rated."""
    found = Counter[Key]()
    for people in _parts(user_ids):
        for row in await tx.rows(_OPPONENTS, {"people": people, "of_game": game}):
            found[row.scope, row.user_id] = row.number
    return found


async def of_results(
    tx: Transaction, result_ids: Sequence[int]
) -> dict[tuple[int, int, int], Changed]:
    """Return what some results have changed, by player, scope and result."""
    found: dict[tuple[int, int, int], Changed] = {}
    for wanted in _parts(result_ids):
        for row in await tx.rows(_OF_RESULTS, {"wanted": wanted}):
            found[row.user_id, row.scope, row.result_id] = Changed(*row)
    return found


async def touched(tx: Transaction, result_ids: Sequence[int]) -> set[Key]:
    """Return whom some results concern."""
    found: set[Key] = set()
    for wanted in _parts(result_ids):
        rows = await tx.rows(_TOUCHED, {"wanted": wanted})
        found.update((row.scope, row.user_id) for row in rows)
    return found


async def change(tx: Transaction, rows: Sequence[Changed]) -> None:
    """Record what results changed, in place of what was recorded of them before."""
    for first in range(0, len(rows), _AT_ONCE):
        part = [row._asdict() for row in rows[first : first + _AT_ONCE]]
        await tx.run(_CHANGE[tx.dialect], part)


async def stand(tx: Transaction, game: str, wanted: Mapping[Key, Stand | None]) -> None:
    """Record where players stand, ``None`` for who stands nowhere, and keep the crowd.

    What stands already is not written again. The lock of the game is held.
    """
    known = await of(tx, game, {user_id for _, user_id in wanted})
    moved = Counter[tuple[int, int, int]]()
    write, gone = [], []
    for key, new in wanted.items():
        old = known.get(key)
        if new == old:
            continue
        if old is not None and old.counted is not None:
            moved[old.counted] -= 1
        if new is None:
            gone.append({"at_scope": key[0], "who": key[1], "of_game": game})
            continue
        if new.counted is not None:
            moved[new.counted] += 1
        write.append(new._asdict())
    write.sort(key=lambda row: (row["user_id"], row["scope"]))
    for first in range(0, len(write), _AT_ONCE):
        await tx.run(_STAND[tx.dialect], write[first : first + _AT_ONCE])
    if gone:
        await tx.run(_GONE, gone)
    await crowd.move(tx, game, moved)


def _parts(wanted: Iterable[int]) -> Iterator[list[int]]:
    whole = sorted(wanted)
    for first in range(0, len(whole), _AT_ONCE):
        yield whole[first : first + _AT_ONCE]
