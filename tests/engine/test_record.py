"""Records: written, read strictly, verified throw by throw."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from engine import registry
from engine.__main__ import main
from engine.errors import BadRecord
from engine.game import CHANCE
from engine.headers import GaveUp
from engine.luck import Luck, commitment, derived, fingerprint
from engine.record import MAX_ENTRIES, MAX_THROWS, Record, line_of, read, write
from engine.verification import verify
from tests.contract.games import whole_game

TABLAN = registry.game("tablan")
SEED = bytes(range(32))
WORDS = ("two words", 'a "quoted" \\ one | and ☃')
"""The words the players add, by their ids: 1001, 1002."""
MATCH, CHALLENGE = "17", "12"


def honest(
    *,
    rules: str = "walker",
    words: tuple[str, str] = WORDS,
    seed: bytes = SEED,
    challenge: str = CHALLENGE,
) -> Record:
    """Return a whole game with its seed's throws, in which players take the first legal move."""
    luck = Luck(seed, challenge, words)
    options = TABLAN.settle({"rules": rules})
    state = TABLAN.initial(options)
    log: list[str] = []
    while TABLAN.outcome(state) is None:
        if TABLAN.actor(state) is CHANCE:
            move = luck.draw(str(len(log) + 1), TABLAN.odds(state))
        else:
            move = TABLAN.legal_moves(state)[0]
        log.append(TABLAN.write(move))
        state = TABLAN.after(state, move)
    outcome = TABLAN.outcome(state)
    assert outcome is not None
    users = ("1001", "1002")
    seated = dict(zip(luck.shuffle("seats", users), ("white", "black"), strict=True))
    order = tuple(seated[user] for user in users)
    typed = zip(order, words, strict=True)
    return Record(
        game="tablan",
        rules_version=1,
        match=MATCH,
        seats=("white", "black"),
        log=tuple(log),
        options=tuple(options.items()),
        ids=tuple(
            (seat, user) for user, seat in sorted(seated.items(), key=lambda i: i[1] == "black")
        ),
        challenge=challenge,
        order=order,
        words=tuple((seat, word) for seat, word in typed if word),
        drawn=("white", "black"),
        commitment=commitment(seed),
        seed=seed,
        ranks=outcome.ranks,
        reason=outcome.reason,
    )


RECORD = honest()
SITS = dict(RECORD.ids)
TEXT = write(RECORD)


@pytest.mark.parametrize("rules", ["walker", "bell"])
def test_a_record_is_read_as_written(rules: str) -> None:
    record = honest(rules=rules)
    assert read(write(record)) == record
    assert write(read(write(record))) == write(record)


def test_days_and_takebacks_are_part_of_a_record() -> None:
    record = replace(RECORD, started="2026-11-19", ended="2026-11-21", takebacks=3)
    text = write(record)
    assert '[Started "2026-11-19"]\n[Ended "2026-11-21"]\n[Takebacks "3"]\n' in text
    assert read(text) == record
    assert verify(record) == ()


def test_each_turn_may_have_its_own_line() -> None:
    text = write(RECORD, breaks=(1, 4, 9))
    body = text.split("\n\n")[1].splitlines()
    assert [line.split()[0] for line in body[:3]] == ["1.", "4.", "9."]
    assert read(text) == RECORD
    assert write(read(text), breaks=(1, 4, 9)) == text
    assert write(replace(RECORD, log=()), breaks=()).endswith("]\n\n")


def test_comments_and_a_byte_order_mark_are_skipped() -> None:
    first, second = RECORD.log[:2]
    noted = TEXT.replace(f"1. {first} 2.", f"1. {first} {{a throw,\n7. not counted}} 2.", 1)
    assert noted != TEXT
    assert read("\ufeff" + noted) == RECORD
    assert second in noted


