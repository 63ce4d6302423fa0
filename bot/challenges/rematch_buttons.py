"""The button below the last board of a match: play again with the sides swapped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.challenges.buttons import ChallengeMessages
from bot.challenges.rematches import Rematches
from bot.challenges.text import link
from bot.delivery.interaction_transport import place_of
from bot.interactions.controls import Button
from bot.interactions.layout import text_layout
from bot.matches.board_actions import below_boards
from bot.matches.computers import is_practice
from bot.matches.service import Matches
from bot.permissions import play
from bot.practice import service as practice
from bot.practice import views as practice_views
from engine.phrase import say

if TYPE_CHECKING:
    from bot.interactions.components import Component
    from bot.interactions.reply import Reply
    from bot.matches.board_text import BoardPost
    from data.challenges import Challenge


class RematchButton(Button, prefix="again"):
    """Asks the others to play again, or accepts if one of them has asked."""

    match_id: int

    async def press(self, reply: Reply) -> None:
        """Post a challenge, or begin the match that another player has asked for."""
        view = await reply.get(Matches).view(self.match_id)
        salt = str(reply.interaction.id)
        if is_practice(view.match):
            again = practice.again(view, reply.user_id, salt)
            await play.require_practice(reply, again.channel_id)
            await practice_views.begin(reply, again)
            return
        if view.player_of(reply.user_id) is not None and view.match.finished:
            await play.require_challenges(reply, view.match.parent_id or view.match.channel_id)
        challenge, _ = await reply.get(Rematches).ask(
            view, reply.user_id, salt, place=place_of(reply.interaction)
        )
        if challenge.challenger_id != reply.user_id:
            await self._accepted(reply, challenge)
        elif challenge.channel_id == reply.channel_id:
            await reply.get(ChallengeMessages).post(reply, challenge, public=True)
        else:  # this match has a thread of its own, and the next one gets another
            posted = await reply.get(ChallengeMessages).post_in_channel(challenge)
            words = say("Your challenge stands here: {where}", where=link(posted))
            await reply.tell(text_layout(words), public=False)

    async def _accepted(self, reply: Reply, challenge: Challenge) -> None:
        words = say("You have accepted the rematch of match #{match}.", match=self.match_id)
        if challenge.match_id is not None:
            words = say(
                "The rematch of match #{match} begins: it is match #{rematch}.",
                match=self.match_id,
                rematch=challenge.match_id,
            )
        try:
            await reply.tell(text_layout(words), public=False)
        finally:
            await reply.get(ChallengeMessages).show(challenge)


@below_boards("ended", order=1)
def rematch_button(post: BoardPost) -> Component:
    """Return the button below the last board of a match."""
    return RematchButton(post.match_id).component(say("Rematch"))
