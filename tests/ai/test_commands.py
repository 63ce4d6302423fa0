"""The commands for working on computer players reject invalid requests."""

from __future__ import annotations

import pytest

from ai.__main__ import main


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ([], "required"),
        (["train"], "game"),
        (["train", "nothing"], "invalid choice"),
        (["strength", "nothing"], "has no fast board; these have:"),
    ],
)
def test_an_invalid_command_is_rejected_with_the_reason(
    arguments: list[str], text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert text in capsys.readouterr().err
