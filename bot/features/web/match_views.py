"""What the page shows of a match: the words of its board, the moves, and what its reader may do."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from bot.core.computers import is_person
from bot.core.i18n.mentions import mention
from bot.core.interactions.components import Component, rows
from bot.core.interactions.layout import say_components, say_in
from bot.core.permissions.members import Members
from bot.core.settings.service import SettingsStore
from bot.features.challenges.buttons import rematch_asked
from bot.features.challenges.service import Challenges
from bot.features.web.guard import Reader
from bot.play.boards import board_text
from bot.play.boards.board_text import actions_of, buttons_below, lines_about_end
from bot.play.controls.ending_buttons import offer_message
from bot.play.matches.notes import Notes, note_lines
from bot.play.matches.offers import Answer
from bot.play.matches.positions import Position, is_turn_of, waits_for
from bot.play.matches.service import Matches
from bot.play.pictures.rendering import BoardStyle, reader_style
from data.matches import offers
from data.matches.match import Match, Player
from data.store.store import Store
from engine import menu, registry
from engine.game import CHANCE
from engine.phrase import Tongue, lines
from engine.phrase import translated as said
from engine.registry import AnyGame
from engine.scene import Scene, standing, without_choices
from render.svg import moving_part, static_part, variables
from render.theme import ALL

MAX_FRAMES: Final = 12
"""Entries of the log that are shown one after the other: the last ones."""
_MENTION: Final = re.compile(r"<@(\d+)>")
_MAX_MOVES: Final = 400
"""Moves sent to the page; with more, which only very long series of throws have, they are typed."""
_MAX_PEOPLE: Final = 10
"""People of a match in direct messages whose names are asked for at once."""
_HERE: Final = {"page", "page-link", "more"}
JSON = dict[str, Any]


@dataclass(eq=False, repr=False)
class MatchViews:
    """Describes matches to their readers, as JSON."""

    store: Store
    matches: Matches
    settings: SettingsStore
    members: Members
    notes: Notes
    challenges: Challenges

    async def of(self, position: Position, reader: Reader, *, since: int | None = None) -> JSON:
        """Return what a reader sees of a match as it stands, who may see it.

        It includes what happened ``since`` a ply that they have seen.
        """
        user_id, locale = reader.user_id, reader.locale
        match, post = position.match, board_text.board(position, controls=False)
        player = position.player_of(user_id)
        playing = player is not None
        note = await self.notes.of(position, user_id) if playing else ""
        end = await lines_about_end(self.store, position, "asked")
        buttons = (
            buttons_below("ended", post)
            if post.over
            else actions_of(position, user_id) + (buttons_below("running", post) if playing else [])
        )
        asked = [] if player is None else await self._asked(position, player)
        likes = await self.settings.player(user_id)
        style = await self.style(position, reader)
        waits = position.current and waits_for(position, user_id)
        scene = post.scene if waits else without_choices(post.scene)
        board, film, moves = await asyncio.to_thread(
            lambda: (
                drawn(scene, style),
                [] if since is None else frames(position, since, style),
                moves_of(position.game, position.state, locale) if waits else [],
            )
        )
        view: JSON = {
            "match": match.id,
            "title": say_in(locale, position.game.title),
            "version": position.version,
            "ply": position.ply,
            "move": position.move,
            "over": post.over,
            "scene": board,
            "film": film,
            "thrown": _thrown(position),
            "alt": said(post.scene.alt, locale),
            "yours": playing,
            "turn": waits,
            "confirm": likes.confirm,
            "theme": style.theme,
            "heading": say_in(locale, post.heading),
            "story": say_in(locale, lines(post.story)),
            "prompt": say_in(
                locale, lines(filter(None, [board_text.prompt_for(position, user_id), end]))
            ),
            "note": say_in(locale, lines(note_lines(note))),
            "clock": ""
            if match.clock is None or post.over
            else say_in(locale, board_text.deadline(match.clock)),
            "moves": moves,
            "offers": say_components(asked, locale),
            "controls": say_components(rows(_without_links(buttons)), locale),
        }
        view["people"] = await self.people(match.guild_id, view)
        return view

    async def list(self, reader: Reader) -> JSON:
        """Return a player's open matches, those first that wait for them."""
        found = await self.matches.of_player(reader.user_id)
        entries = [_entry(match, reader) for match in found]
        people: dict[str, str] = {}
        for guild_id in {match.guild_id for match in found}:
            own = [e for e, match in zip(entries, found, strict=True) if match.guild_id == guild_id]
            people |= await self.people(guild_id, own)
        return {"matches": entries, "people": people}

    async def style(self, position: Position, reader: Reader) -> BoardStyle:
        """Return how a reader sees the boards of a match."""
        user_id, locale = reader.user_id, reader.locale
        style = await reader_style(self.settings, self.members, position, user_id, locale)
        if position.match.guild_id is not None:
            return style
        people = [one.user_id for one in position.match.players if is_person(one.user_id)]
        names = dict(style.names)
        known = await self.members.account_names(people)
        names |= {
            one.seat: known[one.user_id] for one in position.match.players if one.user_id in known
        }
        return replace(style, names=tuple(names.items()))

    async def _asked(self, position: Position, player: Player) -> Sequence[Component]:
        """Return what others ask a player, and what they have asked: offers, or a rematch."""
        if position.match.finished:
            again = await self.challenges.rematch_of(position.match)
            mine = again is not None and again.of(player.user_id) is not None
            return rematch_asked(again, player.user_id) if again and mine else []
        async with self.store.read() as tx:
            made = await offers.of(tx, position.match.id)
        current = [one for one in made if one.is_current(position.match)]
        return [
            part
            for one in current
            for part in offer_message(Answer(one, position, position), reader=player.seat).parts
        ]

    async def people(self, guild_id: int | None, said: object) -> dict[str, str]:
        """Return the names of the people mentioned."""
        found = {int(number) for text in _texts(said) for number in _MENTION.findall(text)}
        people = list(filter(is_person, found))
        if guild_id is None:
            names = await self.members.account_names(people[:_MAX_PEOPLE])
        else:
            names = await self.members.names(guild_id, people)
        return {str(number): name for number, name in names.items()}