def test_an_entrys_line_is_found_with_any_line_endings() -> None:
    lines = TEXT.splitlines()
    for ply in (1, 2, len(RECORD.log) // 2, len(RECORD.log)):
        wanted = next(n for n, line in enumerate(lines, 1) if f" {ply}. " in f" {line} "[:-1] + " ")
        assert line_of(TEXT, ply) == wanted
        assert line_of(TEXT.replace("\n", "\r\n"), ply) == wanted
        assert line_of("\n\n" + TEXT, ply) == wanted + 2
    assert line_of(TEXT, len(RECORD.log) + 1) is None
    first = line_of(TEXT, 1)
    assert first is not None
    assert line_of(TEXT.replace("1. ", "{ 1. }\n1. ", 1), 1) == first + 1


def test_a_record_needs_only_a_game_a_match_and_seats() -> None:
    bare = Record("tablan", 1, "5", ("white", "black"), ())
    assert read(write(bare)) == bare


def test_lines_are_short_and_the_seed_is_not_in_the_repr() -> None:
    assert all(len(line) < 80 for line in TEXT.split("\n\n")[1].splitlines())
    assert SEED.hex() not in repr(RECORD)


def test_windows_line_endings_do_no_harm() -> None:
    assert read(TEXT.replace("\n", "\r\n")) == RECORD


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        (TEXT, "", "is not a header"),
        ('[Record "1"]', "Record 1", "is not a header"),
        ('[Record "1"]', '[Record "2"]', "format 2"),
        ('[Record "1"]', '[Record "1"]\n[Record "1"]', "“Record” appears twice"),
        ('[Record "1"]', '[Record "1"]\n[Colour "red"]', "no header “Colour”"),
        ('[Match "17"]\n', "", "“Match” is missing"),
        ('[Match "17"]', '[Match "1"7"]', "is not a header"),
        (f'[Reason "{RECORD.reason}"]\n', "", "belong together"),
        ('[RulesVersion "1"]', '[RulesVersion "one"]', "version of the rules"),
        ('[Seats "white black"]', '[Seats "white white"]', "every seat once"),
        (f'[Id "white={SITS["white"]}', '[Id "red=1001', "one of the seats"),
        (f'[Id "white={SITS["white"]}"]\n', "", "not given for every seat"),
        (f'[Id "black={SITS["black"]}', '[Id "white=1002', "twice for white"),
        ('[Word "white=', '[Salt "white=', "no header “Salt”"),
        ('[Word "white=', '[Word "red=', "one of the seats"),
        ('[Word "white=', '[Word "black=', "twice for black"),
        ('[Word "white=', '[Word "white= ', "isn't a word that a player can add"),
        ('[Word "white=', '[Word "white=\\n', "isn't a word that a player can add"),
        ('[Word "white=', f'[Word "white={"x" * 32}', "isn't a word that a player can add"),
        ('[Order "', '[Order "white ', "under Order does not name every seat once"),
        ('"rules=walker"', '"rules"', "an option"),
        ('[Drawn "white black"]', '[Drawn "black white"]', "in their order"),
        (SEED.hex(), SEED.hex().upper(), "64 hexadecimal"),
        (commitment(SEED), "beef", "64 hexadecimal"),
        ("[Reason ", "[Cause ", "no header “Cause”"),
        ("[Reason ", '[Started "yesterday"]\n[Reason ', "a day like"),
        ("[Reason ", '[Takebacks "-1"]\n[Reason ', "whole number"),
        ("[Reason ", f'[Takebacks "{"9" * 5000}"]\n[Reason ', "whole number"),
        ('[RulesVersion "1"]', f'[RulesVersion "{"9" * 5000}"]', "version of the rules"),
        ('[Match "17"]', '[Match "\\ud800"]', "is not a header"),
        ('[Result "white:', '[Result "red:', "its rank"),
        ("\n1. ", "\n2. ", "where “1.” belongs"),
        (" 3. ", " 4. ", "where “3.” belongs"),
    ],
)
def test_a_text_that_is_not_a_record_is_refused_with_the_reason(
    old: str, new: str, why: str
) -> None:
    assert old in TEXT
    with pytest.raises(BadRecord, match=why):
        read(TEXT.replace(old, new, 1))


def test_the_error_for_a_truncated_log_says_where() -> None:
    text = write(replace(RECORD, log=RECORD.log[:2])).rstrip() + " 3."
    with pytest.raises(BadRecord, match="Entry 3") as caught:
        read(text)
    assert caught.value.ply == 3


def test_an_honest_record_has_no_discrepancy() -> None:
    assert verify(RECORD) == ()


def forged(record: Record, throws: dict[str, str]) -> Record:
    """Return a record with the first occurrence of a throw replaced."""
    ((old, new),) = throws.items()
    ply = record.log.index(old)
    return replace(record, log=(*record.log[:ply], new, *record.log[ply + 1 :]))


def test_a_forged_throw_is_reported_with_the_true_one() -> None:
    start = RECORD.log.index("*1")
    assert start > 0
    first = RECORD.log[0]
    other = "*3" if first != "*3" else "*2"
    found = verify(replace(RECORD, log=(other, *RECORD.log[1:])))
    assert found == (f"Throw 1 reads {other}, but the seed gives {first}.",)


def test_a_seed_that_does_not_match_the_commitment_is_reported() -> None:
    found = verify(replace(RECORD, seed=SEED[::-1]))
    assert "not the one that was committed to" in found[0]
    assert len(found) > 1


