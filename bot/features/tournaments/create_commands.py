"""``/tournament create``, with rules and options typed on one line, and ``/tournament import``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import timedelta
from typing import Annotated, Any, Final

import discord

from bot.core.errors import BadImport, BadInput, NotAllowed, Refusal
from bot.core.interactions.commands import Option, Suggestions, command, fetched, game_option
from bot.core.interactions.layout import text_layout
from bot.core.interactions.progress import ProgressMessage
from bot.core.interactions.reply import Reply
from bot.core.permissions import play
from bot.core.permissions.channels import require_manager
from bot.core.settings.kinds import MAX_DAYS
from bot.core.settings.service import SettingsStore
from bot.features.tournaments import reading, text
from bot.features.tournaments.checking import MAX_NAME
from bot.features.tournaments.entry import MAX_ENTRANTS
from bot.features.tournaments.importing import TournamentImports
from bot.features.tournaments.model import Format, Plan
from bot.features.tournaments.service import Tournaments
from bot.features.tournaments.view import stored_plan
from bot.features.tournaments.visible_views import server_of
from bot.play.matches import time_controls
from bot.play.matches.match_text import option_words
from data.tournaments.tournaments import Terms
from engine import registry
from engine.phrase import Phrase, lines, say
from engine.registry import AnyGame

_FORMATS: Final = {
    "swiss": say("Swiss system: everyone plays every round"),
    "round-robin": say("Round robin: everyone meets everyone"),
    "double-round-robin": say("Double round robin: everyone meets everyone twice"),
    "knockout": say("Knockout: lose and you're out"),
    "double-knockout": say("Double knockout: lose twice and you're out"),
}
_VERDICTS: Final = {
    "draw": say("They are drawn"),
    "computer": say("The computer judges them, drawn if unclear"),
    "manager": say("The organiser decides"),
}
_MAX_ROUNDS: Final = 30
_MAX_ROUND_DAYS: Final = 90
_MAX_WAIT: Final = 60
_MAX_RATING: Final = 4000


async def _game_options(reply: Reply, typed: str, _: AnyGame | None) -> Suggestions:
    """Suggest rules and options of the chosen game."""
    game = registry.games().get(getattr(reply.interaction.namespace, "game", None) or "")
    return [] if game is None else list(suggestions(game, typed))


@command("tournament create", say("Create a tournament"), server_only=True)
async def create(  # noqa: PLR0917 -- these are the command's options
    reply: Reply,
    game: Annotated[str, game_option(say("Game"))],
    name: Annotated[str, Option(say("Name of the tournament"), maximum=MAX_NAME)],
    format: Annotated[  # noqa: A002 -- an option of the command
        str, Option(say("Format (Swiss system if empty)"), choices=_FORMATS)
    ] = "swiss",
    options: Annotated[
        str,
        Option(
            say("Rules and options of the game (defaults if empty)"),
            maximum=MAX_TYPED,
            suggest=_game_options,
        ),
    ] = "",
    rounds: Annotated[
        int | None,
        Option(
            say("Rounds of a Swiss (enough for a winner if empty)"), minimum=1, maximum=_MAX_ROUNDS
        ),
    ] = None,
    days: Annotated[
        int | None,
        Option(say("Days per move (server default if empty)"), minimum=1, maximum=MAX_DAYS),
    ] = None,
    bank: Annotated[
        int | None,
        Option(
            say("Time bank instead: days at the start, and each move adds one"),
            minimum=1,
            maximum=MAX_DAYS,
        ),
    ] = None,
    round_days: Annotated[
        int | None,
        Option(
            say("Days until a round ends (no limit if empty)"), minimum=1, maximum=_MAX_ROUND_DAYS
        ),
    ] = None,
    verdict: Annotated[
        str, Option(say("Open games at the end of a round (drawn if empty)"), choices=_VERDICTS)
    ] = "draw",
    starts_in: Annotated[
        int | None,
        Option(say("Days until it starts (by hand if empty)"), minimum=1, maximum=_MAX_WAIT),
    ] = None,
    monthly: Annotated[  # noqa: FBT002 -- an option of the command
        bool, Option(say("Repeat every month (needs days until it starts)"))
    ] = False,
    players: Annotated[
        int | None, Option(say("Players at a table (two if empty)"), minimum=2, maximum=8)
    ] = None,
    groups: Annotated[
        int | None, Option(say("Groups of a round robin, with a final"), minimum=2, maximum=32)
    ] = None,
    best_of: Annotated[
        int | None, Option(say("Games per knockout match (odd)"), minimum=1, maximum=9)
    ] = None,
    both_sides: Annotated[  # noqa: FBT002 -- an option of the command
        bool, Option(say("Two games per pairing, with sides swapped"))
    ] = False,
    casual: Annotated[  # noqa: FBT002 -- an option of the command
        bool, Option(say("Unrated games (rated if empty)"))
    ] = False,
    most: Annotated[
        int, Option(say("Maximum number of players"), minimum=2, maximum=MAX_ENTRANTS)
    ] = MAX_ENTRANTS,
    least_rating: Annotated[
        int | None, Option(say("Lowest rating allowed"), minimum=0, maximum=_MAX_RATING)
    ] = None,
    most_rating: Annotated[
        int | None, Option(say("Highest rating allowed"), minimum=0, maximum=_MAX_RATING)
    ] = None,
    established: Annotated[  # noqa: FBT002 -- an option of the command
        bool, Option(say("No provisional ratings"))
    ] = False,
    role: Annotated[discord.Role | None, Option(say("Role that players need"))] = None,
) -> None:
    """Open a tournament for sign-ups in this channel."""
    guild_id = server_of(reply)
    await play.require_challenges(reply)
    if isinstance(reply.interaction.channel, discord.Thread):
        raise Refusal(say("Create tournaments in a channel, not in a thread."))
    if monthly and starts_in is None:
        raise BadInput(say("For a monthly tournament, set the days until it starts."))
    if least_rating is not None and most_rating is not None and least_rating > most_rating:
        raise BadInput(say("The lowest rating is above the highest."))
    if verdict == "manager" and not reply.interaction.permissions.manage_guild:
        raise NotAllowed(
            say(
                "To decide games yourself, you need the permission **Manage Server**. For "
                "`verdict`, choose that open games are drawn or that the computer judges them."
            )
        )
    plan = _plan(
        registry.game(game),
        format,
        players,
        rounds=rounds,
        groups=groups or 1,
        best_of=best_of or 1,
        both_sides=both_sides,
    )
    _check_places(plan, most)
    time = time_controls.chosen(await reply.get(SettingsStore).server(guild_id), days, bank)
    service = reply.get(Tournaments)
    starts_at = None if starts_in is None else service.now() + timedelta(days=starts_in)
    tournament = await service.create(
        Terms(
            guild_id=guild_id,
            channel_id=reply.channel_id,
            name=name,
            game=game,
            plan=stored_plan(plan),
            created_by=reply.user_id,
            days=time.days,
            bank=time.bank,
            round_days=round_days,
            verdict=verdict,
            casual=casual,
            max_players=most,
            min_rating=least_rating,
            max_rating=most_rating,
            established=established,
            role_id=None if role is None or role.is_default() else role.id,
            starts_at=starts_at,
            monthly_day=starts_at.day if monthly and starts_at is not None else None,
            options=read(registry.game(game), options),
        )
    )
    await reply.send(text_layout(text.created(tournament)))


def _plan(
    game: AnyGame,
    chosen: str,
    players: int | None,
    *,
    rounds: int | None,
    **more: Any,
) -> Plan:
    """Build the plan from the chosen options.

    Raises:
        BadInput: the options don't go together, or the game isn't for that many players.
    """
    seats = players or game.players[0]
    if seats not in game.players:
        raise BadInput(
            say("{game} can't be played at tables of {number}.", game=game.title, number=seats)
        )
    kind = Format(chosen.removeprefix("double-"))
    double = chosen.startswith("double-")
    try:
        return Plan(
            kind,
            seats=seats,
            smallest=min(2 if seats <= 3 else seats - 1, seats),
            rounds=rounds if kind is Format.SWISS or seats > 2 else None,
            cycles=2 if double and kind is Format.ROUND_ROBIN else 1,
            lives=2 if double and kind is Format.KNOCKOUT else 1,
            **more,
        )
    except ValueError as error:
        raise BadInput(
            say(
                "These options don't go together. Groups are for a round robin, a best of several "
                "(an odd number) for a knockout, and both need two players at a table."
            )
        ) from error


def _check_places(plan: Plan, most: int) -> None:
    """Check that enough players may sign up to start.

    Raises:
        BadInput: they would not fill a table.
    """
    if most < plan.smallest:
        raise BadInput(
            say("A table needs {number} players. Let at least that many in.", number=plan.smallest)
        )


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
        plan={},
        created_by=reply.user_id,
        days=(await reply.get(SettingsStore).server(guild_id)).days,
        casual=True,
    )
    content = await _content(file)
    message = ProgressMessage(reply, lambda: say("Reading the file …"), public=None)
    done = await message.wait(reply.get(TournamentImports).add(content, terms))
    if done is not None:
        await message.finish(text_layout(lines(text.imported(*done))))


async def _content(file: discord.Attachment) -> bytes:
    content = await fetched(file, maximum=reading.MAX_BYTES)
    if content is None:
        raise BadImport(say("I couldn't fetch that file from Discord. Attach it again."))
    if len(content) > reading.MAX_BYTES:
        raise reading.too_large()
    return content


MAX_TYPED: Final = 100
"""Maximum length of a suggestion on Discord."""
_BETWEEN: Final = re.compile(r"[\s,;]+")


def read(game: AnyGame, typed: str) -> dict[str, str]:
    """Parse typed options.

    Raises:
        BadInput: a part isn't of the form ``name=value``.
        BadOption: the game has no such option or value.

    """
    chosen = {}
    for part in filter(None, _BETWEEN.split(typed.lower())):
        name, sign, value = part.partition("=")
        if not sign:
            raise BadInput(
                say(
                    "“{part}” isn't an option. Write a name and a value, for example `{example}`, "
                    "or pick one of the suggestions.",
                    part=part,
                    example=_example(game),
                )
            )
        chosen[name] = value
    game.settle(chosen)
    return chosen


def suggestions(game: AnyGame, typed: str) -> Iterator[tuple[str, str]]:
    """Yield possible completions: the label, and the whole line."""
    parts = list(filter(None, _BETWEEN.split(typed.lower())))
    known = {option.name: option.values for option in game.options}
    chosen: dict[str, str] = {}
    while parts:
        name, _, value = parts[0].partition("=")
        if value not in known.get(name, ()):
            break
        chosen[name] = value
        del parts[0]
    if chosen and not parts:
        yield _words(game, chosen), written(chosen)
    begun = " ".join(parts)
    settled = game.settle(chosen)
    for option in game.options:
        for value in option.values:
            added = {**chosen, option.name: value}
            whole = written(added)
            fits = f"{option.name}={value}".startswith(begun) or begun in value
            new = option.name not in chosen and value != settled[option.name]
            if new and fits and len(whole) <= MAX_TYPED:
                yield _words(game, added), whole


def written(chosen: Mapping[str, str]) -> str:
    """Write options on one line, as `read` parses them."""
    return " ".join(f"{name}={value}" for name, value in chosen.items())


def _words(game: AnyGame, chosen: Mapping[str, str]) -> Phrase:
    known = {option.name: option for option in game.options}
    return lines((option_words(known[name], value) for name, value in chosen.items()), " · ")


def _example(game: AnyGame) -> str:
    """Return one of the game's options with a value other than its default."""
    for option in game.options:
        for value in option.values:
            if value != option.default:
                return f"{option.name}={value}"
    return "rules=…"
