"""The posts of ladders: the ladder itself, its challenges, their reminders and outcomes."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import ClassVar

import structlog

from bot.core.i18n.locales import Locales
from bot.core.interactions.layout import Layout, text_layout
from bot.core.posts.kinds import A_WEEK, Content, Later, PostKind
from bot.core.requests.sending import Urgency
from bot.core.scheduling.scheduler import WallClock
from bot.features.ladder import changes, rules, text
from bot.features.ladder.buttons import challenge_layout, post_layout
from bot.features.ladder.changes import fresh_view
from bot.features.ladder.rules import LadderView
from bot.play.delivery.permission_posts import OrganiserNotice, OrganiserPost, PermissionAlerts
from bot.play.matches.jobs import board_link
from data import posts
from data.ladders import ladder_challenges, ladders
from data.ladders.ladder_challenges import LadderChallenge
from data.matches import matches
from data.posts import Post
from data.store.store import Store, Transaction
from engine.phrase import lines

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


@dataclass(eq=False, repr=False)
class LadderPost(PostKind):
    """Shows a ladder. The post's subject is the ladder, as for all kinds but `MovedPost`."""

    kind: ClassVar[str] = ladders.POST
    replaces: ClassVar[bool] = True

    store: Store
    locales: Locales
    alerts: PermissionAlerts
    clock: WallClock

    async def content(self, post: Post) -> Content | None:
        """Return the ladder; ``None`` while it is paused, as resuming it asks again."""
        async with self.store.read() as tx:
            view = await fresh_view(tx, post.subject)
            last = await ladders.events(tx, view.id, limit=1)
        if view.ladder.lost_at is not None:
            return None
        locale = await self.locales.of_guild(view.ladder.guild_id)
        layout = post_layout(view, last[0] if last else None)
        return Content(layout, locale, view.ladder.channel_id)

    async def left(self, tx: Transaction, post: Post) -> None:
        """Say in the message left behind where the ladder goes on."""
        assert post.channel_id is not None, "it was posted"
        assert post.message_id is not None
        await posts.want(
            tx,
            MovedPost.kind,
            post.message_id,
            at=self.clock(),
            guild_id=post.guild_id,
            payload={"ladder": post.subject},
            message=(post.channel_id, post.message_id),
        )

    async def refused(self, post: Post, content: Content) -> None:
        """Ask the server's owner for permission."""
        if post.guild_id is not None and content.channel_id is not None:
            await self.alerts.ask_owner(post.guild_id, content.channel_id)

    async def ended(self, post: Post) -> None:
        """Pause the ladder, unless it is closed or in another channel by now."""
        async with self.store.write() as tx:
            ladder = await ladders.lock(tx, post.subject)
            assert ladder is not None, "a ladder is never removed"
            if ladder.closed_at is not None or ladder.channel_id != post.channel_id:
                return
            if ladder.lost_at is None:
                log.warning("the channel of a ladder is gone", ladder=ladder.id)
                await changes.pause(tx, ladder, self.clock())
            if self.kind == changes.OUTCOME_POST:
                await changes.show(tx, ladder, self.clock(), self.kind, post.part)

    async def _read(self, post: Post) -> tuple[LadderView, LadderChallenge, str | None]:
        """Return the challenge that a post is about, and a link to its board."""
        async with self.store.read() as tx:
            view = await fresh_view(tx, post.subject)
            challenge = await ladder_challenges.get_existing(tx, post.part)
            if challenge.match_id is None:
                return view, challenge, None
            match = await matches.get_existing(tx, challenge.match_id)
            return view, challenge, await board_link(tx, match)

    async def _to_challenged(
        self, view: LadderView, challenge: LadderChallenge, layout: Layout, channel_id: int
    ) -> Content:
        """Return a message that pings the challenged player, unless they blocked the challenger."""
        locale = await self.locales.of_guild(view.ladder.guild_id)
        pings, by = (challenge.challenged_id,), challenge.challenger_id
        return Content(layout, locale, channel_id, pings=pings, by=by)


class ChallengePost(LadderPost):
    """Shows a challenge, which is the post's part. Once posted, it is edited where it is."""

    kind: ClassVar[str] = changes.CHALLENGE_POST
    replaces: ClassVar[bool] = False

    async def content(self, post: Post) -> Content | None:
        """Return the challenge; ``None`` if it is over before it was posted."""
        view, challenge, board = await self._read(post)
        channel_id = view.ladder.channel_id if challenge.waiting else post.channel_id
        if view.ladder.lost_at is not None or channel_id is None:
            return None
        layout = challenge_layout(view, challenge, board)
        return await self._to_challenged(view, challenge, layout, channel_id)


class ReminderPost(LadderPost):
    """Reminds a challenged player to answer. Resuming or moving a ladder takes it back."""

    kind: ClassVar[str] = changes.REMINDER_POST
    kept: ClassVar[bool] = False

    async def content(self, post: Post) -> Content | None:
        """Return the reminder; ``None`` if it is no longer needed."""
        view, challenge, _ = await self._read(post)
        if view.ladder.lost_at is not None or not (challenge.waiting and challenge.reminded):
            return None
        layout = text_layout(text.reminder(view, challenge))
        return await self._to_challenged(view, challenge, layout, view.ladder.channel_id)


class OutcomePost(LadderPost):
    """Tells how a challenge ended."""

    kind: ClassVar[str] = changes.OUTCOME_POST
    kept: ClassVar[bool] = False

    async def content(self, post: Post) -> Content | None:
        """Return the outcome, which waits while the ladder is paused; resuming it asks again."""
        view, challenge, _ = await self._read(post)
        if view.ladder.lost_at is not None:
            if view.ladder.closed_at is not None:
                return None
            raise Later(self.clock() + rules.A_DAY)
        async with self.store.read() as tx:
            ladder_post = await posts.find(tx, ladders.POST, view.id)
        words = [text.outcome(view, challenge)]
        if ladder_post is not None and challenge.outcome != "closed":
            words.append(text.occasion(view.ladder, ladder_post))
        answered = challenge.outcome in {"declined", "passed", "lapsed"}
        return Content(
            text_layout(lines(words)),
            await self.locales.of_guild(view.ladder.guild_id),
            view.ladder.channel_id,
            pings=(challenge.challenger_id,) if answered else challenge.both,
        )


@dataclass(eq=False, repr=False)
class MovedPost(PostKind):
    """Takes the buttons off a post left behind, and says where its ladder is; the subject is its id."""

    kind: ClassVar[str] = "ladder_moved"
    urgency: ClassVar[Urgency] = Urgency.EXTRA
    kept: ClassVar[bool] = False
    tried_for: ClassVar[timedelta | None] = A_WEEK

    store: Store
    locales: Locales

    async def content(self, post: Post) -> Content | None:
        """Return where the ladder is."""
        async with self.store.read() as tx:
            ladder = await ladders.get(tx, post.payload["ladder"])
        assert ladder is not None, "a ladder is never removed"
        locale = await self.locales.of_guild(ladder.guild_id)
        return Content(text_layout(text.moved(ladder)), locale, post.channel_id)


class LostPost(OrganiserPost):
    """Tells who opened a ladder that its channel is gone."""

    kind: ClassVar[str] = changes.LOST_POST

    async def said(self, tx: Transaction, post: Post) -> OrganiserNotice | None:
        """Return the notice; ``None`` if the ladder has a channel again."""
        ladder = await ladders.get(tx, post.subject)
        if ladder is None or ladder.lost_at is None:
            return None
        return OrganiserNotice(ladder.guild_id, ladder.created_by, text.channel_gone(ladder))
