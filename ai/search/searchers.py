"""The searchers of this process: one for each game with a fast board and number of players.

Compiling takes long the first time of all, so it happens in a thread of its own, and whoever
cannot wait does without.
"""

from __future__ import annotations

import threading
from typing import Final

from ai.position import Fast, fast
from ai.search.everyone import Everyone
from ai.search.searcher import Searcher

_LOADING: Final[dict[str, threading.Thread]] = {}
_LOADED: Final[set[str]] = set()
_SEARCHERS: Final[dict[tuple[str, int], Searcher]] = {}
_LOCK: Final = threading.Lock()


def ready(slug: str, players: int, seconds: float) -> Searcher | None:
    """Return the searcher of a game, or ``None`` where there is none in so many seconds."""
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
    """Compile or load all that a game needs, if it has a fast board."""
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
    return Searcher(board, players) if players == 2 or board.paranoid else Everyone(board, players)


def _load(board: Fast) -> None:
    for players in {2, board.seats}:
        _made(board, players).compile()
    _LOADED.add(board.slug)
