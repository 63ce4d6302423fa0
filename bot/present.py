"""What a board message says: words, picture, choices and whom it calls. Knows no Discord library.

Names of people appear only as mentions, which Discord turns into the name each reader knows.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from bot.names import all_of, timestamp, who
from engine.game import CHANCE
from engine.menu import choices
from engine.phrase import lines, say

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from bot.positions import MatchView
    from data.clocks import Clock
    from engine.game import Option as GameOption
    from engine.registry import AnyGame
    from engine.scene import Scene

STEP_MARK = "|"
"""Separates the steps of a move in an address; no notation uses it."""

MOST_ALT = 1024
"""How many characters of a picture's description Discord takes."""

_MOST_LINES = 6


@dataclass(frozen=True, slots=True)
class Option:
    """One entry of the menu of a board."""

    label: str
    value: str
    """All steps chosen with it, joined by `STEP_MARK`."""
    description: str
    opens: bool = False
    """Whether more is to be chosen after it."""


@dataclass(frozen=True, slots=True)
class BoardPost:
    """One board message."""

    match_id: int
    ply: int
    chosen: tuple[str, ...]
    heading: str
    scene: Scene
    story: tuple[str, ...]
    """What happened since the last board, a line each."""
    prompt: str
    footer: str
    menu: tuple[Option, ...]
    """Empty where nothing can be chosen: an earlier turn, a finished match."""
    placeholder: str
    pings: tuple[int, ...]
    """The users who are called."""
    over: bool
    """Whether it shows the result of the match."""

    @property
    def filename(self) -> str:
        """The name of the picture: tells which turn a message shows, even after a crash."""
        # A resignation ends a match without a new turn: its board must not pass for the one before.
        end = "-end" if self.over else ""
        return f"board-{self.match_id}-{self.ply}{end}.png"


