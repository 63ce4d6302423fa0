"""``/play``: one message that leads to any game, against a computer, a friend or anyone.

All choices are encoded in the custom ids of the controls, so the message survives restarts. Matches
start as they do with the games' own commands.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import fields, replace
from datetime import timedelta
from typing import Any, Final, Literal, TypeVar

from bot.core import move_times
from bot.core.computers import LEVEL_NAMES
from bot.core.errors import GONE, ID, ChallengedBot, Id, Refusal, picked
from bot.core.i18n.mentions import mention, slash
from bot.core.interactions.components import (
    Component,
    action_row,
    option,
    rows,
    text_display,
)
from bot.core.interactions.controls import Button, Control, Menu
from bot.core.interactions.dispatch import shows
from bot.core.interactions.layout import Layout, pictured, text_layout
from bot.core.interactions.reply import Reply
from bot.core.owner_decisions import OwnerDecisions
from bot.core.permissions import play
from bot.core.requests.sending import FAILED
from bot.core.settings.kinds import BANKS
from bot.core.settings.service import SettingsStore
from bot.features.challenges import text as challenges_text
from bot.features.challenges.buttons import ChallengeMessages, invitation
from bot.features.challenges.invitations import against
from bot.features.challenges.service import Challenges
from bot.play.matches import time_controls
from bot.play.matches.service import Matches
from bot.play.matches.time_controls import TimeControl
from bot.play.pictures.rendering import Renderer, private_style
from data import time_per_move
from data.challenges.challenges import Invitation
from engine import registry
from engine.game import Option
from engine.phrase import Phrase, capital, concat, lines, listed, plural, say
from engine.registry import AnyGame

MAX_GAMES: Final = 25
_MAX_PEOPLE: Final = 3
"""Maximum people to pick, as a custom id holds so many."""
_ANY: Final = "0"
_PEOPLE: Final = "+"
"""Separates the ids of several people."""
_BANK: Final = "+"
"""Precedes the days of a time bank in a menu's value, after the time that a move adds."""

Field = Literal["game", "level", "rules", "players", "seat", "days", "rated"]
Against = Literal["all", "computer", "people"]
"""The opponents on offer."""


class Choices(Control):
    """The choices so far. A number of 0 is the default."""

    against: Against
    opponent: Id | None
    """The person to challenge, if already decided."""
    level: int
    players: int
    seat: int
    """Counted from 1."""
    per_move: timedelta
    bank: int
    """Days of a time bank at the start; 0 for no bank."""
    rated: bool
    folded: bool
    """Whether the options are hidden."""
    game: str
    rules: str

    @property
    def played(self) -> AnyGame:
        """The game, or the first one if the chosen one no longer exists."""
        return registry.games().get(self.game) or next(iter(registry.games().values()))

    @property
    def rule_sets(self) -> Option | None:
        """The option of the game that chooses a rule set, if it has several."""
        return next((option for option in self.played.options if option.presets), None)

    @property
    def options(self) -> dict[str, str]:
        """The options of the game that were chosen."""
        sets = self.rule_sets
        return {sets.name: self.rules} if sets is not None and self.rules in sets.values else {}


async def _practise(reply: Reply, chosen: Choices) -> None:
    await play.require_games(reply)
    asked = against(_invitation(reply, chosen), chosen.level, chosen.players or None)
    begun = await reply.get(Challenges).practise(asked, channel_kind=reply.channel_kind)
    await reply.get(ChallengeMessages).post(reply, begun, instead=say("Your game is on."))
    link = await reply.get(Matches).link_of(begun.match_id)
    if link is not None:  # its board is there by now
        with suppress(*FAILED):
            await reply.replace(text_layout(say("[Your game is on]({link}).", link=link)))


async def _challenge(reply: Reply, chosen: Choices, people: list[int]) -> None:
    """Post a challenge to the given people, or to anyone if there are none."""
    await play.require_challenges(reply)
    places = max(chosen.players, len(people) + 1) if chosen.players else None
    if not people:
        places = chosen.players or chosen.played.players[0]
    asked = replace(
        _invitation(reply, chosen),
        opponents=tuple(people),
        places=places if len(chosen.played.players) > 1 else None,
        bank=chosen.bank or None,
        unrated=not chosen.rated,
        **time_per_move.columns(chosen.per_move),
    )
    offered = await reply.get(Challenges).offer(asked)
    words = say("Your challenge is posted. The first to accept plays.")
    if people:
        words = say(
            "Your challenge to {players} is posted.",
            players=listed([mention(one) for one in people]),
        )
    await reply.get(ChallengeMessages).post(reply, offered, instead=words)


