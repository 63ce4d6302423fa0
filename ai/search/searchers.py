"""The searchers of this process, by game and number of players.

Compiling takes long the very first time, so it runs in a thread, and callers with little time do
without a searcher.
"""

from __future__ import annotations

import threading
from typing import Final

from ai.position import Fast, fast
from ai.search.maxn import MaxN
from ai.search.searcher import Searcher

_LOADING: Final[dict[str, threading.Thread]] = {}
_LOADED: Final[set[str]] = set()
_SEARCHERS: Final[dict[tuple[str, int], Searcher]] = {}
_LOCK: Final = threading.Lock()


def ready(slug: str, players: int, seconds: float) -> Searcher | None:
    """Return the searcher of a game, ``None`` if there is none within some seconds."""
    board = fast(slug)
    if board is None:
        return None
    if slug not in _LOADED:
        _thread(board).join(max(seconds, 0))
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
