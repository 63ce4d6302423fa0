"""Ratings after a match, and what becomes of matches that have barely begun."""

from __future__ import annotations

import random
import re
from datetime import timedelta
from random import Random

import pytest

from bot.features.moderation.service import Moderator
from bot.features.watching.service import Watching
from bot.play.delivery.outbox_worker import OutboxWorker
from bot.play.matches.scoring import MAX_ABORTS
from bot.play.matches.service import Matches
from bot.play.ratings.calculator import MAX_PER_WEEK
from data.challenges import challenges
from playground.app import GROUP
from playground.model import Message
from playground.people import Person
from tests.bot.results import random_matches
from tests.bot.results.claims import in_headline, in_sentence, on_board
from tests.bot.results.random_matches import Ended, Table
from tests.end_to_end.harness import Environment
from tests.end_to_end.people import begin_and_play, decided, inbox, may_manage
from tests.end_to_end.results import SLUG, STRANGERS, result, season


async def resign(env: Environment, person: Person, number: int = 1, channel: str = "games") -> None:
    reply = await person.slash(f"/{SLUG} resign", match=number, channel=channel)
    await env.done(person.press(reply.shown, "Resign"))


async def test_a_void_match_says_nothing_of_ratings(env: Environment) -> None:
    await env.begin(SLUG)
    await resign(env, env.ann)
    last = env.board().text
    assert "No result" in last
    assert "ating" not in last


async def test_an_unrated_match_says_that_ratings_are_unchanged(env: Environment) -> None:
    await env.begin(SLUG, casual=True)  # type: ignore[arg-type]
    await env.play_a_while()
    await resign(env, env.ann)
    assert "Unrated: no rating changes." in env.board().text


async def test_who_meets_too_often_is_told_why_ratings_stay(env: Environment) -> None:
    for hours in range(MAX_PER_WEEK):
        at = env.now() - timedelta(hours=hours + 1)
        await result(env, [env.ann.id, env.ben.id], [1, 2], at=at)
    await env.begin(SLUG)
    number = MAX_PER_WEEK + 1
    await env.play_a_while(number)
    await resign(env, env.ann, number)
    last = env.board(number).text
    assert "No rating changes: only 10 games in 7 days count between the same players." in last
    assert "→" not in last.rsplit("\n", 1)[-1]


@pytest.mark.parametrize("place", ["channel", "thread", "group"])
async def test_a_resignation_shows_both_rating_changes(empty_env: Environment, place: str) -> None:
    env = empty_env
    env.threads = place == "thread"
    await env.start()
    channel = GROUP if place == "group" else "games"
    await begin_and_play(env, SLUG, channel=channel)
    if place == "group":
        await env.ann.slash(f"/{SLUG} board", match=1, channel=GROUP)
    await resign(env, env.ann, channel=channel)
    last = env.board(channel=channel)
    where = "on all servers" if place == "group" else "here"
    lost = rf"{env.ann.mention} 1500\? → 1[34]\d\d\? \(−\d+\)"
    won = rf"{env.ben.mention} 1500\? → 1[56]\d\d\? \(\+\d+\)"
    assert re.search(rf"Ratings {where}: ", last.text), last.text
    assert re.search(lost, last.text), last.text
    assert re.search(won, last.text), last.text
    assert last.pinged == ()


async def test_shown_rating_changes_stay_whatever_is_played_later(env: Environment) -> None:
    await season(env, env.ann.id, STRANGERS[:3], games=9)
    await env.begin(SLUG)
    await env.play_a_while(10)
    await resign(env, env.ben, 10)
    match = re.search(r"Ratings here: .*", env.board(10).text)
    assert match is not None
    rising = rf"{env.ann.mention} (\d+)\? → (\d+) \(\+(\d+)\)"
    risen = re.search(rising, match[0])
    assert risen is not None, "the tenth game ends the provisional rating"
    assert int(risen[2]) - int(risen[1]) == int(risen[3])
    await result(env, [env.ben.id, env.ann.id], [1, 2])
    assert match[0] in (await env.ann.slash(f"/{SLUG} board", match=10)).text


async def test_matches_ended_by_rules_or_clock_show_rating_changes_too(env: Environment) -> None:
    await env.begin("tablaaza")
    last = await env.hurry(random.Random(2), lambda position: position.to_move is None)
    assert "Ratings here: " in last.text
    await env.change_settings(forfeit="automatic")
    await env.begin(SLUG)
    await env.play_a_while(2)
    await env.advance(days=9)
    assert "Ratings here: " in env.board(2).text


