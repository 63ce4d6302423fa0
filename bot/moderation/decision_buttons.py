"""How moderators decide: a question with two replies, and a form in which they tell why.

Addresses are ``s:<reply>:<what>`` and whatever it is about; a form has ``s:form:`` before the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import discord
from discord import ui

from bot.interactions import forms, layouts
from bot.moderation.service import MOST_REASON, Moderator
from bot.permissions.channels import require_manager
from engine.phrase import say

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bot.interactions.reply import Reply

REPLY: Final = r"s:(?P<reply>yes|no)"
"""How the address of a reply begins."""
FORM: Final = "s:form"
"""How the address of a form begins."""

_REASON: Final = "reason"


def button(
    reply: str, about: str, label: str, style: discord.ButtonStyle = discord.ButtonStyle.danger
) -> ui.Button[Any]:
    """Return the button of a reply.

    Args:
        reply: ``yes`` to go on, ``no`` to leave everything as it is.
        about: what is decided, as it stands in the address.
        label: what going on does.
        style: how that looks.

    """
    sure = reply == "yes"
    return ui.Button(
        label=label if sure else say("Leave it as it is"),
        style=style if sure else discord.ButtonStyle.secondary,
        custom_id=f"s:{reply}:{about}",
    )


async def put_away(answer: Reply) -> None:
    """Put a question away that was answered with no."""
    await answer.replace(layouts.text(say("Nothing was changed.")))


async def ask_why(answer: Reply, about: str, title: str, read_by: str) -> None:
    """Ask for the reason.

    Args:
        answer: the answer to the moderator who has pressed yes.
        about: what is decided, as it stands in the address.
        title: what the form is called.
        read_by: who will read the reason.

    """
    why = forms.field(_REASON, say("Why?"), about=read_by, most=MOST_REASON, long=True)
    await forms.ask(answer, f"{FORM}:{about}", title, why)


def moderator(answer: Reply, typed: Mapping[str, str]) -> Moderator:
    """Return who has filled in such a form, with the reason in one line.

    Raises:
        Refusal: they may not decide, or not any more.

    """
    guild_id = require_manager(answer.interaction)
    return Moderator(answer.interaction.user.id, guild_id, " ".join(typed[_REASON].split()))
