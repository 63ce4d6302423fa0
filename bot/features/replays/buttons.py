"""``/match replay``, ``gif`` and ``board``, and ``/<game> since``, with their controls.

A replay is one picture at a time, with step buttons and a menu of turns. It is visible only to its
requester, and keeps working after restarts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Annotated, Final, Literal

from bot.core.errors import NoSuchMatch, NotForYou, picked
from bot.core.i18n.mentions import mention_all, numbered, slash
from bot.core.interactions import components
from bot.core.interactions.commands import Option, command, game_command
from bot.core.interactions.components import Component, action_row, rows, text_display
from bot.core.interactions.controls import Button, Menu
from bot.core.interactions.layout import Attached, Layout, pictured, text_layout
from bot.core.interactions.progress import ProgressMessage, bar
from bot.core.interactions.reply import Reply
from bot.play.boards.board_text import BoardPost, behind_more, below_boards
from bot.play.controls.link_views import link_offer
from bot.play.controls.lookup import NUMBER, ChosenMatch, chosen_name, pick, suggest_names, visible
from bot.play.controls.more_buttons import note_button
from bot.play.controls.share_buttons import (
    require_shareable,
    share_button,
    shared_style,
    shares,
)
from bot.play.matches import match_text
from bot.play.matches.notes import Notes, note_lines
from bot.play.matches.positions import Position
from bot.play.matches.service import Matches
from bot.play.pictures.rendering import Renderer, picture_for, style_for
from bot.play.replays import animation
from bot.play.replays.animation import Animation
from bot.play.replays.replay import Replay, Replays, parsed
from engine.phrase import concat, lines, plural, say, shortened
from engine.registry import AnyGame

_MAX_OPTIONS: Final = 25
MOVE: Final = Option(say("Move number (latest if empty)"), name="move", minimum=0)

Step = Literal["first", "back", "next", "last"]

_STEPS: Final[Mapping[Step, str]] = {
    "first": say("« First"),
    "back": say("‹ Back"),
    "next": say("Next ›"),
    "last": say("Last »"),
}


class ReplayButton(Button, prefix="replay"):
    """Opens the replay of a match at the beginning."""

    name: str

    async def press(self, reply: Reply) -> None:
        """Show it, to this user alone."""
        await show(reply, await found(reply, self.name), 0, new=True)


class StepButton(Button, prefix="step"):
    """Steps to a ply; ``step`` only makes the four custom ids unique."""

    name: str
    ply: int
    step: Step

    async def press(self, reply: Reply) -> None:
        """Show that ply."""
        await show(reply, await found(reply, self.name), self.ply)


class ReplayAtButton(Button, prefix="replay-at"):
    """Opens the replay of a match at a ply."""

    name: str
    ply: int

    async def press(self, reply: Reply) -> None:
        """Show that ply, to this user alone."""
        await show(reply, await found(reply, self.name), self.ply, new=True)


class JumpMenu(Menu, prefix="jump"):
    """Jumps to the end of a turn."""

    name: str

    async def choose(self, reply: Reply, values: Sequence[str]) -> None:
        """Show the selected turn."""
        await show(reply, await found(reply, self.name), picked(values[0]))


class AnimationButton(Button, prefix="gif"):
    """Shows a whole match as an animation."""

    name: str

    async def press(self, reply: Reply) -> None:
        """Render the animation and show it."""
        await show_whole(reply, await found(reply, self.name))


@below_boards("ended", order=3)
def replay_button(post: BoardPost) -> Component:
    """Return the button below the final board of a match."""
    return ReplayButton(str(post.match_id)).component(say("Replay"))


@behind_more(order=75)
def _behind_more(position: Position, _: int) -> Component:
    return ReplayButton(str(position.match.id)).component(say("Replay"))


async def found(reply: Reply, name: str) -> Replay:
    """Return a replay by name; raise NoSuchMatch if there is none that the user may see."""
    imported, number = parsed(name)
    if imported:
        return await reply.get(Replays).of_import(number, reply.user_id)
    await visible(reply, number)
    return await reply.get(Replays).of_match(number)


async def show(reply: Reply, replay: Replay, ply: int, *, new: bool = False) -> None:
    """Show a ply of a replay, in the pressed message or a new one."""
    layout = await _viewer(reply, replay, min(ply, replay.plies))
    if new:
        await reply.send(layout, public=False)
    else:
        await reply.replace(layout)


async def show_whole(reply: Reply, replay: Replay) -> None:
    """Show a whole match as an animation."""
    shown = await reply.get(Replays).compute(reply.requester, partial(animation.whole, replay))
    notes = [replay.heading()]
    if shown.sampled:
        notes.append(say("-# A long game: some moves are left out."))
    ended = replay.position.match.finished and not replay.imported
    share = (
        [*share_button(reply, "film", replay.number), *link_offer("match", replay.number)]
        if ended
        else []
    )
    await show_animation(
        *(reply, replay, shown, lines(notes)), most_bytes=animation.WHOLE_BYTES, below=share
    )


@shares("film")
async def _shared(reply: Reply, number: int, _: int) -> Layout:
    replay = await found(reply, str(number))
    await require_shareable(reply, replay.position)
    shown = await reply.get(Replays).compute(reply.requester, partial(animation.whole, replay))
    gif = await reply.get(Renderer).animation(
        shown,
        most_bytes=animation.WHOLE_BYTES,
        style=await shared_style(reply, replay.position),
        requester=reply.requester,
    )
    film = pictured(shown.filename, gif, shown.alt)
    again = action_row(ReplayButton(str(number)).component(say("Replay")))
    return Layout(text_display(replay.heading()), film, again)


async def show_animation(
    reply: Reply,
    replay: Replay,
    animation: Animation,
    *words: str,
    most_bytes: int,
    below: Sequence[Component] = (),
) -> None:
    """Show an animation to this user alone, with text above it."""
    style, renderer = await style_for(reply, replay.position), reply.get(Renderer)
    message = ProgressMessage(
        reply,
        lambda: bar(
            say("Making the GIF …"),
            renderer.progress(animation, most_bytes=most_bytes, style=style),
        ),
        public=False,
    )
    gif = await message.wait(
        renderer.animation(animation, most_bytes=most_bytes, style=style, requester=reply.requester)
    )
    if gif is None:
        return
    film = pictured(animation.filename, gif, animation.alt)
    await message.finish(Layout(*map(text_display, words), film, *rows(below)))


async def still(reply: Reply, replay: Replay, ply: int) -> list[Component | Attached]:
    """Return the picture and caption of a ply, without controls."""
    scene = replay.scene(ply)
    png = await picture_for(reply, replay.position, scene)
    return [
        text_display(replay.heading()),
        pictured(f"replay-{replay.name}-{ply}.png", png, scene.alt),
        text_display(caption(replay, ply)),
    ]


async def _note(reply: Reply, replay: Replay) -> str | None:
    """Return the user's note on the match; ``None`` if they do not play in it."""
    if replay.imported or replay.position.player_of(reply.user_id) is None:
        return None
    return await reply.get(Notes).of(replay.position, reply.user_id)


