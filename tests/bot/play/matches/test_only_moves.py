"""An only move is played and announced."""

from __future__ import annotations

import random

import pytest

from bot.play.boards import board_text
from bot.play.matches.offers import to_remove
from bot.play.matches.positions import MatchView, was_choice
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


async def begun(club: Club, slug: str, players: int) -> MatchView:
    """Begin a match of a game."""
    others = (BEN, CAROL, DAN)[: players - 1]
    return await club.begin_match(*others, game=slug, options=registry.game(slug).settle())


async def at_random(club: Club, view: MatchView, dice: random.Random) -> MatchView:
    """Have the player to move choose any move."""
    assert view.to_move is not None
    moves = view.game.legal_moves(view.state)
    assert len(moves) > 1, "a player without a choice is not asked"
    text = view.game.write(dice.choice(moves))
    return await play(club.matches, view.match.id, view.to_move.user_id, text)


async def log_of(club: Club, view: MatchView) -> tuple[Entry, ...]:
    """Return a match's log."""
    async with club.store.read() as tx:
        return await match_log.read(tx, view.match.id)


@pytest.mark.parametrize(("slug", "players"), TABLES)
async def test_forced_moves_are_never_asked_for_in_whole_matches(
    club: Club, slug: str, players: int
) -> None:
    view = await begun(club, slug, players)
    dice = random.Random(f"{slug} {players}")
    asked = 0
    while view.to_move is not None and asked < 150:
        view = await at_random(club, view, dice)
        asked += 1
        if dice.random() < 0.05:
            club.forget()  # like a crash
            view = await club.matches.view(1)
    log = await log_of(club, view)
    game = view.game
    entries = list(replay(game, [e.notation for e in log], view.match.options, players))
    for entry, shown in zip(log, entries, strict=True):
        actor = game.actor(shown.before)
        assert entry.actor == (None if actor is CHANCE else actor), "as if its player had played it"
    assert sum(was_choice(game, shown) for shown in entries) == asked
    if slug == "thaayam":
        assert any(game.only_move(shown.before) is not None for shown in entries)


async def test_the_throws_of_a_match_with_forced_moves_verify(club: Club) -> None:
    view = await begun(club, "thaayam", 2)
    dice = random.Random(3)
    while view.to_move is not None:
        view = await at_random(club, view, dice)
    assert verify(await record_of(club)) == ()


async def test_a_board_tells_forced_moves_in_one_line(club: Club) -> None:
    view = await begun(club, "thaayam", 4)
    dice = random.Random(5)
    for _ in range(40):
        forced = [p for p in view.last_turn if view.game.only_move(p.before) is not None]
        post = board_text.board(view)
        assert len(post.story) <= 6
        if len(view.last_turn) <= 6:
            lines = [line for line in post.story if line.endswith(" (only move).")]
            assert len(lines) == len(forced)
        view = await at_random(club, view, dice)


async def test_a_takeback_returns_to_the_choice_before_any_forced_moves(
    club: Club,
) -> None:
    view = await begun(club, "tablaaza", 2)
    dice = random.Random(1)
    many = 0
    while view.to_move is not None:
        before, mover = view, view.to_move
        view = await at_random(club, view, dice)
        if view.to_move is None:
            break
        removed = to_remove(view, mover.user_id)
        assert removed[0].before == before.state
        many += len(removed) > 1
    assert many or view.match.finished
