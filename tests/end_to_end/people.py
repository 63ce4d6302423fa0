"""What people do, and what they see: acts that several tests share."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any

from sqlalchemy import update

from bot.core.interactions.layout import text_layout
from bot.core.workers.fair_queue import Requester
from bot.features.settings.privacy import Privacy
from bot.play.delivery.notices import Notice, announces
from bot.play.matches import jobs
from bot.play.matches.positions import Position
from data.matches import clocks, matches
from data.matches.match import MatchClock
from data.matches.match import matches as match_table
from data.ratings import ratings
from data.sql import key_values
from data.store.store import Store
from engine.game import CHANCE
from playground.events import ChannelUpdated, ThreadCreated
from playground.faults import Fault, Faults
from playground.model import Channel, Message, Overwrite
from playground.people import Person
from playground.permissions import Permission
from playground.reply import Reply
from playground.request_log import Request
from tests.end_to_end.harness import Environment, playable


async def versus(env: Environment, number: int = 1) -> str:
    """Return the players of a match as its thread names them: by side."""
    players = (await env.position(number)).match.players
    return " vs ".join(env.person(player.user_id).user.display for player in players)


async def confirm(env: Environment, person: Person, question: Reply, label: str) -> Reply:
    """Press a button of a question that a reply asks, and let everything happen."""
    return await env.done(person.press(question.shown, label))


def labels(message: Message) -> list[str]:
    return [button.label for button in message.buttons]


async def more(env: Environment, person: Person, board: Message | None = None) -> Message:
    """Press *More* as a person, and return the ephemeral answer."""
    reply = await person.press(board or env.board(), "More")
    assert reply.ephemeral
    return reply.shown


async def make_first_move(env: Environment) -> tuple[Person, Person]:
    """Make a move as the first player; return them and the one to answer."""
    board = env.board()
    mover, other = env.mover(board), env.other(board)
    ply = await env.ply()
    while await env.ply() == ply:
        await env.turn(env.board(), random.Random(1))
    return mover, other


async def move_without_throw(env: Environment, dice: random.Random) -> Person:
    """Play at random until somebody makes a move that no throw follows; return who did."""
    for _ in range(400):
        mover, ply = env.mover(env.board()), await env.ply()
        await env.turn(env.board(), dice)
        position = await env.position()
        if position.ply == ply + 1 and position.game.actor(position.tail[-1].before) is not CHANCE:
            return mover
    raise AssertionError("throws follow every move")


async def ask_takeback(slug: str, person: Person, **options: int) -> Message:
    """Ask to take the last move back as a player, and return the offer."""
    reply = await person.slash(f"/{slug} takeback", options=options)
    assert not reply.ephemeral, reply.text
    return reply.shown


async def finish_in_channel(
    env: Environment, slug: str = "tablut", *, threads: bool = True
) -> Channel:
    """Resign a match that counts as Ann; return where it was played."""
    await env.change_settings(threads=threads)
    await env.begin_by_challenge(slug)
    await env.play_a_while()
    await env.resign(env.ann)
    return env.board().channel


def posts_of_results(env: Environment) -> list[Message]:
    """Return the posts about results in the channel itself."""
    channel = env.channel()
    return [m for m in channel.messages.values() if m.picture is not None and not playable(m)]


SLUG = "tablut"


async def resign_there(env: Environment, where: Channel | str) -> None:
    """Play a little and resign, so that nothing goes on elsewhere."""
    await env.play_a_while()
    reply = await env.ann.slash(f"/{SLUG} resign", channel=where, match=1)
    await env.done(env.ann.press(reply.shown, "Resign"))


async def begin_in_thread(env: Environment, *, private: bool = False) -> Channel:
    """Begin a match of Ann and Ben in their own thread, with Dan and the bot in it too."""
    world = env.world
    games = env.channel()
    thread = world.add_thread(games, "our corner", env.ann.user, private=private)
    for one in (env.ben.id, env.dan.id, world.bot.id):
        thread.thread_members[one] = thread.thread_members[env.ann.id]
    if private:
        world.emit(ThreadCreated(thread))  # now the bot sees it
    await env.begin(SLUG, channel="our corner")
    return thread


def hide(env: Environment, channel: str, *people: Person) -> None:
    place = env.channel(channel)
    for person in people:
        place.overwrites[person.id] = Overwrite(1, deny=Permission.VIEW_CHANNEL)
    env.world.emit(ChannelUpdated(place))


async def follow(person: Person, **what: object) -> Reply:
    return await person.slash("/watch", channel="general", options=what)


def inbox(env: Environment, person: Person) -> list[Message]:
    direct = env.world.dm_channel(person.user, env.world.bot)
    sent = [message for message in direct.messages.values() if not message.ephemeral]
    return sorted(sent, key=lambda message: message.id)


def letters(env: Environment, person: Person, words: str = "") -> list[Message]:
    return [m for m in inbox(env, person) if m.author is env.world.bot and words in m.text]


def owners_letters(env: Environment) -> list[Message]:
    world = env.world
    owner = world.users[env.guild.owner_id]
    return list(world.dm_channel(owner, world.bot).messages.values())


async def unwelcomed(env: Environment) -> None:
    await env.stop()
    store = await Store.open(env.database)
    async with store.write() as tx:
        await key_values.remove(tx, f"welcomed:{env.guild.id}")
    await store.close()


def welcomes(env: Environment) -> list[Message]:
    return [
        message
        for channel in env.world.channels.values()
        for message in channel.messages.values()
        if "turn by turn" in message.text
    ]


async def begin_and_play(
    env: Environment, slug: str = "tablan", *, channel: str = "games", **options: Any
) -> Message:
    """Begin the first match, and make two moves each; return the board."""
    await env.begin(slug, channel=channel, **options)
    await env.play_a_while()
    return env.board(channel=channel)


async def clock(env: Environment, number: int = 1) -> MatchClock:
    found = await env.read(clocks.of, number)
    assert found is not None
    return found


def messages_with(env: Environment, words: str, channel: str = "games") -> list[Message]:
    """Return a channel's messages that contain a text, oldest first."""
    return [
        message
        for message in env.channel(channel).messages.values()
        if words in message.text and not message.ephemeral and not message.deleted
    ]


