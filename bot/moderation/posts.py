"""The line in a server's log channel that tells of a moderator's decision."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, ClassVar, Final

from bot.interactions.layout import text_layout
from bot.moderation.audit_text import decision_line
from bot.moderation.service import DECISION_POST
from bot.posts.kinds import Content, PostKind
from data import audit

if TYPE_CHECKING:
    from bot.i18n.locales import Locales
    from bot.scheduling.wall_clock import WallClock
    from bot.settings.service import SettingsStore
    from data.posts import Post
    from data.store import Store

_KEEPS_TRYING: Final = timedelta(days=7)
"""How long to try; the line is in the audit log anyway."""


class DecisionPost(PostKind):
    """Writes a decision in the log channel, if the server has one."""

    kind: ClassVar[str] = DECISION_POST
    kept: ClassVar[bool] = False

    def __init__(
        self, store: Store, settings: SettingsStore, locales: Locales, *, clock: WallClock
    ) -> None:
        """Read the audit log of a store."""
        self._store = store
        self._settings = settings
        self._locales = locales
        self._clock = clock

    async def content(self, post: Post) -> Content | None:
        """Return the decision; ``None`` without a log channel, or after a week of trying."""
        async with self._store.read() as tx:
            line = await audit.get(tx, post.subject)
        if line is None or self._clock() - post.created_at > _KEEPS_TRYING:
            return None
        channel_id = (await self._settings.server(line.guild_id)).log_channel
        if channel_id is None:
            return None
        locale = await self._locales.of_guild(line.guild_id)
        return Content(text_layout(decision_line(line)), locale, channel_id)
