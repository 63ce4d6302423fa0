"""The page's board beside the match: moves tried and planned, hints, what was missed, news of other games."""

from __future__ import annotations

import random
from http import HTTPStatus
from typing import Any

from yarl import URL

from bot.features.conditional_moves.service import ConditionalMoves
from bot.features.web.match_views import MAX_FRAMES
from data.puzzles import analyses
from engine import registry
from tests.end_to_end.harness import Environment
from tests.end_to_end.pages import PageWindow, link, window

GAME = "tablut"
NOT_PLAYED = "not played"


async def tried(browser: PageWindow, line: list[list[str]], ply: int = 0) -> Any:
    status, shown = await browser.ask("/api/matches/1/tries", {"ply": ply, "line": line})
    assert status == HTTPStatus.OK, shown
    return shown


async def planned(browser: PageWindow, line: list[list[str]], version: int = 1, **more: Any) -> Any:
    asked = {"version": version, "line": line, **more}
    status, shown = await browser.ask("/api/matches/1/plans", asked)
    assert status == HTTPStatus.OK, shown
    return shown


# ------------------------------------------------------------------ trying


async def test_moves_are_tried_on_the_board_and_nothing_is_played(
    env: Environment, browser: PageWindow
) -> None:
    view = await browser.view()
    first = await tried(browser, [])
    assert first["moves"], "all moves of whose turn it is can be tried"
    assert {str(one["steps"]) for one in first["moves"]} == {
        str(one["steps"]) for one in view["moves"]
    }
    line = [first["moves"][0]["steps"]]
    second = await tried(browser, line)
    assert "Muscovites to move" in second["prompt"]
    assert NOT_PLAYED in second["label"]
    assert NOT_PLAYED in second["alt"]
    assert second["theme"] != view["theme"], "it is tinted"
    assert second["scene"]["moving"] != first["scene"]["moving"]
    third = await tried(browser, [*line, second["moves"][0]["steps"]])
    assert third["story"].count("→") == 1
    assert await env.ply() == view["ply"]
    assert (await browser.view())["scene"] == view["scene"]


async def test_throws_are_chosen_where_moves_are_tried(env: Environment, url: URL) -> None:
    board = await env.begin("tablan")
    async with window(url) as browser:
        await browser.open(await link(env, env.mover(board)))
        ply, line = (await browser.view())["ply"], list[list[str]]()
        for _ in range(6):
            shown = await tried(browser, line, ply)
            if "throw" in shown["prompt"]:
                break
            line.append(shown["moves"][0]["steps"])
        assert [one["steps"] for one in shown["moves"]] == [[f"*{n}"] for n in range(5)]


async def test_what_cannot_be_tried_is_refused(env: Environment, browser: PageWindow) -> None:
    for ply, line in ((0, [["e5", "-e9"]]), (0, [["e3"]]), (0, [[]])):
        status, said = await browser.ask("/api/matches/1/tries", {"ply": ply, "line": line})
        assert status == HTTPStatus.CONFLICT
        assert said["error"] == "That move isn't possible on this board."
    for nonsense in (
        {},
        {"ply": 9, "line": []},
        {"ply": 0, "line": [["x"]] * 1000},
        {"ply": 0, "line": [[1]]},
    ):
        status, _ = await browser.ask("/api/matches/1/tries", nonsense)
        assert status == HTTPStatus.BAD_REQUEST
    async with window(browser.url) as watching:
        await watching.open(await link(env, env.carol))
        status, said = await watching.ask("/api/matches/1/tries", {"ply": 0, "line": []})
        assert status == HTTPStatus.CONFLICT
        assert "once it's over" in said["error"]
        await env.resign(env.ann)
        assert (await tried(watching, []))["moves"]


# ------------------------------------------------------------------ planning


async def test_an_answer_planned_on_the_board_is_played_when_it_fits(
    env: Environment, browser: PageWindow
) -> None:
    view = await browser.view()
    mover, other = env.mover(env.board()), env.other(env.board())
    status, said = await browser.ask("/api/matches/1/plans", {"version": 0, "line": []})
    assert status == HTTPStatus.CONFLICT
    assert "It's your turn" in said["error"]
    await browser.play(view, view["moves"][0]["steps"])
    asked = await planned(browser, [])
    assert "What might" in asked["prompt"]
    theirs = asked["moves"][0]["steps"]
    answering = await planned(browser, [theirs])
    assert "Your answer?" in answering["prompt"]
    assert answering["planned"] == []
    mine = answering["moves"][0]["steps"]
    looked = await planned(browser, [theirs, mine])
    assert looked["planned"] == [], "looking plans nothing"
    kept = await planned(browser, [theirs, mine], keep=True)
    (one,) = kept["planned"]
    assert mine[0] in one["words"]
    assert mine[1].strip("-") in one["words"]
    # Nobody else hears of it, before it is played.
    async with window(browser.url) as opponent:
        await opponent.open(await link(env, other))
        seen = str((await opponent.ask("/api/matches/1"))[1])
        assert one["words"] not in seen
        status, said = await opponent.ask("/api/matches/1/plans", {"version": 1, "line": []})
        assert status == HTTPStatus.CONFLICT
    await env.done(other.slash(f"/{GAME} move", move="".join(theirs)))
    position = await env.position()
    assert [registry.game(GAME).write(one.move) for one in position.tail[-2:]] == [
        "".join(theirs),
        "".join(mine),
    ]
    assert env.mover(env.board()) is other
    status, said = await browser.ask("/api/matches/1/plans", {"version": 1, "line": [theirs]})
    assert status == HTTPStatus.CONFLICT
    assert "A move has been made since then" in said["error"]
    assert mover is not other


