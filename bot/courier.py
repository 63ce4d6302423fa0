"""Brings what is committed to Discord: drains the outbox, after each commit and at start.

A job says that the channel should show a match at a ply. It is done when a message there shows
it and no older message has controls. A job survives whatever happens in between:

* the program dies before the post: the job is pending at the next start;
* it dies after the post, or the answer is lost: the post carries a nonce, by which Discord
  drops a repetition for some minutes, and before any later repetition the channel's last
  messages are searched for the picture of that turn;
* Discord is down or slow: tried again, later and later, at most a minute apart;
* the bot may not post: the job says why and waits for the next nudge or start.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import timedelta
from typing import TYPE_CHECKING, TypeAlias
from weakref import WeakValueDictionary

import aiohttp
import discord
import structlog

from bot import ledger, present
from bot.ledger import Ledger, Note
from bot.views import board as board_view
from data import boards, outbox
from data.errors import StoreError

if TYPE_CHECKING:
    from bot.clock import Clock
    from bot.matches import Matches
    from bot.positions import MatchView
    from bot.present import BoardPost
    from bot.studio import Studio
    from data.boards import Shown
    from data.outbox import Job
    from data.store import Store

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

Told: TypeAlias = Callable[[int, discord.HTTPException], Awaitable[None]]
"""Tells somebody that Discord took no board in a channel: its id, and Discord's answer."""

_LONGEST_PAUSE = 60.0
_KEPT = timedelta(days=30)
"""How long jobs that are done are kept, to look into what happened."""
_SEARCHED = 50
"""How many messages of a channel are searched for a post that may have arrived."""


