"""What the throws of a match depend on, and that they depend on nothing else."""

from __future__ import annotations

import asyncio
import math
import re
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from bot.core.errors import ChallengeGone, NotForYou
from bot.features.challenges.invitations import against
from bot.play.matches.luck import luck_of
from bot.play.matches.positions import Position
from bot.play.matches.verification import proof
from data.challenges.challenges import Challenge
from data.matches import match_log, matches
from data.store.store import Store
from engine import record
from engine.luck import MAX_WORD, Luck
from engine.verification import verify
from tests.bot.conftest import ANN, BEN, CAROL, Club
from tests.bot.play.matches.proofs import record_of
from tests.data.people import a_match
from tests.databases import copy_sqlite
from tests.moves import play_on

MOVES = 12
STICKS = {plain: Fraction(math.comb(4, plain), 16) for plain in range(5)}


@asynccontextmanager
async def another_club(template: Path, path: Path) -> AsyncIterator[Club]:
    """Open a separate club that draws the same seeds."""
    copy_sqlite(template, path)
    store = await Store.open(f"sqlite:///{path}")
    yield Club(store)
    await store.close()


async def played(club: Club, position: Position) -> tuple[object, ...]:
    """Play the first legal moves; return the seats, and the log with its throws."""
    for _ in range(MOVES):
        if position.to_move is None:
            break
        text = position.game.write(position.game.legal_moves(position.state)[0])
        position = await play_on(club.matches, position, text)
    log = await club.read(match_log.read, position.match.id)
    seats = tuple(player.user_id for player in position.match.players)
    return seats, tuple(entry.notation for entry in log)


async def begun(club: Club, ann: str = "", ben: str = "") -> Position:
    """Begin a match with words."""
    invitation = replace(club.invitation(BEN), word=ann)
    _, position = await club.accept((await club.challenges.offer(invitation)).id, BEN, ben)
    assert position is not None
    return position


async def test_throws_do_not_depend_on_a_matchs_number_or_time(
    club: Club, migrated_sqlite: Path, tmp_path: Path
) -> None:
    here = await played(club, await begun(club, "geese", "mill"))
    async with another_club(migrated_sqlite, tmp_path / "other.db") as other:
        other.wait(days=400, seconds=0.123)
        async with other.store.write() as tx:
            for _ in range(41):  # the match number differs
                await matches.add(tx, a_match(game="tablan"))
        offered = await other.challenges.offer(
            replace(other.invitation(BEN), word="geese", channel_id=77, guild_id=78)
        )
        await other.challenges.set_message(offered.id, 987654321)
        other.wait(days=1)
        _, position = await other.accept(offered.id, BEN, "mill")
        assert position is not None
        assert position.match.id == 42
        other.forget()
        assert await played(other, position) == here


@pytest.mark.parametrize("words", [("", ""), ("mill", "geese"), ("geese", ""), ("", "geese")])
async def test_changing_either_players_word_changes_the_throws(
    club: Club, migrated_sqlite: Path, tmp_path: Path, words: tuple[str, str]
) -> None:
    _, here = await played(club, await begun(club, "geese", "mill"))
    async with another_club(migrated_sqlite, tmp_path / "other.db") as other:
        _, there = await played(other, await begun(other, *words))
    assert there != here


async def test_an_operator_gains_nothing_by_trying_match_numbers(club: Club) -> None:
    """Trying 18,350 ids once made five of six first throws an 8 or a 12."""
    match = (await begun(club, "geese", "mill")).match

    def first_six(source: Luck) -> tuple[int, ...]:
        return tuple(source.draw(str(ply), STICKS) for ply in range(1, 7))

    tried = {
        first_six(luck_of(replace(match, id=number, channel_id=number, created_at=at)))
        for number in range(300)
        for at in [club.clock()]
    }
    assert len(tried) == 1

    # A word unknown when the seed is sealed makes every throw as likely as it should be.
    words = [
        luck_of(replace(match, players=(replace(match.players[0], word=str(n)), match.players[1])))
        for n in range(4000)
    ]
    for at_one_ply in zip(*map(first_six, words), strict=True):
        thrown = Counter(at_one_ply)
        squares = sum(
            (thrown[plain] - 4000 * chance) ** 2 / (4000 * chance)
            for plain, chance in STICKS.items()
        )
        assert squares < 18.5  # chi-square with four degrees of freedom: 999 of 1000 pass


async def test_the_seed_is_drawn_before_anyone_accepts_and_never_changes(club: Club) -> None:
    offered = await club.challenges.offer(club.invitation(BEN))
    await club.challenges.set_word(offered.id, ANN, "later")
    _, position = await club.accept(offered.id, BEN, "mine")
    assert position is not None
    assert (position.match.seed, position.match.challenge_id) == (offered.seed, offered.id)
    assert {p.user_id: p.word for p in position.match.players} == {ANN: "later", BEN: "mine"}
    with pytest.raises(ChallengeGone, match="match #1"):
        await club.challenges.set_word(offered.id, ANN, "too late")
    with pytest.raises(ChallengeGone, match="match #1"):
        await club.challenges.check_word(offered.id, BEN)


