"""``/tournament create``, which begins a draft, and ``/tournament import``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Final

import discord

from bot.core.errors import BadImport, BadInput, Refusal
from bot.core.interactions.commands import Option, command, fetched, game_option
from bot.core.interactions.layout import text_layout
from bot.core.interactions.progress import ProgressMessage
from bot.core.interactions.reply import Reply
from bot.core.permissions import play
from bot.core.permissions.channels import require_manager, server_of
from bot.core.settings.service import SettingsStore
from bot.features.tournaments.draft_buttons import FORMATS, draft_layout
from bot.features.tournaments.drafts import Draft, Drafts
from bot.features.tournaments.files import Checked, TournamentImports
from bot.features.tournaments.rules import reading
from bot.features.tournaments.rules.pairing import round_name
from bot.features.tournaments.service import MAX_NAME, clean_name
from data import time_per_move
from data.tournaments.tournaments import Terms, Tournament
from data.tournaments.values import Format, Plan
from engine.phrase import Phrase, lines, plural, say

_NAME: Final = Option(say("Name of the tournament"), maximum=MAX_NAME)


@command("tournament create", say("Create a tournament"), server_only=True)
async def create(
    reply: Reply,
    game: Annotated[str, game_option(say("Game"))],
    format: Annotated[str, Option(say("Format"), choices=FORMATS)],  # noqa: A002 -- an option
    name: Annotated[str, _NAME],
) -> None:
    """Begin the draft of a tournament, which its organiser alone sees until it is posted."""
    server_of(reply.interaction)
    await play.require_challenges(reply)
    if isinstance(reply.interaction.channel, discord.Thread):
        raise Refusal(say("Create tournaments in a channel, not in a thread."))
    if not (cleaned := clean_name(name)):
        raise BadInput(say("Give the tournament a name."))
    draft, number = Draft(game=game, format=format, name=cleaned), reply.interaction.id
    await reply.get(Drafts).begin(number, reply.user_id, draft)
    await reply.send(await draft_layout(reply, number, draft))


@command("tournament import", say("Import a tournament from a file"), server_only=True)
async def import_(
    reply: Reply,
    file: Annotated[
        discord.Attachment, Option(say("FIDE report (TRF16), or a file from /tournament export"))
    ],
    game: Annotated[str, game_option(say("Game"))],
    name: Annotated[
        str, Option(say("Name of the tournament (that in the file if empty)"), maximum=MAX_NAME)
    ] = "",
) -> None:
    """Import a tournament played elsewhere; server managers only."""
    guild_id = require_manager(reply.interaction)
    await play.require_challenges(reply)
    if isinstance(reply.interaction.channel, discord.Thread):
        raise Refusal(say("Import tournaments in a channel, not in a thread."))
    terms = Terms(
        guild_id=guild_id,
        channel_id=reply.channel_id,
        name=name,
        game=game,
        plan=Plan(Format.SWISS),
        created_by=reply.user_id,
        unrated=True,
        **time_per_move.columns((await reply.get(SettingsStore).server(guild_id)).per_move),
    )
    content = await _content(file)
    message = ProgressMessage(reply, lambda: say("Reading the file …"), public=None)
    done = await message.wait(reply.get(TournamentImports).add(content, terms))
    if done is not None:
        await message.finish(text_layout(lines(_imported(*done))))


def _imported(tournament: Tournament, played: Checked) -> Iterator[Phrase]:
    yield plural(
        "Imported **{tournament}** with {n} player. Rounds: {rounds}. See it in {channel}.",
        "Imported **{tournament}** with {n} players. Rounds: {rounds}. See it in {channel}.",
        len(played.entrants),
        tournament=tournament.name,
        rounds=tournament.round,
        channel=f"<#{tournament.channel_id}>",
    )
    if played.wrong == 0:
        yield say("Every round's pairings match its seed.")
    elif played.wrong:
        yield say(
            # Translators: round is "Round 2", or "Final".
            "{round} doesn't match its seed. It was paired by hand, or changed.",
            round=round_name(played.plan, played.wrong, played.round),
        )
    elif played.seed:
        yield say("Its pairings weren't checked against its seed, as that takes too long.")


async def _content(file: discord.Attachment) -> bytes:
    content = await fetched(file, maximum=reading.MAX_BYTES)
    if content is None:
        raise BadImport(say("I couldn't fetch that file from Discord. Attach it again."))
    if len(content) > reading.MAX_BYTES:
        raise reading.too_large()
    return content
