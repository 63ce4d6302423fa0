"""The direct message that warns a player of the end of their vacation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from bot.core.i18n.locales import Locales
from bot.core.i18n.mentions import timestamp
from bot.core.i18n.slash import slash
from bot.core.interactions.layout import text_layout
from bot.core.posts.kinds import Content, PostKind
from bot.core.scheduling.wall_clock import WallClock
from bot.play.clocks.service import ENDING_POST
from bot.play.matches import jobs
from data.matches import absences, clocks, matches
from data.matches.absences import Vacation
from data.posts import Post
from data.store.store import Store, Transaction
from engine.phrase import say


@dataclass(eq=False, repr=False)
class VacationEndingPost(PostKind):
    """Warns by direct message, or beside one of the player's boards if those are closed."""

    kind: ClassVar[str] = ENDING_POST
    kept: ClassVar[bool] = False

    store: Store
    locales: Locales
    clock: WallClock

    async def content(self, post: Post) -> Content | None:
        """Return the warning; ``None`` if the player is back already."""
        async with self.store.read() as tx:
            away = await self._away(tx, post)
        if away is None:
            return None
        message = text_layout(
            say(
                "Your vacation ends {distance}, {moment}. Then your clocks run again, with "
                "at least a day each. End it early with {back}.",
                back=slash("me", "back"),
                moment=timestamp(away.ends_at),
                distance=timestamp(away.ends_at, "R"),
            )
        )
        return Content(message, await self.locales.of_player(post.user_id))

    async def ended(self, post: Post) -> None:
        """Queue the warning as a notice in one of the player's matches."""
        async with self.store.write() as tx:
            away = await self._away(tx, post)
            for clock in () if away is None else await clocks.of_player(tx, away.user_id):
                match = await matches.get(tx, clock.match_id)
                if away is not None and match is not None:
                    await jobs.notify(
                        tx,
                        match,
                        "returning",
                        at=self.clock(),
                        user=away.user_id,
                        until=away.ends_at.timestamp(),
                    )
                    return

    async def _away(self, tx: Transaction, post: Post) -> Vacation | None:
        away = await absences.present(tx, post.user_id, self.clock())
        return away if away is not None and away.id == post.subject else None
