"""The searchers of this process, by game and number of players.

Compiled kernels load in a second, so callers wait for them. The first compilation takes long, so it
runs in a thread, and callers short of time get no searcher until it is done.
"""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Final

import ai.games
from ai.kernels import has_machine_code
from ai.position import Fast, fast
from ai.search.maxn import MaxN
from ai.search.searcher import Searcher

_LOADING: Final[dict[str, threading.Thread]] = {}
_LOADED: Final[set[str]] = set()
_SEARCHERS: Final[dict[tuple[str, int], Searcher]] = {}
_IN_VAIN: Final[set[str]] = set()
"""Games whose loading was waited for once; waiting again would not help."""
_LOCK: Final = threading.Lock()


def ready(slug: str, players: int, seconds: float) -> Searcher | None:
    """Return the searcher of a game, ``None`` if it has none or must be compiled first.

    If there is machine code, the first call waits up to ``seconds`` for it to load.
    """
    board = fast(slug)
    if board is None:
        return None
    if slug not in _LOADED:
        compiled = _is_compiled(slug)  # checked before the thread can compile it
        thread = _thread(board)
        if compiled and slug not in _IN_VAIN:
            thread.join(seconds)
            _IN_VAIN.add(slug)
    if slug not in _LOADED:
        return None
    searcher = _SEARCHERS.get((slug, players))
    if searcher is None:
        searcher = _SEARCHERS[slug, players] = _made(board, players)
    return searcher


def load(slug: str) -> None:
    """Compile or load the kernels of a game, if it has a fast board."""
    board = fast(slug)
    if board is not None and slug not in _LOADED:
        _thread(board).join()


def _is_compiled(slug: str) -> bool:
    games = map(Path, ai.games.__path__)
    return all(
        has_machine_code(folder)
        for folder in (Path(__file__).parent, *(game / slug for game in games))
        if folder.is_dir()
    )


def _thread(board: Fast) -> threading.Thread:
    with _LOCK:
        thread = _LOADING.get(board.slug)
        if thread is None or not (thread.is_alive() or board.slug in _LOADED):
            thread = threading.Thread(target=_load, args=(board,), daemon=True)
            _LOADING[board.slug] = thread
            thread.start()
    return thread


def _made(board: Fast, players: int) -> Searcher:
    return Searcher(board, players) if players == 2 or board.paranoid else MaxN(board, players)


def _load(board: Fast) -> None:
    for players in {2, board.seats}:
        _made(board, players).compile()
    _LOADED.add(board.slug)
