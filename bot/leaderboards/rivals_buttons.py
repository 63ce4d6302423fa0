"""``/rivals``: how two players stand against each other.

What they have played over all servers is shown to the two alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.delivery.interaction_transport import home_of
from bot.interactions.controls import Button
from bot.interactions.layout import Layout, text_layout
from bot.leaderboards import profile_text, rivals_text
from bot.leaderboards.profile_buttons import challenge_button
from bot.leaderboards.profiles import Profiles
from bot.leaderboards.visibility import Visibility
from bot.permissions.members import Members

if TYPE_CHECKING:
    from bot.interactions.reply import Reply


class RivalsButton(Button, prefix="rivals"):
    """Shows what two players have played in this server, or in all servers."""

    one: int
    other: int
    everywhere: bool
    game: str | None

    async def press(self, reply: Reply) -> None:
        """Show it in place of the other, or to this reader alone."""
        layout = await rivals_layout(
            reply, self.one, self.other, self.game, everywhere=self.everywhere
        )
        private = self.everywhere or await reply.get(Visibility).private(self.one, self.other)
        if private and not reply.pressed_is_private:
            await reply.tell(layout, public=False)
        else:
            await reply.replace(layout)


async def rivals_layout(
    reply: Reply, one: int, other: int, game: str | None, *, everywhere: bool
) -> Layout:
    """Return how two players stand, in this server or over all servers.

    Args:
        reply: answers the reader.
        one: the player from whose view it is told.
        other: the other player.
        game: one game; ``None`` for all games.
        everywhere: whether all servers are taken together; outside of servers they always are.

    Raises:
        NotForYou: it concerns the two alone, and the reader is neither.

    """
    home = home_of(reply.interaction)
    everywhere = everywhere or home is None
    guild_id = None if everywhere else home
    await reply.get(Visibility).check_rivalry(one, other, reply.user_id, everywhere=everywhere)
    found = await reply.get(Profiles).rivalry(one, other, guild_id, game=game)
    buttons = []
    if home is not None:
        elsewhere = RivalsButton(one, other, not everywhere, game)
        buttons.append(elsewhere.component(profile_text.scope(everywhere=not everywhere)))
        buttons.append(challenge_button(other))
    if found is None:
        told = rivals_text.strangers(other, game, everywhere=everywhere)
    else:
        gone = await reply.get(Members).gone(guild_id, found.people)
        told = rivals_text.rivalry(found, gone)
    return text_layout(told, *buttons)
