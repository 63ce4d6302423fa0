"""A player's open matches on all servers, in pages, their turn first."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial
from typing import Final

from bot.core.i18n.mentions import mention, mention_all
from bot.core.i18n.slash import slash
from bot.core.interactions.controls import Button
from bot.core.interactions.layout import Layout, text_layout
from bot.core.interactions.pager import Page
from bot.core.interactions.reply import Reply
from bot.play.matches.links import message_link
from bot.play.matches.notes import with_note
from bot.play.matches.turns import deciding_player
from bot.play.time_controls import time_bank, time_text
from data.matches import boards, matches, notes
from data.matches.boards import PostedMessage
from data.matches.matches import Match
from data.store.store import Store
from engine import registry
from engine.phrase import glued, lines, plural, say


class GamesButton(Button, prefix="g"):
    """Turns to a page of the presser's open matches; an empty game means all of them."""

    game: str
    page: int

    async def press(self, reply: Reply) -> None:
        """Replace the current page."""
        await reply.replace(await games_page(reply, self.game, self.page))


async def games_page(reply: Reply, slug: str = "", wanted: int = 0) -> Layout:
    """Return a page of the user's open matches."""
    words, page = await open_games(reply.get(Store), reply.user_id, slug, wanted)
    return text_layout(words, *page.buttons(partial(GamesButton, slug)))


PER_PAGE: Final = 10
MAX_MATCHES: Final = 500
"""Maximum open matches listed per player; the newest are kept."""
_NEVER: Final = datetime.max.replace(tzinfo=UTC)


async def open_games(store: Store, user_id: int, slug: str, wanted: int) -> tuple[str, Page]:
    """Return a page of a player's open matches, for their eyes only; no log is read.

    It names no server or channel, so players who have left a server learn nothing about it.

    Args:
        store: the store.
        user_id: the player.
        slug: one game, or empty for all.
        wanted: the page number; the last page if there are fewer.

    """
    async with store.read() as tx:
        found = await matches.open_of_player(tx, user_id, game=slug or None, limit=MAX_MATCHES)
        page = Page.of(wanted, total=len(found), size=PER_PAGE)
        entries = page.entries(
            sorted(found, key=lambda one: (not one.waits, one.due_at or _NEVER, -one.id))
        )
        numbers = [one.id for one in entries]
        shown = await matches.of_numbers(tx, numbers)
        noted = await notes.of_matches(tx, user_id, numbers)
        list_entries = [
            with_note(
                _line(shown[one.id], user_id, one.due_at, await boards.latest(tx, one.id)),
                noted.get(one.id, ""),
            )
            for one in entries
        ]
    if not found:
        return _none(slug), page
    mine = sum(one.waits for one in found)
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


def _line(match: Match, user_id: int, until: datetime | None, posted: PostedMessage | None) -> str:
    others = [p.user_id for p in match.players if p.user_id != user_id]
    facts = {
        "match": f"#{match.id}",
        "game": registry.game(match.game).title,
        "others": mention_all(others),
        "until": "" if until is None else f"<t:{int(until.timestamp())}:R>",
    }
    mover = deciding_player(match)
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
        mine = next((one for one in match.players if one.user_id == user_id), None)
        if match.bank is not None and mine is not None:
            time = time_text.span(time_bank.bank_left(match, mine))
            line = lines((line, say("you have {time} in your bank", time=time)), " · ")
    if posted is None:
        return line
    address = message_link(match.guild_id, posted.channel_id, posted.message_id)
    return glued(line, " · [", say("board"), f"]({address})")


def match_line(match: Match, user_id: int, link: str | None) -> str:
    """Return one line of a list of a player's matches."""
    mover = deciding_player(match)
    if mover is None:
        turn = say("over")
    elif mover.user_id == user_id:
        turn = say("**your turn**")
    else:
        turn = say("{player}'s turn", player=mention(mover.user_id))
    words = say(
        "#{number} {game} against {others}",
        number=match.id,
        game=registry.game(match.game).title,
        others=mention_all(p.user_id for p in match.players if p.user_id != user_id),
    )
    place = [say("[board]({link})", link=link)] if link else []
    return lines((words, turn, *place), " · ")
