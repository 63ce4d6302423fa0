"""Playing at the table: what a press or a typed move does, from the click to the answer.

A press that keeps the turn changes the board in place. A press that passes the turn takes the
controls off the board that was pressed; the next board comes from the outbox, so that it comes
even when the program dies in between.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import discord

from bot.delivery.interaction_transport import InteractionTransport, lent
from bot.i18n.slash import slash
from bot.interactions import layouts
from bot.interactions.errors import shows
from bot.matches import board_message as board_view
from bot.matches import board_text, results, story
from bot.matches import confirm_buttons as confirm_view
from bot.matches import text as matches_text
from bot.matches.turns import may_move
from bot.permissions.channels import why_no_board
from bot.pictures import styles
from engine.phrase import lines, say

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from bot.delivery.outbox_worker import OutboxWorker, Told
    from bot.errors import Refusal
    from bot.interactions.reply import Reply
    from bot.matches.positions import MatchView
    from bot.matches.service import Matches
    from bot.matches.turns import Turn
    from bot.pictures.rendering import Renderer
    from bot.settings.service import Choices


class Table:
    """The commands and controls of a match, for whoever uses them."""

    def __init__(
        self, matches: Matches, studio: Renderer, courier: OutboxWorker, *, choices: Choices
    ) -> None:
        """Play the matches of a store, with pictures from a studio, posted by a courier."""
        self._choices = choices
        self._matches = matches
        self._studio = studio
        self._courier = courier
        self.awaits: Callable[[int, InteractionTransport | None, Told | None], None] = _nobody_waits
        """Is told who waits for the answer of a computer; set by who lets computers answer."""

    async def choose(self, answer: Reply, match_id: int, ply: int, steps: tuple[str, ...]) -> None:
        """Take the next step of a move, or play it when it is complete.

        Raises:
            Refusal: this person may not, or not any more.

        """
        user = answer.interaction.user.id
        view = await self._matches.seen_at(match_id, ply)
        may_move(view, user, ply=ply)
        if not _complete(view, steps):
            await self._redraw(answer, view, steps)
            return
        if await self._asks(answer):
            await self._ask(answer, view, steps)
            return
        turn = await self._matches.play_on(view, user, "".join(steps), ply=ply)
        message = answer.interaction.message
        pressed = None if message is None or message.flags.ephemeral else message.id
        stripped = redrawn = None
        settled = False
        try:
            if pressed is not None and not turn.passes:
                async with self._courier.alone(match_id):
                    await self._redraw(answer, turn.after, ())
                    assert turn.job is not None
                    self._courier.settled(turn.after, pressed, turn.job)
                settled = True
            elif pressed is not None and await self._stays(turn):
                async with self._courier.alone(match_id):
                    # A computer may have answered since: an earlier turn must not cover that.
                    now = await self._matches.seen_at(match_id, turn.after.version)
                    await self._redraw(answer, now, ())
                redrawn = pressed
            else:
                await self._take_controls_off(answer, turn)
                stripped = pressed
        finally:
            if not settled:
                told, visitor = self._blocked(answer, match_id), self._visitor(answer)
                self.awaits(match_id, visitor, told)
                self._courier.nudge(
                    match_id,
                    turn.after,
                    stripped=stripped,
                    redrawn=redrawn,
                    visitor=visitor,
                    told=told,
                )

    async def confirm(self, answer: Reply, match_id: int, ply: int, steps: tuple[str, ...]) -> None:
        """Play a move that its player was asked about.

        Raises:
            Refusal: this person may not, or not any more.

        """
        user = answer.interaction.user.id
        view = await self._matches.seen_at(match_id, ply)
        turn = await self._matches.play_on(view, user, "".join(steps), ply=ply)
        await self._receipt(answer, turn, replace=True)

    async def _asks(self, answer: Reply) -> bool:
        """Return whether this player wants to be asked before a move is made."""
        return (await self._choices.player(answer.interaction.user.id)).confirm

    async def _ask(self, answer: Reply, view: MatchView, steps: tuple[str, ...]) -> None:
        """Ask this player alone whether to make a move."""
        scene = confirm_view.preview(view, steps)
        tongue = await answer.tongue(public=False)
        look = await styles.for_player(self._choices, view, answer.interaction.user.id, tongue)
        png = await self._studio.picture(scene, look)
        file = discord.File(io.BytesIO(png), filename=confirm_view.filename(view))
        message = confirm_view.question(view, steps, scene)
        pressed = answer.interaction.message
        if pressed is not None and pressed.flags.ephemeral:
            await answer.replace(message, files=[file])
        else:
            await answer.tell(message, files=[file], public=False)

    async def _receipt(self, answer: Reply, turn: Turn, *, replace: bool) -> None:
        """Tell a player that a move was made; its board goes to the channel."""
        match_id = turn.after.match.id
        played = next(p for p in reversed(turn.after.tail) if p.ply == turn.before.ply + 1)
        words = say("Played. {move}", move=story.tell(turn.after, played))
        try:
            if replace:
                await answer.replace(layouts.text(words))
            else:
                await answer.tell(layouts.text(words))
        finally:
            self.deliver(answer, match_id, turn.after)

    async def type(self, answer: Reply, match_id: int, text: str) -> None:
        """Play a typed move; the board goes to the channel, a receipt to the player.

        Raises:
            Refusal: this person may not.
            RulesError: the text is not a legal move.

        """
        user = answer.interaction.user.id
        view = await self._matches.view(match_id)
        may_move(view, user)
        if await self._asks(answer):
            move = view.game.read(view.state, text)
            await self._ask(answer, view, view.game.steps(move))
            return
        await self._receipt(answer, await self._matches.play_on(view, user, text), replace=False)

    def deliver(
        self,
        answer: Reply,
        match_id: int,
        seen: MatchView | None = None,
        *,
        restore: bool = False,
    ) -> None:
        """Bring the board to its channel; this person is told if it may not be shown there.

        Args:
            answer: the answer to what this person did.
            match_id: the match.
            seen: the match as it was just committed, which spares looking it up.
            restore: whether to post the board once more if its message was deleted.

        """
        told, visitor = self._blocked(answer, match_id), self._visitor(answer)
        self.awaits(match_id, visitor, told)
        self._courier.nudge(match_id, seen, restore=restore, visitor=visitor, told=told)

    async def show(self, answer: Reply, match_id: int, *, first: str = "") -> None:
        """Show a person the board as it stands, with controls if it is their turn.

        Raises:
            NoSuchMatch: no match of that number.

        """
        view = await self._matches.view(match_id)
        mover = view.to_move
        may_play = mover is not None and mover.user_id == answer.interaction.user.id
        post = board_text.board(view, controls=may_play)
        post = board_text.with_ratings(post, await self._matches.rating_changes(view))
        tongue = await answer.tongue(public=False)
        look = await styles.for_player(self._choices, view, answer.interaction.user.id, tongue)
        png = await self._studio.picture(post.scene, look)
        link = await self._matches.link(match_id)
        words = [first] if first else []
        if link is not None:
            address = matches_text.message_link(
                view.match.guild_id, link.channel_id, link.message_id
            )
            words.append(say("-# The board in the channel: {link}", link=address))
        await answer.tell(
            board_view.message(post, above=lines(words)),
            files=[board_view.picture(post, png)],
            public=False,
        )

    async def resign(self, answer: Reply, match_id: int) -> None:
        """Give a match up, after the question was answered with yes.

        Raises:
            Refusal: not a player, or the match is over.

        """
        turn = await self._matches.resign(match_id, answer.interaction.user.id)
        try:
            told = say(
                "You resigned match #{number}. {result}", number=match_id, result=_result(turn)
            )
            await answer.replace(layouts.text(told))
        finally:
            self.deliver(answer, match_id, turn.after)

    async def _stays(self, turn: Turn) -> bool:
        """Return whether one message shows all turns of this match, this one too."""
        server = await self._choices.server(turn.after.match.guild_id)
        return server.board == "edit" and turn.after.to_move is not None

    def _visitor(self, answer: Reply) -> InteractionTransport | None:
        """Return what posts where the bot is only because this person uses it."""
        return InteractionTransport(answer, self._choices) if lent(answer.interaction) else None

    def _blocked(
        self, answer: Reply, match_id: int
    ) -> Callable[[int, discord.HTTPException], Awaitable[None]]:
        """Return what tells this person that a channel takes no board."""

        async def tell(channel_id: int, error: discord.HTTPException) -> None:
            view = await self._matches.view(match_id)
            words = why_no_board(answer.interaction, channel_id, view.match.parent_id, error)
            go_on = say(
                "Everything played is saved: `{command}` shows you the board.",
                command=slash(view.game.slug, "board"),
            )
            await answer.tell(layouts.text(lines((words, go_on))), public=False)

        return tell

    async def _redraw(self, answer: Reply, view: MatchView, steps: tuple[str, ...]) -> None:
        post = board_text.board(view, chosen=steps)
        message = answer.interaction.message
        alone = message is not None and message.flags.ephemeral
        tongue = await answer.tongue(public=not alone)
        if alone:
            look = await styles.for_player(self._choices, view, answer.interaction.user.id, tongue)
        else:
            look = await styles.in_channel(self._choices, view, tongue)
        png = await self._studio.picture(post.scene, look)
        await answer.replace(board_view.message(post), files=[board_view.picture(post, png)])

    async def _take_controls_off(self, answer: Reply, turn: Turn) -> None:
        message = answer.interaction.message
        # The picture is the first; a film of what was missed has been seen by now.
        kept = [] if message is None else message.attachments[:1]
        played = next(p for p in turn.after.tail if p.ply == turn.before.ply + 1)
        post = board_text.answered(turn.before, played)
        name = kept[0].filename if kept else None
        await answer.replace(board_view.message(post, filename=name), files=kept)


@shows(lambda refusal: refusal.match_id is not None)
async def show_present_board(answer: Reply, refusal: Refusal) -> None:
    """Answer a refusal in a match with its board as it stands."""
    assert refusal.match_id is not None
    await answer.get(Table).show(answer, refusal.match_id, first=refusal.sentence)


def _nobody_waits(_: int, __: InteractionTransport | None, ___: Told | None) -> None:
    """Let nobody answer."""


def _complete(view: MatchView, steps: tuple[str, ...]) -> bool:
    return any(view.game.steps(move) == steps for move in view.game.legal_moves(view.state))


def _result(turn: Turn) -> str:
    return results.result(turn.after)
