"""Fair throws: exact odds, reproducible with the seed and unpredictable without it."""

from __future__ import annotations

import hashlib
import hmac
import math
from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.luck import MAX_WORD, Luck, commitment, word_of
from tests.contract.games import STEADY

SEED = bytes(range(32))
LUCK = Luck(SEED, "17", ("one", "two"))
STICKS = {plain: Fraction(math.comb(4, plain), 16) for plain in range(5)}


def test_the_commitment_is_the_sha256_of_the_seed() -> None:
    assert commitment(SEED) == hashlib.sha256(SEED).hexdigest()


def test_a_draw_can_be_recomputed_by_hand() -> None:
    digest = hmac.new(SEED, b"17\n5\n0\none\ntwo", hashlib.sha256).digest()
    number = int.from_bytes(digest, "big") % 16
    by_hand = next(n for n in range(5) if number < sum(math.comb(4, k) for k in range(n + 1)))
    assert LUCK.draw("5", STICKS) == by_hand


@pytest.mark.parametrize(
    ("typed", "word"),
    [
        ("  two   words\n", "two words"),
        ("", ""),
        ("`code`", "code"),
        ("\u202egnp.exe", "gnp.exe"),
        ("a\0b\ufeffc", "abc"),
        ("e\u0301", "é"),
        ("x" * 100, "x" * MAX_WORD),
        ("x" * (MAX_WORD - 1) + " y", "x" * (MAX_WORD - 1)),
        ("मेरा शब्द", "मेरा शब्द"),
        ("<@11> **|**", "<@11> **|**"),
    ],
)
def test_a_word_is_one_short_line_of_visible_text(typed: str, word: str) -> None:
    assert word_of(typed) == word


@given(typed=st.text(max_size=60))
def test_cleaning_a_word_twice_changes_nothing(typed: str) -> None:
    word = word_of(typed)
    assert word_of(word) == word
    assert len(word) <= MAX_WORD
    assert "\n" not in word


def test_different_words_never_give_the_same_draw() -> None:
    faces = {n: Fraction(1, 1000) for n in range(1000)}
    draws = [
        Luck(SEED, "17", words).draw("5", faces)
        for words in (("a", "b"), ("a|b", ""), ("a", "|b"), ("", "ab"), ("ab", ""), ("a b", ""))
    ]
    assert len(set(draws)) == len(draws)


def test_every_part_of_a_draw_matters() -> None:
    faces = {n: Fraction(1, 1000) for n in range(1000)}
    draws = {
        LUCK.draw("5", faces),
        LUCK.draw("6", faces),
        Luck(SEED[::-1], "17", ("one", "two")).draw("5", faces),
        Luck(SEED, "18", ("one", "two")).draw("5", faces),
        Luck(SEED, "17", ("two", "one")).draw("5", faces),
    }
    assert len(draws) == 5


def test_throws_match_their_odds() -> None:
    thrown = Counter(LUCK.draw(str(n), STICKS) for n in range(8000))
    squares = sum(
        (thrown[plain] - 8000 * chance) ** 2 / (8000 * chance) for plain, chance in STICKS.items()
    )
    assert squares < 18.5  # chi-square with four degrees of freedom: 99.9 % of seeds pass


@pytest.mark.parametrize("odds", [{1: Fraction(1, 2)}, {1: Fraction(2, 3), 2: Fraction(2, 3)}])
def test_odds_that_do_not_sum_to_one_are_refused(odds: dict[int, Fraction]) -> None:
    with pytest.raises(ValueError, match="sum to 1"):
        LUCK.draw("1", odds)


@STEADY
@given(parts=st.lists(st.integers(0, 9), min_size=1).filter(any), counter=st.text(max_size=5))
def test_a_draw_never_gives_an_outcome_without_a_chance(parts: list[int], counter: str) -> None:
    odds = {n: Fraction(part, sum(parts)) for n, part in enumerate(parts)}
    assert parts[LUCK.draw(counter, odds)]


def test_all_seat_orders_are_equally_likely() -> None:
    dealt = Counter(LUCK.shuffle(str(n), "abc") for n in range(3000))
    assert len(dealt) == 6
    assert all(420 < often < 580 for often in dealt.values())


def test_numbers_that_would_favour_some_outcome_are_drawn_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    answers = [bytes([255] * 32), bytes(31) + b"\x04"]
    monkeypatch.setattr("engine.luck.hmac.digest", lambda *_: answers.pop(0))
    thirds = {n: Fraction(1, 3) for n in range(3)}
    assert LUCK.draw("1", thirds) == 1
    assert not answers


def test_the_seed_is_not_shown() -> None:
    assert SEED.hex() not in repr(LUCK)
    assert repr(SEED) not in repr(LUCK)
