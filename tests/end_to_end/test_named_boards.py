"""Pictures of boards name their players: from memory alone, and only those who may be named."""

from __future__ import annotations

import random
from dataclasses import replace

from bot.core.i18n.catalogues import ENGLISH
from bot.core.permissions.members import Members
from bot.play.matches import match_text
from bot.play.matches.positions import Position
from bot.play.pictures.rendering import BoardStyle, player_names
from engine.scene import Ink, Polygon
from tests.end_to_end.harness import Environment
from tests.end_to_end.people import begin_and_play, delete_data


def questions(env: Environment) -> int:
    return env.gateway.member_requests.count


async def names(env: Environment) -> dict[int, str]:
    return dict(player_names(env.app.get(Members), await env.position(), ENGLISH))


def forget(env: Environment) -> None:
    env.app.get(Members)._names.clear()


async def test_a_board_names_its_players_in_picture_and_description(env: Environment) -> None:
    await begin_and_play(env, "tablut")
    position = await env.position()
    known = await names(env)
    assert sorted(known.values()) == sorted([env.ann.name, env.ben.name])
    board = env.board()
    assert board.alt is not None
    for player in position.match.players:
        seat = position.seat_names[player.seat]
        assert f"{seat}: {env.person(player.user_id).name}" in board.alt
    assert board.alt.startswith(("Swedes to move", "Muscovites to move"))
    scene = position.game.scene(position.state, [(p.before, p.move) for p in position.last_turn])
    style = BoardStyle(names=tuple(known.items()))
    assert board.picture == await env.renderer.picture(scene, style)
    assert board.picture != await env.renderer.picture(scene)


async def test_no_board_waits_for_a_name(env: Environment) -> None:
    """Nobody is known and Discord does not answer: the board comes at once, without names."""
    await begin_and_play(env, "tablaaza")
    forget(env)
    env.gateway.member_requests.unresponsive = True
    assert await names(env) == {}
    mover = env.mover(env.board())
    await env.turn(env.board(), random.Random(1))
    # Whoever has just pressed is known by that, and the other one is not.
    assert list((await names(env)).values()) == [mover.name]
    assert env.board().alt is not None
    assert mover.name in (env.board().alt or "")
    assert env.other(env.board()) is mover
    assert f": {env.mover(env.board()).name}" not in (env.board().alt or "")


async def test_a_name_that_was_missing_is_there_a_moment_later(env: Environment) -> None:
    await begin_and_play(env, "tablaaza")
    forget(env)
    env.clock.advance(60)
    asked = questions(env)
    assert await names(env) == {}
    members = env.app.get(Members)
    for task in tuple(members._background):
        await task
    assert sorted((await names(env)).values()) == sorted([env.ann.name, env.ben.name])
    assert questions(env) == asked + 1


async def test_boards_ask_a_shard_for_names_seldom(env: Environment) -> None:
    await begin_and_play(env, "tablaaza")
    env.clock.advance(60)
    env.gateway.member_requests.unresponsive = True
    asked = questions(env)
    for _ in range(20):
        forget(env)
        await names(env)
    members = env.app.get(Members)
    assert len(members._background) <= 1
    assert questions(env) <= asked + 1


async def test_who_has_left_the_server_is_not_named(env: Environment) -> None:
    await begin_and_play(env, "tablut")
    env.ben.leaves_server()
    assert env.ben.id in await env.app.get(Members).departed(
        env.guild.id, [env.ben.id], afresh=True
    )
    assert list((await names(env)).values()) == [env.ann.name]


async def test_who_deleted_their_data_is_not_named(env: Environment) -> None:
    await begin_and_play(env, "tablut")
    await env.resign(env.ben)
    await delete_data(env, env.ben)
    assert list((await names(env)).values()) == [env.ann.name]


async def test_a_computer_is_called_that(env: Environment) -> None:
    await env.done(env.ann.slash("/tablut practice", level=1))
    assert "Computer" in (await names(env)).values()
    assert ": Computer" in (env.board().alt or "")


async def test_several_computers_are_told_apart_by_their_seats(env: Environment) -> None:
    await env.done(env.ann.slash("/thaayam practice", level=1, players=4))
    position = await env.position()
    assert list((await names(env)).values()) == [env.ann.name], "the text speaks of South, not of 2"
    assert {p.seat for p in position.match.players if p.user_id == env.ann.id} == set(
        await names(env)
    )


async def test_what_is_tried_is_tinted_and_says_so(env: Environment) -> None:
    await begin_and_play(env, "tablut")
    tried = (await env.ann.slash("/match try", number="1")).shown
    assert (tried.alt or "").startswith("Try moves: not played. ")
    position = await env.position()
    scene = position.game.scene(position.state, [(p.before, p.move) for p in position.last_turn])
    style = BoardStyle(names=tuple((await names(env)).items()), draft="Try moves: not played")
    pictures = {await env.renderer.picture(scene, replace(style, quarter_turns=n)) for n in (0, 2)}
    assert tried.picture in pictures
    assert env.board().picture not in pictures


async def test_what_is_planned_says_so(env: Environment) -> None:
    await begin_and_play(env, "tablut")
    person = env.other(env.board())
    planned = (await person.slash("/tablut plan")).shown
    assert (planned.alt or "").startswith("Plan ahead: not played yet. ")


async def test_the_last_board_gives_the_winner_a_medal_and_only_that_one(env: Environment) -> None:
    await begin_and_play(env, "tablut")
    before = await env.position()
    await env.resign(env.ben)
    position = await env.position()

    def medals(shown: Position) -> int:
        above = match_text.pictured(shown, ()).above
        return sum(isinstance(shape, Polygon) and shape.fill is Ink.GOLD for shape in above)

    assert (medals(before), medals(position)) == (0, 1)
    style = BoardStyle(names=tuple((await names(env)).items()))
    last = [(p.before, p.move) for p in position.last_turn]
    wanted = await env.renderer.picture(match_text.pictured(position, last), style)
    assert env.board().picture == wanted
