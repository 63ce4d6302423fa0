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

from bot.core.computers import is_person
from bot.core.errors import Refusal
from bot.core.hooks import Hooks
from bot.core.i18n.mentions import mention, slash, timestamp
from bot.core.interactions.components import Component
from bot.play.matches import match_text, time_controls
from bot.play.matches.computer_players import playing
from bot.play.matches.positions import MatchView, was_choice
from data.matches.match import MatchClock
from data.store.store import Store
from engine.menu import MAX_OPTIONS, Choice, choices, offered
from engine.phrase import Phrase, glued, lines, plural, say
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
    missed: bool = False
    """Whether the picture leaves out something since the last turn of the player to move."""
    running: bool = False
    """Whether it shows the current turn of an ongoing match, with the actions that allows."""


def board(view: MatchView, *, chosen: tuple[str, ...] = (), controls: bool = True) -> BoardPost:
    """Return the message for a match at a ply, with some steps of the next move chosen.

    Without ``controls``, no move can be chosen in it.
    """
    plain = _PLAIN.get(view)
    if plain is None:
        plain = _PLAIN[view] = _plain(view)
    menu = _menu(view, chosen) if chosen and controls else ()
    if menu:
        return replace(
            plain,
            chosen=chosen,
            scene=_scene(view, chosen),
            prompt=view.game.steps_label(view.state, chosen).question,
            menu=menu,
            running=False,
        )
    return plain if controls and not chosen else replace(plain, menu=())


def _plain(view: MatchView) -> BoardPost:
    return BoardPost(
        match_id=view.match.id,
        ply=view.version,
        chosen=(),
        heading=match_text.heading(view),
        scene=_scene(view, ()),
        story=match_text.story(view),
        prompt=prompt(view),
        footer=footer(view),
        menu=_menu(view, ()),
        pings=() if view.called is None else (view.called.user_id,),
        over=view.to_move is None,
        judged=match_text.judged(view),
        missed=missed(view),
        running=view.to_move is not None,
    )


_PLAIN: WeakKeyDictionary[MatchView, BoardPost] = WeakKeyDictionary()
"""Messages of views still in memory: a press on a board usually needs the same board again."""


def missed(view: MatchView) -> bool:
    """Return whether the player to move has missed more than a board shows.

    A board shows the last mover's turn. There is more if several others have moved since the
    player's own last decision, or if that turn was too long to show in full.
    """
    mover = view.called
    if mover is None:
        return False
    chosen = (played for played in reversed(view.tail) if was_choice(view.game, played))
    actors = (view.game.actor(played.before) for played in chosen)
    others = list(takewhile(lambda actor: actor != mover.seat, actors))
    return len(set(others)) > 1 or len(others) > match_text.MAX_LINES


def _scene(view: MatchView, chosen: tuple[str, ...]) -> Scene:
    last = [(played.before, played.move) for played in view.last_turn]
    return match_text.pictured(view, last, chosen)


def with_words(post: BoardPost, words: str) -> BoardPost:
    """Return a board with words below its prompt, if there are any."""
    return replace(post, prompt=lines((post.prompt, words))) if words else post


def _menu(view: MatchView, chosen: tuple[str, ...]) -> tuple[Choice[Any], ...]:
    return () if view.called is None else choices(view.game, view.state, chosen)


def answered(view: MatchView, reply: Any | None) -> BoardPost:
    """Return the message for an earlier turn: no controls, no pings, and the reply to it, if any."""
    notes: list[str] = []  # none while another message shows the same turn
    if reply is not None:
        notes = [glued("↳ ", match_text.entry_line(view, reply))]
    elif view.match.finished:
        left = view.match.ending in {None, "resigned"}
        notes = [say("↳ The match was given up here.") if left else say("↳ The match ended here.")]
    # Keep the picture that of an ongoing match.
    if view.match.finished:
        view = replace(view, match=replace(view.match, finished_at=None))
    bare = _earlier(view)
    return replace(bare, story=(*bare.story, *notes))


def taken_back(view: MatchView, version: int) -> BoardPost:
    """Return the message for a turn that no longer exists because its move was taken back.

    ``view`` is the match in its current state, ``version`` what the message shows.
    """
    alt = say("An earlier board, from before a move was taken back.")
    return _gone(view, version, alt, say("↳ The last move was taken back."))


def lost(view: MatchView, version: int) -> BoardPost:
    """Return the message for a turn missing from the backup the bot was restored from.

    ``view`` is the match in its current state, ``version`` what the message shows.
    """
    alt = say("An earlier board. Its turn was lost.")
    return _gone(view, version, alt, say("↳ This turn was lost: I was restored from a backup."))


