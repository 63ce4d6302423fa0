"""What players are told in direct messages, each alone: jobs of the outbox of no match.

Each kind has a builder, registered where the feature that owns it stands::

    @private_notice("conditional")
    async def was_played(tx, view, payload) -> Layout | None: ...

Its payload has the ``user`` and the ``match``. Whose direct messages are closed is not told.
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
"""Makes the message of the match as it stands, or ``None`` where it says nothing any more."""

_BUILDERS: Final[dict[str, Builder]] = {}


def private_notice(kind: str) -> Callable[[Builder], Builder]:
    """Register the builder of a kind of job."""

    def register(builder: Builder) -> Builder:
        assert _BUILDERS.get(kind) in {None, builder}, kind
        _BUILDERS[kind] = builder
        return builder

    return register


def builder_of(kind: str) -> Builder | None:
    """Return what makes the messages of a kind; ``None`` if there is none (any more)."""
    return _BUILDERS.get(kind)