def _invitation(reply: Reply, chosen: Choices) -> Invitation:
    seat = chosen.seat - 1 if chosen.seat else None
    return invitation(reply, chosen.played, chosen.options, seat)


class PlayMenu(Choices, Menu, prefix="play"):
    """Chooses a game or one of its options."""

    field: Field

    async def choose(self, reply: Reply, values: Sequence[str]) -> None:
        """Update the message with the choice."""
        value = values[0]
        match self.field:
            case "game" if value not in registry.games():
                raise Refusal(GONE)
            case "game":
                chosen = replace(self, game=value, rules="", players=0, seat=0)
            case "rules":
                sets = self.rule_sets
                if sets is None or value not in sets.values:
                    raise Refusal(GONE)
                chosen = replace(self, rules=value)
            case "level":
                chosen = replace(self, level=picked(value))
            case "players":
                chosen = replace(self, players=picked(value), seat=0)
            case "seat":
                chosen = replace(self, seat=picked(value))
            case "days":
                time = _time(value)
                chosen = replace(self, per_move=time.per_move, bank=time.bank or 0)
            case "rated":
                chosen = replace(self, rated=value == "1")
        await reply.replace(await _panel(reply, chosen))


class PlayPeopleMenu(Choices, Menu, prefix="friends"):
    """Picks people to challenge."""

    async def choose(self, reply: Reply, values: Sequence[str]) -> None:
        """Ask whether to challenge them; picking the bot itself offers the computer."""
        try:
            people = [ID.read(value) for value in values]
        except ValueError:
            raise Refusal(GONE) from None
        if reply.interaction.application_id in people:
            panel = await _panel(reply, replace(self, against="computer"))
            await reply.replace(panel.below(challenges_text.myself().sentence))
            return
        await _require(reply, people)
        send = _as(SendChallengeButton, self, people=_PEOPLE.join(f"{one:x}" for one in people))
        back = _as(PlayButton, self, action="back").component(say("Back"))
        title, terms = _challenge_title(self.played, people), _terms(self, people=True)
        words = lines((title, terms, say("Nothing is sent yet.")))
        button = send.component(say("Challenge"), style="success")
        await reply.replace(text_layout(words, button, back))


class SendChallengeButton(Choices, Button, prefix="send"):
    """Challenges the picked people."""

    people: str
    """Their ids, hexadecimal to be short."""

    async def press(self, reply: Reply) -> None:
        """Post the challenge."""
        try:
            people = [ID.read(str(int(value, 16))) for value in self.people.split(_PEOPLE)]
        except ValueError:
            raise Refusal(GONE) from None
        await _require(reply, people)
        await _challenge(reply, self, people)


async def _require(reply: Reply, people: Iterable[int]) -> None:
    """Raise Refusal unless all these people can be challenged here."""
    await play.require_challenges(reply)
    for person in people:
        await play.require_person(reply, person)


class PlayButton(Choices, Button, prefix="begin"):
    """Starts a match, or posts a challenge."""

    action: Literal["computer", "anyone", "opponent", "options", "back"]

    async def press(self, reply: Reply) -> None:
        """Do what the button says."""
        match self.action:
            case "back":
                await reply.replace(await _panel(reply, self))
            case "options":
                await reply.replace(await _panel(reply, replace(self, folded=not self.folded)))
            case "computer":
                await _practise(reply, self)
            case "anyone":
                await _challenge(reply, self, [])
            case "opponent":
                if self.opponent is None:
                    raise Refusal(GONE)
                await play.require_person(reply, self.opponent)
                await _challenge(reply, self, [self.opponent])


class OpenPlayButton(Button, prefix="open"):
    """Opens the message of ``/play``."""

    against: Against

    async def press(self, reply: Reply) -> None:
        """Show it privately."""
        await open_play(reply, against=self.against)


