"""What the boards of a match say, and their pictures: made when first asked for."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from bot.core.interactions.layout import Upload
from bot.core.settings.service import SettingsStore
from bot.core.workers.fair_queue import Requester
from bot.play.boards import board_message_views, board_text
from bot.play.boards.board_actions import lines_about_end
from bot.play.boards.board_text import BoardPost
from bot.play.matches.positions import MatchView
from bot.play.matches.service import Matches
from bot.play.pictures import styles
from bot.play.pictures.rendering import Renderer
from bot.play.replays import animation
from bot.play.replays.animation import Animation
from bot.play.replays.service import Replays
from data.matches.boards import PostedMessage
from data.store.store import Store
from engine.phrase import Tongue


@dataclass(frozen=True, slots=True)
class BoardContents:
    """Makes what boards say, with pictures in the styles that players chose."""

    store: Store
    matches: Matches
    renderer: Renderer
    settings: SettingsStore

    def of(self, view: MatchView, locale: Tongue) -> BoardContent:
        """Return what the boards of a match say in a language."""
        return BoardContent(self, view, locale)


@dataclass(eq=False, repr=False)
class BoardContent:
    """What the boards of one match say now."""

    makers: BoardContents
    view: MatchView
    locale: Tongue

    async def current(self) -> BoardPost:
        """Return what a board says; once the match is over, all that is known of its end."""
        post = board_text.board(self.view)
        if not post.over:
            return post
        words = await lines_about_end(self.makers.store, self.view, "board")
        return board_text.with_words(post, words)

    async def past(self, posted: PostedMessage, *, undone: bool) -> BoardPost:
        """Return what an earlier board says; ``undone`` if its move was taken back since."""
        now = self.view
        ply = posted.ply - now.match.passed
        if posted.ply < now.match.restored:
            return board_text.lost(now, posted.ply)
        if undone or ply < 0:
            return board_text.taken_back(now, posted.ply)
        return board_text.answered(*await self.makers.matches.turn_at(now, ply))

    async def story(self) -> str:
        """Return the story of a finished match: what decided it, and its milestones."""
        return await lines_about_end(self.makers.store, self.view, "result")

    async def picture(self, post: BoardPost) -> Upload:
        """Return the picture of a board, in the look of its channel."""
        style = await styles.in_channel(self.makers.settings, self.view, self.locale)
        return board_message_views.picture(await self.makers.renderer.picture(post.scene, style))

    async def film(self) -> tuple[Animation, bytes] | None:
        """Return a film of what the player to move has missed, if they want films."""
        view, makers = self.view, self.makers
        mover = view.to_move
        if mover is None or not (await makers.settings.player(mover.user_id)).clips:
            return None
        replay = animation.replay_since(view, mover.seat) or await Replays(makers.store).of_match(
            view.match.id
        )
        if replay.view.version != view.version:
            return None
        # Building its many scenes here would delay presses.
        shown = await asyncio.to_thread(animation.since, replay, mover.seat)
        if shown is None:
            return None
        style = await styles.in_channel(makers.settings, view, self.locale)
        return shown, await makers.renderer.animation(
            shown,
            most_bytes=animation.SINCE_BYTES,
            style=style,
            # A match has at most one at a time, so there is no need to limit them.
            requester=Requester(view.match.guild_id or 0, 0),
        )
