"""A player's open matches on all servers, in pages, their turn first."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from bot.i18n.mentions import mention, mention_all
from bot.i18n.slash import slash
from bot.interactions.pager import Page
from bot.matches.text import message_link
from bot.matches.turns import waits_for
from bot.notes import text as notes_text
from bot.scheduling import time_bank, time_text
from data import boards, clocks, notes
from engine import registry
from engine.phrase import glued, lines, plural, say

if TYPE_CHECKING:
    from bot.matches.positions import MatchView
    from bot.matches.service import Matches
    from data.boards import PostedMessage
    from data.store import Store

PER_PAGE: Final = 10
MAX_MATCHES: Final = 500
"""Maximum open matches listed per player; the newest are kept."""
_NEVER: Final = datetime.max.replace(tzinfo=UTC)


async def open_games(
    store: Store, matches: Matches, user_id: int, slug: str, wanted: int
) -> tuple[str, Page]:
    """Return a page of a player's open matches, for their eyes only.

    It names no server or channel, so players who have left a server learn nothing about it.

    Args:
        store: the store.
        matches: the use cases of matches.
        user_id: the player.
        slug: one game, or empty for all.
        wanted: the page number; the last page if there are fewer.

    """
    views = await matches.of_player(user_id, game=slug or None, limit=MAX_MATCHES)
    if not views:
        return _none(slug), Page.of(0, total=0, size=PER_PAGE)
    async with store.read() as tx:
        until = await clocks.deadlines(tx, user_id)
        ordered = sorted(
            views,
            key=lambda view: (
                not waits_for(view, user_id),
                until.get(view.match.id, _NEVER),
                -view.match.id,
            ),
        )
        page = Page.of(wanted, total=len(ordered), size=PER_PAGE)
        entries = page.entries(ordered)
        noted = await notes.of_matches(tx, user_id, [view.match.id for view in entries])
        list_entries = [
            notes_text.below(
                _line(
                    view,
                    user_id,
                    until.get(view.match.id),
                    await boards.latest(tx, view.match.id),
                ),
                noted.get(view.match.id, ""),
            )
            for view in entries
        ]
    mine = sum(waits_for(view, user_id) for view in views)
    waiting = plural("{n} game is waiting for you.", "{n} games are waiting for you.", mine)
    return lines([say("### Your games"), waiting, *list_entries]), page


def _none(slug: str) -> str:
    start = glued("`", slash(slug or next(iter(registry.games())), "challenge"), "`")
    if not slug:
        return say("You have no games going. To start one, use {command}.", command=start)
    title = registry.game(slug).title
    return say(
        "You have no {title} games going. To start one, use {command}.", title=title, command=start
    )


def _line(
    view: MatchView, user_id: int, until: datetime | None, posted: PostedMessage | None
) -> str:
    others = [p.user_id for p in view.match.players if p.user_id != user_id]
    facts = {
        "match": f"#{view.match.id}",
        "game": view.game.title,
        "others": mention_all(others),
        "until": "" if until is None else f"<t:{int(until.timestamp())}:R>",
    }
    mover = view.to_move
    if mover is None or mover.user_id == user_id:
        line = (
            say("{match} {game} against {others} · **your turn**", **facts)
            if until is None
            else say(
                "{match} {game} against {others} · **your turn**, time runs out {until}", **facts
            )
        )
    else:
        facts["mover"] = mention(mover.user_id)
        line = (
            say("{match} {game} against {others} · {mover}'s turn", **facts)
            if until is None
            else say(
                "{match} {game} against {others} · {mover}'s turn, time runs out {until}",
                **facts,
            )
        )
        mine = view.player_of(user_id)
        if view.match.bank is not None and mine is not None:
            time = time_text.span(time_bank.bank_left(view.match, mine))
            line = lines((line, say("you have {time} in your bank", time=time)), " · ")
    if posted is None:
        return line
    address = message_link(view.match.guild_id, posted.channel_id, posted.message_id)
    return glued(line, " · [", say("board"), f"]({address})")