async def _viewer(reply: Reply, replay: Replay, ply: int) -> Layout:
    """Return the viewer at a ply, with its controls."""
    parts, note = await still(reply, replay, ply), await _note(reply, replay)
    if note:
        parts.append(text_display(lines(note_lines(note))))
    parts.append(action_row(*_steps(replay, ply)))
    options = _options(replay, ply)
    if options:
        menu = JumpMenu(replay.name).component(options, placeholder=say("Jump to a move"))
        below = [AnimationButton(replay.name).component(say("Show as GIF"))]
        if note is not None:
            below.append(note_button(replay.position.match.id))
        if replay.position.match.finished and not replay.imported:
            below += link_offer("match", replay.number, ply or None)
        parts += [action_row(menu), action_row(*below)]
    return Layout(*parts)


def caption(replay: Replay, ply: int) -> str:
    """Return what happened at a ply, its move number, and how the match ended."""
    parts: list[str] = [replay.event_line(ply)]
    if ply == replay.plies and replay.position.match.finished:
        reason = replay.position.match.reason
        if not replay.imported:
            parts.append(match_text.result(replay.position))
        elif reason:
            parts.append(say("Game over: {reason}.", reason=shortened(reason, 200)))
    at = say("Move {number} of {all}", number=replay.move(ply), all=len(replay.turns))
    parts.append(concat("-# ", at))
    return lines(filter(None, parts))


def _steps(replay: Replay, ply: int) -> list[Component]:
    before = max((stop for stop in replay.stops if stop < ply), default=0)
    after = min((stop for stop in replay.stops if stop > ply), default=replay.plies)
    places: dict[Step, int] = {"first": 0, "back": before, "next": after, "last": replay.plies}
    return [
        StepButton(replay.name, place, step).component(_STEPS[step], disabled=place == ply)
        for step, place in places.items()
    ]


