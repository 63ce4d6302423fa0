"""Confirmation before a player is excluded from rated play or readmitted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bot.core.i18n.mentions import mention
from bot.core.interactions.components import Style
from bot.core.interactions.controls import Form
from bot.core.interactions.layout import Layout
from bot.core.interactions.reply import Reply
from bot.core.numbers import Id
from bot.features.moderation import decision_buttons
from bot.features.moderation.audit_text import left_early
from bot.features.moderation.decision_buttons import DecisionConfirmButton
from bot.features.moderation.rated_play import RatedPlay
from engine.phrase import lines, say

_LABELS: Final = {True: say("Let back in"), False: say("Bar")}


class RatedPlayButton(DecisionConfirmButton, prefix="rate"):
    """Confirms or cancels excluding a player from rated play, or readmitting one."""

    allowed: bool
    user_id: Id

    async def proceed(self, reply: Reply, guild_id: int) -> None:
        """Ask for the reason."""
        await reply.get(RatedPlay).check(
            guild_id, self.user_id, by=reply.user_id, allowed=self.allowed
        )
        await decision_buttons.ask_why(
            reply,
            RatedPlayForm(self.allowed, self.user_id),
            _LABELS[self.allowed],
            say("Shown in `/server audit` and in this person's data export"),
        )


class RatedPlayForm(Form, prefix="rated"):
    """Carries out a decision."""

    allowed: bool
    user_id: Id

    async def submit(self, reply: Reply, typed: Mapping[str, str]) -> None:
        """Decide, with the typed reason."""
        moderator = decision_buttons.moderator(reply, typed)
        line = await reply.get(RatedPlay).decide(self.user_id, moderator, allowed=self.allowed)
        await decision_buttons.done(reply, line)


def question(user_id: int, *, allowed: bool, left: int) -> Layout:
    """Return the confirmation question for a decision.

    ``left`` is how many matches this player has recently left early.
    """
    player = mention(user_id)
    style: Style = "danger"
    if allowed:
        style = "success"
        words = say(
            "{player} will play rated here again, starting with new matches. Continue?",
            player=player,
        )
    else:
        words = say(
            "No match of {player} here will be rated from now on, including those in progress. "
            "Past results stay. Continue?",
            player=player,
        )
    if left:
        words = lines([words, left_early(user_id, left)])
    button = RatedPlayButton(confirmed=True, allowed=allowed, user_id=user_id)
    return decision_buttons.question(words, button, _LABELS[allowed], style)
