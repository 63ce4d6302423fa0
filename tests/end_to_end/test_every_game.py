"""Whole matches of every game, played by buttons and menus as players do."""

from __future__ import annotations

import random
import re
from io import BytesIO

import pytest
from PIL import Image

from engine import registry
from engine.game import CHANCE
from engine.registry import AnyGame
from playground.model import Message
from tests.end_to_end.harness import Environment, playable, receipt, unlinked
from tests.end_to_end.verification import verify_match

GAMES = registry.games()
TABLES = [(slug, players) for slug, game in GAMES.items() for players in game.players]
SMALLEST = [(slug, min(game.players)) for slug, game in GAMES.items()]
LARGEST = [(slug, max(game.players)) for slug, game in GAMES.items()]
"""Each game with as many as can play it, for what the number of players hardly changes."""
CROWDS = [(slug, players) for slug, players in TABLES if players > 2]
FOR_MANY = sorted({slug for slug, _ in CROWDS})
VERIFIED_OUTSIDE = "tablan"
"""A game with throws, whose record is verified in a process of its own."""
LOOKED_AT = 12
"""Turns played on boards; one whole game is played so against a computer, see `test_practice`."""


def over(board: Message) -> bool:
    return not playable(board)


async def check_turn(env: Environment, board: Message) -> None:
    position = await env.position()
    assert position.to_move is not None
    mover = env.person(position.to_move.user_id)
    assert board.pinged == (mover.user,)
    assert f"{mover.mention}, your turn (**" in board.text
    assert board.picture is not None
    with Image.open(BytesIO(board.picture)) as picture:
        assert picture.size[0] == 400
    assert board.alt
    assert len(board.alt) <= 1024
    assert len(board.menus) <= 5
    assert all(1 <= len(menu.options) <= 25 for menu in board.menus)
    assert all(over(shown) for shown in env.boards()[:-1][-2:])


async def check_table(env: Environment) -> None:
    """Check that each player's profile shows the result required by the rules."""
    position = await env.position()
    assert position.outcome is not None
    shared = position.outcome.ranks.count(1) > 1
    for player, rank in zip(position.match.players, position.outcome.ranks, strict=True):
        won, drawn = rank == 1 and not shared, rank == 1 and shared
        counted = f"{won:d} won · {drawn:d} drawn · {rank != 1:d} lost"
        reply = await env.ann.slash("/profile", user=env.person(player.user_id))
        line = next(line for line in reply.text.splitlines() if line.startswith("**"))
        assert line.startswith(f"**{position.game.title}** ")
        assert line.endswith(f" · {counted}")


@pytest.mark.parametrize(
    ("slug", "players", "rules"),
    [*((*one, {}) for one in sorted({*SMALLEST, *LARGEST})), ("tablan", 2, {"rules": "bell"})],
)
async def test_a_whole_game_is_rated_and_verified(
    env: Environment, slug: str, players: int, rules: dict[str, str]
) -> None:
    dice = random.Random(f"{slug} {players}")
    board = await env.begin_by_challenge(slug, players=players, **rules)
    at_the_table = env.people[:players]
    assert all(person.mention in board.text for person in at_the_table)
    called = set()
    turns = 0
    while not over(board):
        turns += 1
        if turns > LOOKED_AT:
            board = await env.hurry(dice, lambda position: position.to_move is None)
            break
        await check_turn(env, board)
        called.add(env.mover(board))
        ply = await env.ply()
        await env.turn(board, dice)
        assert await env.ply() > ply
        board = env.board()
    assert called == set(at_the_table)
    assert re.search(r"\*\*(.* won\*\* against|A draw\*\* between) ", board.text), board.text
    assert all(person.mention in board.text for person in at_the_table)
    assert board.pinged == ()
    assert all(over(shown) and shown.alt for shown in env.boards())
    await check_table(env)
    assert f'[Game "{slug}"]' in await verify_match(env, outside=slug == VERIFIED_OUTSIDE)


def elsewhere(game: AnyGame, players: int, dice: random.Random) -> list[str]:
    """Return moves in the game's notation that are legal at some point."""
    seen: set[str] = set()
    state = game.initial(None, players)
    for _ in range(300):
        if game.outcome(state) is not None:
            break
        moves = game.legal_moves(state)
        if game.actor(state) is not CHANCE:
            seen |= {game.write(move) for move in moves}
        state = game.after(state, dice.choice(list(moves)))
    return sorted(seen)


@pytest.mark.parametrize(("slug", "players"), LARGEST)
async def test_illegal_typed_moves_are_refused_with_a_rule_that_can_be_looked_up(
    env: Environment, slug: str, players: int
) -> None:
    game = GAMES[slug]
    dice = random.Random(f"typed {slug} {players}")
    written = elsewhere(game, players, dice)
    await env.begin(slug, players=players)
    quoted = set()
    for _ in range(3):
        board = env.board()
        if over(board):
            break
        ply, legal = await env.ply(), set(await env.legal())
        wrong = [move for move in written if move not in legal]
        for typed in dice.sample(wrong, min(2, len(wrong))):
            refused = (await env.mover(board).slash(f"/{slug} move", move=typed)).private
            rule = re.search(r"> \*\*Rule (\w+)\.\*\* (.+)", refused)
            assert rule is not None, (typed, refused)
            assert game.rule(rule[1]).sentence == rule[2]
            assert rule[2] in (await env.mover(board).slash(f"/{slug} rules", number=rule[1])).text
            quoted.add(rule[1])
        assert await env.ply() == ply
        reply = await env.mover(board).slash(f"/{slug} move", move=dice.choice(sorted(legal)))
        assert receipt(reply).startswith("Played.")
        await env.settled()
    assert quoted


