"""Commands for playing, taking back, viewing boards and lists, notes, and verifying throws."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Annotated, Any, Final, get_args, get_type_hints

import discord

from bot.core import move_times
from bot.core.computers import is_person
from bot.core.errors import GONE, NotAllowed, NotForYou, Refusal, SeveralMatches, picked
from bot.core.i18n.mentions import mention, mention_all, message_link, slash
from bot.core.interactions.commands import (
    COMMANDS,
    GAME_COMMANDS,
    Declared,
    Option,
    Suggestions,
    command,
    fitting,
    game_command,
    game_option,
    group,
)
from bot.core.interactions.components import action_row, option, text_display
from bot.core.interactions.controls import MAX_CUSTOM_ID, Button, Menu
from bot.core.interactions.dispatch import shows
from bot.core.interactions.layout import Layout, Page, saved, text_layout
from bot.core.interactions.reply import Reply
from bot.core.permissions import play
from bot.play.clocks.match_clocks import Absences
from bot.play.controls import ending_buttons, more_buttons
from bot.play.controls.board_views import BoardController
from bot.play.controls.lookup import (
    ChosenMatch,
    chosen,
    given_number,
    known_game,
    pick,
    suggest_to_verify,
    to_verify,
    visible,
    with_opponents,
)
from bot.play.delivery.boards import Boards
from bot.play.delivery.deliverer import Deliverer
from bot.play.delivery.places import Places
from bot.play.matches import time_controls
from bot.play.matches.computer_players import playing
from bot.play.matches.notes import with_note
from bot.play.matches.positions import Position, deciding_player, may_move, over
from bot.play.matches.service import Matches
from bot.play.matches.verification import proof
from data.matches import boards, matches, watching
from data.matches.boards import PostedMessage
from data.matches.match import Match
from data.store.store import Store
from engine import registry
from engine.menu import choices, label
from engine.phrase import concat, lines, plural, say
from engine.registry import AnyGame
from engine.typed import MAX_READ, suggested

_MAX_SUGGESTED: Final = 25
_PER_PAGE: Final = 10
MAX_MATCHES: Final = 500
"""Maximum open matches listed per player; the newest are kept."""
_NEVER: Final = datetime.max.replace(tzinfo=UTC)

group("match", say("Look at a match"))


async def _legal_moves(reply: Reply, typed: str, game: AnyGame | None) -> Suggestions:
    assert game is not None
    position = await pick(reply, game.slug, given_number(reply), my_turn=True)
    may_move(position, reply.user_id)
    moves = suggested(position.game, position.state, typed)
    if len(moves) > _MAX_SUGGESTED and not typed.strip():
        first = choices(position.game, position.state)
        return [(one.label, "".join(one.steps)) for one in first[:_MAX_SUGGESTED]]
    noted = [(position.game.write(move), move) for move in moves[:_MAX_SUGGESTED]]
    return [
        (concat(notation, " · ", label(position.game, position.state, move)), notation)
        for notation, move in noted
    ]


@game_command("move", say("Play a move by typing it"))
async def move(
    reply: Reply,
    game: AnyGame,
    move: Annotated[
        str,
        Option(
            say("Your move (legal moves are suggested)"),
            maximum=MAX_READ,
            suggest=_legal_moves,
        ),
    ],
    match: ChosenMatch = None,
) -> None:
    """Play a typed move."""
    position = await pick(reply, game.slug, match, my_turn=True)
    await reply.get(BoardController).type(reply, position.match.id, move)


@game_command("takeback", say("Take back your last move, if your opponent agrees"), public=True)
async def takeback(reply: Reply, game: AnyGame, match: ChosenMatch = None) -> None:
    """Offer to take a move back; in practice, against computers only, do it at once."""
    await ending_buttons.take_back(reply, await pick(reply, game.slug, match))


@game_command("board", say("Show the current board"))
async def board(reply: Reply, game: AnyGame, match: ChosenMatch = None) -> None:
    """Show the board to the player alone, and repost a board whose message was deleted."""
    position = await pick(reply, game.slug, match)
    await reply.get(BoardController).show(reply, position.match.id)
    reply.get(Absences).check(position.match.id)
    await reply.get(Boards).restore(position.match.id, via=reply)


@game_command("games", say("Your games, your turn first"))
async def games_of_one(reply: Reply, game: AnyGame) -> None:
    """List a player's open matches of a game."""
    await reply.send(await _games_page(reply, game.slug))


@command("games", say("All your games, your turn first"))
async def games(
    reply: Reply,
    game: Annotated[
        str | None,
        game_option(say("Game (all if empty)")),
    ] = None,
) -> None:
    """List a player's open matches on all servers."""
    await reply.send(await _games_page(reply, known_game(game or "")))


