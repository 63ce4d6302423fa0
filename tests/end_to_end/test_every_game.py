"""Whole games of every game there is, played by buttons and menus as players play them."""

from __future__ import annotations

import random
import re
from io import BytesIO
from typing import TYPE_CHECKING

import pytest
from PIL import Image

from engine import registry
from engine.game import CHANCE
from tests.end_to_end.harness import playable
from tests.end_to_end.proof import prove

if TYPE_CHECKING:
    from engine.registry import AnyGame
    from playground.model import Message
    from tests.end_to_end.harness import House

GAMES = registry.games()
TABLES = [(slug, players) for slug, game in GAMES.items() for players in game.players]
CROWDS = [(slug, players) for slug, players in TABLES if players > 2]
FOR_MANY = sorted({slug for slug, _ in CROWDS})


def over(board: Message) -> bool:
    """Tell whether a board offers nothing any more."""
    return not playable(board)


async def check_turn(house: House, board: Message) -> None:
    """Check what must be true of every board on which somebody is to move."""
    view = await house.bot.matches.view(1)
    assert view.to_move is not None
    mover = house.who(view.to_move.user_id)
    assert board.pinged == (mover.user,)
    assert f"{mover.mention}, it is your turn as **" in board.text
    assert board.picture is not None
    with Image.open(BytesIO(board.picture)) as picture:
        assert picture.size[0] == 400
    assert board.alt
    assert len(board.alt) <= 1024
    assert len(board.menus) <= 1
    assert all(1 <= len(menu.options) <= 25 for menu in board.menus)
    assert all(over(shown) for shown in house.boards()[:-1][-2:])


def check_step(before: tuple[bytes | None, str], board: Message) -> None:
    """Check a board whose player has chosen only the first part of a move."""
    picture, _ = before
    assert board.picture != picture, "what may follow is marked"
    assert "Choose again" in {button.label for button in board.buttons}


async def check_table(house: House) -> None:
    """Check that the profile of everybody has the result that the rules give."""
    view = await house.bot.matches.view(1)
    assert view.outcome is not None
    shared = view.outcome.ranks.count(1) > 1
    for player, rank in zip(view.match.players, view.outcome.ranks, strict=True):
        won, drawn = rank == 1 and not shared, rank == 1 and shared
        counted = f"{won:d} won · {drawn:d} drawn · {rank != 1:d} lost"
        told = await house.ann.slash("/profile", user=house.who(player.user_id))
        line = next(line for line in told.text.splitlines() if line.startswith("**"))
        assert line.startswith(f"**{view.game.title}** ")
        assert line.endswith(f" · {counted}")


@pytest.mark.parametrize(("slug", "players"), TABLES)
async def test_a_whole_game_is_played_told_counted_and_proved(
    house: House, slug: str, players: int
) -> None:
    dice = random.Random(f"{slug} {players}")
    board = await house.begin(slug, players=players)
    at_the_table = house.people[:players]
    assert all(person.mention in board.text for person in at_the_table)
    called = set()

    while not over(board):
        await check_turn(house, board)
        called.add(house.mover(board))
        ply, before = await house.ply(), (board.picture, board.text)
        stepping = "Choose again" in {button.label for button in board.buttons}
        await house.turn(board, dice)
        if await house.ply() == ply and not stepping:
            check_step(before, board)
        board = house.board()

    assert called == set(at_the_table)
    assert re.search(r"\*\*(.* won\*\* against|A draw\*\* between) ", board.text), board.text
    assert all(person.mention in board.text for person in at_the_table)
    assert board.pinged == ()
    assert all(over(shown) and shown.alt for shown in house.boards())
    await check_table(house)
    assert f'[Game "{slug}"]' in await prove(house)


def elsewhere(game: AnyGame, players: int, dice: random.Random) -> list[str]:
    """Return moves that can be written in this game, legal at one time or another."""
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


@pytest.mark.parametrize(("slug", "players"), TABLES)
async def test_typed_moves_that_are_not_legal_are_refused_with_a_rule_that_can_be_read(
    house: House, slug: str, players: int
) -> None:
    game = GAMES[slug]
    dice = random.Random(f"typed {slug} {players}")
    written = elsewhere(game, players, dice)
    await house.begin(slug, players=players)
    quoted = set()
    for _ in range(12):
        board = house.board()
        if over(board):
            break
        ply, legal = await house.ply(), set(await house.legal())
        wrong = [move for move in written if move not in legal]
        for typed in dice.sample(wrong, min(3, len(wrong))):
            told = await house.mover(board).slash(f"/{slug} move", move=typed)
            assert told.ephemeral
            rule = re.search(r"> \*\*Rule (\w+)\.\*\* (.+)", told.text)
            assert rule is not None, (typed, told.text)
            assert game.rule(rule[1]).sentence == rule[2]
            read = await house.mover(board).slash(f"/{slug} rules", number=rule[1])
            assert rule[2] in read.text
            quoted.add(rule[1])
        assert await house.ply() == ply
        told = await house.mover(board).slash(f"/{slug} move", move=dice.choice(sorted(legal)))
        assert told.text.startswith("Played.")
        await house.settled()
    assert quoted