async def test_typed_nonsense_is_answered_with_the_notation(env: Environment) -> None:
    board = await env.begin("tablan")
    ply = await env.ply()
    for typed in (
        "castle kingside",
        "z99",
        "a1" * 100,
        "🎲",
        "*2",
        "-",
        "a1-a1",
        "+1",
        "k1-",
        "🎲" * 30,
    ):
        reply = (await env.mover(board).slash("/tablan move", move=typed)).private
        assert 0 < len(reply) <= 2000
        assert "Something went wrong" not in reply
    assert await env.ply() == ply


@pytest.mark.parametrize(("slug", "players"), LARGEST)
async def test_suggestions_can_be_typed_and_played(
    env: Environment, slug: str, players: int
) -> None:
    dice = random.Random(f"suggested {slug} {players}")
    await env.begin(slug, players=players)
    for _ in range(4):
        board = env.board()
        if over(board):
            break
        mover, legal = env.mover(board), set(await env.legal())
        typed, fitting = "", await mover.autocomplete(f"/{slug} move", "move", "")
        while (chosen := dice.choice(fitting).value) not in legal:
            assert chosen != typed, "a first step leads to the next"
            typed = chosen
            fitting = await mover.autocomplete(f"/{slug} move", "move", typed)
            assert 1 <= len(fitting) <= 25
        reply = await mover.slash(f"/{slug} move", move=chosen.upper())
        assert reply.ephemeral
        assert receipt(reply).startswith("Played.")
        await env.settled()
        assert f"Move {await env.move()}" in env.board().text
        assert [one for one in env.boards() if playable(one)] == [env.board()]


@pytest.mark.parametrize(("slug", "players"), [("tablut", 2), ("thaayam", 4)])
async def test_a_game_goes_on_after_a_restart(env: Environment, slug: str, players: int) -> None:
    dice = random.Random(f"restart {slug} {players}")
    await env.begin(slug, players=players)
    for _ in range(2):
        await env.turn(env.board(), dice)
    board, ply, boards = env.board(), await env.ply(), env.boards()
    picture = board.picture
    await env.restart()
    assert env.boards() == boards, "nothing is posted again"
    assert board.picture == picture
    assert await env.ply() == ply
    await env.turn(board, dice)
    assert await env.ply() > ply
    board = env.board()
    assert board.pinged == (env.mover(board).user,)


# More than two players


@pytest.mark.parametrize(("slug", "players"), CROWDS)
async def test_a_match_begins_when_the_last_accepts(
    env: Environment, slug: str, players: int
) -> None:
    offered = await env.challenge(slug, players=players)
    invited = list(env.invited(players).values())
    assert set(offered.shown.pinged) == {person.user for person in invited}
    joined = []
    if players == 3:
        for label in ("Accept", "Decline"):
            refused = await env.dan.press(offered.shown, label)
            assert all(person.mention in refused.private for person in invited)
            assert refused.shown.pinged == ()
    for person in reversed(invited[1:]):
        reply = await person.press(offered.shown, "Accept")
        joined.append(person)
        line = next(line for line in reply.text.splitlines() if line.startswith("Joined so far: "))
        assert {p for p in env.people if p.mention in line} == set(joined)
        assert env.boards() == []
    again = (await joined[0].press(offered.shown, "Accept")).private
    assert f"aiting for {invited[0].mention}" in again
    assert "Match #1 is on" in unlinked((await invited[0].press(offered.shown, "Accept")).text)
    assert not offered.shown.buttons
    await env.settled()
    board = env.board()
    seats = [seat.capitalize() for seat in names(GAMES[slug], players)]
    line = board.text.splitlines()[1]
    assert re.fullmatch(" · ".join(rf"{seat} <@\d+>" for seat in seats), line), line
    assert len(env.boards()) == 1


def names(game: AnyGame, players: int) -> list[str]:
    return [game.seat_names[seat] for seat in game.seats(players)]


@pytest.mark.parametrize(("slug", "players"), TABLES)
async def test_the_requested_seat_is_given(env: Environment, slug: str, players: int) -> None:
    seat = names(GAMES[slug], players)[-1]
    board = await env.begin(slug, players=players, seat=seat)
    assert f"{seat.capitalize()} {env.ann.mention}" in board.text


@pytest.mark.parametrize("slug", FOR_MANY)
async def test_a_seat_beyond_the_player_count_is_refused(env: Environment, slug: str) -> None:
    game = GAMES[slug]
    free = [name for name in game.seat_names if name not in names(game, 2)]
    reply = await env.challenge(slug, seat=free[0])
    assert reply.ephemeral
    assert free[0].capitalize() in reply.text
    assert all(name.capitalize() in reply.text for name in names(game, 2))


@pytest.mark.parametrize("slug", FOR_MANY)
async def test_all_four_players_have_the_match_in_their_list(env: Environment, slug: str) -> None:
    board = await env.begin(slug, players=4)
    mover = env.mover(board)
    for person in env.people:
        reply = await person.slash(f"/{slug} games")
        turn = "your turn" if person is mover else f"{mover.mention}'s turn"
        assert f"#1 {GAMES[slug].title}" in reply.text
        assert turn in reply.text
        assert all(p.mention in reply.text for p in env.people if p is not person)
        if person is not mover:
            pressed = env.start_pick(board, person, env.choices(board)[0])
            assert "not your turn" in (await pressed).text