async def test_a_voided_result_no_longer_shows_rating_changes(env: Environment) -> None:
    await begin_and_play(env, SLUG)
    await resign(env, env.ann)
    assert "Ratings here: " in env.board().text
    done = await decided(env, "void", match=1)
    assert "Ratings are being recalculated" in done.text
    assert "This game isn't rated." in env.board().text
    assert "Ratings" not in env.board().text
    assert "ating" not in (await env.ann.slash(f"/{SLUG} board", match=1)).text


async def asked(env: Environment, number: int) -> Message:
    question = await env.ann.slash("/tablan resign", match=number)
    return question.shown


async def left(env: Environment, number: int) -> Message:
    await env.begin()
    question = await asked(env, number)
    text = question.text
    await env.done(env.ann.press(question, "Resign"))
    assert "nothing is counted" in text
    assert f"This is number {number}" in text
    return question


async def test_after_too_many_early_exits_the_next_is_announced_as_a_loss(env: Environment) -> None:
    for number in range(1, MAX_ABORTS + 1):
        await left(env, number)
        assert "**No result**" in env.board(number).text
    await env.begin()
    question = await asked(env, MAX_ABORTS + 1)
    assert f"You left {MAX_ABORTS} games this early" in question.text
    assert "counts as a loss" in question.text
    await env.done(env.ann.press(question, "Resign"))
    assert f"{env.ben.mention}) won**" in env.board(MAX_ABORTS + 1).text
    assert "hasn't finished a game" not in (await env.carol.slash("/profile", user=env.ann)).text


async def test_confirming_an_old_question_does_not_lose_the_match(env: Environment) -> None:
    """Both questions are asked while one more match may be left without a loss."""
    for number in range(1, MAX_ABORTS):
        await left(env, number)
    questions = []
    for number in (MAX_ABORTS, MAX_ABORTS + 1):
        await env.begin()
        questions.append(await asked(env, number))
    for question in questions:
        assert "nothing is counted" in question.text
    await env.done(env.ann.press(questions[0], "Resign"))
    assert "is a loss" in (await env.ann.press(questions[1], "Resign")).text
    assert (await env.position(MAX_ABORTS + 1)).to_move is not None


async def test_moderators_see_who_leaves_early(env: Environment) -> None:
    may_manage(env, env.carol)
    assert "Left early" not in (await env.carol.slash("/server audit")).text
    for number in (1, 2):
        await left(env, number)
    reply = await env.carol.slash("/server audit")
    assert f"in the last seven days: {env.ann.mention} 2" in reply.text
    reply = await env.carol.slash("/server rated", user=env.ann, allowed=False)
    assert f"{env.ann.mention} left 2 matches early here" in reply.text
    assert "left" not in (await env.carol.slash("/server rated", user=env.ben, allowed=False)).text
    await env.advance(days=7)
    assert "Left early" not in (await env.carol.slash("/server audit")).text


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


async def test_messages_about_results_agree(
    env: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    await env.change_settings(threads=True)
    guild = env.guild.id
    monkeypatch.setattr(random_matches, "MODERATOR", Moderator(env.dan.id, guild, "agreed"))
    table = Table(env.store, hands=env.clock, dice=Random(5), pause=0, told=env.settled)
    table.matches = env.app.get(Matches)
    for number, (slug, players, how) in enumerate(MATCHES, 1):
        await env.begin_by_challenge(slug, players=players)
        position = await table.matches.position(number)
        await env.app.get(Watching).follow_match(position, env.dan.id)
        ended = await table.end(position, how)
        env.app.get(OutboxWorker).wake(number)
        await env.settled()
        await env.advance(minutes=1)
        await compare(env, ended)


async def compare(env: Environment, ended: Ended) -> None:
    where = f"match {ended.number}, {ended.how}"
    position, first, users = await env.position(ended.number), ended.winners, ended.users
    board = env.board(ended.number)
    assert in_sentence(board.text, users) == first, where
    assert on_board(board.alt or "", position) == first, where
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
        assert on_board(post.alt or "", position) == first, where
    if ended.how != "voided afterwards":  # a message once sent to a person stays
        assert in_sentence(inbox(env, env.dan)[-1].text, users) == first, where
