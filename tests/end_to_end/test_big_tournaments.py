"""Tournaments with more players than one message may mention: Discord allows a hundred."""

from __future__ import annotations

from typing import Any

import pytest

import data.posts
from bot.core.posts.poster import Poster
from bot.features.tournaments import transitions
from data.posts import Post, want
from data.store.store import Transaction
from data.tournaments import tournament_entrants, tournament_rounds, tournaments
from data.tournaments.tournament_rounds import Round
from data.tournaments.tournaments import Entry, State
from data.tournaments.values import Format, Game, Pairing, Plan
from tests.end_to_end.harness import Environment
from tests.end_to_end.tournaments import announcement, create, create_in, posts
from tests.routes import EDIT, POST

FIRST = 2**59
"""First ID of people that no other test here uses."""


async def shared(env: Environment, people: int) -> None:
    """Store a tournament whose first place is shared by a number of people, all withdrawn."""
    users = range(FIRST, FIRST + people)
    terms = tournaments.Terms(
        guild_id=env.guild.id,
        channel_id=env.channel("games").id,
        name="Crowded Cup",
        game="tablut",
        plan=Plan(Format.SWISS, rounds=3),
        created_by=env.ann.id,
        days=3,
    )

    async def play(tx: Transaction) -> None:
        now = env.now()
        made = await tournaments.add(tx, terms, seed=bytes(32), at=now, next_at=None)
        entrants = [
            Entry(
                user_id=user,
                strength=1500.0,
                left_after=1,
                tournament_id=made.id,
                number=number,
                joined_at=now,
                leave_reason="absent",
                place=1,
            )
            for number, user in enumerate(users, 1)
        ]
        await tournament_entrants.add(tx, entrants)
        pairs = list(zip(users[::2], users[1::2], strict=True))
        pairings = [
            Pairing(1, table, pair, (Game(pair, (0.5, 0.5)),))
            for table, pair in enumerate(pairs, 1)
        ]
        round_ = Round(made.id, 1, now, ended_at=now)
        await tournament_rounds.add(tx, round_, pairings)
        over = await tournaments.change(tx, made, state=State.FINISHED, round=1, ended_at=now)
        await transitions.show(tx, over, now)
        await transitions.show_round(tx, over, 1, now)
        await want(tx, transitions.PODIUM, made.id, at=now, guild_id=made.guild_id)

    await env.store.run_write(play)
    await env.settled()


async def test_a_place_shared_by_many_is_posted(env: Environment) -> None:
    await shared(env, 120)
    message = announcement(env, "Crowded Cup")
    assert "and 80 more.**" in message.text
    round_, closing = posts(env, message)
    assert "and 80 more didn't show up" in round_.text
    assert "Crowded Cup is over" in closing.text
    assert closing.text.partition("Thanks")[0].count("<@") == 30
    assert "and 90 more\nThanks for playing!" in closing.text


async def test_a_post_does_not_wait_for_one_that_is_recorded_meanwhile(
    env: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, answers = data.posts.waits, list[bool]()

    async def slowly(tx: Transaction, post: Post, *rest: Any, **options: Any) -> bool:
        """Return the answer once the tournament's first post has been recorded."""
        found = await asked(tx, post, *rest, **options)
        if found and not options.get("lock"):
            await env.app.get(Poster).work.idle_with(1)
        answers.append(found)
        return found

    monkeypatch.setattr(data.posts, "waits", slowly)
    await shared(env, 12)
    assert True in answers
    assert len(posts(env, announcement(env, "Crowded Cup"))) == 2


async def test_a_tournament_that_cannot_be_posted_does_not_delay_others(env: Environment) -> None:
    """An old message allows few edits an hour, and each sign-up is one."""
    env.expected |= {429}
    message = await create(env)
    env.faults.respond(
        EDIT,
        code=30046,
        times=10,
        when=lambda request: request.params["message_id"] == str(message.id),
    )

    async def change(tx: Transaction) -> None:
        for _ in range(150):
            locked = await tournaments.lock(tx, 1)
            assert locked is not None
            await transitions.show(tx, await tournaments.change(tx, locked), env.now())

    await env.store.run_write(change)
    options = {"game": "tablut", "name": "Spring Cup"}
    await create_in(env.ben, "games", **options)
    await env.advance(minutes=1)
    first = announcement(env, "Spring Cup")
    edited = next(one for one in env.requests_to(EDIT) if one.status == 200)
    (posted,) = [one for one in env.requests_to(POST) if "Spring Cup" in str(one.json)]
    sent = list(env.playground.requests)
    assert sent.index(posted) < sent.index(edited), "neither waits for the other"
    assert first.buttons