async def test_a_planned_move_is_removed_on_the_board(
    env: Environment, browser: PageWindow
) -> None:
    view = await browser.view()
    mover = env.mover(env.board())
    await browser.play(view, view["moves"][0]["steps"])
    theirs = (await planned(browser, []))["moves"][0]["steps"]
    mine = (await planned(browser, [theirs]))["moves"][0]["steps"]
    (one,) = (await planned(browser, [theirs, mine], keep=True))["planned"]
    after = await planned(browser, [], remove=one["id"])
    assert after["planned"] == []
    assert (await env.app.get(ConditionalMoves).of(1, mover.id)).moves == ()


# ------------------------------------------------------------------ hints


async def test_a_hint_is_marked_on_the_board_in_practice_alone(
    env: Environment, browser: PageWindow
) -> None:
    status, said = await browser.ask("/api/matches/1/hints", {})
    assert status == HTTPStatus.FORBIDDEN
    assert "Hints are for practice" in said["error"]
    await env.done(env.ann.slash(f"/{GAME} practice", level=1, seat="swedes"))
    async with window(browser.url) as practising:
        await practising.open(await link(env, env.ann, env.board(2)))
        view = await practising.view(2)
        best, other = (await env.legal(2))[:2]
        async with env.store.write() as tx:  # a search would take as long as the machine is busy
            found = {"move": best, "expected": 0.6, "second": [other, 0.5]}
            await analyses.add_hint(tx, 2, view["version"], found, counted=True)
        status, hint = await practising.ask("/api/matches/2/hints", {})
        assert status == HTTPStatus.OK, hint
        assert "".join(hint["steps"]) == best
        assert hint["steps"] in [one["steps"] for one in view["moves"]]
        assert hint["scene"]["moving"] != view["scene"]["moving"]
        assert "An arrow shows" in hint["alt"]
        assert "1 hint so far" in hint["words"]
        status, _ = await practising.play(view, hint["steps"])
        assert status == HTTPStatus.OK


# ------------------------------------------------------------------ what is seen


async def test_only_who_moves_sees_what_can_be_moved_and_each_square_says_what_stands_there(
    env: Environment, browser: PageWindow
) -> None:
    view = await browser.view()
    async with window(browser.url) as opponent:
        await opponent.open(await link(env, env.other(env.board())))
        theirs = await opponent.view()
    for seen, marked in ((view, True), (theirs, False)):
        assert (seen["scene"]["moving"].count("var(--ink-choice)") > 1) is marked
        men = seen["scene"]["men"]
        assert men["e5"] == "king"
        assert men["e3"] == "Swede"
        assert men["a5"] == "Muscovite"
        assert "a1" not in men


async def test_what_was_missed_is_shown_move_by_move(env: Environment, browser: PageWindow) -> None:
    view = await browser.view()
    assert view["film"] == []
    status, after = await browser.play(view, view["moves"][0]["steps"])
    assert status == HTTPStatus.OK
    assert [one["ply"] for one in after["film"]] == [0], "a move is seen from where it began"
    dice = random.Random(1)
    for _ in range(MAX_FRAMES + 3):
        await env.turn(env.board(), dice)
    ply = await env.ply()
    _, missed = await browser.ask("/api/matches/1?since=1")
    plies = [one["ply"] for one in missed["film"]]
    assert plies == list(range(ply - MAX_FRAMES, ply)), "the last ones, in order"
    _, then = await browser.ask("/api/matches/1?ply=3&since=2")
    assert [one["ply"] for one in then["film"]] == [2]
    _, none = await browser.ask("/api/matches/1?since=99")
    assert none["film"] == []
    status, _ = await browser.ask("/api/matches/1?since=-1")
    assert status == HTTPStatus.BAD_REQUEST


async def test_throws_are_shown_as_thrown(env: Environment, url: URL) -> None:
    board = await env.begin("thaayam")
    async with window(url) as browser:
        await browser.open(await link(env, env.mover(board)))
        _, view = await browser.ask("/api/matches/1?since=0")
        # The first throws decide who begins.
        assert [one["thrown"] for one in view["film"][:3]] == [False, True, True]


# ------------------------------------------------------------------ news


async def test_one_stream_tells_of_a_turn_in_any_match(
    env: Environment, browser: PageWindow
) -> None:
    mover, other = env.mover(env.board()), env.other(env.board())
    async with browser.news() as news:
        assert await news.get() in {"turns", "changed"}
        board = await env.begin_between([mover, env.carol], GAME)
        if env.mover(board) is env.carol:
            await env.done(env.carol.slash(f"/{GAME} move", move=(await env.legal(2))[0], match=2))
        while await news.get() != "turns":
            pass
        _, found = await browser.ask("/api/matches")
        assert {one["match"] for one in found["matches"] if one["turn"]} == {1, 2}
    assert other is not mover


async def test_a_stream_is_about_a_few_matches_that_its_reader_may_see(
    env: Environment, browser: PageWindow
) -> None:
    status, _ = await browser.ask("/api/news?match=1&match=99")
    assert status == HTTPStatus.NOT_FOUND
    many = "&".join(f"match={number}" for number in range(1, 12))
    for query in (many, "match=x", "match=-1"):
        status, _ = await browser.ask(f"/api/news?{query}")
        assert status == HTTPStatus.BAD_REQUEST