def test_wrongly_dealt_seats_are_reported() -> None:
    turned = RECORD.order[::-1]
    words = tuple(zip(turned, (word for _, word in RECORD.words), strict=True))
    (found,) = verify(replace(RECORD, order=turned, words=words, ids=()))
    assert "the player on black should have had white" in found


def test_players_not_in_the_order_of_their_ids_are_reported() -> None:
    """Otherwise the operator could choose an order once the words were typed."""
    turned = tuple(zip(SITS, reversed(SITS.values()), strict=True))
    found = verify(replace(RECORD, ids=turned))
    assert found == ("The players don't enter the draws in the order of their IDs.",)


@pytest.mark.parametrize("words", [("", ""), ("mine", ""), ("", "yours"), ("mine", "yours")])
def test_words_are_optional_and_each_changes_the_throws(words: tuple[str, str]) -> None:
    record = honest(words=words)
    assert len(record.words) == sum(map(bool, words))
    assert verify(read(write(record))) == ()
    if any(words):
        assert record.log != honest(words=("", "")).log
        assert verify(replace(record, words=()))


def test_a_match_without_words_has_no_word_headers() -> None:
    plain = honest(words=("", ""))
    assert "[Word" not in write(plain)
    assert verify(read(write(plain))) == ()
    assert any("the seed gives" in found for found in verify(replace(plain, words=RECORD.words)))


@pytest.mark.parametrize(
    "changes",
    [
        {"words": (("white", "mine"), ("black", "yours"))},
        {"words": RECORD.words[:1]},
        {"challenge": "13"},
    ],
)
def test_a_record_whose_fixed_details_were_changed_does_not_verify(
    changes: dict[str, object],
) -> None:
    found = verify(replace(RECORD, **changes))  # type: ignore[arg-type]  # any field, any value
    assert any("the seed gives" in sentence for sentence in found)


def test_the_match_number_does_not_affect_its_throws() -> None:
    for number in (1, 2, 3, 10, 199, 2**31, 2**63):
        assert verify(replace(RECORD, match=str(number))) == ()


def test_a_game_without_luck_has_nothing_to_reveal() -> None:
    record = Record("tablut", 1, "5", registry.game("tablut").seat_names, ())
    assert verify(record) == ()


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"seed": None}, "has not been revealed"),
        ({"commitment": None}, "There is no commitment"),
        ({"order": ()}, "draws can't be checked"),
        ({"challenge": ""}, "draws can't be checked"),
        ({"drawn": (), "log": ("*2", "hop")}, "Entry 2"),
        ({"game": "ludo"}, "no game “ludo”"),
        ({"rules_version": 9}, "version 9 of the rules"),
        ({"seats": ("black", "white")}, "not played by black, white"),
        ({"options": (("rules", "murray"),)}, "can't be “murray”"),
        ({"log": ("*2", "hop")}, "Entry 2"),
        ({"ranks": (), "reason": ""}, "the record gives no result"),
        ({"ranks": (1, 1)}, "the record gives another result"),
    ],
)
def test_any_other_error_is_reported_in_a_sentence(changes: dict[str, object], why: str) -> None:
    found = verify(replace(RECORD, **changes))  # type: ignore[arg-type]  # any field, any value
    assert any(why in sentence for sentence in found)


def test_a_resigned_game_may_have_any_result() -> None:
    log = RECORD.log[:20]
    assert verify(replace(RECORD, log=log, ranks=(2, 1), reason="white resigned")) == ()


def test_the_program_verifies_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "match.txt"
    path.write_text(TEXT, encoding="utf-8")
    assert main(["verify", str(path)]) == 0
    copied = f"{fingerprint(SEED)[:8]}||{fingerprint(SEED)[8:]}||"
    for noted in (fingerprint(SEED), commitment(SEED), copied):
        assert main(["verify", str(path), noted]) == 0
    assert main(["verify", str(path), "0" * 32]) == 1
    assert main(["verify", str(path), fingerprint(SEED)[:-1]]) == 2, "too short to prove anything"
    assert "All is as it must be" in capsys.readouterr().out
    path.write_text(TEXT.replace(SEED.hex(), SEED[::-1].hex()), encoding="utf-8")
    assert main(["verify", str(path)]) == 1
    assert "committed to" in capsys.readouterr().out


def test_a_record_may_use_the_fingerprint_shown_in_a_challenge() -> None:
    short = read(TEXT.replace(commitment(SEED), fingerprint(SEED)))
    assert verify(short) == ()
    wrong = replace(short, commitment=fingerprint(SEED)[:-1] + "x")
    assert "committed to" in verify(wrong)[0]


