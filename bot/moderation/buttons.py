"""What moderators are asked before they decide of a match or a challenge, and what is told of it.

A decision takes three steps: the command asks, its button opens a form for the reason, and the
form does it. Addresses are ``s:<reply>:<what>:<number>:<seats>``, see `bot.moderation.decision_buttons`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import discord
import structlog
from discord import ui

from bot.challenges import buttons as challenge_view
from bot.delivery.notices import Notice, announces
from bot.i18n.mentions import all_of, who
from bot.interactions import forms, layouts
from bot.interactions.buttons import Pressed
from bot.moderation import audit_buttons, decision_buttons
from bot.moderation.service import NOTICE, check_winners
from bot.permissions.channels import require_manager
from engine import registry
from engine.phrase import lines, say

if TYPE_CHECKING:
    import re
    from collections.abc import Mapping

    from bot.client import Bot
    from bot.interactions.reply import Reply
    from bot.matches.positions import MatchView
    from data.challenges import Challenge

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

_ADDRESS: Final = r"(?P<what>void|end|clear):(?P<number>\d+):(?P<seats>[0-9.]*)"


class DecideButton(
    Pressed,
    ui.DynamicItem[ui.Button[Any]],
    template=rf"{decision_buttons.REPLY}:{_ADDRESS}",
):
    """Goes on to a decision of a moderator, or leaves everything as it is."""

    def __init__(self, reply: str, what: str, number: int, seats: str = "") -> None:
        """Address one reply to one question."""
        super().__init__(decision_buttons.button(reply, f"{what}:{number}:{seats}", _DO[what]))
        self.sure, self.what, self.number, self.seats = reply == "yes", what, number, seats

    @classmethod
    async def from_custom_id(
        cls, _: discord.Interaction[Any], __: ui.Item[Any], match: re.Match[str]
    ) -> DecideButton:
        """Rebuild a button from its address."""
        return cls(match["reply"], match["what"], int(match["number"]), match["seats"])

    async def press(self, answer: Reply, client: Bot) -> None:
        """Ask for the reason, or put the question away."""
        guild_id = require_manager(answer.interaction)
        if not self.sure:
            await decision_buttons.put_away(answer)
            return
        if self.what == "clear":
            await client.moderation.challenge(self.number, guild_id)
        else:
            view = await client.moderation.match(self.number, guild_id)
            if self.what == "end":
                check_winners(view, users(view, self.seats))
        await decision_buttons.ask_why(
            answer,
            f"{self.what}:{self.number}:{self.seats}",
            _DO[self.what],
            say("The players read this, and it stands in the list of `/server audit`"),
        )


_DO: Final = {
    "void": say("Void the match"),
    "end": say("End the match"),
    "clear": say("Close the challenge"),
}


@forms.takes(rf"{decision_buttons.FORM}:{_ADDRESS}")
async def decide(
    answer: Reply, client: Bot, address: re.Match[str], typed: Mapping[str, str]
) -> None:
    """Do what a moderator has decided, and tell of it."""
    moderator = decision_buttons.moderator(answer, typed)
    what, number = address["what"], int(address["number"])
    decided = client.moderation
    if what == "clear":
        closed, line = await decided.clear(number, moderator)
        await answer.replace(layouts.text(say("Done. {line}", line=audit_buttons.told(line))))
        await show_closed(client, closed)
    else:
        again = False
        if what == "void":
            ended = await client.matches.aftermath(await decided.match(number, moderator.guild_id))
            again = ended is not None and ended.kind == "moved"
            _, line = await decided.void(number, moderator)
        else:
            view = await decided.match(number, moderator.guild_id)
            _, line = await decided.end(number, users(view, address["seats"]), moderator)
        told: list[str] = [say("Done. {line}", line=audit_buttons.told(line))]
        if again:
            told.append(say("What has followed from it for ratings is being computed again."))
        try:
            await answer.replace(layouts.text(lines(told)))
        finally:
            client.table.deliver(answer, number)
    await audit_buttons.write_in_log_channel(answer, client, line)


async def show_closed(client: Bot, closed: Challenge) -> None:
    """Take the buttons off a challenge, where its message is still there."""
    if closed.message_id is None:
        return
    shown = await challenge_view.shown(client, closed)
    shown.tongue = await client.tongues.of_guild(closed.guild_id)
    channel = client.get_partial_messageable(closed.channel_id)
    try:
        await channel.get_partial_message(closed.message_id).edit(
            view=shown, allowed_mentions=discord.AllowedMentions.none()
        )
    except discord.HTTPException as error:
        # Deleted, or closed to the bot: a press on it is answered all the same.
        log.info("a closed challenge keeps its buttons", code=error.code)


def users(view: MatchView, seats: str) -> frozenset[int]:
    """Return who sits in the seats that an address names."""
    named = {int(seat) for seat in seats.split(".") if seat}
    return frozenset(p.user_id for p in view.match.players if p.seat in named)


def question(what: str, number: int, words: str, seats: str = "") -> layouts.Message:
    """Return the question whether a moderator really decides so."""
    replies = [DecideButton(reply, what, number, seats) for reply in ("yes", "no")]
    return layouts.text(words, *replies)


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
def notice(view: MatchView, payload: Mapping[str, Any]) -> Notice:
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
    return Notice(layouts.text(words), players)