def _gone(view: MatchView, version: int, alt: Phrase, note: Phrase) -> BoardPost:
    scene = replace(view.game.scene(view.state), alt=alt)
    return replace(_earlier(view), ply=version, scene=scene, story=(note,))


def _earlier(view: MatchView) -> BoardPost:
    bare = board(view, controls=False)
    return replace(bare, prompt="", footer="", pings=(), over=False, running=False)


def candidates(view: MatchView, notations: Iterable[str]) -> tuple[Choice[Any], ...]:
    """Return the moves that typed text may mean, as many as fit a menu."""
    moves = [view.game.read(view.state, notation) for notation in notations]
    return offered(view.game, view.state, moves)[:MAX_OPTIONS]


def prompt(view: MatchView) -> str:
    """Return whose turn it is, or how the match ended."""
    mover = view.to_move
    if mover is not None:
        player, seat = mention(mover.user_id), view.seat_names[mover.seat]
        if view.stands_in(mover):
            return say("Computer (**{seat}**) is thinking …", seat=seat)
        if view.called is None:
            return say("{player} (**{seat}**) is thinking …", player=player, seat=seat)
        return say("{player}, your turn (**{seat}**).", player=player, seat=seat)
    ended = match_text.result(view)
    if view.match.hints:
        hints = plural("With {n} hint.", "With {n} hints.", view.match.hints)
        return lines((ended, hints), " ")
    return ended


def prompt_for(view: MatchView, user_id: int) -> str:
    """Return the prompt for a single reader, without a mention of them."""
    if view.called is None or view.called.user_id != user_id:
        return prompt(view)
    return say("Your turn (**{seat}**).", seat=view.seat_names[view.called.seat])


def footer(view: MatchView) -> str:
    """Return the small print of a board: the time limit and how to move, or how to check throws."""
    slug, number, clock = view.game.slug, view.match.id, view.match.clock
    parts: list[str] = []
    if view.match.eased:
        parts.append(
            say("-# The computer played below its level here, so this game isn't counted.")
        )
    if view.to_move is not None:
        if clock is not None and view.current:
            parts += [deadline(clock), *_time_bank(view, clock)]
        move, rules = slash(slug, "move"), slash(slug, "rules")
        parts.append(
            say("-# Move {n} · or type {move} · {rules}", n=view.move, move=move, rules=rules)
        )
    elif view.game.has_luck:
        verify = slash("match", "verify")
        parts.append(say("-# Check the throws: {command} {number}", command=verify, number=number))
    return lines(filter(None, parts))


def _time_bank(view: MatchView, clock: MatchClock) -> list[Phrase]:
    """Return the players' time banks, without that of the player to move; or their game time."""
    match = view.match
    if not time_controls.has_stock(match):
        return []
    if match.bank is None:
        parts = [say("Time left for the whole game")]
    else:
        parts = [
            plural("Time bank, +{n} day per move", "Time bank, +{n} days per move", match.days or 0)
        ]
    parts += [
        say(
            "{player}: {time}",
            player=mention(player.user_id),
            time=time_controls.span(time_controls.bank_left(match, player)),
        )
        for player in playing(match)
        if (match.bank is None or player.user_id != clock.user_id) and is_person(player.user_id)
    ]
    return [glued("-# ", lines(parts, " · "))]


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
MakeAction: TypeAlias = "Callable[[MatchView, int], Component | None]"
TellEnd: TypeAlias = "Callable[[Store, MatchView, Told], Awaitable[str]]"

_BUTTONS: Final[dict[Place, Hooks[MakeButton]]] = {"running": Hooks(), "ended": Hooks()}
behind_more: Final[Hooks[MakeAction]] = Hooks()
"""Make a button behind *More*; they return ``None`` or raise Refusal where it is unavailable."""
about_end: Final[Hooks[TellEnd]] = Hooks()
"""Return lines about the end of a match, its ratings for example; empty if there are none there."""


def below_boards(place: Place, *, order: int) -> Callable[[MakeButton], MakeButton]:
    """Register a factory for a button below boards; it returns ``None`` for no button."""
    return _BUTTONS[place](order=order)


def buttons_below(place: Place, post: BoardPost) -> list[Component]:
    """Return the buttons that features add below a board."""
    made = [make(post) for make in _BUTTONS[place]]
    return [button for button in made if button is not None]


def actions_of(view: MatchView, user_id: int) -> list[Component]:
    """Return the buttons for everything a user can do in a match now."""
    made: list[Component | None] = []
    for make in behind_more:
        with suppress(Refusal):
            made.append(make(view, user_id))
    return [button for button in made if button is not None]


async def lines_about_end(store: Store, view: MatchView, told: Told) -> str:
    """Return what features say about the end of a match, there; empty while it is ongoing."""
    if not view.match.finished:
        return ""
    return lines(filter(None, [await tell(store, view, told) for tell in about_end]))
