"""``/match replay``, ``try``, ``gif`` and ``board``, and ``/<game> since``: what happened since a turn."""

from __future__ import annotations

from typing import Annotated

from bot.core.errors import NoSuchMatch, NotForYou
from bot.core.i18n.mentions import mention_all
from bot.core.i18n.slash import slash
from bot.core.interactions.commands import Option, command, game_command
from bot.core.interactions.components import Component, text_display
from bot.core.interactions.controls import Button
from bot.core.interactions.layout import Layout, Upload, text_layout
from bot.core.interactions.reply import Reply
from bot.features.replays import buttons, trying_buttons
from bot.features.replays.buttons import show_animation
from bot.play.boards.board_text import BoardPost, behind_more, below_boards
from bot.play.controls.lookup import NUMBER, ChosenMatch, chosen_name, pick, suggest_names, visible
from bot.play.matches.positions import MatchView
from bot.play.pictures.rendering import picture_for
from bot.play.replays import animation
from bot.play.replays.service import Replays
from engine.phrase import lines, plural, say
from engine.registry import AnyGame

_MOVE = Option(say("Move number (latest if empty)"), name="move", minimum=0)


@command("match replay", say("Step through a game, move by move"))
async def replay(
    reply: Reply,
    number: Annotated[str | None, Option(NUMBER, suggest=suggest_names)] = None,
    move: Annotated[int | None, _MOVE] = None,
) -> None:
    """Show a match in the viewer."""
    replay = await buttons.found(reply, await chosen_name(reply, number))
    await buttons.show(reply, replay, replay.ply_after(move), new=True)


@command("match try", say("Try moves on a board of your own"))
async def try_moves(
    reply: Reply,
    number: Annotated[str | None, Option(NUMBER, suggest=suggest_names)] = None,
    move: Annotated[int | None, _MOVE] = None,
) -> None:
    """Show a board for trying moves, starting from any point of a match."""
    replay = await buttons.found(reply, await chosen_name(reply, number))
    await trying_buttons.show(reply, replay, replay.ply_after(move))


@command("match gif", say("Watch a whole game as a GIF"))
async def gif(
    reply: Reply, number: Annotated[str | None, Option(NUMBER, suggest=suggest_names)] = None
) -> None:
    """Show a whole match as an animation."""
    await buttons.show_whole(reply, await buttons.found(reply, await chosen_name(reply, number)))


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
    move: Annotated[int | None, _MOVE] = None,
) -> None:
    """Show one position of a match."""
    replay = await buttons.found(reply, await chosen_name(reply, number))
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
        file = Upload(
            buttons.filename(replay, at), await picture_for(reply, replay.view, replay.scene(at))
        )
        await reply.send(Layout(*buttons.still(replay, at)), files=[file])
        return
    scene = replay.scene(at)
    drawn = "\n".join(line.rstrip() for line in scene.text.splitlines())
    parts = (
        replay.heading(),
        lines(["```", drawn, "```"]),
        scene.alt,
        buttons.caption(replay, at),
    )
    await reply.send(Layout(*map(text_display, parts)))


@game_command("since", say("Show what happened since your last turn"))
async def since(reply: Reply, game: AnyGame, match: ChosenMatch = None) -> None:
    """Show what happened since a player's last turn."""
    await show(reply, await pick(reply, game.slug, match, my_turn=True))


class SinceButton(Button, prefix="since"):
    """Shows a player what happened since their last decision."""

    match_id: int

    async def press(self, reply: Reply) -> None:
        """Show the animation."""
        await show(reply, await visible(reply, self.match_id))


@below_boards("running", order=1)
def since_button(post: BoardPost) -> Component | None:
    """Return the button, if the board leaves something out."""
    return _button(post.match_id) if post.missed else None


@behind_more(order=25)
def _behind_more(view: MatchView, user_id: int) -> Component | None:
    player = view.player_of(user_id)
    if player is None or not view.tail or view.game.actor(view.tail[-1].before) == player.seat:
        return None
    return _button(view.match.id)


def _button(match_id: int) -> Component:
    return SinceButton(match_id).component(say("Since your last turn"))


async def show(reply: Reply, view: MatchView) -> None:
    """Show a player what happened since their last decision; raise NotForYou for other users."""
    player, number = view.player_of(reply.user_id), view.match.id
    if player is None:
        raise NotForYou(
            say(
                "That's a game between {players}. To watch it, use `{command}`.",
                command=slash("match", "gif"),
                players=mention_all(p.user_id for p in view.match.players),
            )
        )
    replay = await reply.get(Replays).of_match(number)
    shown = animation.since(replay, player.seat)
    if shown is None:
        words = say("Nothing new in match #{number} since your last turn.", number=number)
        await reply.send(text_layout(words), public=False)
        return
    title = say("### Match #{number} since your last turn", number=number)
    await show_animation(reply, replay, shown, title, shown.words, most_bytes=animation.SINCE_BYTES)
