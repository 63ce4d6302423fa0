"""The analysis of a finished match: luck, skill and mistakes."""

from __future__ import annotations

import asyncio
import io
import random
import re

import pytest
from PIL import Image

from bot.core.i18n.catalogues import ENGLISH
from bot.core.interactions.dispatch import Dispatcher
from bot.core.permissions.members import Members
from bot.core.workers.task_queue import TaskRunner
from bot.features.analysis.buttons import chart_of
from bot.features.analysis.service import Analyses
from bot.features.moderation.service import Moderation, Moderator
from bot.play.clocks.service import Claims
from bot.play.matches.erasure import Erasure
from bot.play.pictures.rendering import player_names
from bot.play.replays.replay import Replays
from data import computer_tasks
from data.computer_tasks import Kind
from data.puzzles import analyses
from engine import registry
from engine.game import CHANCE
from tests.end_to_end.harness import Environment
from tests.end_to_end.people import finish, labels

pytestmark = pytest.mark.usefixtures("kernels")

SHORTEST = "thaayam"
"""The game whose random matches are analysed soonest as a whole."""


async def played(env: Environment, slug: str, seed: int = 1, *, most: int | None = None) -> None:
    """Play at random to the end, or until Ann resigns: whole matches take long to analyse."""
    await env.begin(slug)
    await env.hurry(
        random.Random(seed),
        lambda position: position.to_move is None or (most is not None and position.ply >= most),
    )
    if (await env.position()).to_move is not None:
        await env.resign(env.ann)


async def analysed(env: Environment, number: int = 1) -> None:
    """Analyse a match beforehand; on a busy machine that may take minutes."""
    await env.app.get(Analyses).of(await env.app.get(Replays).of_match(number))


async def test_ongoing_and_unknown_matches_are_not_analysed(env: Environment) -> None:
    await env.begin("tablaaza")
    for number, why in (
        ("1", "isn't over yet"),
        ("77", "no match #77"),
        ("i1", "no record i1"),
        ("the first", "isn't a match number"),
    ):
        assert why in (await env.ann.slash("/match analysis", number=number)).text


async def test_a_match_that_hardly_began_has_nothing_to_analyse(env: Environment) -> None:
    await env.begin("tablaaza")
    board = await finish(env, env.ann, "tablaaza")
    assert "no result" in (await env.ann.slash("/match analysis", number="1")).text
    assert "Analysis" not in labels(board)


async def test_the_chart_of_a_match_names_its_players(env: Environment) -> None:
    await played(env, "tablaaza", most=8)
    await analysed(env)
    shown = (await env.ann.slash("/match analysis", number="1")).shown
    replay = await env.app.get(Replays).of_match(1)
    report = await env.app.get(Analyses).of(replay)
    names = player_names(env.app.get(Members), replay.position, ENGLISH)
    assert sorted(name for _, name in names) == ["Ann", "Ben"]
    chart = chart_of(replay, report, names)
    assert sorted(side.split(" · ")[1] for side in chart.sides) == ["Ann", "Ben"]
    assert shown.picture == await env.renderer.chart(chart)
    assert shown.picture != await env.renderer.chart(chart_of(replay, report))