LATE = "is out of time in"


REMIND = ". Move by"


async def go_on_vacation(env: Environment, person: Person, days: int) -> Reply:
    return await env.done(person.slash("/me vacation", days=days))


def everything_to(env: Environment, person: Person) -> str:
    return "\n".join(message.text for message in inbox(env, person))


async def finish(env: Environment, by: Person, slug: str = "tablan", number: int = 1) -> Message:
    """Resign as a player, and return the last board."""
    question = await by.slash(f"/{slug} resign", match=number)
    await env.done(by.press(question.shown, "Resign"))
    return env.board(number)


async def change_matches(env: Environment, **values: object) -> None:
    """Change all matches as no use case does, such as where they are played."""
    async with env.store.write() as tx:
        await tx.run(update(match_table).values(**values))


async def decided(
    env: Environment,
    line: str,
    reason: str = "they agreed",
    *,
    by: Person | None = None,
    **options: object,
) -> Reply:
    """Take a decision, confirmed, as Carol, who may manage the server."""
    person = by or env.carol
    may_manage(env, person)
    reply = await person.slash(f"/server {line}", channel="games", options=options)
    assert reply.ephemeral
    assert "Continue?" in reply.text, reply.text
    yes = next(
        b for b in reply.shown.buttons if str(b.custom_id).startswith(("decide:1:", "rate:1:"))
    )
    form = await person.press(reply.shown, custom_id=yes.custom_id)
    return await env.done(person.submit(form.modal, {"reason": reason}))


QUICK = "tests.bot.core.workers.tasks:TASKS"
"""Opponents that need no time to think."""


SILENT = "tablut"
"""A game without throws."""


async def practise(
    env: Environment, slug: str = SILENT, *, person: Person | None = None, **options: Any
) -> Reply:
    """Begin a match against a computer, as Ann by default."""
    return await env.done(
        (person or env.ann).slash(f"/{slug} practice", options={"level": 1, **options})
    )


async def exclude(env: Environment, person: Person, reason: str = "two accounts") -> Reply:
    return await decided(env, "rated", reason, user=person, allowed=False)


async def rated(env: Environment, slug: str = "tablan") -> set[int]:
    people = [person.id for person in env.people]
    rows = await env.read(ratings.of_players, slug, people)
    return {user_id for scope, user_id in rows if scope == env.guild.id}


def may_manage(env: Environment, person: Person, *, allowed: bool = True) -> None:
    """Grant or revoke a person's permission to manage the server."""
    place = env.channel()
    permission = Permission.MANAGE_GUILD if allowed else Permission(0)
    place.overwrites[person.id] = Overwrite(1, allow=permission)


async def data_copy(env: Environment, person: Person, channel: object = "games") -> dict[str, Any]:
    reply = await person.slash("/privacy export", channel=channel)  # type: ignore[arg-type]
    (attached,) = reply.shown.attachments
    assert attached.filename == "my-data.json"
    _, content = await env.app.get(Privacy).export(Requester(0, person.id), 10_000_000)
    return json.loads(content)  # type: ignore[no-any-return]


async def asked(person: Person) -> Message:
    reply = await person.slash("/privacy delete", channel="games")
    assert reply.ephemeral
    return reply.shown


