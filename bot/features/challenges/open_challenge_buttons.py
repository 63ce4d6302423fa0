"""The list of challenges a player could accept, with a button for each."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from bot.core.errors import Refusal
from bot.core.interactions.controls import Button
from bot.core.interactions.layout import Layout, text_layout
from bot.core.interactions.pager import Page
from bot.core.permissions import visibility
from bot.features.challenges.buttons import ChallengeButton, entries
from bot.features.challenges.open_challenges import OpenChallenges
from engine import registry
from engine.phrase import glued, lines, plural, say

if TYPE_CHECKING:
    from bot.core.interactions.reply import Reply

PER_PAGE: Final = 5


class OpenChallengesButton(Button, prefix="seek"):
    """Turns to a page of the list."""

    game: str | None
    page: int

    async def press(self, reply: Reply) -> None:
        """Show the page of the current list in place of the previous one."""
        await reply.replace(await layout(reply, self.game, self.page))


async def layout(reply: Reply, game: str | None, wanted: int = 0) -> Layout:
    """Return a page of the challenges a player could accept, in one game or all."""
    if reply.guild_id is None:
        raise Refusal(say("Open challenges live on servers. Look for them on one."))
    challenges = reply.get(OpenChallenges)
    readable = partial(visibility.readable, reply)
    listed = await challenges.open_to(reply.user_id, reply.guild_id, readable, game=game)
    mine = await challenges.made_by(reply.user_id, game=game)
    own = [_own(len(mine), game)] if mine else []
    if not listed:
        return text_layout(lines([_nothing(game), *own]))
    page = Page.of(wanted, total=len(listed), size=PER_PAGE)
    shown = page.numbered(listed)
    buttons = [
        ChallengeButton(one.id, "accept").labelled(say("Accept {number}", number=number))
        for number, one in shown
    ]
    return text_layout(
        lines([glued("### ", say("Who wants to play?")), *await entries(reply, shown), *own]),
        *buttons,
        *page.buttons(partial(OpenChallengesButton, game)),
    )


def _nothing(game: str | None) -> str:
    if game is not None:
        return say(
            "Nobody here is looking for a {title} opponent. Start an open challenge "
            "with `/{game} challenge`.",
            title=registry.game(game).title,
            game=game,
        )
    return say("Nobody here is looking for an opponent. Start an open challenge with `/play`.")


def _own(number: int, game: str | None) -> str:
    """Return a reminder of the reader's own challenges, which are not listed."""
    sentence = plural("One open challenge is yours.", "{n} open challenges are yours.", number)
    if game is not None:
        sentence = plural(
            "One open challenge is yours. Take it back with `/{game} withdraw`.",
            "{n} open challenges are yours. Take them back with `/{game} withdraw`.",
            number,
            game=game,
        )
    return glued("-# ", sentence)