def board(view: MatchView, *, chosen: tuple[str, ...] = (), controls: bool = True) -> BoardPost:
    """Return the message for a match at one ply.

    Args:
        view: the match.
        chosen: the steps of the next move that were chosen so far.
        controls: whether moves can be chosen from this message.

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
            prompt=f"{plain.prompt}\nChosen: **{_placeholder(chosen)}**",
            menu=menu,
            placeholder=_placeholder(chosen),
        )
    return plain if controls and not chosen else replace(plain, menu=())


def _plain(view: MatchView) -> BoardPost:
    """Return the message for a match while nothing is chosen of the next move."""
    mover = view.to_move
    return BoardPost(
        match_id=view.match.id,
        ply=view.ply,
        chosen=(),
        heading=heading(view),
        scene=_scene(view, ()),
        story=story(view),
        prompt=prompt(view),
        footer=_footer(view),
        menu=_menu(view, ()),
        placeholder=_placeholder(()),
        pings=() if mover is None else (mover.user_id,),
        over=mover is None,
    )


_PLAIN: WeakKeyDictionary[MatchView, BoardPost] = WeakKeyDictionary()
"""The messages of views that are still held: a press on a board mostly needs that board again."""


def _scene(view: MatchView, chosen: tuple[str, ...]) -> Scene:
    last = [(played.before, played.move) for played in view.last_turn]
    scene = view.game.scene(view.state, last, chosen, over=view.to_move is None)
    if view.to_move is None and view.outcome is None:
        # Ended by its players, of which the position knows nothing.
        over = f"The match is over: {view.match.reason}."
        return replace(scene, alt=f"{over} {scene.alt}"[:MOST_ALT], text=f"{over}\n{scene.text}")
    return scene


def answered(view: MatchView, reply: Any | None) -> BoardPost:
    """Return the message for an earlier turn: no controls, nobody called, the answer told.

    Args:
        view: the match as it stood then.
        reply: the entry of the log that answered it, or ``None`` where the match was given up.

    """
    if reply is not None:
        note = f"↳ {tell(view, reply)}"
    elif view.match.ending in {None, "resigned"}:
        note = say("↳ The match was given up here.")
    else:
        note = say("↳ The match ended here.")
    bare = board(view, controls=False)
    story = (*bare.story, note)
    return replace(bare, story=story, prompt="", footer="", pings=(), over=False)


def heading(view: MatchView) -> str:
    """Return the first lines of a board: the game, who plays which seat, by which rules."""
    match = view.match
    seats = " · ".join(f"{view.seat_name(p.seat)} <@{p.user_id}>" for p in match.players)
    parts = (options_line(view.game, match.options), view.game.stage(view.state))
    small = " · ".join(filter(None, parts))
    return f"### {view.game.title} · match #{match.id}\n{seats}" + (
        f"\n-# {small}" if small else ""
    )


def options_line(game: AnyGame, options: Mapping[str, str]) -> str:
    """Return the options that tell this match from others, or nothing."""
    sets = {o.name: options[o.name] for o in game.options if o.presets}
    usual = game.settle(sets)
    told = [
        _option(option, options[option.name])
        for option in game.options
        if option.presets or options[option.name] != usual[option.name]
    ]
    return " · ".join(told)


def _option(option: GameOption, value: str) -> str:
    if value == "true":
        return option.summary[:1].upper() + option.summary[1:]
    return f"{option.name.capitalize()}: {value.capitalize()}"


def story(view: MatchView) -> tuple[str, ...]:
    """Return what happened in the last turn, a line each."""
    turn = view.last_turn
    lines = [tell(view, played) for played in turn]
    if len(lines) > _MOST_LINES:
        lines = _without_idle_throws(view, turn)
    if len(lines) > _MOST_LINES:
        moves = [tell(view, p) for p in turn if not _thrown(view, p) or p is turn[-1]]
        earlier = len(moves) - _MOST_LINES + 1
        lines = moves if earlier <= 1 else [f"… {earlier} moves, and then:", *moves[earlier:]]
    return tuple(lines)


def _without_idle_throws(view: MatchView, turn: Sequence[Any]) -> list[str]:
    """Return a line for each entry, but of several throws in a row only the last."""
    lines: list[str] = []
    untold = 0
    for played, following in zip(turn, [*turn[1:], None], strict=True):
        if following is not None and _thrown(view, played) and _thrown(view, following):
            untold += 1
            continue
        if untold:
            throws = "throw" if untold == 1 else "throws"
            lines.append(f"… {untold} {throws} later:" if lines else f"After {untold} {throws}:")
            untold = 0
        lines.append(tell(view, played))
    return lines


def _thrown(view: MatchView, played: Any) -> bool:
    return view.game.actor(played.before) is CHANCE


def tell(view: MatchView, played: Any) -> str:
    """Return one entry of the log as a line, with the seat that decided."""
    actor = view.game.actor(played.before)
    sentence = view.game.tell(played.before, played.move)
    if actor is CHANCE:
        return f"{sentence}."
    return f"**{view.game.side(played.before, actor).capitalize()}**: {sentence}."


def prompt(view: MatchView) -> str:
    """Return who is called to do what, or how the match ended."""
    mover = view.to_move
    if mover is not None:
        return f"<@{mover.user_id}>, it is your turn as **{view.seat_name(mover.seat)}**."
    return result(view)


def result(view: MatchView) -> str:
    """Return how a match ended, in one sentence, with all its players named."""
    ranked = sorted(view.match.players, key=lambda player: player.rank or 0)
    why = view.match.reason or ""
    if not ranked or ranked[0].rank is None:
        return _void(view)
    if ranked[-1].rank == 1:
        names = " and ".join(f"<@{player.user_id}>" for player in ranked)
        return f"**A draw** between {names}: {why}."
    winners = [player for player in ranked if player.rank == 1]
    others = [player for player in ranked if player.rank != 1]
    names = " and ".join(f"{view.seat_name(p.seat)} (<@{p.user_id}>)" for p in winners)
    against = " and ".join(f"<@{player.user_id}>" for player in others)
    if len(winners) == 1:
        return f"**{names} won** against {against}: {why}."
    verb = "is" if len(others) == 1 else "are"
    return f"**{names} share the first place**, {against} {verb} last: {why}."


def _void(view: MatchView) -> str:
    """Return what is said of a match that ended without a result."""
    if not view.match.finished:
        return ""
    return say(
        "**No result** between {players}: {reason}. Nothing is counted.",
        players=all_of(player.user_id for player in view.match.players),
        reason=view.match.reason or say("it was ended"),
    )


def _menu(view: MatchView, chosen: tuple[str, ...]) -> tuple[Option, ...]:
    return () if view.to_move is None else tuple(_options(view.game, view.state, chosen))


def _options(game: AnyGame, state: Any, chosen: tuple[str, ...]) -> Iterable[Option]:
    for choice in choices(game, state, chosen):
        told = "then choose how to go on" if choice.move is None else game.tell(state, choice.move)
        opens = choice.move is None
        yield Option(choice.label[:80], STEP_MARK.join(choice.steps), told[:100], opens)


def _placeholder(chosen: tuple[str, ...]) -> str:
    return f"{''.join(chosen)}, and then …" if chosen else "Choose your move"


def _footer(view: MatchView) -> str:
    slug, number = view.game.slug, view.match.id
    if view.to_move is None:
        return f"-# /match verify {number} shows that nobody chose its luck"
    turn = say(
        "-# Turn {ply} · type it: /{slug} move · help: /{slug} rules", ply=view.ply, slug=slug
    )
    clock = view.match.clock
    return turn if clock is None or not view.current else lines([deadline(clock), turn])


def deadline(clock: Clock) -> str:
    """Return until when the player to move has time, as the line of a board."""
    if clock.stands and clock.next_at is not None:
        return say(
            "-# {player} is away until {day}: the clock stands still.",
            player=who(clock.user_id),
            day=timestamp(clock.next_at, "D"),
        )
    if clock.due_at is None:
        return ""
    return say(
        "-# Time for this move: until {moment} ({distance})",
        moment=timestamp(clock.due_at, "f"),
        distance=timestamp(clock.due_at, "R"),
    )