@command("match verify", say("Check that the throws of a game were fair"))
async def verify(
    reply: Reply,
    number: Annotated[
        int | None,
        Option(say("Match number (this thread's match if empty)"), suggest=suggest_to_verify),
    ] = None,
) -> None:
    """Show whether the throws of a match follow from what was sealed beforehand."""
    position = await to_verify(reply, number)
    words, record = await proof(reply.get(Store), position.match.id)
    files = [] if record is None else [saved(f"match-{position.match.id}.txt", record.encode())]
    await reply.send(Layout(text_display(words), *files))


@command("match note", say("Write a note to yourself on a game"))
async def note(
    reply: Reply,
    number: Annotated[
        int | None, Option(say("Match number (this thread's match if empty)"))
    ] = None,
) -> None:
    """Open the user's note on a match."""
    await more_buttons.ask(reply, await chosen(reply, number))


class GamesButton(Button, prefix="g"):
    """Turns to a page of the presser's open matches; an empty game means all of them."""

    game: str
    page: int

    async def press(self, reply: Reply) -> None:
        """Replace the current page."""
        await reply.replace(await _games_page(reply, self.game, self.page))


async def _games_page(reply: Reply, slug: str = "", wanted: int = 0) -> Layout:
    words, page = await open_games(reply.get(Store), reply.user_id, slug, wanted)
    return text_layout(words, *page.buttons(partial(GamesButton, slug)))


async def open_games(store: Store, user_id: int, slug: str, wanted: int) -> tuple[str, Page]:
    """Return a page of a player's open matches, of one game or all, for their eyes only.

    It names no server or channel, so players who have left a server learn nothing about it.
    """
    async with store.read() as tx:
        found = await matches.open_of_player(tx, user_id, game=slug or None, limit=MAX_MATCHES)
        page = Page.of(wanted, total=len(found), size=_PER_PAGE)
        entries = page.entries(
            sorted(found, key=lambda one: (not one.waits, one.due_at or _NEVER, -one.id))
        )
        numbers = [one.id for one in entries]
        shown = await matches.of_numbers(tx, numbers)
        noted = await watching.notes_of(tx, user_id, numbers)
        latest = await boards.latest_of(tx, numbers)
    listed = [
        with_note(
            _line(shown[one.id], user_id, one.due_at, latest.get(one.id)), noted.get(one.id, "")
        )
        for one in entries
    ]
    if found:
        mine = sum(one.waits for one in found)
        waiting = plural("{n} game is waiting for you.", "{n} games are waiting for you.", mine)
        return lines([say("### Your games"), waiting, *listed]), page
    start = concat("`", slash(slug, "challenge") if slug else slash("play"), "`")
    if not slug:
        return say("You have no games going. To start one, use {command}.", command=start), page
    title = registry.title(slug)
    none = say(
        "You have no {title} games going. To start one, use {command}.", title=title, command=start
    )
    return none, page


def _line(match: Match, user_id: int, until: datetime | None, posted: PostedMessage | None) -> str:
    others = [p.user_id for p in match.players if p.user_id != user_id]
    facts = {
        "match": f"#{match.id}",
        "game": registry.title(match.game),
        "others": mention_all(others),
        "until": "" if until is None else f"<t:{int(until.timestamp())}:R>",
    }
    mover = deciding_player(match)
    if mover is None or mover.user_id == user_id:
        line = say("{match} {game} against {others} · **your turn**", **facts)
        if until is not None:
            line = say(
                "{match} {game} against {others} · **your turn**, time runs out {until}", **facts
            )
    else:
        facts["mover"] = mention(mover.user_id)
        line = say("{match} {game} against {others} · {mover}'s turn", **facts)
        if until is not None:
            line = say(
                "{match} {game} against {others} · {mover}'s turn, time runs out {until}", **facts
            )
        mine = next((one for one in match.players if one.user_id == user_id), None)
        if match.bank is not None and mine is not None:
            time = move_times.span(time_controls.bank_left(match, mine))
            line = lines((line, say("you have {time} in your bank", time=time)), " · ")
    if posted is None:
        return line
    address = message_link(match.guild_id, posted.channel_id, posted.message_id)
    return concat(line, " · [", say("board"), f"]({address})")


async def _matches_here(reply: Reply, typed: str, _: AnyGame | None) -> Suggestions:
    found = await reply.get(Matches).of_player(reply.user_id, guild_id=reply.guild_id)
    return await fitting(reply, typed, with_opponents(reply, found))


@command("match relocate", say("Move a match to this channel"))
async def relocate(
    reply: Reply,
    number: Annotated[int, Option(say("Match number"), suggest=_matches_here)],
) -> None:
    """Move a match to this channel."""
    await play.require_games(
        reply,
        elsewhere=lambda channels: say(
            "On this server, games are played in {channels}. Move the match there.",
            channels=channels,
        ),
    )
    async with reply.get(Deliverer).alone(number):
        position = await visible(reply, number)
        _check(reply, position)
        await _check_others(reply, position)
        await reply.get(Places).move(position, reply.channel_id, words="by", by=reply.user_id)
    words = say("Match #{number} goes on in this channel.", number=number)
    await reply.send(text_layout(words))