@pytest.mark.parametrize("slug", sorted(GAMES))
async def test_typed_nonsense_is_answered_with_how_to_write(house: House, slug: str) -> None:
    board = await house.begin(slug)
    ply = await house.ply()
    for typed in ("castle kingside", "z99", "a1" * 300, "🎲", "*2", "-", "a1-a1", "+1"):
        told = await house.mover(board).slash(f"/{slug} move", move=typed)
        assert told.ephemeral
        assert 0 < len(told.text) <= 2000
        assert "Something went wrong" not in told.text
    assert await house.ply() == ply


@pytest.mark.parametrize(("slug", "players"), TABLES)
async def test_moves_can_be_played_by_typing_what_is_suggested(
    house: House, slug: str, players: int
) -> None:
    dice = random.Random(f"suggested {slug} {players}")
    await house.begin(slug, players=players)
    for _ in range(8):
        board = house.board()
        if over(board):
            break
        mover, legal = house.mover(board), set(await house.legal())
        typed, fitting = "", await mover.autocomplete(f"/{slug} move", "move", "")
        while (chosen := dice.choice(fitting).value) not in legal:
            assert chosen != typed, "a first step leads on"
            typed = chosen
            fitting = await mover.autocomplete(f"/{slug} move", "move", typed)
            assert 1 <= len(fitting) <= 25
        told = await mover.slash(f"/{slug} move", move=chosen.upper())
        assert told.text.startswith("Played.")
        await house.settled()


@pytest.mark.parametrize(("slug", "players"), TABLES)
async def test_a_game_goes_on_after_a_restart(house: House, slug: str, players: int) -> None:
    dice = random.Random(f"restart {slug} {players}")
    await house.begin(slug, players=players)
    for _ in range(3):
        for _ in range(4):
            await house.turn(house.board(), dice)
        board, ply = house.board(), await house.ply()
        picture = board.picture
        await house.restart()
        assert house.board() is board
        assert board.picture == picture
        assert await house.ply() == ply
    assert board.pinged == (house.mover(board).user,)


# More than two players


@pytest.mark.parametrize(("slug", "players"), CROWDS)
async def test_a_match_of_several_begins_when_the_last_has_accepted(
    house: House, slug: str, players: int
) -> None:
    offered = await house.challenge(slug, players=players)
    invited = list(house.invited(players).values())
    assert offered.message is not None
    assert set(offered.message.pinged) == {person.user for person in invited}
    joined = []
    for person in reversed(invited[1:]):
        told = await person.press(offered.message, "Accept")
        joined.append(person)
        line = next(line for line in told.text.splitlines() if line.startswith("Joined so far"))
        assert {p for p in house.people if p.mention in line} == set(joined)
        assert house.boards() == []
    again = await joined[0].press(offered.message, "Accept")
    assert again.ephemeral
    assert f"waits for {invited[0].mention}" in again.text

    accepted = await invited[0].press(offered.message, "Accept")
    assert "match #1" in accepted.text
    assert not offered.message.buttons
    await house.settled()
    board = house.board()
    seats = [seat.capitalize() for seat in names(GAMES[slug], players)]
    line = board.text.splitlines()[1]
    assert re.fullmatch(" · ".join(rf"{seat} <@\d+>" for seat in seats), line), line
    assert len(house.boards()) == 1


def names(game: AnyGame, players: int) -> list[str]:
    """Return the names of the seats taken by so many players."""
    return [game.seat_names[seat] for seat in game.seats(players)]


@pytest.mark.parametrize(("slug", "players"), CROWDS)
async def test_one_who_declines_ends_the_challenge_for_all(
    house: House, slug: str, players: int
) -> None:
    offered = await house.challenge(slug, players=players)
    assert offered.message is not None
    await house.ben.press(offered.message, "Accept")
    old = offered.message.snapshot()
    declined = await house.who(house.people[players - 1].id).press(offered.message, "Decline")
    assert "Declined" in declined.text
    assert not offered.message.buttons
    late = await house.carol.press(old, "Accept", stale=True)
    assert late.ephemeral
    assert "was declined" in late.text
    await house.settled()
    assert house.boards() == []


