"""``/server void``, ``end``, ``clear``, ``rated`` and ``audit``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import discord

from bot.core.errors import BadInput, BadOpponent
from bot.core.i18n.mentions import mention, mention_all
from bot.core.interactions.commands import Option, Suggestions, command
from bot.core.interactions.reply import Reply
from bot.core.permissions.channels import require_manager
from bot.features.moderation import audit_buttons, rated_play_buttons
from bot.features.moderation.buttons import about_challenge, about_match, question
from bot.features.moderation.rated_play import RatedPlay
from bot.features.moderation.service import Moderation, check_winners
from bot.play.matches.stand_ins import playing
from engine import registry
from engine.phrase import say

if TYPE_CHECKING:
    from engine.registry import AnyGame


async def _matches(reply: Reply, typed: str, _: AnyGame | None) -> Suggestions:
    """Suggest matches of the server."""
    if not _may_manage(reply):
        return []
    matches = await reply.get(Moderation).matches(reply.guild_id or 0)
    return _fitting([(m.id, f"#{m.id} · {registry.game(m.game).title}") for m in matches], typed)


async def _challenges(reply: Reply, typed: str, _: AnyGame | None) -> Suggestions:
    """Suggest open challenges of the server."""
    if not _may_manage(reply):
        return []
    challenges = await reply.get(Moderation).open_challenges(reply.guild_id or 0)
    named = [
        (one.id, f"{one.id} · {registry.game(one.game).title}") for one in reversed(challenges)
    ]
    return _fitting(named, typed)


@command("server void", say("Void a match"))
async def void(
    reply: Reply,
    match: Annotated[
        int,
        Option(say("Match number (finished ones too)"), suggest=_matches),
    ],
) -> None:
    """Ask a moderator to confirm voiding a match."""
    guild_id = require_manager(reply.interaction)
    view = await reply.get(Moderation).match(match, guild_id, by=reply.user_id)
    words = say(
        "{match} will have no result and won't count. Continue?",
        match=about_match(view),
    )
    await reply.send(question("void", match, words))


@command("server end", say("End a match with a result"))
async def end(  # noqa: PLR0917 -- the command's options
    reply: Reply,
    match: Annotated[int, Option(say("Match number"), suggest=_matches)],
    winner: Annotated[discord.User | None, Option(say("Winner"))] = None,
    winner2: Annotated[
        discord.User | None, Option(say("Second winner, sharing first place"))
    ] = None,
    winner3: Annotated[
        discord.User | None, Option(say("Third winner, sharing first place"))
    ] = None,
    draw: Annotated[  # noqa: FBT002 -- an option of the command
        bool, Option(say("Draw between all players"))
    ] = False,
) -> None:
    """Ask a moderator to confirm ending a match with a result."""
    guild_id = require_manager(reply.interaction)
    view = await reply.get(Moderation).match(match, guild_id, by=reply.user_id)
    named = frozenset(user.id for user in (winner, winner2, winner3) if user is not None)
    players = playing(view.match)
    everyone = frozenset(player.user_id for player in players)
    if draw and named:
        raise BadInput(say("Pick a winner or `draw`, not both."))
    won = everyone if draw else named
    check_winners(view, won)
    seats = ".".join(str(player.seat) for player in players if player.user_id in won)
    if won == everyone:
        words = say("{match} will end as a draw. Continue?", match=about_match(view))
    else:
        words = say(
            "{match} will end as won by {winners}. Continue?",
            match=about_match(view),
            winners=mention_all(sorted(won)),
        )
    await reply.send(question("end", match, words, seats))


@command("server clear", say("Close an open challenge"))
async def clear(
    reply: Reply,
    challenge: Annotated[int, Option(say("Challenge number"), suggest=_challenges)],
) -> None:
    """Ask a moderator to confirm closing a challenge."""
    guild_id = require_manager(reply.interaction)
    found = await reply.get(Moderation).challenge(challenge, guild_id)
    words = say("{challenge} will be closed. Continue?", challenge=about_challenge(found))
    await reply.send(question("clear", challenge, words))


@command("server rated", say("Bar a member from rated play, or let them back in"))
async def rated(
    reply: Reply,
    user: Annotated[discord.User, Option(say("Member"))],
    allowed: Annotated[bool, Option(say("Allowed to play rated"))],
) -> None:
    """Ask a moderator to confirm excluding a player from rated play, or readmitting one."""
    guild_id = require_manager(reply.interaction)
    if user.bot:
        raise BadOpponent(
            say("{person} is a bot and can't play rated games.", person=mention(user.id))
        )
    await reply.get(RatedPlay).check(guild_id, user.id, by=reply.user_id, allowed=allowed)
    left = await reply.get(Moderation).left_early(guild_id, user.id)
    await reply.send(rated_play_buttons.question(user.id, allowed=allowed, left=left))


@command("server audit", say("Show moderator decisions"))
async def audit(reply: Reply) -> None:
    """Show the newest moderator decisions."""
    await reply.send(await audit_buttons.audit_page(reply))


def _may_manage(reply: Reply) -> bool:
    return reply.guild_id is not None and reply.interaction.permissions.manage_guild


def _fitting(named: list[tuple[int, str]], typed: str) -> Suggestions:
    wanted = typed.strip().lower()
    return [(name, number) for number, name in named if wanted in name.lower()]