def _check(reply: Reply, position: Position) -> None:
    match, number = position.match, position.match.id
    if position.player_of(reply.user_id) is None:
        names = mention_all(p.user_id for p in match.players)
        raise NotForYou(
            say("Only {players} can move match #{number}.", number=number, players=names)
        )
    if match.guild_id is None or match.guild_id != reply.guild_id:
        raise NotAllowed(
            say(
                "Match #{number} belongs to another server. It can only move to a channel there.",
                number=number,
            )
        )
    if position.to_move is None:
        raise over(number)
    if reply.channel_id in {match.channel_id, match.parent_id}:
        place = f"<#{match.channel_id}>"
        raise NotAllowed(
            say("Match #{number} is already here: {place}.", number=number, place=place)
        )


async def _check_others(reply: Reply, position: Position) -> None:
    """Refuse a channel another player cannot see; ignore players who have left the server."""
    channel, guild = reply.interaction.channel, reply.interaction.guild
    if isinstance(channel, discord.Thread):
        if channel.is_private():
            raise NotAllowed(say("This thread is private. Pick one that all players can see."))
        channel = channel.parent
    if guild is None or not isinstance(channel, discord.abc.GuildChannel):
        return
    for player in playing(position.match):
        if not is_person(player.user_id) or player.user_id == reply.user_id:
            continue
        try:
            member = await guild.fetch_member(player.user_id)
        except discord.NotFound:
            continue
        if not channel.permissions_for(member).view_channel:
            raise NotAllowed(
                say(
                    "{player} can't see this channel. Move the match where you both can.",
                    player=mention(player.user_id),
                )
            )


_TYPED: Final = "move"
"""The name of the command that plays a typed move, and of its option."""


class WhichMatchMenu(Menu, prefix="which"):
    """Repeats a command for the chosen match."""

    command: str
    """The command's name, with dots: ``game.resign``."""
    typed: str
    """The typed move, for the command that plays one."""

    async def choose(self, reply: Reply, values: Sequence[str]) -> None:
        """Run the command."""
        declared, game = _declared(self.command)
        name, number = _match_option(declared)
        given: dict[str, Any] = {name: picked(values[0]) if number else values[0]}
        if bool(self.typed) is not (declared.path == (_TYPED,)):
            raise Refusal(GONE)
        if self.typed:
            given[_TYPED] = self.typed
        context = () if game is None else (game,)
        await declared.callback(reply, *context, **given)


@shows(lambda refusal: isinstance(refusal, SeveralMatches))
async def ask_which(reply: Reply, refusal: Refusal) -> None:
    """Ask which match a command refers to."""
    assert isinstance(refusal, SeveralMatches)
    menu = _which_menu(reply.interaction)
    if menu is None:
        words = say("Several games fit. Add the number of the one you mean.")
        await reply.send(text_layout(words), public=False)
        return
    entries = [
        option(label, name) for name, label in list(refusal.choices.items())[:_MAX_SUGGESTED]
    ]
    shown = menu.component(entries, placeholder=refusal.sentence)
    await reply.send(Layout(text_display(refusal.sentence), action_row(shown)), public=False)


def _which_menu(interaction: discord.Interaction[Any]) -> WhichMatchMenu | None:
    """Return the menu for a command; ``None`` if the menu cannot hold its options."""
    command = interaction.command
    if not isinstance(command, discord.app_commands.Command):
        return None
    given = dict(iter(interaction.namespace))
    typed = str(given.pop(_TYPED)) if command.name == _TYPED else ""
    menu = WhichMatchMenu(command.qualified_name.replace(" ", "."), typed)
    size = len(f"{menu.prefix}:{menu.command}:{typed}")
    return None if given or size > MAX_CUSTOM_ID else menu


def _declared(path: str) -> tuple[Declared, AnyGame | None]:
    """Return a command by name; raise Refusal unless it takes a match."""
    names = tuple(path.split("."))
    game = registry.games().get(names[0])
    known, wanted = (COMMANDS, names) if game is None else (GAME_COMMANDS, names[1:])
    for declared in known:
        if declared.path == wanted and (game is None or declared.when(game)):
            return declared, game
    raise Refusal(GONE)


def _match_option(declared: Declared) -> tuple[str, bool]:
    """Return the option of a command that selects a match, and whether it is a number."""
    hints = get_type_hints(declared.callback, include_extras=True)
    for name in ("match", "number"):
        if name in hints:
            kind = get_args(hints[name])[0]
            return name, int in {kind, *get_args(kind)}
    raise Refusal(GONE)
