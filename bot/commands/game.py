"""The command group of one game, made from what the game says of itself."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands

from bot import present
from bot.challenges import Invitation
from bot.commands.pick import pick, suggest_matches
from bot.commands.run import run
from bot.permissions import require_boards
from bot.refusals import BadOpponent, MatchOver, NoSuchMatch, Refusal
from bot.views import challenge as challenge_view
from bot.views import frame, pages, resign
from data.errors import StoreError
from engine.errors import RulesError
from engine.menu import choices

if TYPE_CHECKING:
    from bot.answer import Answer
    from bot.client import Bot
    from engine.registry import AnyGame

_MOST_CHOICES = 25


def group(game: AnyGame) -> app_commands.Group:
    """Return the commands of a game."""
    made = app_commands.Group(name=game.slug, description=f"{game.title}: {game.summary}"[:100])
    for command in (
        _challenge(game),
        _move(game),
        _board(game),
        _rules(game),
        _games(game),
        _resign(game),
    ):
        made.add_command(command)
    return made


def _challenge(game: AnyGame) -> app_commands.Command[Any, Any, None]:
    most = game.players[-1] - 1
    least = game.players[0] - 1
    names = ["opponent", *(f"opponent{number}" for number in range(2, most + 1))]

    async def callback(interaction: discord.Interaction[Bot], **given: Any) -> None:
        opponents = [given[name] for name in names if given.get(name) is not None]
        options = {o.name: given[o.name] for o in game.options if given.get(o.name) is not None}
        seat = given.get("seat")

        async def work(answer: Answer) -> None:
            require_boards(interaction)
            for opponent in opponents:
                _check_opponent(interaction, opponent)
            offered = await interaction.client.challenges.offer(
                Invitation(
                    game=game.slug,
                    options=options,
                    guild_id=interaction.guild_id,
                    channel_id=interaction.channel_id or 0,
                    challenger_id=interaction.user.id,
                    opponents=tuple(opponent.id for opponent in opponents),
                    seat=None if seat is None else game.seat_names.index(seat),
                    salt=str(interaction.id),
                )
            )
            message_id = await answer.tell(
                challenge_view.message(offered),
                mentions=discord.AllowedMentions(
                    everyone=False, roles=False, users=[discord.Object(o.id) for o in opponents]
                ),
            )
            if message_id is not None:
                await interaction.client.challenges.shown(offered.id, message_id)

        await run(interaction, work, public=True)

    parameters = [
        _parameter(name, discord.User, required=number < least) for number, name in enumerate(names)
    ]
    parameters += [_parameter(option.name, str) for option in game.options]
    parameters.append(_parameter("seat", str))
    challenge = _signed(callback, parameters)
    texts = dict.fromkeys(names, "Whom you want to play against")
    texts |= {option.name: option.summary[:100] for option in game.options}
    texts["seat"] = "The seat you want; without it the seats are drawn by lot"
    offered = {option.name: list(option.values) for option in game.options}
    offered["seat"] = list(game.seat_names)
    app_commands.describe(**texts)(challenge)
    app_commands.choices(
        **{
            name: [app_commands.Choice(name=value, value=value) for value in values]
            for name, values in offered.items()
        }
    )(challenge)
    return app_commands.Command(
        name="challenge", description=f"Challenge somebody to {game.title}", callback=challenge
    )


def _move(game: AnyGame) -> app_commands.Command[Any, Any, None]:
    @app_commands.describe(
        move="Your move in notation; the bot suggests those that are legal",
        match="The number of the match, if you play several",
    )
    async def move(
        interaction: discord.Interaction[Bot], move: str, match: int | None = None
    ) -> None:
        async def work(answer: Answer) -> None:
            view = await pick(interaction, game.slug, match, my_turn=True)
            await interaction.client.table.type(answer, view.match.id, move)

        await run(interaction, work)

    made: app_commands.Command[Any, Any, None] = app_commands.Command(
        name="move", description="Play a move by typing it", callback=move
    )

    @made.autocomplete("move")
    async def suggest_moves(
        interaction: discord.Interaction[Bot], typed: str
    ) -> list[app_commands.Choice[str]]:
        try:
            named = getattr(interaction.namespace, "match", None)
            number = named if isinstance(named, int) else None
            view = await pick(interaction, game.slug, number, my_turn=True)
            interaction.client.matches.may_move(view, interaction.user.id)
        except (Refusal, RulesError, StoreError):
            return []
        clean = "".join(typed.split()).lower()
        moves = [view.game.write(move) for move in view.game.legal_moves(view.state)]
        if len(moves) > _MOST_CHOICES and not clean:
            moves = [c.label for c in choices(view.game, view.state)]
        fitting = sorted(move for move in moves if move.startswith(clean))
        fitting += sorted(move for move in moves if clean in move and not move.startswith(clean))
        return [app_commands.Choice(name=m[:100], value=m[:100]) for m in fitting[:_MOST_CHOICES]]

    _suggest_matches(made, game)
    return made


def _board(game: AnyGame) -> app_commands.Command[Any, Any, None]:
    @app_commands.describe(match="The number of the match, if you play several")
    async def board(interaction: discord.Interaction[Bot], match: int | None = None) -> None:
        async def work(answer: Answer) -> None:
            view = await pick(interaction, game.slug, match)
            await interaction.client.table.show(answer, view.match.id)
            interaction.client.table.deliver(answer, view.match.id)

        await run(interaction, work)

    made: app_commands.Command[Any, Any, None] = app_commands.Command(
        name="board", description="See the board of your match as it stands", callback=board
    )
    _suggest_matches(made, game)
    return made


def _rules(game: AnyGame) -> app_commands.Command[Any, Any, None]:
    @app_commands.describe(number="One rule, by its document and number")
    async def rules(interaction: discord.Interaction[Bot], number: str | None = None) -> None:
        async def work(answer: Answer) -> None:
            if number is None:
                await answer.tell(pages.rules(game.slug))
                return
            wanted = number.strip().lower()
            found = [r for r in game.rules if wanted in {r.name.lower(), r.number.lower()}]
            if not found:
                names = ", ".join(rule.name for rule in game.rules)
                words = f"{game.title} has no rule “{number[:20]}”. It has: {names}."
                await answer.tell(frame.text(words))
                return
            source = {document.key: document.title for document in game.documents}
            told = [f"**Rule {r.name}.** {r.sentence}\n-# {source[r.document]}" for r in found]
            await answer.tell(frame.text("\n".join(told)))

        await run(interaction, work)

    made: app_commands.Command[Any, Any, None] = app_commands.Command(
        name="rules", description=f"Read the rules of {game.title}", callback=rules
    )

    @made.autocomplete("number")
    async def suggest_rules(
        _: discord.Interaction[Bot], typed: str
    ) -> list[app_commands.Choice[str]]:
        wanted = typed.strip().lower()
        fitting = [
            app_commands.Choice(name=f"{rule.name}: {rule.sentence}"[:100], value=rule.name)
            for rule in game.rules
            if wanted in rule.name.lower() or wanted in rule.sentence.lower()
        ]
        return fitting[:_MOST_CHOICES]

    return made


def _games(game: AnyGame) -> app_commands.Command[Any, Any, None]:
    async def games(interaction: discord.Interaction[Bot]) -> None:
        async def work(answer: Answer) -> None:
            user = interaction.user.id
            views = await interaction.client.matches.of_player(user, game=game.slug)
            lines = []
            for view in views:
                shown = await interaction.client.matches.link(view.match.id)
                link = None
                if shown is not None:
                    link = present.message_link(
                        view.match.guild_id, shown.channel_id, shown.message_id
                    )
                lines.append(present.match_line(view, user, link))
            none = f"You have no open match of {game.title}. `/{game.slug} challenge` starts one."
            await answer.tell(frame.text("\n".join(lines) or none))

        await run(interaction, work)

    return app_commands.Command(
        name="games", description="Your open matches, those that wait for you first", callback=games
    )


def _resign(game: AnyGame) -> app_commands.Command[Any, Any, None]:
    @app_commands.describe(match="The number of the match, if you play several")
    async def give_up(interaction: discord.Interaction[Bot], match: int | None = None) -> None:
        async def work(answer: Answer) -> None:
            view = await pick(interaction, game.slug, match)
            if view.player_of(interaction.user.id) is None:
                raise NoSuchMatch(f"You do not play in match #{view.match.id}.")
            if view.to_move is None:
                raise MatchOver(f"Match #{view.match.id} is over already.", match_id=view.match.id)
            others = " and ".join(
                f"<@{p.user_id}>" for p in view.match.players if p.user_id != interaction.user.id
            )
            words = (
                f"Do you really want to resign match #{view.match.id} against {others}? "
                "It counts as lost."
            )
            await answer.tell(resign.question(view.match.id, words))

        await run(interaction, work)

    made: app_commands.Command[Any, Any, None] = app_commands.Command(
        name="resign", description="Give your match up", callback=give_up
    )
    _suggest_matches(made, game)
    return made


def _suggest_matches(command: app_commands.Command[Any, Any, None], game: AnyGame) -> None:
    @command.autocomplete("match")
    async def suggest(
        interaction: discord.Interaction[Bot], typed: str
    ) -> list[app_commands.Choice[int]]:
        return await suggest_matches(interaction, game.slug, str(typed))


def _check_opponent(
    interaction: discord.Interaction[Bot], opponent: discord.User | discord.Member
) -> None:
    if opponent.id == interaction.user.id:
        raise BadOpponent("You cannot challenge yourself. Choose somebody else as your opponent.")
    if opponent.bot:
        raise BadOpponent(f"<@{opponent.id}> is a bot and does not play. Choose a person.")
    if interaction.guild_id is None:
        return
    if not isinstance(opponent, discord.Member):
        raise BadOpponent(f"<@{opponent.id}> is not in this server.")
    allowed = opponent.resolved_permissions
    if allowed is not None and not allowed.view_channel:
        raise BadOpponent(
            f"<@{opponent.id}> cannot see this channel. Challenge them where you both can."
        )


def _parameter(name: str, kind: Any, *, required: bool = False) -> inspect.Parameter:
    annotation = kind if required else kind | None
    default = inspect.Parameter.empty if required else None
    return inspect.Parameter(
        name, inspect.Parameter.KEYWORD_ONLY, annotation=annotation, default=default
    )


def _signed(callback: Any, parameters: list[inspect.Parameter]) -> Any:
    """Return a callback with the parameters that discord.py is to read from its signature."""
    first = inspect.Parameter("interaction", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    callback.__signature__ = inspect.Signature([first, *parameters])
    return callback
