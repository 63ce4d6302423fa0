"""Posts a board again whose message was deleted, when a player asks for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.delivery.jobs import BOARD_JOB
from bot.delivery.places import repost
from bot.interactions.reply import USER_INSTALL
from data import boards, outbox

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bot.delivery.interaction_transport import InteractionTransport
    from bot.delivery.transport import ChannelTransport
    from bot.matches.service import Matches
    from bot.scheduling.wall_clock import WallClock
    from data.store import Store


class DeletedBoards:
    """Queues the boards of matches again if their messages are gone."""

    def __init__(
        self, transport: ChannelTransport, store: Store, matches: Matches, *, clock: WallClock
    ) -> None:
        """Look through a transport for the boards that a store knows."""
        self._transport = transport
        self._store = store
        self._matches = matches
        self._clock = clock

    async def restore(
        self,
        match_id: int,
        offer: InteractionTransport,
        earlier: Sequence[InteractionTransport] = (),
    ) -> None:
        """Queue the board of a match again if its message was deleted.

        Args:
            match_id: the match; nothing else may write about it meanwhile.
            offer: the interaction of the player who asks for the board.
            earlier: other interactions that can still look at what they have said.

        Raises:
            discord.HTTPException, aiohttp.ClientError, OSError, StoreError: it is unknown whether
                it was deleted.

        """
        view = await self._matches.view(match_id)
        async with self._store.read() as tx:
            jobs = await outbox.pending(tx, match_id)
            last = await boards.latest(tx, match_id)
        if view.to_move is None or any(job.kind == BOARD_JOB for job in jobs):
            return
        transport = self._transport
        if view.match.place == USER_INSTALL:
            reaching = [one for one in earlier if last and last.message_id in one.reached]
            transport = reaching[-1] if reaching else offer
        if last is not None and await transport.exists(last):
            return
        async with self._store.write() as tx:
            if last is not None:
                await boards.forget(tx, last.message_id)
            await repost(tx, view, self._clock(), by=offer.reply.user_id)
