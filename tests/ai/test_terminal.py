"""Long commands tell how far they are, in a terminal and in a file."""

from __future__ import annotations

import io
import sys
from typing import TYPE_CHECKING

from ai import terminal
from ai.terminal import Progress

if TYPE_CHECKING:
    import pytest


class Screen(io.StringIO):
    """A terminal."""

    def isatty(self) -> bool:
        """Return that lines can be written over."""
        return True


def wait_for(screen: io.StringIO, words: str) -> None:
    """Wait until something was written."""
    while words not in screen.getvalue():
        pass


def test_a_line_moves_on_and_results_stand_above_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    screen = Screen()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setattr(terminal, "_TICK", 0.01)
    with Progress("Games", 40) as progress:
        wait_for(screen, "Games: 0 of 40")
        progress.begin("tablut")
        progress.advance(20)
        wait_for(screen, "Games: 20 of 40, tablut, 0 s, about 0 s left")
        progress.print("level 2 against level 1: 80 %")
    assert capsys.readouterr().out == "level 2 against level 1: 80 %\n"
    assert screen.getvalue().endswith("\r\x1b[K"), "nothing of it stays"


def test_a_file_gets_a_line_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    file = io.StringIO()
    monkeypatch.setattr(sys, "stderr", file)
    monkeypatch.setattr(terminal, "_TICK", 0.01)
    monkeypatch.setattr(terminal, "_RARELY", 0.02)
    with Progress("Results", 3) as progress:
        progress.advance()
        wait_for(file, "Results: 1 of 3")
    assert "\r" not in file.getvalue()
    assert "\x1b" not in file.getvalue()
