"""Tournaments tell of their games what the games' logs and decisions say."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from random import Random

import pytest

from bot.core.i18n.mentions import mention
from bot.core.interactions.layout import Page
from bot.features.tournaments import round_text, text
from bot.features.tournaments.chart_views import table_or_bracket
from bot.features.tournaments.files import exported
from bot.features.tournaments.layout_views import announcement
from bot.features.tournaments.view import TournamentView
from bot.play.pictures import chart_text
from data.store.store import Store
from data.tournaments import tournaments
from data.tournaments.values import Format, Plan
from engine.phrase import lines
from tests.bot.conftest import GUILD
from tests.bot.features.tournaments.club import Cups
from tests.bot.results.claims import named
from tests.bot.results.random_matches import Ended, Table

PLAYERS = tuple(range(11, 17))
HOW = ("rules", "resigned", "forfeited", "agreed", "won by a moderator", "shared by a moderator")


@dataclass
class Cup(Table, Cups):
    """Plays the games of a tournament at random, to every kind of end."""

    async def play_round(self, number: int) -> None:
        """Play all games of the current round, and let the tournament go on."""
        for game in await self.open_games(number):
            assert game.match_id is not None
            await self.end(await self.matches.position(game.match_id), self.dice.choice(HOW))
        await self.run()


@pytest.fixture
async def cup(sqlite_url: str) -> AsyncIterator[Cup]:
    """A cup over a fresh store."""
    store = await Store.open(sqlite_url)
    yield Cup(store, dice=Random(7))
    await store.close()


def points(ended: Ended, user: int) -> float:
    """Return what a game of two is worth to a player."""
    return {"won": 1.0, "drawn": 0.5, "lost": 0.0}[ended.outcome(user)]


def figure(number: float) -> str:
    """Return points as they are written."""
    return f"{int(number) or ('' if number % 1 else 0)}{'½' if number % 1 else ''}"


@pytest.mark.parametrize(
    ("plan", "game"),
    [
        (Plan(Format.SWISS, rounds=4), "tablan"),
        (Plan(Format.ROUND_ROBIN), "tablut"),
        (Plan(Format.KNOCKOUT), "tablaaza"),
    ],
)
async def test_a_tournaments_texts_agree_with_its_games(cup: Cup, plan: Plan, game: str) -> None:
    number = await cup.begin(*PLAYERS, plan=plan, game=game)
    for _ in range(12):
        await cup.play_round(number)
        view = await cup.view(number)
        check_pairings(view, cup.over)
        check_standings(view, cup.over)
        check_files(view, cup.over)
        if view.tournament.ended_at is not None:
            break
    assert view.tournament.ended_at is not None
    await check_winners(cup, view)


def check_pairings(view: TournamentView, ended: Sequence[Ended]) -> None:
    """Compare the line of each table with its games."""
    by_number = {one.number: one for one in ended}
    for table in view.pairings:
        line = round_text.pairing(table, {})
        for game in table.games:
            one = by_number.get(game.match_id or 0)
            if one is not None:
                shown = [int(user) for user in re.findall(r"<@(\d+)>", line)]
                assert sorted(shown) == sorted(table.players)
                score = "–".join(figure(points(one, user)) for user in shown)
                assert score in line, (line, one.how, score)


def check_standings(view: TournamentView, ended: Sequence[Ended]) -> None:
    """Compare points, wins, draws and losses, and the description of the picture."""
    knockout = view.plan.format is Format.KNOCKOUT
    rows = view.standings
    byes = Counter(t.players[0] for t in view.pairings if len(t.players) == 1)
    free = view.plan.format is Format.ROUND_ROBIN
    # A win against somebody who never chose a move is a round won without playing.
    forfeited = {g.match_id for t in view.pairings for g in t.games if g.how == "forfeit"}
    for row in rows:
        mine = [one for one in ended if row.user_id in one.users]
        made = Counter(one.outcome(row.user_id) for one in mine if one.number not in forfeited)
        text = round_text.standing(row, knockout=knockout, shared=False)
        score = f"{made['won']} won · {made['drawn']} drawn · {made['lost']} lost"
        assert knockout or score in text, (text, score)
        whole = sum(points(one, row.user_id) for one in mine)
        whole += 0 if free else byes[row.user_id]
        if not knockout:
            assert f"**{figure(whole)} point" in text, (text, whole)
    page = Page(0, 10, more=False)
    chart = table_or_bracket(view, rows, page=page, names={})
    if chart is not None and not knockout:
        alt = chart_text.alt(chart)
        for row in rows:
            assert f"Points: {figure(row.points)} " in alt


def check_files(view: TournamentView, ended: Sequence[Ended]) -> None:
    """Compare the report for other programs with the games."""
    found = exported(view)
    report = next((data.decode() for name, data in found.items() if name.endswith(".trf")), "")
    for line in report.splitlines():
        if (match := re.match(r"001 +\d+ .{5}(\d+)", line)) is not None:
            user = int(match[1])
            whole = sum(points(one, user) for one in ended if user in one.users)
            byes = sum(t.players == (user,) for t in view.pairings)
            if view.plan.format is Format.SWISS:
                assert float(line[80:84]) == whole + byes, line


async def check_winners(cup: Cup, view: TournamentView) -> None:
    """Compare who won by the announcement, the podium and the profiles."""
    first = {one.user_id for one in view.everyone if one.place == 1}
    best = view.standings[0]
    assert best.user_id in first
    won = re.search(r"\*\*Won by (.*?)\.\*\*", announcement(view))
    assert won is not None
    assert named(won[1], PLAYERS) == first
    podium = lines(text.podium(view))
    top = next(line for line in podium.split("\n") if "**1st:**" in line)
    assert named(top, PLAYERS) == first
    for user in PLAYERS:
        async with cup.store.read() as tx:
            prizes = await tournaments.prizes(tx, GUILD, user, limit=5)
        texts = [text.prize(tournament, place) for tournament, place in prizes]
        assert any(text.startswith("Won ") for text in texts) == (user in first), mention(user)
    if view.plan.format is Format.KNOCKOUT:
        final = [one for one in cup.over if set(one.users) & first][-1]
        assert final.winners is not None
        assert first <= final.winners
