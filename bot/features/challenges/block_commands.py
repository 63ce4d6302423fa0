"""``/block``, ``/unblock`` and ``/blocked``: a player's block list."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Annotated, Final, Literal

import discord

from bot.core.errors import BadOpponent, Id, MatchOver, NotForYou
from bot.core.i18n.mentions import mention, numbered, slash
from bot.core.interactions.commands import Option, command
from bot.core.interactions.components import rows, section, text_display
from bot.core.interactions.controls import Button
from bot.core.interactions.layout import Layout, Page, text_layout
from bot.core.interactions.reply import Reply
from bot.features.challenges.blocks import Blocks
from bot.play.matches.computer_players import LEVEL
from bot.play.matches.service import Matches
from engine.phrase import concat, listed, say


@command("block", say("Block someone from challenging you"))
async def block(
    reply: Reply,
    user: Annotated[
        discord.User | None, Option(say("Player to block (leave empty to see your list)"))
    ] = None,
) -> None:
    """Block a person, or show the block list."""
    if user is None:
        await blocked(reply)
        return
    if user.bot:
        raise BadOpponent(
            say("{person} is a bot. Bots don't challenge anyone.", person=mention(user.id))
        )
    together = await reply.get(Blocks).shared_matches(reply.user_id, user.id)
    if together:
        await reply.send(question(user.id, together.items()))
        return
    await reply.get(Blocks).add(reply.user_id, user.id)
    await reply.send(done(user.id))


@command("unblock", say("Unblock someone"))
async def unblock(
    reply: Reply, user: Annotated[discord.User, Option(say("Player to unblock"))]
) -> None:
    """Unblock a person."""
    await reply.get(Blocks).remove(reply.user_id, user.id)
    await reply.send(text_layout(say("{person} can challenge you again.", person=mention(user.id))))


@command("blocked", say("Players you've blocked"))
async def blocked(reply: Reply) -> None:
    """Show the block list."""
    await reply.send(layout(await reply.get(Blocks).of(reply.user_id)))


PER_PAGE: Final = 10


class BlockedButton(Button, prefix="blocked"):
    """Turns to a page of the list."""

    page: int

    async def press(self, reply: Reply) -> None:
        """Show the page of the current list."""
        await reply.replace(layout(await reply.get(Blocks).of(reply.user_id), self.page))


class UnblockButton(Button, prefix="unblock"):
    """Unblocks a person."""

    person: Id

    async def press(self, reply: Reply) -> None:
        """Unblock the person, and show the list without them."""
        blocks = reply.get(Blocks)
        await blocks.remove(reply.user_id, self.person)
        await reply.replace(layout(await blocks.of(reply.user_id)))


class BlockButton(Button, prefix="block"):
    """Confirms or cancels blocking a person in the same match of three or four."""

    person: Id
    answer: Literal["yes", "no"]

    async def press(self, reply: Reply) -> None:
        """Hand the presser's seats to computers and block the person."""
        if self.answer == "no":
            await reply.replace(text_layout(say("Nobody was blocked.")))
            return
        blocks, matches = reply.get(Blocks), reply.get(Matches)
        # Seats first: if anything fails, pressing again does the rest.
        for match_id in await blocks.shared_matches(reply.user_id, self.person):
            with suppress(MatchOver, NotForYou):
                await matches.resign(match_id, reply.user_id, "left")
        await blocks.add(reply.user_id, self.person)
        await reply.replace(done(self.person))


def question(person: int, together: Iterable[tuple[int, str | None]]) -> Layout:
    """Return the question asked before blocking a fellow player of larger matches, with their links."""
    words = say(
        "You play with {person} in {matches}. If you block them, a computer (level {level}) takes "
        "your seat there and you come last. The others only see that you left.",
        person=mention(person),
        matches=listed(numbered(*one) for one in together),
        level=LEVEL,
    )
    return text_layout(
        words,
        BlockButton(person, "yes").component(say("Leave and block"), style="danger"),
        BlockButton(person, "no").component(say("Keep playing")),
    )


def done(person: int) -> Layout:
    """Return the confirmation of a block."""
    return text_layout(
        say(
            "{person} is blocked: no challenges, no rematches, and no pings when they offer "
            "something in a match. They aren't told. To them, you're just not taking challenges "
            "right now. Games in progress continue. Undo with {unblock}.",
            person=mention(person),
            unblock=slash("unblock"),
        )
    )


def layout(blocked: Sequence[int], wanted: int = 0) -> Layout:
    """Return a page of the list."""
    if not blocked:
        return text_layout(
            say("You haven't blocked anyone. `/block` stops someone from challenging you.")
        )
    page = Page.of(wanted, total=len(blocked), size=PER_PAGE)
    shown = page.numbered(blocked)
    entries = [
        section(words, UnblockButton(person).component(say("Unblock")))
        if person > 0
        else text_display(words)
        for number, person in shown
        for words in [concat(f"{number}. ", mention(person))]
    ]
    return Layout(
        text_display(say("You've blocked:")), *entries, *rows(page.buttons(BlockedButton))
    )
