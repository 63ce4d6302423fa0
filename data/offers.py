"""Offers between the players of a match: a draw, or a takeback.

A seat has at most one row per kind: its last offer, whatever its outcome.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from sqlalchemy import bindparam, delete, insert, select, update

from data.prepared import Prepared
from data.tables import offers

if TYPE_CHECKING:
    from data.match import Match
    from data.transaction import Transaction

Kind: TypeAlias = Literal["draw", "takeback"]
State: TypeAlias = Literal["open", "agreed", "declined", "withdrawn"]


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
    """The message that shows it with buttons; ``None`` once it shows the outcome."""

    def is_current(self, match: Match) -> bool:
        """Return whether it can still be answered; any change of the match voids it."""
        now = (match.plies, match.takebacks, match.given_up)
        same = now == (self.ply, self.takebacks, self.given_up)
        return self.state == "open" and not match.finished and same


_SHOWN: Final = offers.c.message_id.is_not(None)
_OF: Final = select(offers).where(offers.c.match_id == bindparam("match")).order_by(offers.c.id)
_SHOWN_OF: Final = Prepared(_OF.where(_SHOWN))


async def of(tx: Transaction, match_id: int) -> tuple[Offer, ...]:
    """Return the last offers of a match, by kind and seat, oldest first."""
    return tuple(Offer(*row) for row in await tx.rows(_OF, {"match": match_id}))


async def get(tx: Transaction, offer_id: int) -> Offer | None:
    """Return an offer, ``None`` if it does not exist or was replaced by a newer one."""
    row = await tx.row(select(offers).where(offers.c.id == offer_id))
    return None if row is None else Offer(*row)


async def put(tx: Transaction, match: Match, kind: Kind, seat: int, *, refused: int) -> Offer:
    """Add an open offer, replacing the last one of this kind and seat."""
    this = (offers.c.match_id == match.id) & (offers.c.kind == kind) & (offers.c.seat == seat)
    await tx.run(delete(offers).where(this))
    values = {
        "match_id": match.id,
        "kind": kind,
        "seat": seat,
        "ply": match.plies,
        "takebacks": match.takebacks,
        "given_up": match.given_up,
        "refused": refused,
        "agreed": "",
        "state": "open",
    }
    number: int = await tx.scalar(insert(offers).values(values).returning(offers.c.id))
    state = (match.plies, match.takebacks, match.given_up)
    return Offer(number, match.id, kind, seat, *state, refused)


async def agree(tx: Transaction, offer: Offer) -> None:
    """Record which seats have agreed to an offer, and its state."""
    await _set(tx, offer.id, agreed=offer.agreed, state=offer.state)


async def close(tx: Transaction, offer: Offer) -> None:
    """Record that an offer was declined or withdrawn, and by which seat."""
    await _set(tx, offer.id, state=offer.state, answered_by=offer.answered_by)


async def set_message(tx: Transaction, offer_id: int, channel_id: int, message_id: int) -> None:
    """Record which message shows an offer."""
    await _set(tx, offer_id, channel_id=channel_id, message_id=message_id)


async def clear_message(tx: Transaction, offer_id: int) -> None:
    """Record that an offer's message shows the outcome."""
    await _set(tx, offer_id, message_id=None)


async def outdated(tx: Transaction, match: Match) -> tuple[Offer, ...]:
    """Return the offers of a match that are void but whose message may still look open."""
    found = [Offer(*row) for row in await tx.rows(_SHOWN_OF, {"match": match.id})]
    return tuple(offer for offer in found if not offer.is_current(match))


async def _set(tx: Transaction, offer_id: int, **values: object) -> None:
    await tx.run(update(offers).where(offers.c.id == offer_id).values(values))
