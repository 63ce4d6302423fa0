"""A ladder tells of its games, and moves its players, as the games' logs and decisions say."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from bot.core.i18n.mentions import mention
from bot.features.ladder import text as ladder_text
from data.ladders import ladder_challenges, ladders
from data.ladders.ladder_challenges import LadderChallenge
from data.store.store import Store
from tests.bot.conftest import GUILD
from tests.bot.features.ladder.club import LadderClub
from tests.bot.results.random_matches import Ended, Table

HOW = (
    "rules",
    "resigned",
    "forfeited",
    "won by a moderator",
    "shared by a moderator",
    "voided while played",
)
PAIRS = ((22, 11), (44, 33), (33, 22), (11, 22), (44, 11), (22, 33), (33, 44), (11, 33))


@dataclass
class LadderTable(Table, LadderClub):
    """Plays the games of a ladder at random."""


async def test_a_ladders_texts_agree_with_its_games(sqlite_url: str) -> None:
    store = await Store.open(sqlite_url)
    club = LadderTable(store, dice=Random(8), pause=1)
    await club.opened(11, 22, 33, 44)
    for number, pair in enumerate(PAIRS):
        order = await club.places()
        challenged, challenger = sorted(pair, key=order.index)
        made = await club.ladder_challenges.challenge(1, GUILD, challenger, challenged)
        begun = await club.ladder_challenges.accept(made.id, GUILD, challenged)
        assert begun.match_id is not None
        position = await club.matches.position(begun.match_id)
        ended = await club.end(position, HOW[number % len(HOW)])
        async with store.read() as tx:
            due = await ladder_challenges.get(tx, made.id)
        assert due is not None
        await club.steps.take(due, club.clock())
        await compare(club, made.id, ended, order)
        club.wait(days=200)
    await store.close()


async def compare(club: LadderTable, number: int, ended: Ended, before: tuple[int, ...]) -> None:
    """Compare a challenge's post, the ladder's last event and its order with a game."""
    async with club.store.read() as tx:
        challenge = await ladder_challenges.get(tx, number)
        events = await ladders.events(tx, 1, limit=1)
    assert challenge is not None
    view = await club.ladders.get(1, GUILD)
    told, (last,) = ladder_text.outcome(view, challenge), events
    who, other = challenge.challenger_id, challenge.challenged_id
    assert right(challenge, ended) in told, (told, ended.how, ended.ranks)
    after = await club.places()
    if ended.winners == frozenset({who}):
        assert after.index(who) == before.index(other)
        assert ladder_text.event(last).startswith(f"{mention(who)} beat {mention(other)} for")
    else:
        assert after == before, told


def right(challenge: LadderChallenge, ended: Ended) -> str:
    """Return the words for the outcome of a game."""
    who, other = mention(challenge.challenger_id), mention(challenge.challenged_id)
    if ended.winners is None:
        return "No result between"
    if len(ended.winners) == 2:
        return f"{who} and {other} drew"
    if ended.winners == {challenge.challenger_id}:
        return f"{who} beat {other}"
    return f"{other} beat {who}"