@pytest.mark.parametrize("slug", FOR_MANY)
async def test_a_stranger_cannot_join_or_decline(house: House, slug: str) -> None:
    offered = await house.challenge(slug, players=3)
    assert offered.message is not None
    for label in ("Accept", "Decline"):
        told = await house.dan.press(offered.message, label)
        assert told.ephemeral
        assert house.ben.mention in told.text
        assert house.carol.mention in told.text
        assert told.message is not None
        assert told.message.pinged == ()
    assert offered.message.buttons


@pytest.mark.parametrize("slug", FOR_MANY)
async def test_who_is_named_twice_or_is_no_person_is_refused(house: House, slug: str) -> None:
    line, bot = f"/{slug} challenge", house.town.world.bot
    for opponents, why in (
        ((house.ben, house.ben), "twice"),
        ((house.ben, house.carol, house.carol), "twice"),
        ((house.ben, house.ann), "yourself"),
        ((house.ben, bot), "is a bot"),
    ):
        told = await house.ann.slash(
            line, options=dict(zip(house.invited(4), opponents, strict=False))
        )
        assert told.ephemeral
        assert why in told.text
        assert told.message is not None
        assert told.message.pinged == ()
    told = await house.ann.slash(line, options={"opponent2": house.ben})
    assert f"challenges {house.ben.mention}." in told.text


@pytest.mark.parametrize("slug", FOR_MANY)
async def test_opponents_may_be_named_in_any_option(house: House, slug: str) -> None:
    told = await house.ann.slash(
        f"/{slug} challenge", options={"opponent": house.dan, "opponent3": house.ben}
    )
    assert not told.ephemeral
    assert told.message is not None
    assert set(told.message.pinged) == {house.dan.user, house.ben.user}


@pytest.mark.parametrize(("slug", "players"), TABLES)
async def test_a_seat_that_was_asked_for_is_given_where_that_many_play(
    house: House, slug: str, players: int
) -> None:
    seat = names(GAMES[slug], players)[-1]
    board = await house.begin(slug, players=players, seat=seat)
    assert f"{seat.capitalize()} {house.ann.mention}" in board.text


@pytest.mark.parametrize("slug", FOR_MANY)
async def test_a_seat_that_nobody_takes_among_so_few_is_refused(house: House, slug: str) -> None:
    game = GAMES[slug]
    free = [name for name in game.seat_names if name not in names(game, 2)]
    told = await house.challenge(slug, seat=free[0])
    assert told.ephemeral
    assert free[0].capitalize() in told.text
    assert all(name.capitalize() in told.text for name in names(game, 2))


@pytest.mark.parametrize(("slug", "players"), CROWDS)
async def test_who_resigns_among_several_loses_and_the_others_share(
    house: House, slug: str, players: int
) -> None:
    await house.begin(slug, players=players)
    await house.play_a_while()
    board = house.board()
    question = await house.ben.slash(f"/{slug} resign")
    assert "for everybody" in question.text
    assert question.message is not None
    told = await house.ben.press(question.message, "Resign")
    assert "You resigned" in told.text
    await house.settled()

    assert over(board)
    result = house.board()
    view = await house.bot.matches.view(1)
    player = view.player_of(house.ben.id)
    assert player is not None
    seat = view.seat_name(player.seat)
    assert f"{seat} resigned" in result.text
    assert f"{house.ben.mention} is last" in result.text
    table = (await house.ann.slash("/leaderboard", game=slug)).text
    (bens,) = [line for line in table.splitlines() if line.startswith(house.ben.mention)]
    assert "0 won · 0 drawn · 1 lost" in bens
    assert table.count("0 won · 1 drawn · 0 lost") == players - 1
    await prove(house)


@pytest.mark.parametrize("slug", FOR_MANY)
async def test_everybody_at_a_table_of_four_has_it_among_their_games(
    house: House, slug: str
) -> None:
    board = await house.begin(slug, players=4)
    mover = house.mover(board)
    for person in house.people:
        told = await person.slash(f"/{slug} games")
        turn = "your turn" if person is mover else f"{mover.mention} is to move"
        assert f"#1 {GAMES[slug].title}" in told.text
        assert turn in told.text
        assert all(p.mention in told.text for p in house.people if p is not person)
        if person is not mover:
            pressed = house.start_pick(board, person, house.choices(board)[0])
            assert "not your turn" in (await pressed.acknowledged()).text
