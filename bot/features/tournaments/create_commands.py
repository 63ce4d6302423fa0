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
from bot.core.interactions.reply import ProgressMessage, Reply
from bot.core.permissions import play
from bot.core.permissions.channels import require_manager
from bot.core.settings.kinds import MAX_DAYS
from bot.core.settings.service import SettingsStore
from bot.features.tournaments import text
from bot.features.tournaments.files import Checked, TournamentImports
from bot.features.tournaments.lookup_commands import server_of
from bot.features.tournaments.rules import reading
from bot.features.tournaments.rules.pairing import MAX_ENTRANTS
from bot.features.tournaments.service import MAX_NAME, Tournaments
from bot.play.matches import time_controls
from bot.play.matches.match_text import option_words
from data.tournaments.tournaments import Terms, Tournament
from data.tournaments.values import Format, Plan
from engine import registry
from engine.phrase import Phrase, lines, plural, say
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


async def _game_options(reply: Reply, typed: str, _: AnyGame | None) -> Suggestions:
    game = registry.games().get(getattr(reply.interaction.namespace, "game", None) or "")
    return [] if game is None else list(_completions(game, typed))


MAX_TYPED: Final = 100
"""Maximum length of a suggestion on Discord."""
_NAME: Final = Option(say("Name of the tournament"), maximum=MAX_NAME)
_FORMAT: Final = Option(say("Format (Swiss system if empty)"), choices=_FORMATS)
_OPTIONS: Final = Option(
    say("Rules and options of the game (defaults if empty)"),
    maximum=MAX_TYPED,
    suggest=_game_options,
)
_ROUNDS: Final = Option(
    say("Rounds of a Swiss (enough for a winner if empty)"), minimum=1, maximum=30
)
_DAYS: Final = Option(say("Days per move (server default if empty)"), minimum=1, maximum=MAX_DAYS)
_BANK: Final = Option(
    say("Time bank instead: days at the start, and each move adds one"), minimum=1, maximum=MAX_DAYS
)
_ROUND_DAYS: Final = Option(
    say("Days until a round ends (no limit if empty)"), minimum=1, maximum=90
)
_VERDICT: Final = Option(
    say("Open games at the end of a round (drawn if empty)"), choices=_VERDICTS
)
_STARTS_IN: Final = Option(say("Days until it starts (by hand if empty)"), minimum=1, maximum=60)
_MONTHLY: Final = Option(say("Repeat every month (needs days until it starts)"))
_PLAYERS: Final = Option(say("Players at a table (two if empty)"), minimum=2, maximum=8)
_GROUPS: Final = Option(say("Groups of a round robin, with a final"), minimum=2, maximum=32)
_BEST_OF: Final = Option(say("Games per knockout match (odd)"), minimum=1, maximum=9)
_BOTH_SIDES: Final = Option(say("Two games per pairing, with sides swapped"))
_CASUAL: Final = Option(say("Unrated games (rated if empty)"))
_MOST: Final = Option(say("Maximum number of players"), minimum=2, maximum=MAX_ENTRANTS)
_LEAST_RATING: Final = Option(say("Lowest rating allowed"), minimum=0, maximum=4000)
_MOST_RATING: Final = Option(say("Highest rating allowed"), minimum=0, maximum=4000)
_ESTABLISHED: Final = Option(say("No provisional ratings"))
_ROLE: Final = Option(say("Role that players need"))


@command("tournament create", say("Create a tournament"), server_only=True)
async def create(  # noqa: PLR0917 -- these are the command's options
    reply: Reply,
    game: Annotated[str, game_option(say("Game"))],
    name: Annotated[str, _NAME],
    format: Annotated[str, _FORMAT] = "swiss",  # noqa: A002 -- an option of the command
    options: Annotated[str, _OPTIONS] = "",
    rounds: Annotated[int | None, _ROUNDS] = None,
    days: Annotated[int | None, _DAYS] = None,
    bank: Annotated[int | None, _BANK] = None,
    round_days: Annotated[int | None, _ROUND_DAYS] = None,
    verdict: Annotated[str, _VERDICT] = "draw",
    starts_in: Annotated[int | None, _STARTS_IN] = None,
    monthly: Annotated[bool, _MONTHLY] = False,  # noqa: FBT002 -- an option of the command
    players: Annotated[int | None, _PLAYERS] = None,
    groups: Annotated[int | None, _GROUPS] = None,
    best_of: Annotated[int | None, _BEST_OF] = None,
    both_sides: Annotated[bool, _BOTH_SIDES] = False,  # noqa: FBT002 -- an option of the command
    casual: Annotated[bool, _CASUAL] = False,  # noqa: FBT002 -- an option of the command
    most: Annotated[int, _MOST] = MAX_ENTRANTS,
    least_rating: Annotated[int | None, _LEAST_RATING] = None,
    most_rating: Annotated[int | None, _MOST_RATING] = None,
    established: Annotated[bool, _ESTABLISHED] = False,  # noqa: FBT002 -- an option of the command
    role: Annotated[discord.Role | None, _ROLE] = None,
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
    if most < plan.smallest:
        raise BadInput(
            say("A table needs {number} players. Let at least that many in.", number=plan.smallest)
        )
    time = time_controls.chosen(await reply.get(SettingsStore).server(guild_id), days, bank)
    service = reply.get(Tournaments)
    starts_at = None if starts_in is None else service.clock() + timedelta(days=starts_in)
    tournament = await service.create(
        Terms(
            guild_id=guild_id,
            channel_id=reply.channel_id,
            name=name,
            game=game,
            plan=plan,
            created_by=reply.user_id,
            days=time.days,
            bank=time.bank,
            round_days=round_days,
            verdict=verdict,
            unrated=casual,
            max_players=most,
            min_rating=least_rating,
            max_rating=most_rating,
            established=established,
            role_id=None if role is None or role.is_default() else role.id,
            starts_at=starts_at,
            monthly_day=starts_at.day if monthly and starts_at is not None else None,
            options=_read_options(registry.game(game), options),
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
        days=(await reply.get(SettingsStore).server(guild_id)).days,
        unrated=True,
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
            "Round {round} doesn't match its seed. It was paired by hand, or changed.",
            round=played.wrong,
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


_BETWEEN: Final = re.compile(r"[\s,;]+")


def _read_options(game: AnyGame, typed: str) -> dict[str, str]:
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


def _completions(game: AnyGame, typed: str) -> Iterator[tuple[str, str]]:
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
        yield _words(game, chosen), _one_line(chosen)
    begun = " ".join(parts)
    settled = game.settle(chosen)
    for option in game.options:
        for value in option.values:
            added = {**chosen, option.name: value}
            whole = _one_line(added)
            fits = f"{option.name}={value}".startswith(begun) or begun in value
            new = option.name not in chosen and value != settled[option.name]
            if new and fits and len(whole) <= MAX_TYPED:
                yield _words(game, added), whole


def _one_line(chosen: Mapping[str, str]) -> str:
    """Write options on one line, as `_read_options` parses them."""
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
