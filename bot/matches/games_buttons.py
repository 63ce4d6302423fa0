"""A player's open matches over all servers, in pages; those that wait for them come first."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

import discord
from discord import ui

from bot.i18n.mentions import all_of, who
from bot.i18n.slash import slash
from bot.interactions import layouts
from bot.interactions.buttons import Pressed
from bot.matches import text as matches_text
from bot.matches.turns import waits_for
from data import boards, due
from engine import registry
from engine.phrase import glued, lines, plural, say

if TYPE_CHECKING:
    import re

    from bot.client import Bot
    from bot.interactions.reply import Reply
    from bot.matches.positions import MatchView
    from data.boards import Shown

PER_PAGE: Final = 10
MOST: Final = 500
"""So many open matches of a player are looked at, the newest of them."""
_NEVER: Final = datetime.max.replace(tzinfo=UTC)


class GamesButton(
    Pressed,
    ui.DynamicItem[ui.Button[Any]],
    template=r"g:(?P<game>[a-z0-9_]*):(?P<page>\d+)",
):
    """Turns to a page of the matches of whoever presses it."""

    def __init__(self, game: str, page: int) -> None:
        """Address one page; ``game`` is empty for all games."""
        super().__init__(
            ui.Button(
                label=say("Page {number}", number=page + 1),
                style=discord.ButtonStyle.secondary,
                custom_id=f"g:{game}:{page}",
            )
        )
        self.game, self.page = game, page

    @classmethod
    async def from_custom_id(
        cls, _: discord.Interaction[Any], __: ui.Item[Any], match: re.Match[str]
    ) -> GamesButton:
        """Rebuild a button from its address."""
        return cls(match["game"], int(match["page"]))

    async def press(self, answer: Reply, client: Bot) -> None:
        """Show the page in place of the one before."""
        user = answer.interaction.user.id
        await answer.replace(await page_of(client, user, self.game, self.page))


async def page_of(client: Bot, user_id: int, slug: str = "", page: int = 0) -> layouts.Message:
    """Return a page of the open matches of a player, for this player's eyes only.

    It names no server and no channel: who has left a server learns nothing more of it.

    Args:
        client: the bot.
        user_id: the player.
        slug: one game; empty for all of them.
        page: which page; the last one, where there are fewer.

    """
    views = await client.matches.of_player(user_id, game=slug or None, limit=MOST)
    if not views:
        return layouts.text(_none(slug))
    async with client.store.read() as tx:
        until = await due.of_player(tx, user_id)
        ordered = sorted(
            views,
            key=lambda view: (
                not waits_for(view, user_id),
                until.get(view.match.id, _NEVER),
                -view.match.id,
            ),
        )
        pages = -(-len(ordered) // PER_PAGE)
        page = min(page, pages - 1)
        shown = ordered[page * PER_PAGE : (page + 1) * PER_PAGE]
        links = {view.match.id: await boards.latest(tx, view.match.id) for view in shown}
    mine = sum(waits_for(view, user_id) for view in views)
    told = [
        say("### Your open matches"),
        plural("{n} match waits for you.", "{n} matches wait for you.", mine),
        *(_line(view, user_id, until.get(view.match.id), links[view.match.id]) for view in shown),
    ]
    turners: list[ui.Item[Any]] = [
        GamesButton(slug, other) for other in (page - 1, page + 1) if 0 <= other < pages
    ]
    return layouts.text(lines(told), *turners)


def _none(slug: str) -> str:
    if slug:
        title = registry.game(slug).title
        start = glued("`", slash(slug, "challenge"), "`")
        return say(
            "You have no open match of {title}. {command} starts one.", title=title, command=start
        )
    first = next(iter(registry.games()))
    start = glued("`", slash(first, "challenge"), "`")
    return say("You have no open match. {command} starts one.", command=start)


def _line(view: MatchView, user_id: int, until: datetime | None, shown: Shown | None) -> str:
    others = [p.user_id for p in view.match.players if p.user_id != user_id]
    facts = {
        "match": f"#{view.match.id}",
        "game": view.game.title,
        "others": all_of(others),
        "until": "" if until is None else f"<t:{int(until.timestamp())}:R>",
    }
    mover = view.to_move
    if mover is None or mover.user_id == user_id:
        told = (
            say("{match} {game} against {others} · **your turn**", **facts)
            if until is None
            else say(
                "{match} {game} against {others} · **your turn**, time is over {until}", **facts
            )
        )
    else:
        facts["mover"] = who(mover.user_id)
        told = (
            say("{match} {game} against {others} · {mover} is to move", **facts)
            if until is None
            else say(
                "{match} {game} against {others} · {mover} is to move, time is over {until}",
                **facts,
            )
        )
    if shown is None:
        return told
    address = matches_text.message_link(view.match.guild_id, shown.channel_id, shown.message_id)
    return glued(told, " · [", say("board"), f"]({address})")
