"""Long commands show progress in a terminal, and only results elsewhere."""

from __future__ import annotations

import io
import sys

import pytest

from ai.terminal import Progress


class Screen(io.StringIO):
    """A terminal."""

    def isatty(self) -> bool:
        """Return that lines can be overwritten."""
        return True


def wait_for(screen: io.StringIO, words: str) -> None:
    """Wait until words are shown."""
    while words not in screen.getvalue():
        pass


def test_progress_is_shown_on_stderr_and_results_go_to_stdout(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    screen = Screen()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("NO_COLOR", "1")
    with Progress("Games", 40) as progress:
        wait_for(screen, "Games: 0 of 40")
        progress.begin("tablut")
        progress.advance(20)
        wait_for(screen, "Games: 20 of 40 tablut")
        progress.print("level 2 against level 1: 80 %")
    assert capsys.readouterr().out == "level 2 against level 1: 80 %\n"
    assert screen.getvalue().endswith("\x1b[2K"), "the progress line is cleared"


def test_results_are_printed_above_the_progress_line(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setattr(sys, "stdout", screen)
    monkeypatch.setenv("TERM", "xterm")
    with Progress("Games", 40) as progress:
        wait_for(screen, "Games: ")
        progress.print("level [2] against level 1: 80 %")
        wait_for(screen, "level [2] against level 1: 80 %\n")
    assert "Games: " in screen.getvalue().partition("80 %\n")[2]


def test_a_file_receives_only_results(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = io.StringIO()
    monkeypatch.setattr(sys, "stderr", file)
    with Progress("Results", 3) as progress:
        progress.advance()
        progress.print("7 of 12")
    assert capsys.readouterr().out == "7 of 12\n"
    assert file.getvalue() == ""
