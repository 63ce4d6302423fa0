"""Confirmation before a moderator voids or ends a match, or closes a challenge."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal

from bot.core.i18n.mentions import mention, mention_all
from bot.core.interactions.controls import Form
from bot.core.interactions.layout import Layout, text_layout
from bot.features.moderation import decision_buttons
from bot.features.moderation.decision_buttons import DecisionConfirmButton
from bot.features.moderation.service import NOTICE, Moderation, check_winners
from bot.play.delivery.notices import Notice, announces
from bot.play.ratings.changes import of_match
from data.store.store import Store
from engine import registry
from engine.phrase import say

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bot.core.interactions.reply import Reply
    from bot.play.matches.positions import MatchView
    from data.challenges.challenge import Challenge

Decision = Literal["void", "end", "clear"]

_LABELS: Final[Mapping[Decision, str]] = {
    "void": say("Void the match"),
    "end": say("End the match"),
    "clear": say("Close the challenge"),
}


class DecideButton(DecisionConfirmButton, prefix="decide"):
    """Confirms or cancels voiding or ending a match, or closing a challenge."""

    decision: Decision
    number: int
    seats: str
    """The seats of the winners, joined by dots."""

    async def proceed(self, reply: Reply, guild_id: int) -> None:
        """Ask for the reason."""
        moderation = reply.get(Moderation)
        if self.decision == "clear":
            await moderation.challenge(self.number, guild_id)
        else:
            view = await moderation.match(self.number, guild_id, by=reply.user_id)
            if self.decision == "end":
                check_winners(view, _users(view, self.seats))
        await decision_buttons.ask_why(
            reply,
            DecideForm(self.decision, self.number, self.seats),
            _LABELS[self.decision],
            say("Shown to the players and in `/server audit`"),
        )


class DecideForm(Form, prefix="decided"):
    """Carries out a decision and announces it."""

    decision: Decision
    number: int
    seats: str

    async def submit(self, reply: Reply, typed: Mapping[str, str]) -> None:
        """Decide, with the typed reason."""
        moderator = decision_buttons.moderator(reply, typed)
        moderation = reply.get(Moderation)
        if self.decision == "clear":
            line = await moderation.clear(self.number, moderator)
            await decision_buttons.done(reply, line)
            return
        view = await moderation.match(self.number, moderator.guild_id, by=reply.user_id)
        if self.decision == "end":
            line = await moderation.end(self.number, _users(view, self.seats), moderator)
            await decision_buttons.done(reply, line)
            return
        changes = await of_match(reply.get(Store), view)
        line = await moderation.void(self.number, moderator)
        again = say("Ratings are being recalculated.")
        rated = changes is not None and changes.kind == "changed"
        await decision_buttons.done(reply, line, *([again] if rated else []))


def _users(view: MatchView, seats: str) -> frozenset[int]:
    named = seats.split(".")
    return frozenset(p.user_id for p in view.match.players if str(p.seat) in named)


def question(decision: Decision, number: int, words: str, seats: str = "") -> Layout:
    """Return the confirmation question for a decision."""
    button = DecideButton(confirmed=True, decision=decision, number=number, seats=seats)
    return decision_buttons.question(words, button, _LABELS[decision])


def about_match(view: MatchView) -> str:
    """Return a description of a match, with its players."""
    return say(
        "Match {match} of {game} between {players}",
        match=f"#{view.match.id}",
        game=view.game.title,
        players=mention_all(player.user_id for player in view.match.players),
    )


def about_challenge(challenge: Challenge) -> str:
    """Return a description of a challenge, with its challenger."""
    return say(
        "Challenge {number} ({game}, by {challenger})",
        number=challenge.id,
        game=registry.game(challenge.game).title,
        challenger=mention(challenge.challenger_id),
    )


@announces(NOTICE)
def notice(view: MatchView, payload: Mapping[str, Any]) -> Notice:
    """Return the notice of a decision for a match's players, except the moderator."""
    players = tuple(player.user_id for player in view.match.players)
    facts = {
        "players": mention_all(players),
        "moderator": mention(payload["by"]),
        "match": f"#{view.match.id}",
        "reason": payload["reason"] or say("no reason given"),
    }
    if payload["action"] == "voided":
        words = say("{players}: {moderator} voided match {match}: {reason}", **facts)
    else:
        words = say("{players}: {moderator} ended match {match}: {reason}", **facts)
    return Notice(text_layout(words), tuple(one for one in players if one != payload["by"]))