async def delete_data(env: Environment, person: Person) -> Message:
    question = await asked(person)
    await person.press(question, custom_id="erase:sure")
    await env.done(person.press(question, custom_id="erase:now"))
    return question


@announces("bell")
def bell(position: Position, payload: Mapping[str, Any]) -> Notice:
    """Ring for both players, pinging the one to move."""
    text = " ".join(f"<@{player.user_id}>" for player in position.match.players)
    words = f"Ding {payload['times']} {text}"
    return Notice(
        text_layout(words), () if position.to_move is None else (position.to_move.user_id,)
    )


async def put_announcement(
    env: Environment,
    kind: str = "bell",
    *,
    ply: int | None = None,
    after: timedelta | None = None,
    times: int = 1,
    ring: bool = True,
) -> None:
    """Want an announcement for match 1, now or later; ``ring`` waits until it is posted."""
    async with env.store.write() as tx:
        match = await matches.get(tx, 1)
        assert match is not None
        await jobs.notify(
            tx,
            match,
            kind,
            at=env.now(),
            ply=ply,
            not_before=None if after is None else env.now() + after,
            times=times,
        )
    if ring:
        await env.settled()


def bells(env: Environment, place: Channel | None = None) -> list[Message]:
    """Return the announcements posted in a channel; in the players' one by default."""
    messages = (place or env.channel()).messages.values()
    return [message for message in messages if "Ding" in message.text]


async def blocked_turn(env: Environment, dice: random.Random) -> Message:
    """Play on until a board cannot be posted; return what the player is told."""
    boards = len(env.boards())
    for _ in range(200):
        board = env.board()
        mover = env.mover(board)
        picked = await env.turn(board, dice)
        if picked.followups:
            assert len(env.boards()) == boards
            assert mover.user is picked.followups[0].ephemeral_for
            return picked.followups[0]
        assert len(env.boards()) == boards
    raise AssertionError("nobody was ever told")


async def answered(env: Environment, channel: Channel) -> None:
    """Wait until the bot has written to a channel; if it does so at all, it does so soon."""
    bot = env.world.bot
    for _ in range(500):
        if any(message.author is bot for message in channel.messages.values()):
            return
        await asyncio.sleep(0.01)


AWAY = "I was away"


HOURS = 3600.0


DAYS = 24 * HOURS


async def jump(env: Environment, seconds: float) -> None:
    """Jump the clock, as after a machine's sleep, and let sleepers notice."""
    env.clock.jump(seconds)
    env.clock.advance(300)
    await env.settled()


def assert_more_time(env: Environment, board: Message) -> None:
    """Check that the player to move was given twelve more hours, and lost nothing."""
    mover = env.mover(board)
    (message,) = messages_with(env, AWAY)
    assert message.pinged == (mover.user,)
    assert not messages_with(env, LATE)
    due = int((env.now() + timedelta(hours=12)).timestamp())
    offered = [int(part.split(":")[0]) for part in message.text.split("<t:")[1:]]
    assert all(due - 300 <= moment <= due for moment in offered)
    assert f"<t:{offered[0]}:R>" in env.board().text


async def form_of(person: Person, message: Message) -> Reply:
    reply = await person.press(message, "Add a word…")
    assert reply.modal is not None, reply.text
    return reply


async def submit(env: Environment, person: Person, form: Reply, word: str) -> Reply:
    assert form.modal is not None
    (field,) = form.modal.fields
    return await env.done(person.submit(form.modal, {field.custom_id: word}))


async def typed_move(env: Environment) -> None:
    """Type the first legal move of the match, as the player to move."""
    position = await env.position()
    assert position.to_move is not None
    mover, move = env.person(position.to_move.user_id), (await env.legal())[0]
    await env.handled(lambda: mover.slash("/tablut move", options={"move": move}))


def about_letters_to(env: Environment, person: Person) -> Callable[[Request], bool]:
    """Return a predicate for requests about a person's direct messages."""
    direct = env.world.dm_channel(person.user, env.world.bot)
    return lambda request: str(direct.id) in request.path


async def hangs(fault: Fault) -> None:
    while not fault.hits:  # noqa: ASYNC110 -- no event to await
        await asyncio.sleep(0.01)


def check_boards(env: Environment) -> None:
    """Check that each turn has at most one board, and only the newest has controls."""
    boards = env.boards()
    pictures = [board.picture for board in boards]
    assert len(pictures) == len(set(pictures))
    live = [board for board in boards if playable(board)]
    assert live == boards[-1:]


def fail(faults: Faults, route: str, failure: str) -> Fault:
    """Make one request to a route fail."""
    how, _, when = failure.partition(" ")
    if how == "broken":
        return faults.drop(route, after=when == "after")
    return faults.respond(route, status=int(how), after=bool(when))