class ChallengePersonButton(Button, prefix="challenge"):
    """Starts a challenge to a person."""

    opponent: Id

    async def press(self, reply: Reply) -> None:
        """Open the message for this opponent."""
        await play.require_challenges(reply)
        await play.require_person(reply, self.opponent)
        await open_play(reply, against="people", opponent=self.opponent)


async def open_play(
    reply: Reply,
    *,
    against: Against = "all",
    opponent: int | None = None,
    game: str = "",
    words: str = "",
) -> None:
    """Show the message of ``/play`` privately, below some words."""
    time = time_controls.chosen(await reply.get(SettingsStore).server(reply.guild_id), None, None)
    chosen = PlayMenu(
        *(against, opponent, 1, 0, 0, time.per_move, time.bank or 0),
        rated=True,
        folded=True,
        game=game,
        rules="",
        field="game",
    )
    await reply.send((await _panel(reply, chosen)).below(words), public=False)


@shows(lambda refusal: isinstance(refusal, ChallengedBot))
async def offer_computer(reply: Reply, refusal: Refusal) -> None:
    """Reply to a player who challenges the bot."""
    assert isinstance(refusal, ChallengedBot)
    await open_play(reply, against="computer", game=refusal.game, words=refusal.sentence)


async def _panel(reply: Reply, chosen: Choices) -> Layout:
    game = chosen.played
    alone = reply.guild_id is None and not reply.by_user_install
    scene = game.scene(game.initial(chosen.options, chosen.players or None))
    png = await reply.get(Renderer).picture(scene, await private_style(reply, reply.home))
    announcement = reply.get(OwnerDecisions).announcement
    return Layout(
        text_display(_panel_text(chosen, announcement, alone=alone)),
        pictured(f"{game.slug}.png", png, scene.alt),
        *_controls(chosen, alone=alone),
    )


def _controls(chosen: Choices, *, alone: bool) -> Iterator[Component]:
    computer = chosen.against != "people"
    people = chosen.against != "computer" and not alone
    games = list(registry.games().values())[:MAX_GAMES]
    yield _menu(
        *(chosen, "game", chosen.played.slug),
        [(one.slug, one.title, lines((_players(one), _length(one)), " · ")) for one in games],
    )
    if computer:
        levels = [(str(level), _computer(level)) for level in LEVEL_NAMES]
        yield _menu(chosen, "level", str(chosen.level), levels)
    if people and chosen.opponent is None:
        menu = _as(PlayPeopleMenu, chosen)
        most = min(chosen.played.players[-1] - 1, _MAX_PEOPLE)
        yield action_row(menu.of_users(placeholder=say("Challenge a friend…"), max_values=most))
    if not chosen.folded:
        yield from _options_menus(chosen, people=people)
    buttons = []
    if chosen.opponent is not None:
        send = _as(PlayButton, chosen, action="opponent")
        buttons.append(send.component(say("Challenge"), style="success"))
    if computer:
        begin = _as(PlayButton, chosen, action="computer")
        buttons.append(begin.component(say("Play the computer"), style="success"))
    if people and chosen.opponent is None:
        anyone = _as(PlayButton, chosen, action="anyone")
        buttons.append(anyone.component(say("Challenge anyone"), style="primary"))
    folding = _as(PlayButton, chosen, action="options")
    buttons.append(folding.component(say("Options…") if chosen.folded else say("Fewer options")))
    yield from rows(buttons)


def _options_menus(chosen: Choices, *, people: bool) -> Iterator[Component]:
    game, sets = chosen.played, chosen.rule_sets
    if sets is not None:
        labels = [
            (value, say("Rules: {rules}", rules=capital(value)), sets.notes.get(value, ""))
            for value in sets.values
        ]
        yield _menu(chosen, "rules", chosen.rules or sets.default, labels)
    number = chosen.players or game.players[0]
    if len(game.players) > 1:
        numbers = [(str(n), plural("{n} player", "{n} players", n)) for n in game.players]
        yield _menu(chosen, "players", str(number), numbers)
    sides = [0, *(seat + 1 for seat in game.seats(number))]
    yield _menu(chosen, "seat", str(chosen.seat), [(str(one), _side(game, one)) for one in sides])
    if people:
        now = _time_value(TimeControl(chosen.per_move, chosen.bank or None))
        times = [
            (_time_value(time), capital(time_controls.time_control(*time)))
            for time in _times(chosen)
        ]
        yield _menu(chosen, "days", now, times)
        rated = [("1", say("Rated")), (_ANY, say("Unrated"))]
        yield _menu(chosen, "rated", "1" if chosen.rated else _ANY, rated)


