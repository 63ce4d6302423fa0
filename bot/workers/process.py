"""A process that thinks: ``python -m bot.workers.process <module> <folders of games>``.

It reads a request a line from its input, JSON such as ``{"chore": "think", "with": {…}}``, and
writes an answer a line: ``{"said": …}`` or ``{"error": "…"}``. It ends with whoever started it.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
import threading
import traceback
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, Final

import engine.games

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

READY: Final = "ready"
"""What it says first, when it can be asked."""


def main(arguments: Sequence[str]) -> None:
    """Answer requests until nobody asks any more."""
    module, niceness, *folders = arguments
    # Only answers may go where answers are read from: whatever else is printed goes elsewhere.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    if hasattr(os, "nice"):
        os.nice(int(niceness))
    engine.games.__path__.extend(f for f in folders if f not in engine.games.__path__)
    chores: dict[str, Callable[..., Any]] = importlib.import_module(module).CHORES
    asked: SimpleQueue[str] = SimpleQueue()
    threading.Thread(target=_read, args=(asked,), daemon=True).start()
    _say(answers, {"said": READY})
    while True:
        request = json.loads(asked.get())
        try:
            answer = {"said": chores[request["chore"]](**request["with"])}
            json.dumps(answer)  # what cannot be said is an error like all others
        except Exception as error:  # noqa: BLE001 -- whoever asks is told, whatever it was
            traceback.print_exc()
            answer = {"error": f"{type(error).__name__}: {error}"}
        _say(answers, answer)


def _read(asked: SimpleQueue[str]) -> None:
    """Take requests in; without anybody to answer, even the longest thought ends at once."""
    for line in sys.stdin:
        asked.put(line)
    os._exit(0)


def _say(answers: Any, answer: dict[str, Any]) -> None:
    answers.write(json.dumps(answer) + "\n")
    answers.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
