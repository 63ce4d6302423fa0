"""The line in a server's log channel that tells of a moderator's decision."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import ClassVar

from bot.core.i18n.locales import Locales
from bot.core.interactions.layout import text_layout
from bot.core.posts.kinds import A_WEEK, Content, PostKind
from bot.core.settings.service import SettingsStore
from bot.features.moderation.audit_text import decision_line
from bot.features.moderation.service import DECISION_POST
from data.people import audit
from data.posts.posts import Post
from data.store.store import Store


@dataclass(eq=False, repr=False)
class DecisionPost(PostKind):
    """Writes a decision in the log channel, if the server has one."""

    kind: ClassVar[str] = DECISION_POST
    kept: ClassVar[bool] = False
    tried_for: ClassVar[timedelta | None] = A_WEEK  # it is in the audit log anyway

    store: Store
    settings: SettingsStore
    locales: Locales

    async def content(self, post: Post) -> Content | None:
        """Return the decision; ``None`` without a log channel."""
        async with self.store.read() as tx:
            line = await audit.get(tx, post.subject)
        if line is None:
            return None
        channel_id = (await self.settings.server(line.guild_id)).log_channel
        if channel_id is None:
            return None
        locale = await self.locales.of_guild(line.guild_id)
        return Content(text_layout(decision_line(line)), locale, channel_id)
