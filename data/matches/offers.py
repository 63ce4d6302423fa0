"""Offers between the players of a match: a draw, or a takeback.

A seat has at most one row per kind: its last offer, whatever its outcome.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final, Literal, TypeAlias

import sqlalchemy as sa
from sqlalchemy import bindparam, delete, exists, select, update

from data import posts
from data.matches.match import Match, matches
from data.sql.columns import reference, table
from data.sql.transaction import Transaction

Kind: TypeAlias = Literal["draw", "takeback"]
State: TypeAlias = Literal["open", "agreed", "declined", "withdrawn", "lapsed"]
CLOSED: Final = "closed offer"
"""The kind of post that says on an offer's message what became of it, by the offer's number."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A player's offer to the others."""

    id: int
    match_id: int
    kind: Kind
    seat: int
    """The seat that makes it."""
    ply: int
    """The length of the log when it was made."""
    takebacks: int
    """`Match.takebacks` when it was made."""
    given_up: int
    """`Match.given_up` when it was made."""
    refused: int
    """Previous offers of this kind and seat that failed since the last one accepted."""
    agreed: str = ""
    """The seats that have agreed, one digit each."""
    state: State = "open"
    answered_by: int | None = None
    """The seat that declined or withdrew it."""
    channel_id: int | None = None
    message_id: int | None = None
    """The message that shows it."""

    def is_current(self, match: Match) -> bool:
        """Return whether it can still be answered; any change of the match voids it."""
        now = (match.plies, match.takebacks, match.given_up)
        same = now == (self.ply, self.takebacks, self.given_up)
        return self.state == "open" and not match.finished and same


offers = table(
    "offers",
    reference("match_id", "matches.id"),
    sa.Column("answered_by", sa.Integer),
    sa.UniqueConstraint("match_id", "kind", "seat"),
    rows=Offer,
)
"""The last draw and takeback offer of each seat; any change of the match voids an open one."""

_OF: Final = select(offers).where(offers.c.match_id == bindparam("match")).order_by(offers.c.id)
_OPEN_OF: Final = (offers.c.match_id == bindparam("match")) & (offers.c.state == "open")
ANY_OPEN: Final = exists().where(_OPEN_OF)
"""Whether a ``match`` has offers that its next change voids."""
_LAPSE: Final = update(offers).where(_OPEN_OF).values(state="lapsed").returning(offers.c.id)


async def of(tx: Transaction, match_id: int) -> tuple[Offer, ...]:
    """Return the last offers of a match, by kind and seat, oldest first."""
    return await tx.records(Offer, _OF, {"match": match_id})


async def get(tx: Transaction, offer_id: int) -> Offer | None:
    """Return an offer, ``None`` if it does not exist or was replaced by a newer one."""
    return await tx.record(Offer, select(offers).where(offers.c.id == offer_id))


async def put(tx: Transaction, match: Match, kind: Kind, seat: int, *, refused: int) -> Offer:
    """Add an open offer, replacing the last one of this kind and seat."""
    this = (offers.c.match_id == match.id) & (offers.c.kind == kind) & (offers.c.seat == seat)
    await tx.run(delete(offers).where(this))
    state = (match.plies, match.takebacks, match.given_up)
    offer = Offer(0, match.id, kind, seat, *state, refused)
    return replace(offer, id=await tx.insert(offers, offer))


async def agree(tx: Transaction, offer: Offer) -> None:
    """Record which seats have agreed to an offer, and its state."""
    await _set(tx, offer.id, agreed=offer.agreed, state=offer.state)


async def close(tx: Transaction, offer: Offer) -> None:
    """Record that an offer was declined or withdrawn, and by which seat."""
    await _set(tx, offer.id, state=offer.state, answered_by=offer.answered_by)


async def set_message(tx: Transaction, offer_id: int, channel_id: int, message_id: int) -> None:
    """Record which message shows an offer."""
    await _set(tx, offer_id, channel_id=channel_id, message_id=message_id)


async def lapse(tx: Transaction, match_id: int, at: datetime) -> None:
    """Close the open offers of a match that has changed, and have their messages say so."""
    for offer_id in await tx.scalars(_LAPSE, {"match": match_id}):
        await show_closed(tx, offer_id, match_id, at)


async def show_closed(
    tx: Transaction, offer_id: int, match_id: int, at: datetime, *, wait: timedelta = timedelta()
) -> None:
    """Have the message of an offer say what became of it, unless something else does meanwhile."""
    guild_id = await tx.scalar(select(matches.c.guild_id).where(matches.c.id == match_id))
    await posts.want(tx, CLOSED, offer_id, at=at, guild_id=guild_id, not_before=at + wait)


async def _set(tx: Transaction, offer_id: int, **values: object) -> None:
    await tx.run(update(offers).where(offers.c.id == offer_id).values(values))