OF_ALL = bytes(range(32, 64))
GAME = "tournament 3, round 2, table 5, game 1"


def game_of_a_tournament() -> Record:
    """Return the record of a tournament's game, whose seed derives from the tournament's."""
    whole = honest(seed=derived(OF_ALL, GAME), challenge=GAME)
    return replace(whole, tournament_commitment=commitment(OF_ALL), tournament_seed=OF_ALL)


def test_the_seed_of_a_tournaments_game_follows_from_the_tournaments() -> None:
    record = game_of_a_tournament()
    assert read(write(record)) == record
    assert OF_ALL.hex() not in repr(record)
    assert verify(record) == ()
    (secret,) = verify(replace(record, tournament_seed=None))
    assert "not been revealed yet" in secret
    (other,) = verify(replace(record, tournament_seed=SEED))
    assert "not the one that was committed to" in other
    (unrelated,) = verify(
        replace(record, tournament_seed=SEED, tournament_commitment=commitment(SEED))
    )
    assert "doesn't follow" in unrelated
    (moved,) = {
        one
        for one in verify(replace(record, challenge=GAME.replace("table 5", "table 6")))
        if "Throw" not in one and "seats" not in one
    }
    assert "doesn't follow" in moved


def test_the_fingerprint_of_a_tournament_proves_its_games(tmp_path: Path) -> None:
    record, path = game_of_a_tournament(), tmp_path / "match.txt"
    assert record.seed is not None
    path.write_text(write(record), encoding="utf-8")
    for seed in (OF_ALL, record.seed):
        assert main(["verify", str(path), fingerprint(seed)]) == 0
        assert main(["verify", str(path), commitment(seed)]) == 0
    assert main(["verify", str(path), fingerprint(SEED)]) == 1


@pytest.mark.parametrize(
    ("content", "why"),
    [(None, "cannot be read"), (b"\xff\xfe", "UTF-8"), (b"hello", "is not a record")],
)
def test_the_program_says_why_a_file_cannot_be_verified(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes | None, why: str
) -> None:
    path = tmp_path / "match.txt"
    if content is not None:
        path.write_bytes(content)
    assert main(["verify", str(path)]) == 2
    assert why in capsys.readouterr().err


def test_the_example_in_the_docs_is_a_valid_record() -> None:
    page = (Path(__file__).parents[2] / "docs" / "record.md").read_text(encoding="utf-8")
    example = read(page.split("```")[1])
    assert write(example) == page.split("```")[1].lstrip()
    assert verify(example) == ()


@pytest.mark.parametrize("slug", registry.games())
def test_no_match_comes_close_to_the_limits_of_a_record(slug: str) -> None:
    game = registry.game(slug)
    for players in game.players:
        steps, _ = whole_game(game, "bounds", game.settle(), players)
        assert len(steps) < MAX_ENTRIES / 2
        throws = "".join("t" if game.actor(step.state) is CHANCE else " " for step in steps)
        assert max(map(len, throws.split()), default=0) < MAX_THROWS / 4


def three(**changes: object) -> Record:
    """Return a record of an unfinished game for three."""
    record = Record("thaayam", 1, "5", ("red", "green", "yellow"), ("*1", "*2", "*3", "*4"))
    return replace(record, **changes)  # type: ignore[arg-type]


def test_a_forfeited_seat_is_written_to_the_record_and_read_back() -> None:
    given = (GaveUp("green", 2, "resigned"), GaveUp("red", 2, "left"))
    text = write(three(gave_up=given))
    assert '[GaveUp "green=2 resigned"]\n[GaveUp "red=2 left"]' in text
    assert read(text).gave_up == given
    assert write(read(text)) == text


@pytest.mark.parametrize(
    "headers",
    [
        ("green=5 resigned",),
        ("blue=2 resigned",),
        ("green 2 resigned",),
        ("green=-1 resigned",),
        ("green=2 bored",),
        ("green=2",),
        ("green=2 left", "green=3 left"),
        ("green=3 left", "red=2 left"),
        ("green=1 left", "red=2 left", "yellow=3 left"),
        ("green=" + "9" * 400 + " left",),
    ],
)
def test_an_impossible_forfeited_seat_is_refused(headers: tuple[str, ...]) -> None:
    text = write(three())
    output = "".join(f'[GaveUp "{header}"]\n' for header in headers)
    with pytest.raises(BadRecord):
        read(text.replace("\n\n", f"\n{output}\n", 1))