async def three(club: Club) -> Challenge:
    """Have Ann challenge Ben and anyone else to Thaayam."""
    invitation = replace(club.invitation(BEN), game="thaayam", places=3, word="one")
    return await club.challenges.offer(invitation)


async def test_three_players_words_are_used_and_verified_in_order_of_their_ids(
    club: Club,
) -> None:
    offered = await three(club)
    await club.accept(offered.id, CAROL, "three")
    _, position = await club.accept(offered.id, BEN, "two")
    assert position is not None
    ordered = sorted(position.match.players, key=lambda player: player.draw_order)
    assert [player.user_id for player in ordered] == [ANN, BEN, CAROL]
    assert luck_of(position.match).words == ("one", "two", "three")
    await club.matches.resign(position.match.id, ANN)
    await club.matches.resign(position.match.id, BEN)
    kept = await record_of(club, position.match.id)
    assert [word for _, word in kept.words] == ["one", "two", "three"]
    assert verify(kept) == ()
    assert verify(replace(kept, words=kept.words[::-1][:2]))


async def test_only_participants_can_set_a_word_and_leaving_removes_it(
    club: Club,
) -> None:
    other = await club.challenges.offer(club.invitation(BEN))
    for attempt in (
        club.challenges.check_word(other.id, CAROL),
        club.challenges.set_word(other.id, CAROL, "mine"),
    ):
        with pytest.raises(NotForYou):
            await attempt
    offered = await three(club)
    with pytest.raises(NotForYou):
        await club.challenges.set_word(offered.id, BEN, "not yet")
    await club.accept(offered.id, BEN, "two")
    changed = await club.challenges.set_word(offered.id, BEN, "  2  ")
    assert changed.of(BEN).word == "2"  # type: ignore[union-attr]
    left = await club.challenges.leave(offered.id, BEN)
    assert left.of(BEN).word is None  # type: ignore[union-attr]
    await club.accept(offered.id, BEN, "")
    await club.accept(offered.id, CAROL, "")
    with pytest.raises(ChallengeGone):
        await club.challenges.check_word(offered.id, 99)


async def test_a_word_added_during_an_acceptance_leaves_a_match_that_verifies(
    club: Club,
) -> None:
    offered = await club.challenges.offer(club.invitation(BEN))
    answers = await asyncio.gather(
        club.challenges.set_word(offered.id, ANN, "first"),
        club.challenges.accept(offered.id, BEN, "mine"),
        club.challenges.set_word(offered.id, ANN, "late"),
        club.challenges.accept(offered.id, BEN, "mine again"),
        return_exceptions=True,
    )
    refused = [answer for answer in answers if isinstance(answer, Exception)]
    assert refused
    assert all(isinstance(error, ChallengeGone) for error in refused)
    await club.matches.resign(1, ANN)
    assert verify(await record_of(club)) == ()


async def test_a_word_is_short_and_one_line_whatever_was_typed(club: Club) -> None:
    invitation = replace(club.invitation(BEN), word="`a`\n" + "x" * 100)
    offered = await club.challenges.offer(invitation)
    word = offered.invited[0].word
    assert word == ("a " + "x" * 100)[:MAX_WORD]


async def test_a_practice_match_uses_its_players_word(club: Club) -> None:
    invitation = against(replace(club.invitation(), word="alone"), 1, None)
    started = await club.challenges.practise(invitation)
    assert started.match_id is not None
    position = await club.matches.position(started.match_id)
    assert sorted(player.word for player in position.match.players) == ["", "alone"]
    await club.matches.resign(started.match_id, ANN)
    kept = await record_of(club, started.match_id)
    assert '=alone"]' in record.write(kept)
    assert verify(kept) == ()


async def test_a_rematch_has_a_new_sealed_seed_and_accepts_words(club: Club) -> None:
    first = await begun(club)
    await club.matches.resign(first.match.id, ANN)
    over = (await club.matches.position(first.match.id)).match
    challenge = await club.challenges.ask_rematch(over, BEN)
    assert challenge.seed != over.seed
    await club.challenges.set_word(challenge.id, BEN, "again")
    _, position = await club.accept(challenge.id, ANN, "gladly")
    assert position is not None
    assert sorted(player.word for player in position.match.players) == ["again", "gladly"]


async def test_a_game_without_luck_has_no_words_and_shows_no_seed(club: Club) -> None:
    invitation = replace(club.invitation(BEN), game="tablut", word="nothing")
    offered = await club.challenges.offer(invitation)
    _, position = await club.accept(offered.id, BEN, "neither")
    assert position is not None
    assert {player.word for player in position.match.players} == {""}
    running = (await proof(club.store, position.match.id)).words
    await club.matches.resign(position.match.id, ANN)
    found = await proof(club.store, position.match.id)
    assert found.record is not None
    for text in (running, found.words, found.record):
        assert position.match.commitment not in text
        assert position.match.seed.hex() not in text
    assert "✓ Every move follows the rules." in found.words
    for text in (running, found.words):
        assert not re.search("throw|seed|luck", text)
    assert verify(record.read(found.record)) == ()
