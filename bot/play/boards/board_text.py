"""Contents of a board message, now or for an earlier turn. Imports no Discord library.

Players are only mentioned, never named: Discord shows each reader the name they know.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any, Final, Literal, TypeAlias
from weakref import WeakKeyDictionary

from bot.core import move_times
from bot.core.computers import LEVELS, is_person
from bot.core.errors import Refusal
from bot.core.hooks import Hooks
from bot.core.i18n.mentions import mention, slash, timestamp
from bot.core.interactions.components import Component
from bot.play.matches import match_text, time_controls
from bot.play.matches.computer_players import computer_level, playing
from bot.play.matches.positions import TOLD, Position, was_choice
from data.matches.match import Match, MatchClock, Player
from data.store.store import Store, Transaction
from engine.game import Seat
from engine.menu import MAX_OPTIONS, Choice, choices, offered
from engine.phrase import Phrase, concat, lines, plural, say
from engine.scene import Scene


@dataclass(frozen=True, slots=True)
class BoardPost:
    """One board message."""

    match_id: int
    ply: int
    """The match version shown, unique among all turns of the match."""
    chosen: tuple[str, ...]
    heading: str
    scene: Scene
    story: tuple[str, ...]
    """What happened since the last board, one line each."""
    prompt: str
    footer: str
    menu: tuple[Choice[Any], ...]
    """Empty if there is nothing to choose: an earlier turn, a finished match."""
    pings: tuple[int, ...]
    """The users pinged."""
    over: bool
    """Whether it shows the result of the match."""
    judged: bool = False
    """Whether the match has a result to analyse."""
    hinted: bool = False
    """Whether hints were taken whose turns are known: those before a takeback may be of any."""
    missed: bool = False
    """Whether the picture leaves out something since the last turn of the player to move."""
    first: bool = False
    """Whether the player to move has had no turn before this one."""
    running: bool = False
    """Whether it shows the current turn of an ongoing match, with the actions that allows."""


def board(position: Position, *, chosen: tuple[str, ...] = (), controls: bool = True) -> BoardPost:
    """Return the message for a match at a ply, with some steps of the next move chosen.

    Without ``controls``, no move can be chosen in it.
    """
    plain = _PLAIN.get(position)
    if plain is None:
        plain = _PLAIN[position] = _plain(position)
    menu = _menu(position, chosen) if chosen and controls else ()
    if menu:
        return replace(
            plain,
            chosen=chosen,
            scene=_scene(position, chosen),
            prompt=position.game.steps_label(position.state, chosen).question,
            menu=menu,
            running=False,
        )
    return plain if controls and not chosen else replace(plain, menu=())


def _plain(position: Position) -> BoardPost:
    return BoardPost(
        match_id=position.match.id,
        ply=position.version,
        chosen=(),
        heading=match_text.heading(position),
        scene=_scene(position, ()),
        story=match_text.story(position),
        prompt=lines(filter(None, (prompt(position), _first_goal(position)))),
        footer=footer(position),
        menu=_menu(position, ()),
        pings=() if position.called is None else (position.called.user_id,),
        over=position.to_move is None,
        judged=match_text.judged(position),
        hinted=position.practice and position.match.hints > 0 and not position.match.takebacks,
        missed=missed(position),
        first=position.called is not None and not position.had_turn(position.called),
        running=position.to_move is not None,
    )


_PLAIN: WeakKeyDictionary[Position, BoardPost] = WeakKeyDictionary()
"""Messages of views still in memory: a press on a board usually needs the same board again."""


def missed(position: Position) -> bool:
    """Return whether the player to move has missed more than a board shows.

    A board shows the last mover's turn. There is more if several others have moved since the
    player's own last decision, or if that turn was too long to show in full.
    """
    mover = position.called
    if mover is None:
        return False
    chosen = (played for played in reversed(position.tail) if was_choice(position.game, played))
    actors = (position.game.actor(played.before) for played in chosen)
    others = list(takewhile(lambda actor: actor != mover.seat, actors))
    return len(set(others)) > 1 or len(others) > match_text.MAX_LINES


def _scene(position: Position, chosen: tuple[str, ...]) -> Scene:
    last = [(played.before, played.move) for played in position.last_turn]
    return match_text.pictured(position, last, chosen)


def with_words(post: BoardPost, words: str) -> BoardPost:
    """Return a board with words below its prompt, if there are any."""
    return replace(post, prompt=lines((post.prompt, words))) if words else post


def with_occasion(post: BoardPost, words: str) -> BoardPost:
    """Return a board whose heading ends with what its match is a game of, if anything."""
    return replace(post, heading=lines((post.heading, words))) if words else post


def with_small_print(post: BoardPost, words: str) -> BoardPost:
    """Return a board with words below its footer, if there are any and the match is ongoing."""
    return replace(post, footer=lines((post.footer, words))) if words and post.running else post


def _menu(position: Position, chosen: tuple[str, ...]) -> tuple[Choice[Any], ...]:
    return () if position.called is None else choices(position.game, position.state, chosen)


def answered(position: Position, reply: Any | None) -> BoardPost:
    """Return the message for an earlier turn: no controls, no pings, and the reply to it, if any."""
    notes: list[str] = []  # none while another message shows the same turn
    if reply is not None:
        notes = [concat("↳ ", match_text.entry_line(position, reply))]
    elif position.match.finished:
        left = position.match.ending in {None, "resigned"}
        notes = [say("↳ The match was given up here.") if left else say("↳ The match ended here.")]
    # Keep the picture that of an ongoing match.
    if position.match.finished:
        position = replace(position, match=replace(position.match, finished_at=None))
    bare = _earlier(position)
    return replace(bare, story=(*bare.story, *notes))


def taken_back(position: Position, version: int) -> BoardPost:
    """Return the message for a turn that no longer exists because its move was taken back.

    ``position`` is the match in its current state, ``version`` what the message shows.
    """
    alt = say("An earlier board, from before a move was taken back.")
    return _gone(position, version, alt, say("↳ The last move was taken back."))


def lost(position: Position, version: int) -> BoardPost:
    """Return the message for a turn missing from the backup the bot was restored from.

    ``position`` is the match in its current state, ``version`` what the message shows.
    """
    alt = say("An earlier board. Its turn was lost.")
    return _gone(position, version, alt, say("↳ This turn was lost: I was restored from a backup."))


def _gone(position: Position, version: int, alt: Phrase, note: Phrase) -> BoardPost:
    scene = replace(position.game.scene(position.state), alt=alt)
    return replace(_earlier(position), ply=version, scene=scene, story=(note,))


def _earlier(position: Position) -> BoardPost:
    bare = board(position, controls=False)
    return replace(bare, prompt="", footer="", pings=(), over=False, running=False)


def candidates(position: Position, notations: Iterable[str]) -> tuple[Choice[Any], ...]:
    """Return the moves that typed text may mean, as many as fit a menu."""
    moves = [position.game.read(position.state, notation) for notation in notations]
    return offered(position.game, position.state, moves)[:MAX_OPTIONS]


def prompt(position: Position) -> str:
    """Return whose turn it is, or how the match ended."""
    mover = position.to_move
    if mover is not None:
        player, seat = mention(mover.user_id), position.seat_names[mover.seat]
        if position.stands_in(mover):
            return say("Computer (**{seat}**) is thinking …", seat=seat)
        if position.called is None:
            return say("{player} (**{seat}**) is thinking …", player=player, seat=seat)
        return say("{player}, your turn (**{seat}**).", player=player, seat=seat)
    ended = match_text.ended(position)
    if position.match.hints:
        hints = plural("With {n} hint.", "With {n} hints.", position.match.hints)
        return lines((ended, hints), " ")
    return ended


def prompt_for(position: Position, user_id: int) -> str:
    """Return the prompt for a single reader, without a mention of them, and how they win.

    Who only watches reads how the seat to move wins.
    """
    if position.called is None or position.called.user_id != user_id:
        return lines(filter(None, (prompt(position), goal(position, position.player_of(user_id)))))
    yours = say("Your turn (**{seat}**).", seat=position.seat_names[position.called.seat])
    return lines((yours, goal(position)))


def goal(position: Position, player: Player | None = None) -> str:
    """Return how a player wins, or else the seat to move, as a line; empty if the game is over."""
    mover = position.to_move
    if mover is None:
        return ""
    seat = Seat((player or mover).seat)
    return say("-# Goal: {goal}", goal=position.game.goal(position.state, seat))


def _first_goal(position: Position) -> str:
    """Return the goal of who may not know it: who has chosen no move lately, in this game of the match.

    Who plays the weakest computer may be new to the game, so their boards always say it.
    """
    mover, game = position.called, position.game
    if mover is None:
        return ""
    if LEVELS[0] in map(computer_level, position.match.players):
        return goal(position)
    stage = game.stage(position.state)
    begun = any(
        game.actor(played.before) == mover.seat
        and was_choice(game, played)
        and game.stage(played.before) == stage
        for played in position.tail[-TOLD:]
    )
    return "" if begun else goal(position)


def footer(position: Position) -> str:
    """Return the small print of a board: the time limit and how to move, or how to check throws."""
    slug, number, clock = position.game.slug, position.match.id, position.match.clock
    parts: list[str] = []
    if position.match.eased:
        parts.append(
            say("-# The computer played below its level here, so this game isn't counted.")
        )
    if position.to_move is not None:
        if clock is not None and position.current:
            parts += [deadline(clock), *_time_bank(position, clock)]
        rules = slash(slug, "rules")
        if position.game.lessons and _first_goal(position):
            rules = lines((rules, slash(slug, "learn")), " · ")
        parts.append(
            say(
                "-# Move {n} · or type {move} · {rules}",
                n=position.move,
                move=slash(slug, "move"),
                rules=rules,
            )
        )
    elif position.game.has_luck:
        verify = slash("match", "verify")
        parts.append(say("-# Check the throws: {command} {number}", command=verify, number=number))
    return lines(filter(None, parts))


def _time_bank(position: Position, clock: MatchClock) -> list[Phrase]:
    """Return the players' time banks, without that of the player to move; or their game time."""
    match = position.match
    if not time_controls.has_stock(match):
        return []
    if match.bank is None:
        parts = [say("Time left for the whole game")]
    else:
        parts = [
            plural(
                "Time bank, +{n} day per move",
                "Time bank, +{n} days per move",
                time_controls.INCREMENT.days,
            )
        ]
    parts += [
        say(
            "{player}: {time}",
            player=mention(player.user_id),
            time=move_times.span(time_controls.bank_left(match, player)),
        )
        for player in playing(match)
        if (match.bank is None or player.user_id != clock.user_id) and is_person(player.user_id)
    ]
    return [concat("-# ", lines(parts, " · "))]


