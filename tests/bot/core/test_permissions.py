"""The invite link requests what the games need, and refusals name what is missing."""

from __future__ import annotations

from pathlib import Path

import discord

from bot.core.permissions.channels import INVITE, missing


def test_the_readmes_invite_asks_for_exactly_these_permissions() -> None:
    readme = (Path(__file__).parents[3] / "README.md").read_text()
    assert f"permissions={INVITE.value}`" in readme
    assert f"(number {INVITE.value})" in readme


def test_a_bot_invited_that_way_has_all_permissions() -> None:
    assert missing(INVITE) == []
    assert missing(INVITE, thread=True) == []


def test_missing_permissions_have_discords_names() -> None:
    allowed = discord.Permissions(INVITE.value)
    allowed.attach_files = False
    allowed.send_messages = False
    assert missing(allowed) == ["Send Messages", "Attach Files"]
    assert missing(allowed, thread=True) == ["Attach Files"]
