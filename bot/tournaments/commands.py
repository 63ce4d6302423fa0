"""``/tournament``: making, entering and running tournaments."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import TYPE_CHECKING, Annotated, Any, Final

import discord

from bot.errors import BadInput, NotAllowed, Refusal
from bot.i18n.mentions import who
from bot.interactions.commands import Option, Suggestions, command, group
from bot.interactions.components import attached_file, text_display
from bot.interactions.game_options import game_option
from bot.interactions.layout import Layout, Upload, text_layout
from bot.interactions.reply import Reply
from bot.permissions import play
from bot.scheduling import time_text
from bot.settings.declarations import MAX_DAYS
from bot.settings.service import SettingsStore
from bot.tournaments import actions_buttons, exporting, game_choices, pages_buttons, text
from bot.tournaments.entry import MAX_ENTRANTS
from bot.tournaments.model import Format, Plan
from bot.tournaments.service import MAX_NAME, Tournaments
from bot.tournaments.view import stored_plan
from bot.tournaments.visible_views import is_visible, visible
from data.tournaments import Terms
from engine import registry
from engine.phrase import say

if TYPE_CHECKING:
    from engine.registry import AnyGame

group("tournament", say("Tournaments on this server"))

_FORMATS: Final = {
    "swiss": say("Swiss system: everyone plays every round"),
    "round-robin": say("Round robin: everyone meets everyone"),
    "double-round-robin": say("Double round robin: everyone meets everyone twice"),
    "knockout": say("Knockout: whoever loses is out"),
    "double-knockout": say("Double knockout: whoever loses twice is out"),
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


async def _open(reply: Reply, typed: str, _: AnyGame | None) -> Suggestions:
    """Suggest the open tournaments of the server."""
    return await _suggested(reply, typed, open_only=True)


async def _all(reply: Reply, typed: str, _: AnyGame | None) -> Suggestions:
    """Suggest all tournaments of the server."""
    return await _suggested(reply, typed, open_only=False)


async def _suggested(reply: Reply, typed: str, *, open_only: bool) -> Suggestions:
    if reply.guild_id is None:
        return []
    found = await reply.get(Tournaments).of_server(reply.guild_id, open_only=open_only)
    named = [(f"#{one.id} {one.name}", one.id) for one in found if is_visible(reply, one)]
    wanted = typed.strip().lower()
    return [(name, number) for name, number in named if wanted in name.lower()]


_OPEN: Final = Option(say("Tournament (the only open one if empty)"), suggest=_open)
_ANY: Final = Option(say("Tournament (the newest if empty)"), suggest=_all)


async def _game_options(reply: Reply, typed: str, _: AnyGame | None) -> Suggestions:
    """Suggest rules and options of the game that was chosen before."""
    game = registry.games().get(getattr(reply.interaction.namespace, "game", None) or "")
    return [] if game is None else list(game_choices.suggestions(game, typed))


@command("tournament create", say("Create a tournament"), server_only=True)
async def create(  # noqa: PLR0917 -- they are the options of the command
    reply: Reply,
    game: Annotated[str, game_option(say("Game"))],
    name: Annotated[str, Option(say("Name of the tournament"), maximum=MAX_NAME)],
    format: Annotated[  # noqa: A002 -- an option of the command
        str, Option(say("Who meets whom (Swiss system if empty)"), choices=_FORMATS)
    ] = "swiss",
    options: Annotated[
        str,
        Option(
            say("Rules and options of the game (the usual ones if empty)"),
            maximum=game_choices.MAX_TYPED,
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
        bool, Option(say("Another one every month (needs days until it starts)"))
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
        int, Option(say("Most players"), minimum=2, maximum=MAX_ENTRANTS)
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
    guild_id = _server(reply)
    await play.require_challenges(reply)
    if isinstance(reply.interaction.channel, discord.Thread):
        raise Refusal(say("Create tournaments in a channel, not in a thread."))
    if monthly and starts_in is None:
        raise BadInput(say("For a monthly tournament, set the days until it starts."))
    if least_rating is not None and most_rating is not None and least_rating > most_rating:
        raise BadInput(say("The lowest rating is above the highest."))
    plan = _plan(
        registry.game(game),
        format,
        players,
        rounds=rounds,
        groups=groups or 1,
        best_of=best_of or 1,
        both_sides=both_sides,
    )
    time = time_text.chosen(await reply.get(SettingsStore).server(guild_id), days, bank)
    service = reply.get(Tournaments)
    made = await service.create(
        Terms(
            guild_id=guild_id,
            channel_id=reply.channel_id,
            name=name,
            game=game,
            plan=stored_plan(plan),
            made_by=reply.user_id,
            days=time.days,
            bank=time.bank,
            round_days=round_days,
            verdict=verdict,
            casual=casual,
            most=most,
            least_rating=least_rating,
            most_rating=most_rating,
            established=established,
            role_id=None if role is None or role.is_default() else role.id,
            starts_at=None if starts_in is None else service.now() + timedelta(days=starts_in),
            monthly=monthly,
            options=game_choices.read(registry.game(game), options),
        )
    )
    await reply.tell(text_layout(text.created(made)))


def _plan(
    game: AnyGame,
    chosen: str,
    players: int | None,
    *,
    rounds: int | None,
    **more: Any,
) -> Plan:
    """Return what was chosen as a plan.

    Raises:
        BadInput: it does not go together, or the game is not for so many players.

    """
    seats = players or game.players[0]
    if seats not in game.players:
        raise BadInput(say("{game} isn't played by {number}.", game=game.title, number=seats))
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


@command("tournament join", say("Sign up for a tournament"), server_only=True)
async def join(reply: Reply, tournament: Annotated[int | None, _OPEN] = None) -> None:
    """Let a person sign up."""
    await reply.tell(await actions_buttons.join(reply, await _which(reply, tournament)))


@command("tournament leave", say("Leave a tournament"), server_only=True)
async def leave(reply: Reply, tournament: Annotated[int | None, _OPEN] = None) -> None:
    """Ask whether a person really leaves."""
    number = tournament
    if number is None:
        mine = await reply.get(Tournaments).of_player(reply.user_id, _server(reply))
        if not mine:
            raise Refusal(say("You're in no tournament here."))
        number = await _which(reply, mine[0].id if len(mine) == 1 else None)
    await reply.tell(await actions_buttons.question(reply, number, "leave"))


@command("tournament list", say("Tournaments on this server"), server_only=True)
async def list_(reply: Reply) -> None:
    """List the tournaments of the server, newest first."""
    await reply.tell(await pages_buttons.list_layout(reply, 0))


@command("tournament standings", say("Show the standings of a tournament"), server_only=True)
async def standings(reply: Reply, tournament: Annotated[int | None, _ANY] = None) -> None:
    """Show the standings, with the reason for each place."""
    number = await _newest(reply, tournament)
    await _tell_page(reply, number, "standings")


@command("tournament games", say("Show your games in a tournament"), server_only=True)
async def games(reply: Reply, tournament: Annotated[int | None, _ANY] = None) -> None:
    """Show the rounds of the reader."""
    number = await _newest(reply, tournament)
    await _tell_page(reply, number, "games")


@command("tournament pairings", say("Show the pairings of the current round"), server_only=True)
async def pairings(reply: Reply, tournament: Annotated[int | None, _ANY] = None) -> None:
    """Show who meets whom."""
    number = await _newest(reply, tournament)
    await _tell_page(reply, number, "pairings")


@command("tournament export", say("Get a tournament as a file"), server_only=True)
async def export(reply: Reply, tournament: Annotated[int | None, _ANY] = None) -> None:
    """Hand out a tournament as the project's record, and as FIDE's report where it fits."""
    seen = await visible(reply, await _newest(reply, tournament))
    found = await asyncio.to_thread(exporting.files, seen)
    words = say(
        "**{tournament}** as a file. Once it is over, it has the seed, and anyone can compute the "
        "pairings again.",
        tournament=seen.tournament.name,
    )
    layout = Layout(text_display(words), *map(attached_file, found))
    await reply.tell(layout, files=[Upload(name, content) for name, content in found.items()])


@command("tournament start", say("Start a tournament, or go on with one"), server_only=True)
async def start(reply: Reply, tournament: Annotated[int | None, _OPEN] = None) -> None:
    """Start a tournament that is open for sign-ups, or go on with an adjourned one."""
    await reply.tell(await actions_buttons.start(reply, await _which(reply, tournament)))


@command("tournament pair", say("End the round and pair the next"), server_only=True)
async def pair(reply: Reply, tournament: Annotated[int | None, _OPEN] = None) -> None:
    """Ask whether the round really is to end now."""
    number = await _which(reply, tournament)
    await reply.tell(await actions_buttons.question(reply, number, "pair"))


@command("tournament adjourn", say("Let a tournament rest"), server_only=True)
async def adjourn(reply: Reply, tournament: Annotated[int | None, _OPEN] = None) -> None:
    """Ask whether a tournament really is to rest."""
    number = await _which(reply, tournament)
    await reply.tell(await actions_buttons.question(reply, number, "adjourn"))


@command("tournament end", say("End or cancel a tournament"), server_only=True)
async def end(reply: Reply, tournament: Annotated[int | None, _OPEN] = None) -> None:
    """Ask whether a tournament really is to end."""
    number = await _which(reply, tournament)
    await reply.tell(await actions_buttons.question(reply, number, "end"))


@command("tournament replace", say("Give a player's place to someone else"), server_only=True)
async def replace(
    reply: Reply,
    player: Annotated[discord.User, Option(say("Player who leaves"))],
    by: Annotated[discord.User, Option(say("Player who takes the place"))],
    tournament: Annotated[int | None, _OPEN] = None,
) -> None:
    """Let somebody take the place of an entrant, from the next round on."""
    number = await _which(reply, tournament)
    await actions_buttons.runnable(reply, number)
    seen = await reply.get(Tournaments).replace(number, reply.guild_id, player.id, by.id)
    await reply.tell(
        text_layout(
            say(
                "{new} takes the place of {player} in **{tournament}** from the next round on.",
                new=who(by.id),
                player=who(player.id),
                tournament=seen.tournament.name,
            )
        )
    )


async def _tell_page(reply: Reply, number: int, what: pages_buttons.What) -> None:
    layout, files = await pages_buttons.page_layout(reply, number, what, 0)
    await reply.tell(layout, files=files)


def _server(reply: Reply) -> int:
    if reply.guild_id is None:
        raise NotAllowed(say("This works on a server only. Use it there."))
    return reply.guild_id


async def _which(reply: Reply, number: int | None) -> int:
    """Return the tournament that is meant: the open one, where there is only one."""
    if number is not None:
        return number
    all_here = await reply.get(Tournaments).of_server(_server(reply), open_only=True)
    found = [one for one in all_here if is_visible(reply, one)]
    if not found:
        raise Refusal(say("No tournament is open here."))
    if len(found) > 1:
        raise Refusal(say("Several tournaments are open here. Say which one you mean."))
    return found[0].id


async def _newest(reply: Reply, number: int | None) -> int:
    if number is not None:
        return number
    all_here = await reply.get(Tournaments).of_server(_server(reply))
    found = [one for one in all_here if is_visible(reply, one)]
    if not found:
        raise Refusal(say("No tournaments here yet."))
    return found[0].id