def deadline(clock: MatchClock) -> str:
    """Return the time limit of the player to move, as a line of a board."""
    if clock.is_paused and clock.next_at is not None:
        return say(
            "-# {player} is away until {day}. The clock is paused.",
            player=mention(clock.user_id),
            day=timestamp(clock.next_at, "D"),
        )
    if clock.due_at is None:
        return ""
    return say(
        "-# Move by {moment} ({distance})",
        moment=timestamp(clock.due_at, "f"),
        distance=timestamp(clock.due_at, "R"),
    )


Place: TypeAlias = Literal["running", "ended"]
"""Below the board of an ongoing match, or below its last board."""
Told: TypeAlias = Literal["board", "result", "asked"]
"""Where the end of a match is told: its last board, the post of its result, or a board that a user
asks for."""

MakeButton: TypeAlias = "Callable[[BoardPost], Component | None]"
MakeAction: TypeAlias = "Callable[[Position, int], Component | None]"
TellOccasion: TypeAlias = "Callable[[Transaction, Match], Awaitable[str]]"
TellEnd: TypeAlias = "Callable[[Store, Position, Told], Awaitable[str]]"

_BUTTONS: Final[dict[Place, Hooks[MakeButton]]] = {"running": Hooks(), "ended": Hooks()}
behind_more: Final[Hooks[MakeAction]] = Hooks()
"""Make a button behind *More*; they return ``None`` or raise Refusal where it is unavailable."""
occasion_of: Final[Hooks[TellOccasion]] = Hooks()
"""Return what a match is a game of, such as a tournament, linked; empty if they know of nothing."""
about_end: Final[Hooks[TellEnd]] = Hooks()
"""Return lines about the end of a match, its ratings for example; empty if there are none there."""


def below_boards(place: Place, *, order: int) -> Callable[[MakeButton], MakeButton]:
    """Register a factory for a button below boards; it returns ``None`` for no button."""
    return _BUTTONS[place](order=order)


def buttons_below(place: Place, post: BoardPost) -> list[Component]:
    """Return the buttons that features add below a board."""
    made = [make(post) for make in _BUTTONS[place]]
    return [button for button in made if button is not None]


def actions_of(position: Position, user_id: int) -> list[Component]:
    """Return the buttons for everything a user can do in a match now."""
    made: list[Component | None] = []
    for make in behind_more:
        with suppress(Refusal):
            made.append(make(position, user_id))
    return [button for button in made if button is not None]


async def occasion(store: Store, match: Match) -> str:
    """Return what a match is a game of, as a line in small print; empty for a match of its own."""
    if not match.competition:
        return ""  # most matches, so that their turns read nothing
    async with store.read() as tx:
        return lines(filter(None, [await tell(tx, match) for tell in occasion_of]))


async def lines_about_end(store: Store, position: Position, told: Told) -> str:
    """Return what features say about the end of a match, there; empty while it is ongoing."""
    if not position.match.finished:
        return ""
    return lines(filter(None, [await tell(store, position, told) for tell in about_end]))
