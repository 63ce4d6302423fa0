"""Moderator decisions: a confirmation question, then a form for the reason."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from bot.core.interactions.components import Style, text_input
from bot.core.interactions.controls import Button, Form
from bot.core.interactions.layout import Layout, text_layout
from bot.core.interactions.reply import Reply
from bot.core.permissions.channels import require_manager
from bot.features.moderation.audit_buttons import post_in_log_channel
from bot.features.moderation.audit_text import decision_line
from bot.features.moderation.service import MAX_REASON, Moderator
from data.people.audit import Line
from engine.phrase import lines, say
from engine.plain_text import one_line

_REASON: Final = "reason"


class DecisionConfirmButton(Button):
    """Confirms a moderator's decision, or cancels it."""

    confirmed: bool

    async def press(self, reply: Reply) -> None:
        """Continue, or dismiss the question."""
        guild_id = require_manager(reply.interaction)
        if self.confirmed:
            await self.proceed(reply, guild_id)
        else:
            await reply.replace(text_layout(say("Nothing changed.")))

    async def proceed(self, reply: Reply, guild_id: int) -> None:
        """Check the decision again and ask for the reason."""
        raise NotImplementedError


def question(
    words: str, confirm: DecisionConfirmButton, label: str, style: Style = "danger"
) -> Layout:
    """Return a confirmation question with buttons to continue and to cancel."""
    cancel = replace(confirm, confirmed=False)
    buttons = confirm.component(label, style=style), cancel.component(say("Cancel"))
    return text_layout(words, *buttons)


async def ask_why(reply: Reply, form: Form, title: str, read_by: str) -> None:
    """Ask for the reason; ``read_by`` says where it is shown."""
    reason = text_input(
        _REASON, say("Why?"), description=read_by, max_length=MAX_REASON, multiline=True
    )
    await reply.ask(form.modal(title, reason))


async def done(reply: Reply, line: Line, *more: str) -> None:
    """Confirm a decision to the moderator, and write it in the log channel."""
    await reply.replace(text_layout(lines([say("Done. {line}", line=decision_line(line)), *more])))
    await post_in_log_channel(reply, line)


def moderator(reply: Reply, typed: Mapping[str, str]) -> Moderator:
    """Return the moderator who filled in the form, with the reason as one line.

    Raises:
        NotAllowed: they may not manage the server (any more).

    """
    guild_id = require_manager(reply.interaction)
    return Moderator(reply.user_id, guild_id, one_line(typed.get(_REASON, "")))
