"""Buttons below a game's last lesson: play the easiest computer, or challenge a friend."""

from __future__ import annotations

from bot.core.computers import LEVELS
from bot.core.errors import Refusal
from bot.core.interactions.components import Component
from bot.core.interactions.controls import Button
from bot.core.interactions.reply import Reply
from bot.core.permissions import play
from bot.features.challenges.buttons import invitation
from bot.features.challenges.message_views import ChallengeMessages
from bot.features.challenges.practice import Practice, against
from bot.features.guide.play_buttons import open_play
from bot.features.lessons.buttons import after_lessons
from engine import registry
from engine.phrase import say


class EasiestComputerButton(Button, prefix="easiest"):
    """Starts a match against the easiest computer."""

    game: str

    async def press(self, reply: Reply) -> None:
        """Post the match; the lesson stays."""
        game = registry.games().get(self.game)
        if game is None:
            raise Refusal(say("This game is no longer here. `/help` lists the games I know."))
        await play.require_practice(reply)
        asked = against(invitation(reply, game, {}), LEVELS[0], None)
        begun = await reply.get(Practice).begin(asked, place=reply.match_place)
        await reply.get(ChallengeMessages).post(reply, begun)


class ChallengeFriendButton(Button, prefix="friend"):
    """Opens a challenge to a game just learnt."""

    game: str

    async def press(self, reply: Reply) -> None:
        """Show it privately."""
        await open_play(reply, against="people", game=self.game)


@after_lessons
def buttons_at_the_end(slug: str) -> list[Component]:
    """Return the buttons below the last lesson of a game."""
    easiest = EasiestComputerButton(slug)
    friend = ChallengeFriendButton(slug)
    return [
        easiest.component(say("Play the easiest computer"), style="success"),
        friend.component(say("Challenge a friend")),
    ]
