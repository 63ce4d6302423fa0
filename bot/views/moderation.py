"""What moderators are asked before they decide, what is told of it, and the list of it all.

A decision takes three steps: the command asks, its button opens a form for the reason, and the
form does it. Addresses are ``s:<what>:<number>:<seats>``; a form has ``s:form:`` before the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import discord
import structlog
from discord import ui

from bot.delivery.announcements import Announcement, announces
from bot.delivery.permissions import require_manager
from bot.play.moderation import MOST_REASON, NOTICE, Moderator, check_winners
from bot.views import challenge as challenge_view
from bot.views import forms, frame
from bot.views.press import Pressed
from bot.words.names import all_of, who
from data import audit
from engine import registry
from engine.phrase import glued, lines, say

if TYPE_CHECKING:
    import re
    from collections.abc import Mapping

    from bot.answer import Answer
    from bot.client import Bot
    from bot.play.positions import MatchView
    from data.audit import Line
    from data.challenges import Challenge

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

PER_PAGE: Final = 10
_ADDRESS: Final = r"(?P<what>void|end|clear):(?P<number>\d+):(?P<seats>[0-9.]*)"


class DecideButton(
    Pressed,
    ui.DynamicItem[ui.Button[Any]],
    template=rf"s:(?P<reply>yes|no):{_ADDRESS}",
):
    """Goes on to a decision of a moderator, or leaves everything as it is."""

    def __init__(self, reply: str, what: str, number: int, seats: str = "") -> None:
        """Address one reply to one question."""
        sure = reply == "yes"
        super().__init__(
            ui.Button(
                label=_DO[what] if sure else say("Leave it as it is"),
                style=discord.ButtonStyle.danger if sure else discord.ButtonStyle.secondary,
                custom_id=f"s:{reply}:{what}:{number}:{seats}",
            )
        )
        self.sure, self.what, self.number, self.seats = sure, what, number, seats

    @classmethod
    async def from_custom_id(
        cls, _: discord.Interaction[Any], __: ui.Item[Any], match: re.Match[str]
    ) -> DecideButton:
        """Rebuild a button from its address."""
        return cls(match["reply"], match["what"], int(match["number"]), match["seats"])

    async def press(self, answer: Answer, client: Bot) -> None:
        """Ask for the reason, or put the question away."""
        guild_id = require_manager(answer.interaction)
        if not self.sure:
            await answer.replace(frame.text(say("Nothing was changed.")))
            return
        if self.what == "clear":
            await client.moderation.challenge(self.number, guild_id)
        else:
            view = await client.moderation.match(self.number, guild_id)
            if self.what == "end":
                check_winners(view, users(view, self.seats))
        await forms.ask(
            answer,
            f"s:form:{self.what}:{self.number}:{self.seats}",
            _DO[self.what],
            forms.field(
                "reason",
                say("Why?"),
                about=say("The players read this, and it stands in the list of `/server audit`"),
                most=MOST_REASON,
                long=True,
            ),
        )


_DO: Final = {
    "void": say("Void the match"),
    "end": say("End the match"),
    "clear": say("Close the challenge"),
}


@forms.takes(rf"s:form:{_ADDRESS}")
async def decide(
    answer: Answer, client: Bot, address: re.Match[str], typed: Mapping[str, str]
) -> None:
    """Do what a moderator has decided, and tell of it."""
    guild_id = require_manager(answer.interaction)
    reason = " ".join(typed["reason"].split())
    moderator = Moderator(answer.interaction.user.id, guild_id, reason)
    what, number = address["what"], int(address["number"])
    decided = client.moderation
    if what == "clear":
        closed, line = await decided.clear(number, moderator)
        await answer.replace(frame.text(say("Done. {line}", line=told(line))))
        await show_closed(client, closed)
    else:
        if what == "void":
            _, line = await decided.void(number, moderator)
        else:
            view = await decided.match(number, guild_id)
            _, line = await decided.end(number, users(view, address["seats"]), moderator)
        try:
            await answer.replace(frame.text(say("Done. {line}", line=told(line))))
        finally:
            client.table.deliver(answer, number)
    await _write_in_log_channel(answer, client, line)


async def show_closed(client: Bot, closed: Challenge) -> None:
    """Take the buttons off a challenge, where its message is still there."""
    if closed.message_id is None:
        return
    shown = challenge_view.message(closed)
    shown.tongue = await client.tongues.of_guild(closed.guild_id)
    channel = client.get_partial_messageable(closed.channel_id)
    try:
        await channel.get_partial_message(closed.message_id).edit(
            view=shown, allowed_mentions=discord.AllowedMentions.none()
        )
    except discord.HTTPException as error:
        # Deleted, or closed to the bot: a press on it is answered all the same.
        log.info("a closed challenge keeps its buttons", code=error.code)


async def _write_in_log_channel(answer: Answer, client: Bot, line: Line) -> None:
    """Tell of a decision in the channel that the server has chosen; the list has it anyway."""
    channel_id = (await client.choices.server(line.guild_id)).log_channel
    if channel_id is None:
        return
    message = frame.text(told(line))
    message.tongue = await client.tongues.of_guild(line.guild_id)
    try:
        await client.get_partial_messageable(channel_id).send(
            view=message,
            nonce=f"audit{line.id}",
            allowed_mentions=discord.AllowedMentions.none(),
        )
    except discord.HTTPException as error:
        log.info("no line in the log channel", channel=channel_id, code=error.code)
        words = say(
            "I could not tell of it in {channel}: check my permissions there, or choose another "
            "channel with `/server settings`.",
            channel=f"<#{channel_id}>",
        )
        await answer.tell(frame.text(words), public=False)


def users(view: MatchView, seats: str) -> frozenset[int]:
    """Return who sits in the seats that an address names."""
    named = {int(seat) for seat in seats.split(".") if seat}
    return frozenset(p.user_id for p in view.match.players if p.seat in named)


def question(what: str, number: int, words: str, seats: str = "") -> frame.Message:
    """Return the question whether a moderator really decides so."""
    replies = [DecideButton(reply, what, number, seats) for reply in ("yes", "no")]
    return frame.text(words, *replies)


def about_match(view: MatchView) -> str:
    """Return which match is meant, with its players."""
    return say(
        "Match {match} of {game} between {players}",
        match=f"#{view.match.id}",
        game=view.game.title,
        players=all_of(player.user_id for player in view.match.players),
    )


def about_challenge(challenge: Challenge) -> str:
    """Return which challenge is meant, with who made it."""
    return say(
        "Challenge {number} to a game of {game} by {challenger}",
        number=challenge.id,
        game=registry.game(challenge.game).title,
        challenger=who(challenge.challenger_id),
    )


@announces(NOTICE)
def notice(view: MatchView, payload: Mapping[str, Any]) -> Announcement:
    """Tell the players of a match what a moderator has decided."""
    players = tuple(player.user_id for player in view.match.players)
    facts = {
        "players": all_of(players),
        "moderator": who(payload["by"]),
        "match": f"#{view.match.id}",
        "reason": payload["reason"] or say("no reason was given"),
    }
    if payload["action"] == "voided":
        words = say(
            "{players}: {moderator} has decided that match {match} has no result: {reason}", **facts
        )
    else:
        words = say("{players}: {moderator} has ended match {match}: {reason}", **facts)
    return Announcement(frame.text(words), players)


# ------------------------------------------------------------------ the list


class AuditButton(Pressed, ui.DynamicItem[ui.Button[Any]], template=r"s:audit:(?P<page>\d+)"):
    """Turns to a page of what moderators did."""

    def __init__(self, page: int) -> None:
        """Address one page."""
        super().__init__(
            ui.Button(
                label=say("Page {number}", number=page + 1),
                style=discord.ButtonStyle.secondary,
                custom_id=f"s:audit:{page}",
            )
        )
        self.page = page

    @classmethod
    async def from_custom_id(
        cls, _: discord.Interaction[Any], __: ui.Item[Any], match: re.Match[str]
    ) -> AuditButton:
        """Rebuild a button from its address."""
        return cls(int(match["page"]))

    async def press(self, answer: Answer, client: Bot) -> None:
        """Show the page in place of the one before."""
        guild_id = require_manager(answer.interaction)
        await answer.replace(await audit_page(client, guild_id, self.page))


async def audit_page(client: Bot, guild_id: int, page: int = 0) -> frame.Message:
    """Return a page of what moderators of a server did, the newest first."""
    async with client.store.read() as tx:
        total = await audit.count(tx, guild_id)
        pages = max(1, -(-total // PER_PAGE))
        page = min(page, pages - 1)
        found = await audit.page(tx, guild_id, limit=PER_PAGE, offset=page * PER_PAGE)
    if not found:
        return frame.text(say("No moderator has decided anything here yet."))
    turners: list[ui.Item[Any]] = [
        AuditButton(other) for other in (page - 1, page + 1) if 0 <= other < pages
    ]
    title = say("### What moderators decided")
    return frame.text(lines([title, *(dated(line) for line in found)]), *turners)


def dated(line: Line) -> str:
    """Return a line of the list, with when it was."""
    return glued(f"<t:{int(line.at.timestamp())}:f> ", told(line))


def told(line: Line) -> str:
    """Return what a moderator did, in one sentence."""
    detail = line.detail
    title = registry.games().get(detail.get("game", ""))
    facts = {
        "moderator": who(line.user_id),
        "game": detail.get("game", "") if title is None else title.title,
        "reason": detail.get("reason") or say("no reason was given"),
    }
    if line.action == "cleared":
        return say(
            "{moderator} closed challenge {number} to {game} by {challenger}: {reason}",
            number=line.challenge_id,
            challenger=who(detail["challenger"]),
            **facts,
        )
    facts |= {"match": f"#{line.match_id}", "players": all_of(detail["players"])}
    if line.action == "voided":
        return say("{moderator} voided match {match} of {game}, {players}: {reason}", **facts)
    winners = detail["winners"]
    if len(winners) == len(detail["players"]):
        return say(
            "{moderator} ended match {match} of {game}, {players}, as a draw: {reason}", **facts
        )
    return say(
        "{moderator} ended match {match} of {game}, {players}, as won by {winners}: {reason}",
        winners=all_of(winners),
        **facts,
    )
