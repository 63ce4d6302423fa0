"""Handles presses on boards and typed moves, from the click to the answer.

After a move `bot.play.delivery.boards` writes the boards, also through the press. Private messages are
answered here: half a move, the confirmation, and a board that a player asks for. No one else learns
what a player is about to do.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

from bot.core.errors import NotForYou, Refusal
from bot.core.interactions.dispatch import shows
from bot.core.interactions.layout import Layout, Upload, text_layout
from bot.core.interactions.reply import USER_INSTALL, Reply
from bot.core.owner_decisions import OwnerDecisions
from bot.core.permissions.visibility import may_see, no_such_match
from bot.core.settings.service import SettingsStore
from bot.play.boards import board_message_views, board_text
from bot.play.boards.board_message_views import MoveHandler
from bot.play.boards.board_text import lines_about_end
from bot.play.delivery.boards import Boards
from bot.play.delivery.transport import OpenInteractions
from bot.play.matches import match_text
from bot.play.matches.notes import Notes, note_lines
from bot.play.matches.positions import Position, may_move
from bot.play.matches.service import Matches
from bot.play.pictures.rendering import picture_for
from data.matches.match import Player
from data.store.store import Store
from engine.errors import UnclearMove
from engine.phrase import lines, say
from engine.scene import Scene
from engine.typed import understand


@dataclass(eq=False, repr=False)
class BoardController(MoveHandler):
    """Answers presses on boards, and typed moves."""

    matches: Matches
    boards: Boards
    interactions: OpenInteractions
    settings: SettingsStore

    async def choose(self, reply: Reply, match_id: int, ply: int, steps: tuple[str, ...]) -> None:
        """Choose the next step of a move, or play it once complete; raise Refusal if not allowed."""
        try:
            position = await self.matches.seen_at(match_id, ply)
            player = may_move(position, reply.user_id, ply=ply)
            moves = position.game.legal_moves(position.state)
            if not any(position.game.steps(move) == steps for move in moves):
                post = board_text.board(position, chosen=steps)
                message = board_message_views.message(post)
                await self._send_privately(reply, position, message, post.scene)
            elif (await self.settings.player(player.user_id)).confirm:
                await self._ask(reply, position, steps)
            else:
                await self._play(reply, position, player, "".join(steps))
        except Refusal:
            if not reply.pressed_is_private:
                self.boards.saw(match_id, via=reply, pressed=ply)
            raise

    async def confirm(self, reply: Reply, match_id: int, ply: int, steps: tuple[str, ...]) -> None:
        """Play a move that its player has confirmed; raise Refusal if not allowed (any more)."""
        position = await self.matches.seen_at(match_id, ply)
        player = may_move(position, reply.user_id, ply=ply)
        await self._play(reply, position, player, "".join(steps))

    async def type(self, reply: Reply, match_id: int, text: str) -> None:
        """Play a typed move: the board goes to the channel, a receipt to the player.

        If the text is ambiguous, the possible moves are offered to this player alone. Raises Refusal
        if they may not move, RulesError if the text is no legal move.
        """
        position = await self.matches.position(match_id)
        player = may_move(position, reply.user_id)
        try:
            move = understand(position.game, position.state, text)
        except UnclearMove as unclear:
            entries = board_text.candidates(position, unclear.candidates)
            question = board_message_views.candidates(
                unclear.sentence, match_id, position.version, entries
            )
            await reply.send(question, public=False)
            return
        if (await self.settings.player(player.user_id)).confirm:
            await self._ask(reply, position, position.game.steps(move))
            return
        await self._play(reply, position, player, position.game.write(move))

    async def show(self, reply: Reply, match_id: int, *, first: str = "") -> None:
        """Show a user the current board, with controls if it is their turn; raise NoSuchMatch."""
        position = await self.matches.position(match_id)
        mover = position.to_move
        post = board_text.board(
            position, controls=mover is not None and mover.user_id == reply.user_id
        )
        post = replace(post, prompt=board_text.prompt_for(position, reply.user_id))
        occasion = await board_text.occasion(reply.get(Store), position.match)
        post = board_text.with_occasion(post, occasion)
        post = board_text.with_words(
            post, await lines_about_end(reply.get(Store), position, "asked")
        )
        post = board_text.with_small_print(post, reply.get(OwnerDecisions).announcement)
        if position.player_of(reply.user_id) is None:
            post = replace(post, running=False)
        note = await reply.get(Notes).of(position, reply.user_id)
        words = [first] if first else [*note_lines(note)]
        link = await self.matches.link(position.match)
        if link is not None:
            words.append(say("-# The board in the channel: {link}", link=link))
        message = board_message_views.message(post, above=lines(words))
        picture = await _picture(reply, position, post.scene)
        await reply.show_privately(message.with_files(picture))

    async def _play(self, reply: Reply, before: Position, player: Player, text: str) -> None:
        """Play a move, and show it in the pressed board, if one was pressed."""
        snapshot = self.boards.snapshot(before.match.id)
        after = await self.matches.play(before, player, text, snapshot=snapshot)
        show = partial(self.boards.show, after.match.id, via=reply, snapshot=snapshot)
        if reply.interaction.message is None or reply.pressed_is_private:
            await show(answer=_confirm(reply, before, after))
            return
        await show(pressed=before.version)
        await reply.acknowledge()  # a press without an edit

    async def _ask(self, reply: Reply, position: Position, steps: tuple[str, ...]) -> None:
        scene = board_message_views.preview(position, steps)
        await self._send_privately(
            reply,
            position,
            board_message_views.confirmation(position, steps, scene),
            scene,
            draft=board_message_views.PREVIEW,
        )

    async def _send_privately(
        self, reply: Reply, position: Position, message: Layout, scene: Scene, *, draft: str = ""
    ) -> None:
        """Show a stage of choosing a move, replacing any earlier private message.

        A press on a public board changes nothing there until the move is made.
        """
        on_board = reply.interaction.message is not None and not reply.pressed_is_private
        if on_board:
            await reply.acknowledge()
        picture = await _picture(reply, position, scene, draft)
        await reply.show_privately(message.with_files(picture))
        if on_board:
            self.interactions.keep(position.match.id, reply)


async def _picture(reply: Reply, position: Position, scene: Scene, draft: str = "") -> Upload:
    return board_message_views.picture(await picture_for(reply, position, scene, draft))


@shows(lambda refusal: refusal.match_id is not None)
async def show_with_board(reply: Reply, refusal: Refusal) -> None:
    """Show a refusal about a match together with its board, if the user may see it."""
    number = refusal.match_id
    assert number is not None
    position = await reply.get(Matches).position(number)
    if await may_see(reply, position.match):
        await reply.get(BoardController).show(reply, number, first=refusal.sentence)
        return
    # NotForYou names the players, which would reveal a hidden match.
    hidden = isinstance(refusal, NotForYou)
    words = no_such_match(number).sentence if hidden else refusal.sentence
    await reply.send(text_layout(words), public=False)


async def _confirm(reply: Reply, before: Position, after: Position) -> None:
    """Give the mover a receipt, until the board appears in the same channel."""
    move = next(played for played in reversed(after.tail) if played.ply == before.ply + 1)
    words = say("Played. {move}", move=match_text.entry_line(after, move))
    await reply.show_privately(text_layout(words))
    if after.match.channel_kind != USER_INSTALL and reply.channel_id == after.match.channel_id:
        await reply.withdraw()
