"""A match looked through: a picture at a time, with buttons that step and a menu of turns.

Addresses are ``r:<name>:<ply>:<step>``, where the name is the number of a match, or ``i`` and the
number of a record that a player brought along. The viewer is for one person alone, and stays
usable after every restart.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any, Final

import discord
from discord import ui

from bot.interactions import layouts
from bot.interactions.buttons import Pressed, chosen_value
from bot.matches import results
from bot.pictures import styles
from bot.replays import animation
from bot.replays.service import parsed, turn_ends
from engine.phrase import lines, say, shortened

if TYPE_CHECKING:
    import re

    from bot.client import Bot
    from bot.interactions.reply import Reply
    from bot.pictures.styles import BoardStyle
    from bot.replays.animation import Animation
    from bot.replays.service import Replay

_MOST_OPTIONS: Final = 25
_MOST_ALT: Final = 1024
_MOST_LABEL: Final = 100


class StepButton(
    Pressed,
    ui.DynamicItem[ui.Button[Any]],
    template=r"r:(?P<name>i?\d+):(?P<ply>\d+):(?P<step>first|back|next|last)",
):
    """Steps to a place in a match; the step only keeps the four buttons apart."""

    def __init__(self, name: str, ply: int, step: str, *, disabled: bool = False) -> None:
        """Address one place of one reel."""
        labels = {
            "first": say("« First"),
            "back": say("‹ Back"),
            "next": say("Next ›"),
            "last": say("Last »"),
        }
        super().__init__(
            ui.Button(
                label=labels[step],
                style=discord.ButtonStyle.secondary,
                custom_id=f"r:{name}:{ply}:{step}",
                disabled=disabled,
            )
        )
        self.name, self.ply = name, ply

    @classmethod
    async def from_custom_id(
        cls, _: discord.Interaction[Any], __: ui.Item[Any], match: re.Match[str]
    ) -> StepButton:
        """Rebuild a button from its address."""
        return cls(match["name"], int(match["ply"]), match["step"])

    async def press(self, answer: Reply, client: Bot) -> None:
        """Show that place."""
        await show(answer, client, await found(answer, client, self.name), self.ply)


class JumpMenu(Pressed, ui.DynamicItem[ui.Select[Any]], template=r"r:(?P<name>i?\d+):jump"):
    """Jumps to the end of a turn."""

    def __init__(self, name: str, options: list[discord.SelectOption] | None = None) -> None:
        """Address the turns of one reel."""
        super().__init__(
            ui.Select(
                custom_id=f"r:{name}:jump",
                placeholder=say("Jump to a turn"),
                options=options or [],
            )
        )
        self.name = name

    @classmethod
    async def from_custom_id(
        cls, _: discord.Interaction[Any], item: ui.Item[Any], match: re.Match[str]
    ) -> JumpMenu:
        """Rebuild a menu from its address, with what was chosen."""
        menu = cls(match["name"])
        assert isinstance(item, ui.Select)
        menu.item = item
        return menu

    async def press(self, answer: Reply, client: Bot) -> None:
        """Show the turn that was picked."""
        reel = await found(answer, client, self.name)
        await show(answer, client, reel, int(chosen_value(self.item)))


class FilmButton(Pressed, ui.DynamicItem[ui.Button[Any]], template=r"r:(?P<name>i?\d+):film"):
    """Shows a whole match as a film."""

    def __init__(self, name: str) -> None:
        """Address one reel."""
        super().__init__(
            ui.Button(
                label=say("The whole match as a GIF"),
                style=discord.ButtonStyle.secondary,
                custom_id=f"r:{name}:film",
            )
        )
        self.name = name

    @classmethod
    async def from_custom_id(
        cls, _: discord.Interaction[Any], __: ui.Item[Any], match: re.Match[str]
    ) -> FilmButton:
        """Rebuild a button from its address."""
        return cls(match["name"])

    async def press(self, answer: Reply, client: Bot) -> None:
        """Paint the film and show it."""
        await film(answer, client, await found(answer, client, self.name))


async def found(answer: Reply, client: Bot, name: str) -> Replay:
    """Return the reel of a name that this person may see.

    Raises:
        NoSuchMatch: there is none, or it is not for them.

    """
    from bot.matches.lookup import visible  # noqa: PLC0415 - commands show these views

    brought, number = parsed(name)
    if brought:
        return await client.reels.of_import(number, answer.interaction.user.id)
    await visible(answer, number)
    return await client.reels.of_match(number)


async def show(
    answer: Reply, client: Bot, reel: Replay, ply: int, *, new: bool = False, note: str = ""
) -> None:
    """Show a place of a reel, in place of the one before it or as a new answer.

    Args:
        answer: the answer to what this person did.
        client: the bot.
        reel: the match.
        ply: which place of it.
        new: whether it is a new answer.
        note: what else there is to say of this place.

    """
    ply = min(ply, reel.plies)
    message = viewer(reel, ply, note)
    file = await picture(answer, client, reel, ply)
    if new:
        await answer.tell(message, files=[file], public=False)
    else:
        await answer.replace(message, files=[file])


async def picture(answer: Reply, client: Bot, reel: Replay, ply: int) -> discord.File:
    """Return the picture of a place of a reel, as this person likes it."""
    look = await look_of(answer, client, reel)
    png = await client.studio.picture(reel.scene(ply), look)
    return discord.File(io.BytesIO(png), filename=_filename(reel, ply))


async def look_of(answer: Reply, client: Bot, reel: Replay) -> BoardStyle:
    """Return how pictures of a reel look that only this person sees."""
    tongue = await answer.tongue(public=False)
    return await styles.for_player(client.choices, reel.view, answer.interaction.user.id, tongue)


async def film(answer: Reply, client: Bot, reel: Replay) -> None:
    """Show a whole match as a film."""
    shown = animation.whole(reel)
    look = await look_of(answer, client, reel)
    gif = await animation.painted(client.studio, shown, most_bytes=animation.WHOLE_BYTES, look=look)
    notes = [reel.heading()]
    if shown.sampled:
        notes.append(say("-# A long match: of each turn its end is shown, of some turns nothing."))
    await answer.tell(
        film_message(shown, lines(notes)), files=[film_file(shown, gif)], public=False
    )


def film_message(shown: Animation, *words: str) -> layouts.Message:
    """Return the message of a film, with words above it."""
    item = discord.MediaGalleryItem(f"attachment://{shown.filename}", description=shown.alt)
    return layouts.Message(*(ui.TextDisplay(w) for w in words), ui.MediaGallery(item))


def film_file(shown: Animation, gif: bytes) -> discord.File:
    """Return a film as a file to attach."""
    return discord.File(io.BytesIO(gif), filename=shown.filename)


def viewer(reel: Replay, ply: int, note: str = "") -> layouts.Message:
    """Return the message that shows a place of a reel, with the controls that lead elsewhere."""
    noted: list[ui.Item[Any]] = [ui.TextDisplay(note)] if note else []
    parts = [*still(reel, ply), *noted, ui.ActionRow(*_steps(reel, ply))]
    options = _options(reel, ply)
    if options:
        parts.append(ui.ActionRow(JumpMenu(reel.name, options)))
        parts.append(ui.ActionRow(FilmButton(reel.name)))
    return layouts.Message(*parts)


def still(reel: Replay, ply: int) -> list[ui.Item[Any]]:
    """Return the picture of a place of a reel with what is to be said of it, without controls."""
    scene = reel.scene(ply)
    item = discord.MediaGalleryItem(
        f"attachment://{_filename(reel, ply)}", description=shortened(scene.alt, _MOST_ALT)
    )
    return [
        ui.TextDisplay(reel.heading()),
        ui.MediaGallery(item),
        ui.TextDisplay(caption(reel, ply)),
    ]


def caption(reel: Replay, ply: int) -> str:
    """Return what happened at a place of a reel, where that is, and how the match ended."""
    told: list[str] = [reel.told(ply)]
    if ply == reel.plies and reel.view.match.finished:
        ended = record_result(reel) if reel.brought else results.result(reel.view)
        if ended:
            told.append(ended)
    told.append(say("-# Entry {ply} of {plies}", ply=ply, plies=reel.plies))
    return lines(told)


def record_result(reel: Replay) -> str:
    """Return how a record that was brought along says its match ended."""
    if not reel.view.match.reason:
        return ""
    return say("The match ended: {reason}.", reason=shortened(reel.view.match.reason, 200))


def _steps(reel: Replay, ply: int) -> list[StepButton]:
    before = max((stop for stop in reel.stops if stop < ply), default=0)
    after = min((stop for stop in reel.stops if stop > ply), default=reel.plies)
    name, first, last = reel.name, ply == 0, ply == reel.plies
    return [
        StepButton(name, 0, "first", disabled=first),
        StepButton(name, before, "back", disabled=first),
        StepButton(name, after, "next", disabled=last),
        StepButton(name, reel.plies, "last", disabled=last),
    ]


def _options(reel: Replay, ply: int) -> list[discord.SelectOption]:
    """Return the turns that can be jumped to: all, or as many as fit, evenly spread."""
    turns = list(enumerate(turn_ends(reel), 1))
    if len(turns) > _MOST_OPTIONS:
        step = len(turns) - 1
        wanted = {index * step // (_MOST_OPTIONS - 1) for index in range(_MOST_OPTIONS)}
        turns = [turns[index] for index in sorted(wanted)]
    return [
        discord.SelectOption(
            label=say("Turn {number}", number=number),
            value=str(end),
            description=shortened(reel.plain(end), _MOST_LABEL),
            default=end == ply,
        )
        for number, end in turns
    ]


def _filename(reel: Replay, ply: int) -> str:
    return f"replay-{reel.name}-{ply}.png"
