"""Tells a match's channel how it ended: a post, and the thread's name.

A match in its own thread gets a post in the parent channel. One played in the channel itself
already has its last board there. Either gets the turning point once an analysis has found it.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from bot.delivery.jobs import GAVE_UP, STORY_JOB
from bot.delivery.requests import Post
from bot.matches import board_message_views, board_text, results
from bot.posts.one_try import OneTry
from data import boards, result_posts
from data.boards import PostedMessage
from data.match import THREAD
from data.result_posts import ResultPost

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterable

    import discord

    from bot.delivery.board_messages import BoardMessages
    from bot.delivery.reach import Reach
    from bot.delivery.stored_messages import Done
    from bot.delivery.thread_names import ThreadNames
    from bot.interactions.layout import Layout
    from data.outbox import Job
    from data.store import Store


class Results:
    """Tells channels how their matches ended."""

    def __init__(
        self,
        client: discord.Client,
        store: Store,
        board_messages: BoardMessages,
        names: ThreadNames,
    ) -> None:
        """Post results through a client, with the pictures of boards."""
        self._client = client
        self._store = store
        self._boards = board_messages
        self._names = names

    async def deliver(self, reach: Reach, job: Job, done: Done) -> None:
        """Carry out a job, and record it in ``done`` once all of it has worked."""
        todo: dict[str, Callable[[], Coroutine[Any, Any, None]]] = {}
        if reach.editable and job.kind == STORY_JOB:
            todo["story"] = partial(self._add_turning_point, reach, job, done)
        # Else only presses reach the channel (the bot is not in it), or the last board tells it.
        elif reach.editable and reach.view.match.place == THREAD:
            todo["result"] = partial(self._post, reach, job, done)
            todo["name"] = partial(self._rename, reach)
        finished = reach.requests.finished
        for what, work in todo.items():
            if (job.id, what) in finished:
                continue
            if await reach.requests.extras.attempt(what, work):
                finished.add((job.id, what))
        if all((job.id, what) in finished for what in todo):
            finished -= {(job.id, what) for what in todo}
            done.jobs.append(job)

    async def _post(self, reach: Reach, job: Job, done: Done) -> None:
        """Post the result, or bring its post up to date if the match was voided since."""
        match = reach.view.match
        assert match.parent_id is not None, "a thread has a parent"
        async with self._store.read() as tx:
            known = await result_posts.of(tx, match.id)
        if known is not None:
            await self._edit(reach, known, job)
        elif results.judged(reach.view):
            await self._send(reach, match.parent_id, job, done)

    async def _edit(self, reach: Reach, known: ResultPost, job: Job) -> None:
        posted = PostedMessage(known.message_id, known.channel_id, known.match_id, 0, live=False)
        message = _message(reach, await self._boards.story(reach.view))
        picture = await self._boards.picture(reach, board_text.board(reach.view))
        edit = partial(reach.transport.edit, posted, message, reach.locale, files=[picture])
        await reach.requests.edit(known.message_id, job.id, edit)

    async def _send(self, reach: Reach, parent_id: int, job: Job, done: Done) -> None:
        match = reach.view.match
        post = Post(job.mark, parent_id)

        async def send() -> int:
            shown = board_text.board(reach.view)
            message = _message(reach, await self._boards.story(reach.view))
            return await reach.transport.post(
                post.channel_id,
                message.marked(post.mark),
                reach.locale,
                nonce=job.nonce,
                files=[await self._boards.picture(reach, shown)],
            )

        message_id = await reach.requests.post(post, send)
        done.result_posts.append(ResultPost(match.id, post.channel_id, message_id))

    async def rename_without_deleted(self, reach: Reach, notices: Iterable[Job]) -> None:
        """Take players who gave up by deleting their data out of the name of their thread."""
        match = reach.view.match
        deleted = any(one.user_id < 0 for one in match.players)
        gave_up = any(job.payload.get("kind") == GAVE_UP for job in notices)
        if deleted and gave_up and match.place == THREAD and reach.editable:
            await self._rename(reach)

    async def _rename(self, reach: Reach) -> None:
        number, name = reach.view.match.channel_id, await self._names.of(reach.view)
        # A thread has the id of the message it was made from, which is edited too.

        async def rename() -> None:
            async with OneTry(limited=False):
                await self._client.http.edit_channel(number, name=name)

        await reach.requests.edit(-number, name, rename)

    async def _add_turning_point(self, reach: Reach, job: Job, done: Done) -> None:
        match = reach.view.match
        async with self._store.read() as tx:
            post = await result_posts.of(tx, match.id)
            board = await boards.latest(tx, match.id)
        post = next(iter(done.result_posts), post)
        story = await self._boards.story(reach.view)
        if not story:
            return
        if post is None:
            if board is not None and board.ply == reach.view.version:
                await self._boards.rewrite(reach, board, job)
            return
        posted = PostedMessage(post.message_id, post.channel_id, match.id, 0, live=False)
        edit = partial(reach.transport.edit, posted, _message(reach, story), reach.locale)
        await reach.requests.edit(post.message_id, job.id, edit)


def _message(reach: Reach, story: str) -> Layout:
    """Return the result post of a match, with the turning point if known."""
    return board_message_views.result(board_text.board(reach.view), reach.view, story)