def _options(replay: Replay, ply: int) -> list[Component]:
    """Return the turns to jump to: all, or as many as fit, evenly spaced."""
    turns = list(enumerate(replay.turn_ends, 1))
    if len(turns) > _MAX_OPTIONS:
        step = len(turns) - 1
        wanted = {index * step // (_MAX_OPTIONS - 1) for index in range(_MAX_OPTIONS)}
        turns = [turns[index] for index in sorted(wanted)]
    return [
        components.option(
            say("Move {number}", number=number), str(end), replay.plain(end), default=end == ply
        )
        for number, end in turns
    ]


@command("match replay", say("Step through a game, move by move"))
async def replay(
    reply: Reply,
    number: Annotated[str | None, Option(NUMBER, suggest=suggest_names)] = None,
    move: Annotated[int | None, MOVE] = None,
) -> None:
    """Show a match in the viewer."""
    replay = await found(reply, await chosen_name(reply, number))
    await show(reply, replay, replay.ply_after(move), new=True)


@command("match gif", say("Watch a whole game as a GIF"))
async def gif(
    reply: Reply, number: Annotated[str | None, Option(NUMBER, suggest=suggest_names)] = None
) -> None:
    """Show a whole match as an animation."""
    await show_whole(reply, await found(reply, await chosen_name(reply, number)))


@command("match board", say("Show the board after any move, as a picture or as text"))
async def board(
    reply: Reply,
    number: Annotated[str | None, Option(NUMBER, suggest=suggest_names)] = None,
    shown: Annotated[
        str,
        Option(
            say("Picture, or text for a screen reader"),
            name="as",
            choices={"picture": say("picture"), "text": say("text")},
        ),
    ] = "picture",
    move: Annotated[int | None, MOVE] = None,
) -> None:
    """Show one position of a match."""
    replay = await found(reply, await chosen_name(reply, number))
    if move is not None and move > len(replay.turns):
        raise NoSuchMatch(
            plural(
                "{name} has only {n} move so far.",
                "{name} has only {n} moves so far.",
                len(replay.turns),
                name=replay.name if replay.imported else f"#{replay.name}",
            )
        )
    at = replay.ply_after(move)
    if shown == "picture":
        await reply.send(Layout(*await still(reply, replay, at)))
        return
    scene = replay.scene(at)
    drawn = "\n".join(line.rstrip() for line in scene.text.splitlines())
    parts = (replay.heading(), lines(["```", drawn, "```"]), scene.alt, caption(replay, at))
    await reply.send(Layout(*map(text_display, parts)))


@game_command("since", say("Show what happened since your last turn"))
async def since(reply: Reply, game: AnyGame, match: ChosenMatch = None) -> None:
    """Show what happened since a player's last turn."""
    await show_since(reply, await pick(reply, game.slug, match, my_turn=True))


class SinceButton(Button, prefix="since"):
    """Shows a player what happened since their last decision."""

    match_id: int

    async def press(self, reply: Reply) -> None:
        """Show the animation."""
        await show_since(reply, await visible(reply, self.match_id))


@below_boards("running", order=1)
def since_button(post: BoardPost) -> Component | None:
    """Return the button, if the board leaves something out."""
    return _since_button(post.match_id, first=post.first) if post.missed else None


@behind_more(order=25)
def _since_behind_more(position: Position, user_id: int) -> Component | None:
    player = position.player_of(user_id)
    if (
        player is None
        or not position.tail
        or position.game.actor(position.tail[-1].before) == player.seat
    ):
        return None
    return _since_button(position.match.id, first=not position.had_turn(player))


def _since_button(match_id: int, *, first: bool) -> Component:
    label = say("The game so far") if first else say("Since your last turn")
    return SinceButton(match_id).component(label)


async def show_since(reply: Reply, position: Position) -> None:
    """Show a player what happened since their last decision; raise NotForYou for other users."""
    player, number = position.player_of(reply.user_id), position.match.id
    if player is None:
        raise NotForYou(
            say(
                "That's a game between {players}. To watch it, use `{command}`.",
                command=slash("match", "gif"),
                players=mention_all(p.user_id for p in position.match.players),
            )
        )
    replay = await reply.get(Replays).of_match(number)
    shown = animation.since(replay, player.seat)
    if shown is None:
        match = numbered(number, await reply.get(Matches).link(position.match))
        words = say("Nothing new in match {match} since your last turn.", match=match)
        if not position.had_turn(player):
            words = say("Nothing has happened in match {match} yet.", match=match)
        await reply.send(text_layout(words), public=False)
        return
    title = say("### Match #{number} since your last turn", number=number)
    if not position.had_turn(player):
        title = say("### Match #{number} so far", number=number)
    await show_animation(reply, replay, shown, title, shown.words, most_bytes=animation.SINCE_BYTES)