@pytest.mark.parametrize("slug", sorted(registry.games()))
async def test_an_analysis_shows_luck_skill_and_mistakes(env: Environment, slug: str) -> None:
    await played(env, slug, seed=8, most=None if slug == SHORTEST else 24)
    await analysed(env)
    board = env.board()
    reply = await env.carol.slash("/match analysis", number="1")
    message = reply.shown
    assert not reply.ephemeral
    assert message.picture is not None
    assert "win chance" in (message.alt or "")
    position = await env.position()
    thrown = any(position.game.actor(one.before) is CHANCE for one in position.tail)
    cards = re.findall(
        r"<@\d+>: (\d+) % at the start, luck ([+−]\d+), skill ([+−]\d+), "
        r"(?:early end ([+−]\d+), )?(\d+) % in the end\.",
        reply.text,
    )
    assert len(cards) == (2 if thrown else 0)
    totals = []
    for start, *signed, result in cards:
        luck, skill, early = (int(part.replace("−", "-") or 0) for part in signed)
        assert int(start) + luck + skill + early == int(result)
        totals += [abs(luck), abs(skill)]
    assert ("so they can exceed 100" in reply.text) == (max(totals, default=0) > 100)
    assert all(int(percent) <= 100 for percent in re.findall(r"(\d+) %", reply.text))
    async with env.store.read() as tx:
        found = await analyses.of(tx, 1)
        assert await computer_tasks.waiting(tx, Kind.ANALYSIS) == ()
    assert found is not None
    for place in range(2):
        assert found["values"][0][place] + found["luck"][place] + found["skill"][place] + found[
            "early"
        ][place] == pytest.approx(found["values"][-1][place], abs=1e-9)
    assert all(sum(values) == pytest.approx(1) for values in found["values"])
    assert (await env.ann.press(board, "Analysis")).text == reply.text
    *see, replayed = labels(message)
    assert replayed == "Replay"
    assert all(label.startswith("See ") for label in see)
    for label in see[:1]:
        answer = await env.dan.press(message, label)
        compared = answer.shown
        assert answer.ephemeral
        assert "✗ Played" in answer.text
        assert "✓ Better" in answer.text
        with Image.open(io.BytesIO(compared.picture or b"")) as both:
            shape = both.width / both.height
        with Image.open(io.BytesIO(board.picture or b"")) as one:
            alone = one.width / one.height
        assert abs(shape - 2 * alone) < 0.3 or abs(shape - alone / 2) < 0.3, (
            "both boards, uncropped"
        )
        if len(see) > 1:
            first = answer.text
            await env.dan.press(compared, "Next mistake")
            assert "**2.** Move" in compared.text
            assert compared.text != first
        assert re.search(r"Move \d+ of \d+", (await env.dan.press(compared, "Replay")).private)


async def test_an_analysis_of_four_players_shows_what_each_could_expect(env: Environment) -> None:
    await env.begin("thaayam", players=4)
    await env.hurry(random.Random(2), lambda position: position.ply >= 20)
    for person in (env.dan, env.carol, env.ben):
        await env.resign(person)
    await analysed(env)
    reply = await env.ann.slash("/match analysis", number="1")
    assert reply.text.count(", early end ") == 4
    for name in registry.game("thaayam").seat_names:
        assert f"The win chance of {name.capitalize()} in percent" in (reply.shown.alt or "")


async def test_an_analysis_of_two_games_shows_who_had_which_side_when(env: Environment) -> None:
    await env.begin("tablut", match="true")
    await env.hurry(
        random.Random(4),
        # The second player has just moved, in the second game.
        lambda position: position.state.swapped and position.to_move == position.match.players[0],
    )
    await env.resign(env.ann)
    position = await env.position()
    last, game = position.tail[-1], position.game
    other = next(move for move in game.legal_moves(last.before) if move != last.move)
    mistakes = [[position.ply, 1, game.write(last.move), game.write(other), 0.4]]
    assert [position.seat_names[p.seat] for p in position.match.players] == ["Muscovites", "Swedes"]
    values = [[0.5, 0.5]] * position.ply + [[1.0, 0.0]]
    explanation = {"cause": "won_better", "mistakes": 1, "worst": 1}
    found = {
        "values": values,
        "mistakes": mistakes,
        "luck": [0.0, 0.0],
        "skill": [0.5, -0.5],
        "early": [0.0, 0.0],
        "explanations": [{**explanation, "loss": 0.1, "expected": 1.0}] * 2,
        "thrown": False,
    }
    async with env.store.write() as tx:
        await analyses.put(tx, 1, found, env.now())
    reply = await env.ann.slash("/match analysis", number="1")
    alt = reply.shown.alt or ""
    assert "The win chance of Swedes in game 1 in percent" in alt
    # In the second game the second player has the side that moves first
    assert f"Mistake 1: Swedes, move {position.ply}." in alt
    played = game.move_label(last.before, last.move).text
    assert f"Move {position.ply}, Swedes: {played} (−40 %)." in reply.text


