"""The button below the final board of a match: play again with sides swapped."""

from __future__ import annotations

from bot.core.computers import is_practice
from bot.core.interactions.components import Component
from bot.core.interactions.controls import Button
from bot.core.interactions.reply import Reply
from bot.core.permissions import play
from bot.features.challenges.message_views import ChallengeMessages
from bot.features.challenges.practice import Practice, again
from bot.features.challenges.service import Challenges
from bot.play.boards.board_text import BoardPost, below_boards
from bot.play.controls.lookup import visible
from engine.phrase import say


class RematchButton(Button, prefix="again"):
    """Asks the others for a rematch, or accepts one that they have asked for."""

    match_id: int

    async def press(self, reply: Reply) -> None:
        """Post a challenge, or accept another player's and start the match."""
        match = (await visible(reply, self.match_id)).match
        place = reply.match_place
        channel_id = match.parent_id or match.channel_id
        messages, challenges = reply.get(ChallengeMessages), reply.get(Challenges)
        if is_practice(match):
            invitation = again(match, reply.user_id)
            await play.require_practice(reply, channel_id)
            await messages.post(reply, await reply.get(Practice).begin(invitation, place=place))
            return
        if reply.user_id in {player.user_id for player in match.players} and match.finished:
            await play.require_challenges(reply, channel_id)
        challenge = await challenges.ask_rematch(match, reply.user_id, place=place)
        if challenge.challenger_id == reply.user_id:
            await messages.post(reply, challenge)
            return
        words = say("Rematch of match #{match} accepted.", match=self.match_id)
        if challenge.match_id is not None:
            words = say(
                "The rematch of match #{match} is on: match #{rematch}.",
                match=self.match_id,
                rematch=challenge.match_id,
            )
        await messages.say(reply, challenge, words)


@below_boards("ended", order=1)
def rematch_button(post: BoardPost) -> Component:
    """Return the button below the final board of a match."""
    return RematchButton(post.match_id).component(say("Rematch"))
