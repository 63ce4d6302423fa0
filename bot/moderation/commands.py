"""``/server``: what those decide who may manage a server: its settings, and its matches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands

from bot.errors import BadInput, BadOpponent
from bot.i18n.mentions import all_of, who
from bot.interactions.commands import run
from bot.moderation import audit_buttons, rated_play_buttons
from bot.moderation import buttons as moderation_buttons
from bot.moderation.service import check_winners
from bot.permissions.channels import require_manager
from bot.settings import server_buttons
from data import matches
from engine import registry
from engine.phrase import say

if TYPE_CHECKING:
    from bot.client import Bot
    from bot.interactions.reply import Reply


def server_group() -> app_commands.Group:
    """Return the group. Discord shows it to managers only; who uses it is checked all the same."""
    made = app_commands.Group(
        name="server",
        description=say("For those who manage this server"),
        guild_only=True,
        default_permissions=discord.Permissions(manage_guild=True),
    )
    for command in (_settings(), _void(), _end(), _clear(), _rated(), _audit()):
        made.add_command(command)
    return made


def _settings() -> app_commands.Command[Any, Any, None]:
    async def settings(interaction: discord.Interaction[Bot]) -> None:
        async def work(answer: Reply) -> None:
            client = interaction.client
            guild_id = require_manager(interaction)
            chosen = await client.choices.server(guild_id)
            await answer.tell(await server_buttons.shown(client, interaction, guild_id, chosen))

        await run(interaction, work)

    return app_commands.Command(
        name="settings",
        description=say("Where and how games are played in this server"),
        callback=settings,
    )


def _void() -> app_commands.Command[Any, Any, None]:
    @app_commands.describe(match=say("The number of the match; one that is over will do"))
    async def void(interaction: discord.Interaction[Bot], match: int) -> None:
        async def work(answer: Reply) -> None:
            guild_id = require_manager(interaction)
            view = await interaction.client.moderation.match(match, guild_id)
            words = say(
                "{match} will have no result, and nothing is counted. Is that right?",
                match=moderation_buttons.about_match(view),
            )
            await answer.tell(moderation_buttons.question("void", match, words))

        await run(interaction, work)

    made: app_commands.Command[Any, Any, None] = app_commands.Command(
        name="void", description=say("Take away the result of a match"), callback=void
    )
    made.autocomplete("match")(_suggest_matches)
    return made


def _end() -> app_commands.Command[Any, Any, None]:
    @app_commands.describe(
        match=say("The number of the match"),
        winner=say("Who wins it"),
        winner2=say("Who shares the first place"),
        winner3=say("Who shares the first place, too"),
        draw=say("Whether it ends as a draw between everybody"),
    )
    async def end(  # noqa: PLR0917 - they are the options of the command
        interaction: discord.Interaction[Bot],
        match: int,
        winner: discord.User | None = None,
        winner2: discord.User | None = None,
        winner3: discord.User | None = None,
        draw: bool = False,  # noqa: FBT001, FBT002 - an option of the command
    ) -> None:
        async def work(answer: Reply) -> None:
            guild_id = require_manager(interaction)
            view = await interaction.client.moderation.match(match, guild_id)
            named = frozenset(user.id for user in (winner, winner2, winner3) if user is not None)
            players = view.match.players
            everybody = frozenset(player.user_id for player in players)
            if draw and named:
                raise BadInput(say("Name who wins, or choose `draw`, but not both."))
            won = everybody if draw else named
            check_winners(view, won)
            seats = ".".join(str(player.seat) for player in players if player.user_id in won)
            if won == everybody:
                words = say(
                    "{match} will end as a draw. Is that right?",
                    match=moderation_buttons.about_match(view),
                )
            else:
                words = say(
                    "{match} will end as won by {winners}. Is that right?",
                    match=moderation_buttons.about_match(view),
                    winners=all_of(sorted(won)),
                )
            await answer.tell(moderation_buttons.question("end", match, words, seats))

        await run(interaction, work)

    made: app_commands.Command[Any, Any, None] = app_commands.Command(
        name="end", description=say("Give a match a result"), callback=end
    )
    made.autocomplete("match")(_suggest_matches)
    return made


def _clear() -> app_commands.Command[Any, Any, None]:
    @app_commands.describe(challenge=say("The number of the challenge"))
    async def clear(interaction: discord.Interaction[Bot], challenge: int) -> None:
        async def work(answer: Reply) -> None:
            guild_id = require_manager(interaction)
            found = await interaction.client.moderation.challenge(challenge, guild_id)
            words = say(
                "{challenge} will be closed. Is that right?",
                challenge=moderation_buttons.about_challenge(found),
            )
            await answer.tell(moderation_buttons.question("clear", challenge, words))

        await run(interaction, work)

    made: app_commands.Command[Any, Any, None] = app_commands.Command(
        name="clear", description=say("Close an open challenge"), callback=clear
    )

    @made.autocomplete("challenge")
    async def suggest(
        interaction: discord.Interaction[Bot], typed: str
    ) -> list[app_commands.Choice[int]]:
        if interaction.guild_id is None or not interaction.permissions.manage_guild:
            return []
        found = await interaction.client.moderation.open_challenges(interaction.guild_id)
        named = [(one.id, f"{one.id} · {registry.game(one.game).title}") for one in reversed(found)]
        return _fitting(named, typed)

    return made


def _rated() -> app_commands.Command[Any, Any, None]:
    @app_commands.describe(
        user=say("Whose matches in this server count, or do not"),
        allowed=say("Whether they may play rated"),
    )
    async def rated(
        interaction: discord.Interaction[Bot],
        user: discord.User,
        allowed: bool,  # noqa: FBT001 - an option of the command
    ) -> None:
        async def work(answer: Reply) -> None:
            guild_id = require_manager(interaction)
            if user.bot:
                raise BadOpponent(
                    say("{person} is a bot and plays no rated matches.", person=who(user.id))
                )
            await interaction.client.exclusion.check(guild_id, user.id, allowed=allowed)
            await answer.tell(rated_play_buttons.question(user.id, allowed=allowed))

        await run(interaction, work)

    return app_commands.Command(
        name="rated",
        description=say("Keep a member out of rated play, or let them in again"),
        callback=rated,
    )


def _audit() -> app_commands.Command[Any, Any, None]:
    async def show(interaction: discord.Interaction[Bot]) -> None:
        async def work(answer: Reply) -> None:
            guild_id = require_manager(interaction)
            await answer.tell(await audit_buttons.audit_page(interaction.client, guild_id))

        await run(interaction, work)

    return app_commands.Command(
        name="audit", description=say("What moderators have decided here"), callback=show
    )


async def _suggest_matches(
    interaction: discord.Interaction[Bot], typed: str
) -> list[app_commands.Choice[int]]:
    if interaction.guild_id is None or not interaction.permissions.manage_guild:
        return []
    async with interaction.client.store.read() as tx:
        found = await matches.of_server(tx, interaction.guild_id, limit=_LOOKED_THROUGH)
    return _fitting([(m.id, f"#{m.id} · {registry.game(m.game).title}") for m in found], typed)


def _fitting(named: list[tuple[int, str]], typed: str) -> list[app_commands.Choice[int]]:
    wanted = typed.strip().lower()
    fitting = [(number, name) for number, name in named if wanted in name.lower()]
    return [
        app_commands.Choice(name=name, value=number) for number, name in fitting[:_MOST_CHOICES]
    ]


_MOST_CHOICES = 25
_LOOKED_THROUGH = 200
"""So many of the newest matches of a server are searched for what is typed."""