class Courier:
    """Posts boards, one match at a time and in order."""

    def __init__(
        self,
        client: discord.Client,
        store: Store,
        matches: Matches,
        studio: Studio,
        *,
        clock: Clock,
        pause: float = 1.0,
    ) -> None:
        """Work for a client.

        Args:
            client: posts through its HTTP connection.
            store: where the outbox is.
            matches: finds the match of a job.
            studio: paints its board.
            clock: the time of day.
            pause: seconds before the first repetition of a post that failed.

        """
        self._client = client
        self._store = store
        self._matches = matches
        self._studio = studio
        self._clock = clock
        self._pause = pause
        # A lock lives as long as somebody holds it or waits for it.
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._ledger = Ledger(store, clock=clock)
        self._uncertain: set[int] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._closing = asyncio.Event()

    def nudge(
        self,
        match_id: int,
        seen: MatchView | None = None,
        *,
        stripped: int | None = None,
        told: Told | None = None,
    ) -> None:
        """Deliver what is pending for a match, soon and in the background.

        Args:
            match_id: the match.
            seen: the match as it was just committed, which spares looking it up.
            stripped: a message whose controls are gone already.
            told: tells somebody that the channel does not take the board, and why.

        """
        if self._closing.is_set():
            return
        task = asyncio.create_task(
            self._deliver(match_id, seen, stripped, told), name=f"courier-{match_id}"
        )
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def recover(self) -> None:
        """Deliver everything that an earlier run left behind, and forget what is long done."""
        async with self._store.write() as tx:
            await outbox.prune(tx, self._clock() - _KEPT)
            jobs = await outbox.pending(tx)
        self._uncertain.update(job.id for job in jobs)
        for match_id in {job.match_id for job in jobs if job.match_id is not None}:
            self.nudge(match_id)
        if jobs:
            log.info("delivering what was left behind", jobs=len(jobs))

    def alone(self, match_id: int) -> asyncio.Lock:
        """Return what keeps the courier away from the boards of a match while it is held.

        Whoever changes a board by other means holds it, so that an earlier turn never covers a
        later one.
        """
        return self._locks.setdefault(match_id, asyncio.Lock())

    def settled(self, view: MatchView, message_id: int, job: Job) -> None:
        """Take notice that a message, pressed and redrawn, shows what a job should show."""
        shown = _shown(view, message_id, view.match.channel_id, live=True)
        self._ledger.note(Note(shown, (job.id,)))

    async def idle(self) -> None:
        """Wait until nothing is under way."""
        while self._tasks:
            await asyncio.wait(set(self._tasks))
        with suppress(StoreError):  # tried again in the background
            await self._ledger.write()

    async def close(self, grace: float = 5.0) -> None:
        """Finish what is under way; what does not finish in time stays in the outbox."""
        self._closing.set()
        if self._tasks:
            await asyncio.wait(set(self._tasks), timeout=grace)
        for task in set(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._ledger.close()

    async def _deliver(
        self, match_id: int, seen: MatchView | None, stripped: int | None, told: Told | None
    ) -> None:
        pause = self._pause
        while True:
            try:
                async with self.alone(match_id):
                    await self._drain(match_id, seen, stripped)
            except (discord.HTTPException, aiohttp.ClientError, OSError, StoreError) as error:
                if isinstance(error, discord.HTTPException) and _final(error):
                    await self._block(match_id, error, told)
                    return
                log.warning("not delivered, trying again", match=match_id, why=str(error))
            except Exception:
                log.exception("not delivered, giving up until the next start", match=match_id)
                return
            else:
                return
            with suppress(TimeoutError):
                await asyncio.wait_for(self._closing.wait(), pause)
            if self._closing.is_set():
                return
            pause = min(pause * 2, _LONGEST_PAUSE)

    async def _drain(self, match_id: int, seen: MatchView | None, stripped: int | None) -> None:
        notes = self._ledger.unwritten
        done = {job for note in notes for job in note.jobs}
        async with self._store.read() as tx:
            jobs = [job for job in await outbox.pending(tx, match_id) if job.id not in done]
            live = ledger.live(await boards.live(tx, match_id), match_id, notes)
        if not jobs:
            return
        job = jobs[-1]  # only the last one matters: each shows the match as it stands
        view = seen
        if view is None or view.version < job.payload["ply"]:
            view = await self._matches.view(match_id)
        old = [shown for shown in live if shown.message_id != stripped]
        kept = self._to_edit(job, view, old)
        if kept is not None and await self._edit(view, kept):
            message_id, channel_id = kept.message_id, kept.channel_id
        else:
            kept = None
            channel_id = view.match.channel_id
            message_id = await self._post(job, view, channel_id)
        retired = [shown for shown in live if kept is None and shown.message_id != message_id]
        undone = max((job.payload["ply"] for job in jobs if job.payload.get("undone")), default=0)
        for shown in retired:
            if shown.message_id != stripped:
                await self._strip(shown, view, undone=shown.ply < undone)
        self._ledger.note(
            Note(
                _shown(view, message_id, channel_id, live=view.to_move is not None),
                tuple(job.id for job in jobs),
                retired=tuple(shown.message_id for shown in retired),
            )
        )
        self._uncertain.difference_update(job.id for job in jobs)

    @staticmethod
    def _to_edit(job: Job, view: MatchView, live: list[Shown]) -> Shown | None:
        """Return the board to change in place while the same player goes on, if there is one."""
        mover = view.to_move
        if not live or mover is None or job.payload.get("after") != mover.user_id:
            return None
        return live[-1]

    async def _post(self, job: Job, view: MatchView, channel_id: int) -> int:
        post = present.board(view)
        channel = self._client.get_partial_messageable(channel_id)
        if job.id in self._uncertain:
            found = await self._find(channel, post)
            if found is not None:
                return found
        self._uncertain.add(job.id)
        users = [discord.Object(user) for user in post.pings]
        message = await channel.send(
            view=board_view.message(post),
            file=await self._picture(post),
            nonce=job.nonce,
            allowed_mentions=discord.AllowedMentions(
                everyone=False, roles=False, replied_user=False, users=users
            ),
        )
        return message.id

    async def _find(self, channel: discord.PartialMessageable, post: BoardPost) -> int | None:
        me = self._client.user
        try:
            async for message in channel.history(limit=_SEARCHED):
                mine = me is not None and message.author.id == me.id
                if mine and any(a.filename == post.filename for a in message.attachments):
                    return message.id
        except discord.Forbidden:
            log.info("the history of a channel is closed to me", channel=channel.id)
        return None

    async def _edit(self, view: MatchView, shown: Shown) -> bool:
        post = present.board(view)
        try:
            await self._message(shown).edit(
                view=board_view.message(post),
                attachments=[await self._picture(post)],
                allowed_mentions=discord.AllowedMentions.none(),
            )
        except (discord.NotFound, discord.Forbidden) as error:
            log.info("a board cannot be changed, posting a new one", code=error.code)
            return False
        except discord.HTTPException as error:
            if error.status >= 500:
                raise
            log.info("a board cannot be changed, posting a new one", code=error.code)
            return False
        return True

    async def _strip(self, shown: Shown, now: MatchView, *, undone: bool) -> None:
        """Take the controls off an older board. Its buttons are answered politely if it fails.

        Args:
            shown: the board.
            now: the match as it stands.
            undone: whether the move that it shows was taken back since.

        """
        if undone:
            post = present.taken_back(now, shown.ply)
        else:
            ply = shown.ply - 2 * now.match.takebacks
            view = await self._matches.view_at(shown.match_id, ply)
            following = await self._matches.entry_after(shown.match_id, ply)
            post = present.answered(view, following)
        try:
            await self._message(shown).edit(
                view=board_view.message(post), allowed_mentions=discord.AllowedMentions.none()
            )
        except discord.HTTPException as error:
            if error.status >= 500:
                raise
            log.info("old controls stay", message=shown.message_id, code=error.code)

    async def _picture(self, post: BoardPost) -> discord.File:
        return board_view.picture(post, await self._studio.picture(post.scene))

    def _message(self, shown: Shown) -> discord.PartialMessage:
        channel = self._client.get_partial_messageable(shown.channel_id)
        return channel.get_partial_message(shown.message_id)

    async def _block(self, match_id: int, error: discord.HTTPException, told: Told | None) -> None:
        log.warning("a board cannot be posted", match=match_id, code=error.code)
        try:
            if told is not None:
                await told((await self._matches.view(match_id)).match.channel_id, error)
        except (discord.HTTPException, aiohttp.ClientError, StoreError) as second:
            log.info("could not tell why a board waits", match=match_id, why=str(second))
        try:
            async with self._store.write() as tx:
                for job in await outbox.pending(tx, match_id):
                    await outbox.failed(tx, job.id, f"{error.code}: {error.text}"[:200])
        except StoreError as second:
            log.warning("could not note why a board waits", match=match_id, why=str(second))


def _final(error: discord.HTTPException) -> bool:
    """Tell whether trying again at once is in vain: somebody has to change something first."""
    return 400 <= error.status < 500 and error.status != 429


def _shown(view: MatchView, message_id: int, channel_id: int, *, live: bool) -> Shown:
    return boards.Shown(
        message_id=message_id,
        channel_id=channel_id,
        match_id=view.match.id,
        ply=view.version,
        live=live,
    )
