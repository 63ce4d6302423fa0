"""Notices to a single player by direct message: outbox jobs that belong to no match.

Each kind has a builder, registered by the feature that owns it::

    @private_notice("conditional")
    async def was_played(tx, view, payload) -> Layout | None: ...

The payload has the ``user`` and the ``match``. Players with closed direct messages miss it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from bot.interactions.layout import Layout
    from bot.matches.positions import MatchView
    from data.store import Transaction

Builder: TypeAlias = (
    "Callable[[Transaction, MatchView, Mapping[str, Any]], Awaitable[Layout | None]]"
)
"""Makes the message from the current match; ``None`` if there is nothing left to say."""

_BUILDERS: Final[dict[str, Builder]] = {}


def private_notice(kind: str) -> Callable[[Builder], Builder]:
    """Register the builder of one kind of job."""

    def register(builder: Builder) -> Builder:
        assert _BUILDERS.get(kind) in {None, builder}, kind
        _BUILDERS[kind] = builder
        return builder

    return register


def builder_of(kind: str) -> Builder | None:
    """Return the builder of a kind of job; ``None`` if it has none (any more)."""
    return _BUILDERS.get(kind)
