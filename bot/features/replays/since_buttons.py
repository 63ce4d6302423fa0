"""What happened since a player's last turn, as a private animation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.core.errors import NotForYou
from bot.core.i18n.mentions import mention_all
from bot.core.i18n.slash import slash
from bot.core.interactions.controls import Button
from bot.core.interactions.layout import text_layout
from bot.features.replays.buttons import show_animation
from bot.play.boards.board_actions import behind_more, below_boards
from bot.play.controls.lookup import visible
from bot.play.replays import animation
from bot.play.replays.service import Replays
from engine.phrase import say

if TYPE_CHECKING:
    from bot.core.interactions.components import Component
    from bot.core.interactions.reply import Reply
    from bot.play.boards.board_text import BoardPost
    from bot.play.matches.positions import MatchView


class SinceButton(Button, prefix="since"):
    """Shows a player what happened since their last decision."""

    match_id: int

    async def press(self, reply: Reply) -> None:
        """Show the animation."""
        await show(reply, await visible(reply, self.match_id))


@below_boards("running", order=1)
def since_button(post: BoardPost) -> Component | None:
    """Return the button, if the board leaves something out."""
    return _button(post.match_id) if post.missed else None


@behind_more(order=25)
def _behind_more(view: MatchView, user_id: int) -> Component | None:
    player = view.player_of(user_id)
    if player is None or not view.tail or view.game.actor(view.tail[-1].before) == player.seat:
        return None
    return _button(view.match.id)


def _button(match_id: int) -> Component:
    return SinceButton(match_id).component(say("Since your last turn"))


async def show(reply: Reply, view: MatchView) -> None:
    """Show a player what happened since their last decision; raise NotForYou for other users."""
    player, number = view.player_of(reply.user_id), view.match.id
    if player is None:
        raise NotForYou(
            say(
                "That's a game between {players}. To watch it, use `{command}`.",
                command=slash("match", "gif"),
                players=mention_all(p.user_id for p in view.match.players),
            )
        )
    replay = await reply.get(Replays).of_match(number)
    shown = animation.since(replay, player.seat)
    if shown is None:
        words = say("Nothing new in match #{number} since your last turn.", number=number)
        await reply.send(text_layout(words), public=False)
        return
    title = say("### Match #{number} since your last turn", number=number)
    await show_animation(reply, replay, shown, title, shown.words, most_bytes=animation.SINCE_BYTES)
