"""An only move is played and announced."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from bot.core.computers import COMPUTERS
from bot.play.boards import board_text
from bot.play.matches import match_text
from bot.play.matches.offers import to_remove
from bot.play.matches.positions import Position, was_choice
from data.matches import match_log
from data.matches.match import Entry
from engine import registry
from engine.game import CHANCE
from engine.replay import replay
from engine.verification import verify
from tests.bot.conftest import BEN, CAROL, Club
from tests.bot.play.matches.proofs import record_of
from tests.moves import play

DAN = 44
TABLES = [(slug, players) for slug, game in registry.games().items() for players in game.players]


async def begun(club: Club, slug: str, players: int) -> Position:
    """Begin a match of a game."""
    others = (BEN, CAROL, DAN)[: players - 1]
    return await club.begin_match(*others, game=slug, options=registry.game(slug).settle())


async def at_random(club: Club, position: Position, dice: random.Random) -> Position:
    """Have the player to move choose any move."""
    assert position.to_move is not None
    moves = position.game.legal_moves(position.state)
    assert len(moves) > 1, "a player without a choice is not asked"
    text = position.game.write(dice.choice(moves))
    return await play(club.matches, position.match.id, position.to_move.user_id, text)


async def log_of(club: Club, position: Position) -> tuple[Entry, ...]:
    """Return a match's log."""
    return await club.read(match_log.read, position.match.id)


@pytest.mark.parametrize(("slug", "players"), TABLES)
async def test_forced_moves_are_never_asked_for_in_whole_matches(
    club: Club, slug: str, players: int
) -> None:
    position = await begun(club, slug, players)
    dice = random.Random(f"{slug} {players}")
    asked = 0
    while position.to_move is not None and asked < 150:
        position = await at_random(club, position, dice)
        asked += 1
        if dice.random() < 0.05:
            club.forget()  # like a crash
            position = await club.matches.position(1)
    log = await log_of(club, position)
    game = position.game
    entries = list(replay(game, [e.notation for e in log], position.match.options, players))
    for entry, shown in zip(log, entries, strict=True):
        actor = game.actor(shown.before)
        assert entry.actor == (None if actor is CHANCE else actor), "as if its player had played it"
    assert sum(was_choice(game, shown) for shown in entries) == asked
    if slug == "thaayam":
        assert any(game.only_move(shown.before) is not None for shown in entries)


async def test_the_throws_of_a_match_with_forced_moves_verify(club: Club) -> None:
    position = await begun(club, "thaayam", 2)
    dice = random.Random(3)
    while position.to_move is not None:
        position = await at_random(club, position, dice)
    assert verify(await record_of(club)) == ()


async def test_a_board_tells_forced_moves_in_one_line(club: Club) -> None:
    position = await begun(club, "thaayam", 4)
    dice = random.Random(5)
    for _ in range(40):
        forced = [p for p in position.last_turn if position.game.only_move(p.before) is not None]
        post = board_text.board(position)
        assert len(post.story) <= 6
        if len(position.last_turn) <= 6:
            lines = [line for line in post.story if "(only move" in line]
            assert len(lines) == len(forced)
            for number, line in enumerate(lines):
                assert line.endswith("(only move)." if number else "(only move, so I played it).")
        position = await at_random(club, position, dice)


async def test_a_computers_only_move_is_told_like_any_other(club: Club) -> None:
    position = await begun(club, "thaayam", 2)
    dice = random.Random(5)
    for _ in range(40):
        forced = [p for p in position.last_turn if position.game.only_move(p.before) is not None]
        if forced:
            break
        position = await at_random(club, position, dice)
    computers = tuple(replace(p, user_id=min(COMPUTERS)) for p in position.match.players)
    alone = replace(position, match=replace(position.match, players=computers))
    assert "only move" in match_text.entry_line(position, forced[0])
    assert "only move" not in match_text.entry_line(alone, forced[0])


async def test_a_board_tells_a_series_of_throws_in_one_line(club: Club) -> None:
    position = await begun(club, "thaayam", 2)
    dice = random.Random(9)
    series = 0
    while position.to_move is not None:
        post = board_text.board(position)
        assert not [line for line in post.story if "throws on" in line]
        thrown = [p for p in position.last_turn if position.game.actor(p.before) is CHANCE]
        two = [(p.before, p.move) for p in thrown[-2:]]
        if len(two) > 1 and len(position.game.tell_throws(two, moved=False)) == 1:
            last = position.game.tell(thrown[-1].before, thrown[-1].move)
            series += any(line == f"{last}." for line in post.story)
        position = await at_random(club, position, dice)
    assert series


async def test_a_takeback_returns_to_the_choice_before_any_forced_moves(
    club: Club,
) -> None:
    position = await begun(club, "tablaaza", 2)
    dice = random.Random(1)
    many = 0
    while position.to_move is not None:
        before, mover = position, position.to_move
        position = await at_random(club, position, dice)
        if position.to_move is None:
            break
        removed = to_remove(position, mover.user_id)
        assert removed[0].before == before.state
        many += len(removed) > 1
    assert many or position.match.finished
