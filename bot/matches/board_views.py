"""What a press on a board or a typed move does, from the click to the answer.

A move is committed, which wakes the outbox worker; the worker writes the boards. A press offers
the worker its interaction for the board that was pressed. Boards that one person alone sees are
no business of the worker: they are answered here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bot.errors import NotForYou, Refusal
from bot.interactions.errors import shows
from bot.interactions.layout import text_layout
from bot.matches import board_message_views, board_text, confirmation_views, story
from bot.matches.board_message_views import MoveHandler
from bot.matches.service import Matches
from bot.matches.turns import may_move
from bot.permissions.visibility import may_see, no_such_match
from bot.pictures import styles
from data.boards import Shown
from engine.phrase import lines, say

if TYPE_CHECKING:
    from bot.delivery.interaction_transport import InteractionTransport
    from bot.delivery.outbox_worker import OutboxWorker
    from bot.interactions.layout import Layout, Upload
    from bot.interactions.reply import Reply
    from bot.matches.positions import MatchView
    from bot.pictures.rendering import Renderer
    from bot.settings.service import SettingsStore
    from engine.replay import Played
    from engine.scene import Scene


class BoardController(MoveHandler):
    """Answers what is pressed on boards, and typed in place of that."""

    def __init__(
        self, matches: Matches, renderer: Renderer, worker: OutboxWorker, *, settings: SettingsStore
    ) -> None:
        """Play the matches of a store, with pictures from a renderer."""
        self._settings = settings
        self._matches = matches
        self._renderer = renderer
        self._worker = worker

    async def choose(self, reply: Reply, match_id: int, ply: int, steps: tuple[str, ...]) -> None:
        """Take the next step of a move, or play it when it is complete.

        Raises:
            Refusal: this person may not, or not any more.

        """
        try:
            view = await self._matches.seen_at(match_id, ply)
            player = may_move(view, reply.user_id, ply=ply)
            if not _complete(view, steps):
                await self._show_steps(reply, view, steps)
            elif (await self._settings.player(player.user_id)).confirm:
                await self._ask(reply, view, steps)
            else:
                after = await self._matches.play(view, player, "".join(steps))
                await self._show_turn(reply, view, after)
        except Refusal:
            if not _private(reply):
                self._offer(reply, match_id, ply).done()
            raise

    async def confirm(self, reply: Reply, match_id: int, ply: int, steps: tuple[str, ...]) -> None:
        """Play a move that its player was asked about.

        Raises:
            Refusal: this person may not, or not any more.

        """
        view = await self._matches.seen_at(match_id, ply)
        player = may_move(view, reply.user_id, ply=ply)
        after = await self._matches.play(view, player, "".join(steps))
        await reply.replace(_receipt(view, after))

    async def type(self, reply: Reply, match_id: int, text: str) -> None:
        """Play a typed move; the board goes to the channel, a receipt to the player.

        Raises:
            Refusal: this person may not.
            RulesError: the text is not a legal move.

        """
        view = await self._matches.view(match_id)
        player = may_move(view, reply.user_id)
        if (await self._settings.player(player.user_id)).confirm:
            move = view.game.read(view.state, text)
            await self._ask(reply, view, view.game.steps(move))
            return
        await reply.tell(_receipt(view, await self._matches.play(view, player, text)))

    async def show(self, reply: Reply, match_id: int, *, first: str = "") -> None:
        """Show a person the board as it stands, with controls if it is their turn.

        Raises:
            NoSuchMatch: no match of that number.

        """
        view = await self._matches.view(match_id)
        mover = view.to_move
        post = board_text.board(view, controls=mover is not None and mover.user_id == reply.user_id)
        post = board_text.with_ratings(post, await self._matches.rating_changes(view))
        words = [first] if first else []
        link = await self._matches.link(view.match)
        if link is not None:
            words.append(say("-# The board in the channel: {link}", link=link))
        message = board_message_views.message(post, above=lines(words))
        await reply.tell(message, files=[await self._paint(reply, view, post.scene)], public=False)

    async def _show_steps(self, reply: Reply, view: MatchView, steps: tuple[str, ...]) -> None:
        """Show what was chosen of a move on the board that was pressed."""
        if _private(reply):
            post = board_text.board(view, chosen=steps)
            files = [await self._paint(reply, view, post.scene)]
            await reply.replace(board_message_views.message(post), files=files)
        else:
            offer = self._offer(reply, view.match.id, view.version)
            offer.steps = steps
            await _answered(reply, offer)

    async def _show_turn(self, reply: Reply, before: MatchView, after: MatchView) -> None:
        """Let the board that was pressed show that a move was made."""
        if _private(reply):
            answered = board_text.answered(before, _played(before, after))
            message = board_message_views.message(answered)
            await reply.edit(message, await reply.locale(public=False))
        else:
            await _answered(reply, self._offer(reply, before.match.id, before.version))

    def _offer(self, reply: Reply, match_id: int, ply: int) -> InteractionTransport:
        """Let the outbox worker use a press, which also proves that this board is there."""
        message = reply.interaction.message
        assert message is not None
        offer = self._worker.offer(match_id, reply)
        offer.board = Shown(message.id, reply.interaction.channel_id or 0, match_id, ply, live=True)
        return offer

    async def _ask(self, reply: Reply, view: MatchView, steps: tuple[str, ...]) -> None:
        """Ask this player alone whether to make a move."""
        scene = confirmation_views.preview(view, steps)
        files = [await self._paint(reply, view, scene)]
        message = confirmation_views.question(view, steps, scene)
        if _private(reply):
            await reply.replace(message, files=files)
        else:
            await reply.tell(message, files=files, public=False)

    async def _paint(self, reply: Reply, view: MatchView, scene: Scene) -> Upload:
        locale = await reply.locale(public=False)
        style = await styles.for_player(self._settings, view, reply.user_id, locale)
        return board_message_views.picture(await self._renderer.picture(scene, style))


@shows(lambda refusal: refusal.match_id is not None)
async def show_with_board(reply: Reply, refusal: Refusal) -> None:
    """Tell a refusal that concerns a match together with its board, to who may see that."""
    number = refusal.match_id
    assert number is not None
    view = await reply.get(Matches).view(number)
    if await may_see(reply, view.match):
        await reply.get(BoardController).show(reply, number, first=refusal.sentence)
        return
    # What is refused to strangers names the players.
    hidden = isinstance(refusal, NotForYou)
    words = no_such_match(number).sentence if hidden else refusal.sentence
    await reply.tell(text_layout(words), public=False)


async def _answered(reply: Reply, offer: InteractionTransport) -> None:
    """Wait for the edit of the board that was pressed; acknowledge a press that needs none."""
    await offer.wait()
    await reply.acknowledge()


def _private(reply: Reply) -> bool:
    """Return whether a press was on a message that one person alone sees."""
    message = reply.interaction.message
    return message is not None and message.flags.ephemeral


def _complete(view: MatchView, steps: tuple[str, ...]) -> bool:
    return any(view.game.steps(move) == steps for move in view.game.legal_moves(view.state))


def _receipt(before: MatchView, after: MatchView) -> Layout:
    """Return the answer to who has made a move; its board goes to the channel."""
    told = story.tell(after, _played(before, after))
    return text_layout(say("Played. {move}", move=told))


def _played(before: MatchView, after: MatchView) -> Played[Any, Any]:
    """Return the move between two views of a match."""
    return next(played for played in reversed(after.tail) if played.ply == before.ply + 1)