def _time_value(time: TimeControl) -> str:
    written = move_times.written(time.per_move)
    return f"{written}{_BANK}{time.bank}" if time.bank else written


def _time(value: str) -> TimeControl:
    """Return the time control that a menu's value stands for; raise Refusal if there is none."""
    written, _, bank = value.partition(_BANK)
    try:
        return TimeControl(move_times.read(written), picked(bank) if bank else None)
    except ValueError:
        raise Refusal(GONE) from None


def _times(chosen: Choices) -> list[TimeControl]:
    """Return the time controls on offer, including the current one."""
    banks = sorted({*BANKS, *([chosen.bank] if chosen.bank else [])})
    times = map(TimeControl, move_times.OFFERED)
    return [*times, *(time_controls.with_bank(bank) for bank in banks)]


def _menu(
    chosen: Choices, field: Field, current: str, entries: Iterable[Sequence[str]]
) -> Component:
    """Return a menu of values with their labels, and descriptions if any."""
    menu = _as(PlayMenu, chosen, field=field)
    return action_row(
        menu.component(
            [
                option(label, value, *about, default=value == current)
                for value, label, *about in entries
            ]
        )
    )


_Made = TypeVar("_Made", bound=Choices)


def _as(kind: type[_Made], chosen: Choices, **more: str) -> _Made:
    """Return a control of another kind with the same choices."""
    values: dict[str, Any] = {one.name: getattr(chosen, one.name) for one in fields(Choices)}
    return kind(**{**values, **more})


def _computer(level: int) -> Phrase:
    # Translators: level is a level of the computer, such as "1 · Beginner".
    return say("Computer {level}", level=LEVEL_NAMES[level])


def _challenge_title(game: AnyGame, people: Iterable[int]) -> Phrase:
    players = listed([mention(one) for one in people])
    return say("### Challenge {player} to {game}", player=players, game=game.title)


def _terms(chosen: Choices, *, people: bool) -> Phrase:
    """Return how people, or the computer, would be played, as a line of small print."""
    game, sets = chosen.played, chosen.rule_sets
    parts = [] if people else [_computer(chosen.level)]
    if sets is not None:
        parts.append(say("Rules: {rules}", rules=capital(chosen.rules or sets.default)))
    if len(game.players) > 1 and (chosen.players or not people):
        parts.append(plural("{n} player", "{n} players", chosen.players or game.players[0]))
    parts.append(_side(game, chosen.seat))
    if people:
        parts.append(time_controls.time_control(chosen.per_move, chosen.bank or None))
    parts.append(say("Rated") if people and chosen.rated else say("Unrated"))
    return concat("-# ", capital(lines(parts, " · ")))


def _side(game: AnyGame, seat: int) -> Phrase:
    """Return the side that was chosen, counted from 1; 0 for a random one."""
    return (
        say("Play {seat}", seat=capital(game.seat_names[seat - 1])) if seat else say("Random side")
    )


def _panel_text(chosen: Choices, announcement: str, *, alone: bool) -> Phrase:
    """Return the words above the controls; ``alone`` if only the computer can be played here."""
    game = chosen.played
    title = concat("### ", game.title)
    if chosen.opponent is not None:
        title = _challenge_title(game, [chosen.opponent])
    about = concat("-# ", _players(game), " · ", _length(game))
    friends = say("To play a friend, use {play} on a server you share.", play=slash("play"))
    terms = [
        *([_terms(chosen, people=True)] if chosen.against != "computer" and not alone else []),
        *([_terms(chosen, people=False)] if chosen.against != "people" else []),
    ]
    small = [*([concat("-# ", friends)] if alone else []), *filter(None, [announcement])]
    return lines((title, game.summary, about, *terms, *small))


def _players(game: AnyGame) -> str:
    numbers = listed([str(number) for number in game.players], either=True)
    return say("{numbers} players", numbers=numbers)


def _length(game: AnyGame) -> str:
    return plural("about {n} turn each", "about {n} turns each", game.usual_turns)
