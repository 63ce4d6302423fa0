"""Helpers for tournaments: signing up, and playing games to their end."""

from __future__ import annotations

import itertools
import random
import re
from typing import Any

from bot.features.tournaments.drafts import NUMBERS, fields_of
from bot.features.tournaments.entrants import Entrants
from bot.features.tournaments.service import Tournaments
from bot.features.tournaments.view import TournamentView
from bot.play.delivery.outbox_worker import OutboxWorker
from bot.play.matches.service import Matches
from data import computer_tasks
from data.computer_tasks import Kind
from data.puzzles import analyses
from data.tournaments import tournaments
from playground.model import Message
from playground.people import Person
from tests.end_to_end.harness import Environment
from tests.end_to_end.people import may_manage
from tests.moves import play_on

NAMES = ("Erin", "Fay", "Gus", "Hal", "Ida", "Jon", "Kim")


def people(env: Environment, number: int) -> list[Person]:
    """Return a number of people, all with access to the channel."""
    known = {person.name for person in env.people}
    for name in NAMES[: max(0, number - 4)]:
        if name not in known:
            env.playground.add_person(name).place = env.channel("games")
    return env.people[:number]


def manager(env: Environment) -> Person:
    """Return someone who may manage the server and plays in no tournament."""
    known = next((person for person in env.people if person.name == "Max"), None)
    if known is None:
        known = env.playground.add_person("Max")
        known.place = env.channel("games")
        may_manage(env, known)
    return known


async def drafted(person: Person, channel: Any, **options: Any) -> tuple[Message, str]:
    """Draft a tournament; return its draft, and the answer to the last choice if it was refused."""
    asked = {"format": "swiss", "name": "Winter Cup", "game": "tablut"} | options
    asked = {name: asked.pop(name) for name in ("game", "format", "name")}
    rest = {name: value for name, value in options.items() if name not in asked}
    reply = await person.slash("/tournament create", channel=channel, options=asked)
    message = await reply.filled()
    if rest:
        await person.press(message, "More…")
    groups = {NUMBERS[name].group for name in rest if name in NUMBERS}
    if "time" in rest:
        groups.add("time")
    for group in sorted(groups, reverse=True):
        form = await person.press(message, custom_id=f"draft-ask:{number_of(message)}:{group}")
        known = {"time", *dict(fields_of(group))} if group == "time" else dict(fields_of(group))
        typed = {name: str(rest[name]) for name in rest if name in known}
        reply = await person.submit(form.modal, typed)
        if reply.shown is not message:
            return message, reply.text
    for name, value in rest.items():
        if name in NUMBERS or name == "time":
            continue
        menu = f"draft-pick:{number_of(message)}:{name}"
        if name in {"verdict", "options", "role"}:
            reply = await person.choose(message, value, menu=menu)
        else:
            reply = await person.press(message, custom_id=f"draft-set:{number_of(message)}:{name}")
        if reply.shown is not message:
            return message, reply.text
    return message, ""


def number_of(draft: Message) -> str:
    """Return the number of a draft."""
    return str(next(one for one in draft.buttons if one.label == "Post it").custom_id).split(":")[1]


async def create_in(person: Person, channel: Any, **options: Any) -> str:
    """Draft a tournament and post it; return what its organiser is told."""
    draft, refused = await drafted(person, channel, **options)
    if refused:
        return refused
    return (await (await person.press(draft, "Post it")).filled()).text


async def create(env: Environment, **options: Any) -> Message:
    """Create a tournament as Ann, and return its announcement."""
    chosen = {"game": "tablut", "name": "Winter Cup", **options}
    told = await create_in(env.ann, "games", **chosen)
    assert "open for sign-ups" in told, told
    assert ("under **Manage**" in told) is ("starts_in" not in chosen)
    await env.settled()
    return announcement(env, str(chosen["name"]))


def announcement(env: Environment, name: str = "Winter Cup", channel: str = "games") -> Message:
    """Return the announcement of a tournament."""
    return next(
        message
        for message in env.channel(channel).messages.values()
        if message.text.startswith(f"### {name}") and not message.ephemeral and not message.deleted
    )


async def sign_up(env: Environment, message: Message, number: int, *, first: int = 0) -> None:
    """Press *Sign up* as a number of people, or those after the first of them."""
    for person in people(env, number)[first:]:
        await person.press(message, "Sign up")
    await env.settled()


async def start(env: Environment, number: int, **options: Any) -> Message:
    """Start Ann's tournament with a number of players, and return its announcement."""
    message, guild_id = await create(env, **options), env.guild.id
    (made,) = await env.read(tournaments.of_server, guild_id, limit=1)
    for person in people(env, number):
        await env.app.get(Entrants).join(made.id, guild_id, person.id, ())
    await env.settled()
    reply = await env.ann.slash("/tournament start", channel="games")
    assert "has started" in reply.text, reply.text
    await env.settled()
    return message


def posts(env: Environment, post: Message) -> list[Message]:
    """Return the posts in a tournament's thread, oldest first."""
    thread = env.guild.threads[post.id]
    return [message for message in thread.messages.values() if not message.deleted]


async def tournament_view(env: Environment, number: int = 1) -> TournamentView:
    """Return a tournament as stored."""
    return await env.app.get(Tournaments).get(number, env.guild.id)


async def open_matches(env: Environment, number: int = 1) -> list[int]:
    """Return the current round's unfinished matches."""
    found = await tournament_view(env, number)
    return [
        game.match_id
        for one in found.current
        for game in one.games
        if game.match_id is not None and game.points is None
    ]


async def play_out(
    env: Environment, match: int, dice: random.Random, *, moves: int | None = None
) -> None:
    """Play a match at random to its end, without boards on the way.

    After the given number of moves, if any, all but one resign, the player to move first.
    """
    position = await env.position(match)
    for number in itertools.count():
        mover = position.to_move
        if mover is None or number == moves:
            break
        text = position.game.write(dice.choice(position.game.legal_moves(position.state)))
        position = await play_on(env.app.get(Matches), position, text)
    if (mover := position.to_move) is not None:
        others = [one for one in position.match.players if one.seat != mover.seat]
        for player in (mover, *others[:-1]):
            await env.app.get(Matches).resign(match, player.user_id)
    env.app.get(OutboxWorker).wake(match)


async def play_round(env: Environment, dice: random.Random, *, moves: int | None = 4) -> None:
    """Play all matches of the current round to their end, see `play_out`."""
    for match in await open_matches(env):
        await play_out(env, match, dice, moves=moves)
    await env.settled()


async def analysed(env: Environment, number: int = 1) -> None:
    """Analyse the matches of a finished tournament, and show it in its post.

    A player of the first game gave away a fifth of a win, in all other games half of one.
    """
    found = await tournament_view(env, number)
    played = [game.match_id for one in found.pairings for game in one.games if game.match_id]
    async with env.store.write() as tx:
        for match in played:
            lost = 0.2 if match == played[0] else 0.5
            report = {"mistakes": [[2, 0, "a1-a2", "a1-a3", lost]]}
            await analyses.put(tx, match, report, env.now())
            await computer_tasks.remove(tx, Kind.ANALYSIS, str(match))
    await env.advance(minutes=2)


def named(text: str) -> set[int]:
    """Return the people mentioned in a text."""
    return {int(found) for found in re.findall(r"<@(\d+)>", text)}
