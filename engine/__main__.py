"""Play in a terminal or from a program, or check the throws of an exported game.

python -m engine                 speaks the line protocol on standard input and output
python -m engine verify <file>   recomputes every throw of a record (docs/record.md)
python -m engine verify <file> <fingerprint>
                                 the same, against the fingerprint you noted from the challenge,
                                 or from the announcement of the tournament
"""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from io import TextIOWrapper
from pathlib import Path
from typing import Final

from engine.errors import BadRecord
from engine.luck import FINGERPRINT, commitment
from engine.output import quietly
from engine.protocol import Conversation
from engine.record import read
from engine.verification import verify

_USAGE: Final = "usage: python -m engine [verify <file> [<fingerprint>]]"

_NOTED: Final = re.compile(rf"[0-9a-f]{{{FINGERPRINT},64}}")
"""A fingerprint as noted: the part a challenge shows, or all of it. Its spoiler marks are left out."""


def main(arguments: list[str]) -> int:
    """Run the program and return its exit status."""
    match arguments:
        case []:
            return _converse()
        case ["verify", path]:
            return _verify(Path(path))
        case ["verify", path, noted] if _NOTED.fullmatch(digits := noted.lower().replace("|", "")):
            return _verify(Path(path), digits)
        case _:
            print(_USAGE, file=sys.stderr)
            return 2


def _converse() -> int:
    conversation = Conversation()
    for line in sys.stdin:
        print(conversation.answer(line), end="", flush=True)
        if conversation.over:
            break
    return 0


def _verify(path: Path, noted: str | None = None) -> int:
    try:
        record = read(path.read_text(encoding="utf-8"))
    except OSError as error:
        print(f"{path} cannot be read: {error.strerror}.", file=sys.stderr)
        return 2
    except UnicodeDecodeError:
        print(f"{path} is not a text in UTF-8.", file=sys.stderr)
        return 2
    except BadRecord as error:
        print(f"{path} is not a record: {error.sentence}", file=sys.stderr)
        return 2
    own = record.seed is not None and commitment(record.seed).startswith(noted or "")
    if noted is not None and record.tournament_commitment is not None and not own:
        record = replace(record, tournament_commitment=noted)
    elif noted is not None:
        record = replace(record, commitment=noted)
    findings = verify(record)
    for finding in findings:
        print(finding)
    if not findings:
        print(f"All is as it must be in match {record.match} of {record.game}.")
        if record.seed is not None:
            words = len(record.words)
            print(
                f"Every throw follows from the seed, the challenge and the players' words ({words})."
            )
    return 1 if findings else 0


if __name__ == "__main__":
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="replace")
    sys.exit(quietly(lambda: main(sys.argv[1:])))