def drawn(scene: Scene, style: BoardStyle) -> JSON:
    """Return a scene as a reader sees it, in parts of an SVG, and what stands on its squares."""
    seen = style.seen(scene)
    part = static_part(seen.board)
    return {
        "view": part.view,
        "board": part.board,
        "squares": part.squares,
        "moving": moving_part(seen),
        "men": _men(standing(scene), style.locale),
    }


def frames(position: Position, since: int, style: BoardStyle) -> list[JSON]:
    """Return what moved on the boards from a ply on, one for each entry of the log but the last.

    There are at most `MAX_FRAMES`, and only of entries in memory.
    """
    first, tail = position.ply - len(position.tail), position.tail
    found = []
    for ply in range(max(since, first, position.ply - MAX_FRAMES), position.ply):
        led = tail[max(ply - first - 1, 0) : ply - first]
        last = [(one.before, one.move) for one in led]
        scene = without_choices(position.game.scene(tail[ply - first].before, last))
        thrown = any(position.game.actor(one.before) is CHANCE for one in led)
        found.append({"ply": ply, "moving": moving_part(style.seen(scene)), "thrown": thrown})
    return found


def _men(standing_: Mapping[str, tuple[str, ...]], locale: Tongue) -> dict[str, str]:
    return {square: say_in(locale, lines(names, ", ")) for square, names in standing_.items()}


def themes() -> str:
    """Return the colours of all themes, as CSS."""
    rules = (f':root[data-board="{name}"]{{{variables(one)}}}' for name, one in ALL.items())
    return "\n".join(rules)


def _thrown(position: Position) -> bool:
    """Return whether the last entry was a throw."""
    return bool(position.tail) and position.game.actor(position.tail[-1].before) is CHANCE


def _without_links(buttons: Sequence[Component]) -> list[Component]:
    """Return buttons without those that lead to the page, or show what it shows anyway."""
    return [one for one in buttons if str(one.get("custom_id")).partition(":")[0] not in _HERE]


def moves_of(game: AnyGame, state: Any, locale: Tongue, *, advised: bool = True) -> list[JSON]:
    """Return the moves to choose from: their steps, what they do, and the square they lead to.

    ``advised``: whether to say which ones win, draw or lose.
    """
    moves = game.legal_moves(state)
    if len(moves) > _MAX_MOVES:
        return []
    return [
        {
            "steps": list(game.steps(move)),
            "label": say_in(locale, menu.label(game, state, move, advised=advised)),
            "to": next((way[-1] for way in game.ways(state, move)), None),
        }
        for move in moves
    ]


def _entry(match: Match, reader: Reader) -> JSON:
    game, locale = registry.game(match.game), reader.locale
    others = [mention(one.user_id) for one in match.players if one.user_id != reader.user_id]
    return {
        "match": match.id,
        "title": say_in(locale, game.title),
        "others": [say_in(locale, one) for one in others],
        "turn": is_turn_of(match, reader.user_id),
    }


def _texts(said: object) -> Iterable[str]:
    if isinstance(said, str):
        yield said
    elif isinstance(said, dict):
        for value in said.values():
            yield from _texts(value)
    elif isinstance(said, list | tuple):
        for value in said:
            yield from _texts(value)