async def test_an_analysis_does_not_name_deleted_players(env: Environment) -> None:
    await played(env, "tablut", most=8)
    ann = env.ann.mention
    await analysed(env)
    assert ann in (await env.carol.slash("/match analysis", number="1")).text
    await env.app.get(Erasure).erase(env.ann.id)
    reply = await env.carol.slash("/match analysis", number="1")
    assert ann not in reply.text
    assert " a former player" in reply.text
    assert "\na former player" not in reply.text


async def test_two_simultaneous_requests_wait_and_get_the_same_analysis(env: Environment) -> None:
    await played(env, "tablut", most=8)
    env.app.get(Dispatcher).acknowledge_after = 0.1
    one, two = await asyncio.gather(
        env.ann.slash("/match analysis", number="1"), env.ben.slash("/match analysis", number="1")
    )
    await env.settled()
    assert "A computer's estimate" in one.text
    assert one.text == two.text


async def test_progress_becomes_the_text(env: Environment, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.core.interactions.progress.EVERY", 0.05)
    await played(env, "tablut", most=8)
    env.app.get(Dispatcher).acknowledge_after = 0.05
    asking = env.ann.slash("/match analysis", number="1")
    line = await env.playground.wait_for(
        env.channel(), lambda m: "Analysing …" in m.text and "%" in m.text
    )
    reply = await asking
    await env.settled()
    assert reply.message is line
    assert "Analysing" not in reply.text
    assert "A computer's estimate" in reply.text
    assert line.picture is not None


async def test_a_refusal_ends_progress(
    empty_env: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    env = empty_env
    env.worker_tasks = "tests.bot.core.workers.tasks:SLOWLY_FAILS"
    await env.start()
    monkeypatch.setattr("bot.core.interactions.progress.EVERY", 0.05)
    await played(env, "tablut", most=8)
    env.app.get(Dispatcher).acknowledge_after = 0.05
    reply = await env.done(env.ann.slash("/match analysis", number="1"))
    assert "couldn't analyse" in reply.text
    assert "Analysing" not in reply.text


@pytest.mark.parametrize("ending", ["forfeit", "claim", "moderator"])
async def test_a_match_ended_without_a_move_is_analysed(env: Environment, ending: str) -> None:
    """Only the commit that ends the match wakes the analysis."""
    await env.begin("tablut")
    await env.hurry(random.Random(1), lambda position: position.ply >= 8)
    position = await env.position()
    env.app.get(TaskRunner).take_all()
    await env.app.get(TaskRunner).idle()
    assert position.to_move is not None
    (other,) = {player.user_id for player in position.match.players} - {position.to_move.user_id}
    if ending == "forfeit":
        await env.change_settings(forfeit="automatic")
        await env.advance(days=3)
    elif ending == "claim":
        await env.advance(days=3)
        await env.app.get(Claims).claim(1, other, position.version, "win")
    else:
        moderator = Moderator(env.carol.id, env.guild.id, "they agreed")
        await env.app.get(Moderation).end(1, [other], moderator)
    await env.app.get(TaskRunner).idle()
    assert await env.read(analyses.of, 1) is not None


async def test_analyses_interrupted_by_a_crash_are_done_after_it(env: Environment) -> None:
    await played(env, "tablut", most=8)
    env.analyse_matches = True
    await env.restart()
    await env.app.get(TaskRunner).idle()
    assert await env.read(analyses.of, 1) is not None


async def test_an_impossible_analysis_is_given_up_with_an_apology(empty_env: Environment) -> None:
    env = empty_env
    env.worker_tasks = "tests.bot.core.workers.tasks:TASKS"  # which have no analysis
    await env.start()
    await played(env, "tablut", most=8)
    assert "couldn't analyse" in (await env.ann.slash("/match analysis", number="1")).text
    env.analyse_matches = True
    await env.restart()
    await env.app.get(TaskRunner).idle()
    assert await env.read(computer_tasks.waiting, Kind.ANALYSIS) == ()
