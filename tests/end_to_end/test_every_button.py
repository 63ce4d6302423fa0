"""Every button of tournaments and ladders, pressed by everyone, twice, in every state."""

from __future__ import annotations

from collections.abc import Iterable

from bot.core.interactions.dispatch import UNEXPECTED
from bot.features.tournaments.service import Tournaments
from playground.model import Message, Snapshot
from playground.people import Person
from playground.reply import Reply
from tests.bot.features.tournaments.club import MANAGER
from tests.end_to_end.harness import Environment
from tests.end_to_end.ladders import call, challenge, ladder, order, post
from tests.end_to_end.tournaments import (
    announcement,
    create,
    manager,
    people,
    posts,
    tournament_view,
)


async def press_all(
    env: Environment, person: Person, shown: Message | Snapshot, *, sparing: Iterable[str] = ()
) -> list[Reply]:
    """Press every button of a message twice, as by a client that has received no edit."""
    results = []
    for button in shown.buttons:
        if button.custom_id is None or button.label in set(sparing):
            continue
        for _ in range(2):
            reply = await person.press(shown, custom_id=button.custom_id, stale=True)
            assert UNEXPECTED not in reply.text, (button.label, reply.text)
            assert reply.text, button.label
            results.append(reply)
    await env.settled()
    assert env.error_log.lines == []
    return results


async def collect(env: Environment, questions: list[tuple[Person, Snapshot]]) -> None:
    """Add Ann's choices as organiser, and the questions they lead to, without an answer."""
    choices = (await env.ann.press(announcement(env), "Manage")).shown
    mine = choices.snapshot()
    questions.append((env.ann, mine))
    for button in mine.buttons:
        if button.label not in {"Start", "Go on"}:
            again = (await env.ann.press(announcement(env), "Manage")).shown
            await env.ann.press(again, custom_id=button.custom_id)
            questions.append((env.ann, again.snapshot()))


async def test_every_button_of_a_tournament_answers_in_every_state(env: Environment) -> None:
    env.allow_pending = True
    message = await create(env, round_days=7, rounds=2)
    everyone = people(env, 5)
    stranger = everyone[4]
    snapshots = [message.snapshot()]
    questions: list[tuple[Person, Snapshot]] = []
    await collect(env, questions)
    for person in everyone[:4]:
        await person.press(message, "Sign up")
    leaving = (await env.ben.press(message, "Leave")).shown
    questions.append((env.ben, leaving.snapshot()))
    await env.done(env.ann.slash("/tournament start", channel="games"))
    await env.advance(seconds=31)
    await collect(env, questions)
    snapshots += [one.snapshot() for one in posts(env, message)]
    for one in snapshots:
        for person in (stranger, env.ben):
            await press_all(env, person, one, sparing=["Leave", "Sign up"])
    for person in (stranger, env.carol):
        assert "Only the organiser" in (await person.press(announcement(env), "Manage")).text
    await env.app.get(Tournaments).adjourn(1, env.guild.id, by=MANAGER)
    await env.settled()
    await collect(env, questions)
    await env.app.get(Tournaments).end(1, env.guild.id, by=MANAGER)
    await env.settled()
    snapshots.append(announcement(env).snapshot())
    snapshots += [one.snapshot() for one in posts(env, message) if not one.ephemeral]
    before = (await tournament_view(env)).tournament
    assert not before.state.open
    for one in snapshots:
        for person in (stranger, env.ben, env.ann):
            await press_all(env, person, one)
    for person, one in questions:
        await press_all(env, person, one)
    after = (await tournament_view(env)).tournament
    assert (after.state, after.version, after.round) == (before.state, before.version, before.round)


async def test_every_button_of_a_ladder_answers_in_every_state(env: Environment) -> None:
    env.allow_pending = True
    message = await ladder(env, 4)
    everyone = people(env, 5)
    stranger = everyone[4]
    await challenge(env, env.carol, env.ann)
    snapshot = call(env).snapshot()
    top = post(env).snapshot()
    private = []
    for person in (env.ann, env.ben, env.carol):
        for label in ("Challenge", "My place", "Leave"):
            reply = await person.press(post(env), label)
            if reply.message is not None:
                private.append((person, reply.message.snapshot()))
    closing = (await manager(env).slash("/ladder close")).shown
    private.append((manager(env), closing.snapshot()))
    declining = (await env.ann.press(call(env), "Decline")).shown
    private.append((env.ann, declining.snapshot()))
    for person in (stranger, env.ben):
        for reply in await press_all(env, person, snapshot):
            assert "Only" in reply.text
    assert await order(env) == "ABCD"
    await press_all(env, env.carol, snapshot)  # the challenger: withdraws it
    assert await order(env) == "ABCD"
    await press_all(env, env.ann, snapshot)
    for person in (env.carol, env.ben):
        await press_all(env, person, top, sparing=["Leave"])
    await env.done(manager(env).press(closing, "Close it"))
    final = await order(env)
    assert "Closed" in message.text
    for person in (stranger, env.ann, env.carol):
        for one in (snapshot, top):
            await press_all(env, person, one)
    for person, one in private:
        await press_all(env, person, one)
    assert await order(env) == final
