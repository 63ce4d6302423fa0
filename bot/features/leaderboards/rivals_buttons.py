"""``/rivals``: the head to head of two players.

Their record over all servers is for these two alone.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from bot.core.errors import NotForYou
from bot.core.interactions.controls import Button
from bot.core.interactions.layout import Layout, text_layout
from bot.core.numbers import Id
from bot.core.permissions.members import Members
from bot.features.leaderboards import rivals_text
from bot.features.leaderboards.profile_buttons import challenge_button, is_private, visible_matches
from bot.features.leaderboards.profiles import Profiles
from bot.features.leaderboards.text import scope
from engine.phrase import lines, say

if TYPE_CHECKING:
    from bot.core.interactions.reply import Reply


class RivalsButton(Button, prefix="rivals"):
    """Shows the head to head of two players in this server, or in all servers."""

    one: Id
    other: Id
    everywhere: bool
    game: str | None

    async def press(self, reply: Reply) -> None:
        """Show it in place of the current one, or privately."""
        layout, private = await rivals_layout(
            reply, self.one, self.other, self.game, everywhere=self.everywhere
        )
        if private and not reply.pressed_is_private:
            await reply.send(layout, public=False)
        else:
            await reply.replace(layout)


async def rivals_layout(
    reply: Reply, one: int, other: int, game: str | None, *, everywhere: bool
) -> tuple[Layout, bool]:
    """Return two players' head to head in one game or all, and whether only they may see it.

    Outside servers, all servers are combined.

    Raises:
        NotForYou: it is for the two alone, and the reader is neither.

    """
    home = reply.home
    everywhere = everywhere or home is None
    guild_id = None if everywhere else home
    private = everywhere or await is_private(reply, one, other)
    if private and reply.user_id not in {one, other}:
        raise NotForYou(say("Only these two can see their games."))
    found = await reply.get(Profiles).rivalry(one, other, guild_id, game=game)
    buttons = []
    if home is not None:
        elsewhere = RivalsButton(one, other, not everywhere, game)
        buttons.append(elsewhere.component(scope(everywhere=not everywhere)))
        buttons.append(challenge_button(other))
    if found is None:
        body = rivals_text.strangers(other, game, everywhere=everywhere)
    else:
        public = not private and not reply.pressed_is_private
        latest = await visible_matches(
            reply,
            found.latest,
            lambda known: reply.get(Profiles).earlier_meetings(
                known, one, other, guild_id, game=game
            ),
            public=public,
        )
        found = replace(found, latest=latest)
        departed = await reply.get(Members).departed(guild_id, found.people)
        body = lines(rivals_text.rivalry(found, departed))
    return text_layout(body, *buttons), private
