"""The line protocol: every command, and its error messages."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from engine.protocol import Conversation
from tests.toy import dropped_in

HOME = "bbbbbbbbbbbb/............/............/wwwwwwwwwwww"
ROOT = Path(__file__).parents[2]


def last_answer(*lines: str) -> str:
    """Return the answer to the last of some lines, without its terminating empty line."""
    conversation = Conversation()
    answers = [conversation.answer(line) for line in lines]
    assert answers[-1].endswith("\n\n")
    assert "\n\n" not in answers[-1][:-2]
    return answers[-1][:-2]


@pytest.mark.parametrize(
    ("lines", "answer"),
    [
        (["new tablan"], f"= {HOME} white start"),
        (["NEW Tablan rules=bell"], f"= {HOME} white start"),
        (["new tablan players=2", "position"], f"= {HOME} white start"),
        (["new tablan", f"position {HOME} black 2"], f"= {HOME} black 2"),
        (["new tablan", "actor"], "= chance"),
        (["new tablan", "play *1", "actor"], "= white"),
        (["new tablan", "odds"], "= *0:1/16 *1:1/4 *2:3/8 *3:1/4 *4:1/16"),
        (["new tablan", "play *1", "odds"], "= "),
        (["new tablan", "moves"], "= *0 *1 *2 *3 *4"),
        (["new tablan", "play *1", "moves"], "= k1-l2 l1-k2 l1-l2,k1-l1"),
        (["new tablan", "play *1", "play K1 - L2"], "= k1-l2"),
        (["new tablan", "outcome"], "= none"),
        (["new tablan", "perft 0"], "= 1"),
        (["new tablan", "perft 4"], "= 622"),
        (["new tablan rules=bell", "perft 4"], "= 485"),
        (["quit"], "= "),
    ],
)
def test_a_command_gets_an_answer(lines: list[str], answer: str) -> None:
    assert last_answer(*lines) == answer


OVER = ["new tablan", "position b..W......../..........W./............/.B.......... white 2"]


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("actor", "= none"),
        ("moves", "= "),
        ("odds", "= "),
        ("perft 3", "= 0"),
        ("outcome", "= white:1 black:2 White has finished with 2 men home, against 1"),
        ("play *1", "? GameOver The game is over: White has finished with 2 men home, against 1."),
    ],
)
def test_a_finished_game_has_nothing_to_play(line: str, answer: str) -> None:
    assert last_answer(*OVER, "play k3-l4", line) == answer


def test_games_lists_every_game() -> None:
    assert "tablan" in last_answer("games").split()
    with dropped_in():
        assert "dash" in last_answer("games").split()
        assert last_answer("new dash players=3") == "= 0,0 0,0 0,0 red -"


def test_help_lists_every_command() -> None:
    assert last_answer("help").split()[1:3] == ["games", "new"]


def test_quitting_ends_the_conversation() -> None:
    conversation = Conversation()
    conversation.answer("games")
    assert not conversation.over
    conversation.answer("quit")
    assert conversation.over


def test_the_board_is_shown_as_text() -> None:
    assert len(last_answer("new tablan", "show").splitlines()) > 4


@pytest.mark.parametrize(("asked", "names"), [("W13", "W13"), ("b3", "B3"), ("3", "W3 B3")])
def test_rules_are_found_by_name_or_number(asked: str, names: str) -> None:
    texts = last_answer("new tablan", f"rules {asked}").removeprefix("= ").splitlines()
    assert [line.split()[0] for line in texts] == names.split()


def test_all_rules_are_listed_one_per_line() -> None:
    assert len(last_answer("new tablan", "rules").splitlines()) == 33


@pytest.mark.parametrize(
    ("lines", "answer"),
    [
        (["hop"], "? BadCommand There is no command “hop”"),
        (["moves"], "? NothingStarted Start a game first"),
        (["position"], "? NothingStarted"),
        (["rules 3"], "? NothingStarted"),
        (["games please"], "? BadCommand games takes nothing"),
        (["new"], "? BadCommand Say which game"),
        (["new ludo"], "? BadOption There's no game “ludo”"),
        (["new tablan bell"], "? BadCommand “bell” is not written as option=value."),
        (["new tablan rules="], "? BadCommand “rules=”"),
        (["new tablan rules=murray"], "? BadOption “rules” can't be “murray”"),
        (["new tablan rules=bell rules=bell"], "? BadOption “rules” is said twice."),
        (["new tablan speed=fast"], "? BadOption Tablan has no option “speed”"),
        (["new tablan players=3"], "? BadOption Tablan is a game for 2 players, not 3."),
        (["new tablan players=two"], "? BadCommand “two” is not a number"),
        (["new tablan", "position nonsense"], "? BadPosition A position has three parts"),
        (["new tablan", "perft"], "? BadCommand Say how deep"),
        (["new tablan", "perft -1"], "? BadCommand “-1” is not a number"),
        (["new tablan", "perft 99"], "? BadCommand A depth of 99"),
        (["new tablan", "play"], "? BadCommand Say which move"),
        (["new tablan", "play hop"], "? BadNotation “hop” is not a move."),
        (["new thaayam", "play A1 to  b1"], "? BadNotation “A1 to b1” is not a move."),
        (["new tablan", "play k1-l2"], "? IllegalMove W3 "),
        (["new tablan", "play *1", "play k1-l1,l1-l2"], "? IllegalMove W12 "),
        (["new tablan", "play *1", "play *1"], "? IllegalMove W13 "),
        (["new tablan", "rules W99"], "? BadCommand Tablan has no rule W99. It has W1 to B12."),
    ],
)
def test_an_invalid_request_gets_an_error_that_says_what_to_do(
    lines: list[str], answer: str
) -> None:
    assert last_answer(*lines).startswith(answer)


def test_a_game_with_one_document_quotes_just_the_number() -> None:
    with dropped_in():
        assert last_answer("new dash", "play a+3").startswith("? IllegalMove 1 ")


def test_a_failed_command_changes_nothing() -> None:
    lines = ["new tablan", "play *1", "play a1-b1", "new ludo", "position x", "position"]
    assert last_answer(*lines) == f"= {HOME} white 2"


def test_blank_lines_and_comments_get_no_answer() -> None:
    conversation = Conversation()
    assert [conversation.answer(line) for line in ("", "  \n", "# hello")] == ["", "", ""]


def test_the_program_talks_on_standard_input_and_output() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "engine"],
        input="new tablan\nplay *1\nplay k1-l1\nquit\nmoves\n",
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=ROOT,
        check=True,
    )
    blocks = done.stdout.split("\n\n")
    assert blocks[0] == f"= {HOME} white start"
    assert blocks[1] == "= *1"
    assert blocks[2].startswith("? IllegalMove W13 ")
    assert blocks[3:] == ["= ", ""]
    assert done.stderr == ""


def test_the_program_prints_its_usage() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "engine", "dance"],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )
    assert done.returncode == 2
    assert "usage: python -m engine" in done.stderr
