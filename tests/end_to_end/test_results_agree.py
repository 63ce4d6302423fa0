"""Every message about a finished match names the same winners: board, post, challenge, thread, DM."""

from __future__ import annotations

from random import Random

import pytest

from bot.features.moderation.service import Moderator
from bot.features.watching.service import Watching
from bot.play.delivery.outbox_worker import OutboxWorker
from bot.play.matches.service import Matches
from data.challenges import challenges
from tests.bot.results import random_matches
from tests.bot.results.claims import in_headline, in_sentence, on_board
from tests.bot.results.random_matches import Ended, Table
from tests.end_to_end.harness import Environment
from tests.end_to_end.people import inbox

MATCHES = (
    ("tablan", 2, "rules"),
    ("tablut", 2, "resigned"),
    ("tablan", 2, "agreed"),
    ("thaayam", 3, "one gave up"),
    ("thaayam", 3, "agreed by the rest"),
    ("tablaaza", 2, "won by a moderator"),
    ("tablut", 2, "voided afterwards"),
    ("tablaaza", 2, "hardly begun"),
)


async def test_all_messages_of_results_agree(
    env: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    await env.change_settings(threads=True)
    guild = env.guild.id
    monkeypatch.setattr(random_matches, "MODERATOR", Moderator(env.dan.id, guild, "agreed"))
    table = Table(env.store, hands=env.clock, dice=Random(5), pause=0, told=env.settled)
    table.matches = env.app.get(Matches)
    for number, (slug, players, how) in enumerate(MATCHES, 1):
        await env.begin_by_challenge(slug, players=players)
        view = await table.matches.view(number)
        await env.app.get(Watching).follow_match(view, env.dan.id)
        ended = await table.end(view, how)
        env.app.get(OutboxWorker).wake(number)
        await env.settled()
        await env.advance(minutes=1)
        await compare(env, ended)


async def compare(env: Environment, ended: Ended) -> None:
    where = f"match {ended.number}, {ended.how}"
    view, first, users = await env.view(ended.number), ended.winners, ended.users
    board = env.board(ended.number)
    assert in_sentence(board.text, users) == first, where
    assert on_board(board.alt or "", view) == first, where
    names = {person.id: person.name for person in env.people if person.id in users}
    assert in_headline(board.channel.name, names) == first, where
    challenge = await env.read(challenges.of_match, ended.number)
    assert challenge is not None
    channel = env.channel()
    told = channel.messages[challenge.message_id or 0]
    assert in_sentence(told.text, users) == first, where
    posts = [m for m in channel.messages.values() if f"<#{board.channel.id}>" in m.text and m.alt]
    assert len(posts) == (first is not None or ended.how == "voided afterwards"), where
    for post in posts:
        assert in_sentence(post.text, users) == first, where
        assert on_board(post.alt or "", view) == first, where
    if ended.how != "voided afterwards":  # a message once sent to a person stays
        assert in_sentence(inbox(env, env.dan)[-1].text, users) == first, where
